"""The same runs judged by the gates of two other packages; run by `gate_characteristic.py` in their own environment.

Standard input: {"pairs": [{"runs", "margin", "required", "baseline": ["110…", …], "candidate": […]}, …],
"floors": [{"runs", "required", "candidate": […]}, …]}; a text is one sample, a digit one run of one trial. Standard
output: per package its version, and per entry how many samples got which ruling; or why it could not run. Both are
called as installed: the plugin by running pytest over one test a sample, the other through its `decide`.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

PLUGIN = "agentcheck-pytest-plugin"
EXPERIMENTS = "agent-reliability-ci"

_TEST = """
import json
from pathlib import Path
import pytest

ASKED = json.loads(Path(__file__).with_name("asked.json").read_text())
TURNS = {each: iter(sample) for each, sample in enumerate(ASKED["samples"])}

@pytest.mark.agentcheck(runs=ASKED["runs"], min_pass_rate=ASKED["required"])
@pytest.mark.parametrize("sample", range(len(ASKED["samples"])))
def test_agent(sample):
    assert next(TURNS[sample]) == "1"
"""


def main() -> int:
    """Judge what standard input holds."""
    asked = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        answer = {
            PLUGIN: _asked_of(PLUGIN, asked, pair=plugin_on_pair, floor=plugin_on_floor),
            EXPERIMENTS: _asked_of(EXPERIMENTS, asked, pair=experiment_on_pair, floor=None),
        }
    json.dump(answer, sys.stdout)
    return 0


def _asked_of(
    package: str,
    asked: Mapping[str, Any],
    *,
    pair: Callable[[Mapping[str, Any]], Counter[str]],
    floor: Callable[[Mapping[str, Any]], Counter[str]] | None,
) -> dict[str, Any]:
    try:
        version = importlib.metadata.version(package)
        pairs = [dict(pair(each)) for each in asked["pairs"]]
        floors = [dict(floor(each)) for each in asked["floors"]] if floor else None
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"version": version, "pairs": pairs, "floors": floors}


def plugin_on_pair(asked: Mapping[str, Any]) -> Counter[str]:
    """Rulings of the plugin's comparison with a baseline it saved itself, one session for each."""
    with tempfile.TemporaryDirectory() as folder:
        _session(folder, asked, asked["baseline"], "--agentcheck-baseline=save")
        return _session(folder, asked, asked["candidate"], "--agentcheck-baseline=compare")


def plugin_on_floor(asked: Mapping[str, Any]) -> Counter[str]:
    """Rulings of the plugin's test against a required pass rate."""
    with tempfile.TemporaryDirectory() as folder:
        return _session(folder, asked, asked["candidate"])


def _session(folder: str, asked: Mapping[str, Any], samples: Sequence[str], *options: str) -> Counter[str]:
    import pytest

    class Tests:
        """Counts how the tests ended."""

        def __init__(self) -> None:
            self.ended: Counter[str] = Counter()

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.when == "call":
                self.ended["pass" if report.passed else "fail"] += 1

    place = Path(folder)
    place.joinpath("test_samples.py").write_text(_TEST, encoding="utf-8")
    document = {"runs": asked["runs"], "required": asked["required"], "samples": samples}
    place.joinpath("asked.json").write_text(json.dumps(document), encoding="utf-8")
    sys.modules.pop("test_samples", None)
    tests, here = Tests(), Path.cwd()
    os.chdir(place)
    try:
        pytest.main(["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", *options, folder], plugins=[tests])
    finally:
        os.chdir(here)
    if sum(tests.ended.values()) != len(samples):
        raise ValueError(f"{sum(tests.ended.values())} of {len(samples)} tests ran")
    return tests.ended


def experiment_on_pair(asked: Mapping[str, Any]) -> Counter[str]:
    """Rulings of the experiments package's gate at its default level, its `delta` the margin."""
    rulings: Counter[str] = Counter()
    for baseline, candidate in zip(asked["baseline"], asked["candidate"], strict=True):
        rulings[_ruling(asked["runs"], asked["margin"], baseline.count("1"), candidate.count("1"))] += 1
    return rulings


@cache
def _ruling(runs: int, margin: float, baseline: int, candidate: int) -> str:
    """Its ruling depends on the counts alone, so each pair of counts is decided once."""
    from arci.gate import decide

    manifest, envelopes = _experiment(runs, margin)
    trials = [
        envelopes[arm, place, place < passed]
        for arm, passed in (("baseline", baseline), ("candidate", candidate))
        for place in range(runs)
    ]
    verdict = decide(manifest, trials).verdict.value
    return {"PASS": "pass", "BLOCK": "fail", "INCONCLUSIVE": "inconclusive"}.get(verdict, verdict)


@cache
def _experiment(runs: int, margin: float) -> tuple[Any, dict[tuple[str, int, bool], Any]]:
    """A sealed experiment, and every trial of it once passed and once failed."""
    from arci.schedule import build_schedule, spec_sha256
    from arci.schema import ArmSpec, Condition, ContractSpec, Manifest, Outcome, Termination, TrialEnvelope

    manifest = Manifest.create(
        experiment_id="study",
        task_id="task",
        toolset="study:toolset",
        contract=ContractSpec(oracle="study:oracle"),
        baseline=ArmSpec(label="baseline", agent="study:baseline"),
        candidate=ArmSpec(label="candidate", agent="study:candidate"),
        conditions=(Condition(condition_id="nominal"),),
        delta=margin,
        n_per_arm=runs,
    )
    envelopes = {}
    for spec in build_schedule(manifest):
        for passed in (True, False):
            envelopes[spec.arm, int(spec.pair_id.rsplit(":", 1)[1]), passed] = TrialEnvelope.create(
                spec_sha256=spec_sha256(spec),
                experiment_id=spec.experiment_id,
                trial_id=spec.trial_id,
                pair_id=spec.pair_id,
                arm=spec.arm,
                variant=spec.variant,
                task_id=spec.task_id,
                condition_id=spec.condition.condition_id,
                seed=spec.seed,
                outcome=Outcome.PASS if passed else Outcome.FAIL,
                termination=Termination.COMPLETED,
                failure_fingerprint=None if passed else "failed",
            )
    return manifest, envelopes


if __name__ == "__main__":
    raise SystemExit(main())
