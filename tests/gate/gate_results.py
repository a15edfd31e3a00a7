"""Verdicts of every kind, real ones and hostile ones, for tests of what is made of them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from hbeval.gate import GateResult, RequirementResult, Requirements, Verdict, interrupted, parse_requirement, run_gate
from hbeval.gate.verdict import FlakyScenario
from hbeval.model import Coverage
from tests.gate.arms import arm, drawn

__all__ = ["HOSTILE", "VERDICTS", "asked", "gate_results"]

HOSTILE = "\x1b[31mx\x00\ufffe\ud83d]]>&\"'|`<b>\r\n::error::y\n::stop-commands::z\n%0A,:{}\u202e@user #1"


def asked(*texts: str) -> Requirements:
    """Requirements in words."""
    return Requirements(all=tuple(map(parse_requirement, texts)))


def _made() -> dict[str, GateResult]:
    good, bad = drawn(0.9, 200), drawn(0.5, 200, seed=2)
    return {
        "pass": run_gate(good, None, asked("frr >= 0.7")),
        "fail": run_gate(bad, good, asked("frr not worse by 0.05", "success_rate >= 0.01")),
        "inconclusive": run_gate(drawn(0.75, 12), None, asked("frr >= 0.7", "frr >= 0.2")),
        "either": run_gate(good, None, asked("frr >= 0.99 or frr >= 0.7")),
        "error": run_gate(arm([5] * 20, endings=["infrastructure"] * 20), None, asked("frr >= 0.7")),
        "interrupted": interrupted(asked("frr >= 0.7")),
    }


VERDICTS = _made()

_texts = st.text(alphabet=st.characters(), max_size=12) | st.just(HOSTILE)
_numbers = st.none() | st.floats(-5, 5)
_rows = st.builds(
    RequirementResult,
    requirement=_texts,
    metric=st.sampled_from(["frr", "ti", "unheard_of"]),
    task=st.none() | _texts,
    verdict=st.sampled_from(Verdict),
    decides=st.booleans(),
    words=_texts,
    value=_numbers,
    baseline=_numbers,
    bound=_numbers,
    upper=_numbers,
    limit=_numbers,
    p_adjusted=st.none() | st.floats(0, 1),
)
_flaky = st.builds(
    FlakyScenario,
    scenario=_texts,
    baseline_successes=st.just(1),
    baseline_runs=st.just(2),
    successes=st.just(1),
    runs=st.just(2),
    p_value=st.floats(0, 1),
    quarantined=st.booleans(),
)


def gate_results() -> st.SearchStrategy[GateResult]:
    """Any result, sensible or not."""
    lines = st.lists(_texts, max_size=3).map(tuple)
    return st.builds(
        GateResult,
        verdict=st.sampled_from(Verdict),
        required=_texts,
        alpha=st.just(0.05),
        requirements=st.lists(_rows, max_size=3).map(lambda rows: tuple(replace(row, task=None) for row in rows)),
        tasks=st.lists(_rows, max_size=3).map(tuple),
        errors=lines,
        unmeasured=lines,
        flaky=st.lists(_flaky, max_size=2).map(tuple),
        notes=lines,
        population=_texts,
        multiplicity=_texts,
        coverage=st.just(Coverage(runs=3, measured=2, invalid={"infrastructure": 1})),
        agent=st.dictionaries(_texts, _texts, max_size=2),
        baseline_agent=st.none() | st.just({}),
        baseline_digest=st.none() | _texts,
        more_runs=st.none() | st.integers(0, 10**6),
        partial=st.booleans(),
    )
