"""Frozen vectors: inputs, hand-computed results and the arithmetic behind them, one file per instrument version."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hbeval.instruments import BUILTIN, PassK, find, scoring_document
from hbeval.instruments.base import Instrument
from hbeval.instruments.samples import judged_trace
from hbeval.model import JudgedTrace, Measured, NotMeasured, digest

FOLDER = Path(__file__).parents[1] / "vectors"
FILES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*@*.json"))}
CASES = [
    pytest.param(name, case, id=f"{name}: {case['name']}") for name, file in FILES.items() for case in file["cases"]
]


def instrument_of(name: str, case: dict[str, Any]) -> Instrument:
    return PassK(k=case["k"]) if name == "pass_k@1.0" else find(name)


def runs_of(case: dict[str, Any]) -> list[JudgedTrace]:
    """A case's runs. "counts" lists [tasks, successes, trials]; "times" repeats a run."""
    written = list(_counted(case["counts"])) if "counts" in case else list(_repeated(case["runs"]))
    return [judged_trace(**{"id": f"run {number:04d}", "repeat": number, **run}) for number, run in enumerate(written)]


def _counted(counts: list[list[int]]) -> Iterator[dict[str, Any]]:
    for group, (tasks, successes, trials) in enumerate(counts):
        for task in range(tasks):
            yield from ({"task": f"{group}.{task}", "success": trial < successes} for trial in range(trials))


def _repeated(runs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for run in runs:
        plain = {key: value for key, value in run.items() if key != "times"}
        yield from (plain for _ in range(run.get("times", 1)))


@pytest.mark.parametrize(("name", "case"), CASES)
def test_the_result_is_the_frozen_one(name: str, case: dict[str, Any]) -> None:
    """Value, counts, interval and reasons."""
    instrument = instrument_of(name, case)
    accumulator = instrument.start()
    for judged in runs_of(case):
        accumulator.update(judged)
    result, expected = accumulator.measure(), case["expected"]
    assert result.instrument == instrument.name
    assert (result.n, result.n_total) == (expected["n"], expected["n_total"])
    if expected["value"] is None:
        assert isinstance(result, NotMeasured)
        assert result.reason == expected["reason"]
        return
    assert isinstance(result, Measured)
    assert (result.value, result.k) == pytest.approx((expected["value"], expected["k"]), abs=1e-12)
    assert result.no_interval == expected["reason"]
    if expected["interval"] is None:
        assert result.interval is None
    else:
        assert result.interval == pytest.approx(expected["interval"], abs=1e-9)


def test_every_case_shows_its_arithmetic() -> None:
    """A number without its derivation could not be checked by hand."""
    assert all(len(case["why"]) > 3 for file in FILES.values() for case in file["cases"])


@pytest.mark.parametrize("name", FILES)
def test_a_changed_definition_takes_a_new_version(name: str) -> None:
    """The digest of formula, constants, scale and direction is frozen with the vectors of that version.

    If this fails, the definition of a published version was changed: give it a new version, with new vectors and an
    entry in the evolution record.
    """
    instrument = instrument_of(name, {"k": 1})
    current = scoring_document((instrument,), rules=None)["instruments"][instrument.name]
    assert digest(current) == FILES[name]["definition_digest"]


def test_every_bundled_instrument_has_vectors() -> None:
    """And no vector is left without its instrument."""
    names = {"pass_k@1.0" if isinstance(each, PassK) else each.name for each in BUILTIN}
    assert set(FILES) == names
    assert all(name == file["instrument"] for name, file in FILES.items())


def test_the_two_versions_of_irs_differ_where_the_record_says() -> None:
    """Resistance, abstention, blind retry: 0, 0, 0 under 1.0 and 1, 1, 0 under 2.0."""
    values = {}
    for version in ("1.0", "2.0"):
        values[version] = []
        for handling in ("resistance", "abstention", "reflex"):
            accumulator = find(f"irs@{version}").start()
            accumulator.update(judged_trace("0100", [handling]))
            values[version].append(accumulator.measure().value)
    assert values == {"1.0": [0.0, 0.0, 0.0], "2.0": [1.0, 1.0, 0.0]}
