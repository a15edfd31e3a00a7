"""The operating characteristic of the gate, on a smaller grid, and what the study says of other packages."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

REPLICATES = 400
WITHOUT_PEERS = {"agentcheck-pytest-plugin": {"error": "x"}, "agent-reliability-ci": {"error": "x"}}


@pytest.fixture(scope="module")
def study(load_study: Callable[[str], ModuleType]) -> ModuleType:
    return load_study("gate_characteristic")


@pytest.fixture(scope="module")
def seen(study: ModuleType) -> list[Any]:
    """Both margins at 20 and 50 runs, one trial a run and 3 to 10 with correlation."""
    laws = (((1, 1), 0.0), ((3, 10), 0.3))
    return list(study.cells(REPLICATES, 5, laws=laws, runs=(20, 50), bases=(0.8, 0.95), kept=30))


def test_errors_keep_their_bars(seen: list[Any]) -> None:
    """At 400 replicates an error of 5.5 % may be seen as 8.9 %; over all cells together it may not."""
    assert len(seen) == 16
    assert not [cell for cell in seen if cell.missed]
    assert sum(cell.worse["pass"] for cell in seen) / len(seen) <= 0.055
    assert sum(cell.equal["fail"] for cell in seen) / len(seen) <= 0.055


def test_a_fixed_drop_passes_a_loss_of_its_own_size_half_the_time(seen: list[Any]) -> None:
    """Whatever the number of runs; and it fails equal agents more often than the test does."""
    for cell in seen:
        if cell.margin == 0.05:
            assert 0.4 <= cell.fixed_worse["pass"] <= 0.6
            assert cell.fixed_worse["inconclusive"] == 0.0
    assert sum(cell.fixed_equal["fail"] for cell in seen) > 3 * sum(cell.equal["fail"] for cell in seen)


def test_more_runs_and_a_wider_margin_decide_more(seen: list[Any]) -> None:
    """Power grows and the inconclusive share shrinks."""
    few, many = (
        [each for each in seen if each.runs == runs and each.margin == 0.10 and each.base == 0.8] for runs in (20, 50)
    )
    for a, b in zip(few, many, strict=True):
        assert b.equal["pass"] > a.equal["pass"]
        assert b.worse["inconclusive"] < a.worse["inconclusive"]
        assert sum(a.equal.values()) == pytest.approx(1.0)


def test_bars_are_those_stated_and_a_miss_is_seen(study: ModuleType, seen: list[Any]) -> None:
    """5.5 % up to .95 and ten trials a run, 8 % elsewhere; three standard errors beyond is a miss."""
    cell = seen[0]
    assert (cell.bar, replace(cell, base=0.99).bar, replace(cell, trials=(5, 30)).bar) == (0.055, 0.08, 0.08)
    for share, missed in ((0.088, False), (0.09, True)):
        assert replace(cell, worse={**cell.worse, "pass": share}).missed is missed
        assert replace(cell, equal={**cell.equal, "fail": share}).missed is missed


def test_the_same_seed_gives_the_same_cells(study: ModuleType) -> None:
    """And another seed others."""
    first, again, other = (
        list(study.cells(100, seed, laws=(((1, 1), 0.0),), runs=(20,), bases=(0.8,))) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_a_required_rate_is_not_passed_by_what_falls_short(study: ModuleType) -> None:
    """A true .85 against .90 passes in at most 5.5 % of samples at every number of runs."""
    found = list(study.floors(REPLICATES, 3))
    assert {each.runs for each in found} == {10, 20, 50, 200}
    assert all(each.rulings["pass"] <= 0.055 for each in found if each.true == 0.85)


def test_questions_to_other_packages_are_the_same_samples(study: ModuleType, seen: list[Any]) -> None:
    """One trial a run only, each with its worse and its equal candidate, as digits."""
    questions = study.pair_questions(seen)
    assert len(questions) == 2 * sum(cell.trials == (1, 1) for cell in seen)
    for question in questions:
        assert len(question.sent["baseline"]) == len(question.sent["candidate"]) == 30
        assert all(len(each) == question.sent["runs"] for each in question.sent["candidate"])
        assert set("".join(question.sent["baseline"])) <= {"0", "1"}


def test_a_package_that_cannot_run_is_said_never_imitated(study: ModuleType, seen: list[Any]) -> None:
    """An environment without them, and an interpreter that is none."""
    pairs, floors = study.pair_questions(seen)[:1], study.floor_questions(study.floors(100, 1))[:1]
    answers = study.ask_peers(sys.executable, pairs, floors)
    assert set(answers) == set(WITHOUT_PEERS)
    assert all("PackageNotFoundError" in each["error"] for each in answers.values())
    lines = "\n".join(study.peer_lines(answers, pairs, floors))
    assert "agentcheck-pytest-plugin: not run, PackageNotFoundError" in lines
    assert "not run" in "\n".join(study.peer_lines(study.ask_peers("/no/such/python", pairs, floors), pairs, floors))


def test_what_other_packages_rule_is_shown_in_per_cent(study: ModuleType, seen: list[Any]) -> None:
    """One line a question; a package without a test against a floor says so."""
    pairs, floors = study.pair_questions(seen)[:1], study.floor_questions(study.floors(100, 1))[:1]
    answers = {
        "one": {"version": "1", "pairs": [{"pass": 3, "fail": 1}], "floors": [{"fail": 2}]},
        "two": {"version": "2", "pairs": [{"inconclusive": 4}], "floors": None},
    }
    text = "\n".join(study.peer_lines(answers, pairs, floors))
    assert "FAIL  25.0  PASS  75.0 (of 4)" in text
    assert "FAIL 100.0 (of 2)" in text
    assert "no test against a required rate" in text


@pytest.mark.parametrize("as_json", [False, True])
def test_the_exit_code_says_whether_the_bars_were_kept(
    study: ModuleType,
    seen: list[Any],
    as_json: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """0 with the promise, 1 with one that cannot be kept; the seed is printed; JSON is one document without samples."""
    monkeypatch.setattr(study, "cells", lambda replicates, seed, *, kept: iter(seen[:2]))
    flags = ["--replicates", "100", "--seed", "9", *(["--json"] if as_json else [])]
    assert study.main(flags) == 0
    text = capsys.readouterr().out
    assert "pip install" in text
    if as_json:
        assert "samples" not in text
        document = json.loads(text)
        assert (document["seed"], document["missed"], len(document["cells"])) == (9, 0, 2)
        assert document["cells"][0]["bar"] == 0.055
    else:
        assert "seed 9" in text
    monkeypatch.setattr(study.Cell, "bar", property(lambda self: -1.0))
    monkeypatch.setattr(study.Cell, "missed", property(lambda self: True))
    assert study.main(flags) == 1


@pytest.mark.parametrize("flags", [["--replicates", "5"], ["--peer-replicates", "0"]])
def test_sample_sizes_out_of_range_are_refused(study: ModuleType, flags: list[str]) -> None:
    """Too few replicates show nothing."""
    with pytest.raises(SystemExit):
        study.main(flags)
