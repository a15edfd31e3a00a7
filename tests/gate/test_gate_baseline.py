"""Baselines are named by what they hold, and only a pass replaces one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hbeval.errors import EnvironmentFault, InputError, UsageError
from hbeval.gate import GateResult, Verdict, run_gate
from hbeval.gate.baseline import begin, read_baseline, refusal_to_update, update
from hbeval.model import Report, digest
from tests.gate.arms import arm, drawn

GOOD = drawn(0.95, 400)


@pytest.fixture(params=["baseline.json", "baselines"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file, and a folder that keeps all there were."""
    return tmp_path / "kept" / str(request.param)


def held(report: Report, place: Path) -> GateResult:
    """The verdict on a report against what is at the place."""
    there = read_baseline(place)
    return run_gate(report, there.report, baseline_digest=there.digest)


def test_what_is_kept_is_tested_as_the_report_was(place: Path) -> None:
    """Counts are kept; texts, trials, reasons and groups are not."""
    begin(place, GOOD)
    there = read_baseline(place).report
    direct, kept = run_gate(GOOD, GOOD), run_gate(GOOD, there)
    assert direct.requirements == kept.requirements
    assert direct.tasks == kept.tasks
    assert kept.verdict is Verdict.PASS
    assert there.groups == ()
    assert all(each.trials == () and each.reason is None for each in there.runs or ())


def test_the_digest_names_the_content_and_the_same_content_has_the_same_name(tmp_path: Path) -> None:
    """No clock and no machine is in it."""
    one, two = begin(tmp_path / "one.json", GOOD), begin(tmp_path / "two", GOOD)
    document = json.loads((tmp_path / "one.json").read_text())
    assert one == two == document["digest"] == digest(document["content"])
    assert (tmp_path / "two" / f"{one}.json").exists()
    assert (tmp_path / "two" / "current").read_text() == f"{one}\n"


def test_a_pass_replaces_and_the_old_one_is_named(place: Path) -> None:
    """In a folder it is still there."""
    first = begin(place, GOOD)
    better = drawn(0.97, 400, seed=5)
    result = held(better, place)
    assert result.verdict is Verdict.PASS
    second = update(place, better, result)
    there = read_baseline(place)
    assert (there.digest, there.replaces) == (second, first)
    if place.is_dir():
        assert (place / f"{first}.json").exists()


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_nothing_but_a_pass_replaces(place: Path, share: float) -> None:
    """FAIL and INCONCLUSIVE leave what is there."""
    first = begin(place, drawn(0.95, 40))
    worse = drawn(share, 40, seed=9)
    result = held(worse, place)
    assert result.verdict in (Verdict.FAIL, Verdict.INCONCLUSIVE)
    with pytest.raises(UsageError, match=f"the verdict is {result.verdict}; only a PASS"):
        update(place, worse, result)
    assert read_baseline(place).digest == first


def test_an_error_does_not_replace(place: Path) -> None:
    """Another seed is another series."""
    begin(place, GOOD)
    result = held(arm([5] * 400, seed=8), place)
    assert refusal_to_update(place, result) == "the verdict is ERROR; only a PASS updates a baseline"


def test_a_pass_against_something_else_does_not_replace(place: Path) -> None:
    """A floor met, or a pass against an easier baseline, says nothing about the one that is there."""
    begin(place, GOOD)
    result = run_gate(drawn(0.9, 400, seed=5), drawn(0.9, 400, seed=6))
    assert result.verdict is Verdict.PASS
    refusal = refusal_to_update(place, result)
    assert refusal is not None
    assert "was held against none; give it with --baseline" in refusal


def test_the_first_one_is_not_replaced_by_a_first_one(place: Path) -> None:
    """That would be an update without a verdict."""
    first = begin(place, GOOD)
    with pytest.raises(UsageError, match=f"holds the baseline {first[:16]}… already"):
        begin(place, drawn(0.5, 400))


def test_a_changed_baseline_is_refused(place: Path) -> None:
    """One digit is enough."""
    name = begin(place, GOOD)
    file = place / f"{name}.json" if place.is_dir() else place
    file.write_text(file.read_text().replace('"seed":7', '"seed":8').replace('"seed": 7', '"seed": 8'))
    with pytest.raises(InputError, match="was changed: its content has another digest"):
        read_baseline(place)


def test_a_baseline_under_another_name_is_refused(tmp_path: Path) -> None:
    """Its own digest is right, and it is not the one that is current."""
    one = begin(tmp_path / "one", GOOD)
    two = begin(tmp_path / "two", drawn(0.5, 400))
    (tmp_path / "one" / f"{one}.json").write_text((tmp_path / "two" / f"{two}.json").read_text())
    with pytest.raises(InputError, match="holds another baseline than its name says"):
        read_baseline(tmp_path / "one")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", "b.json"),
        ("[]", "not a baseline: field 'schema' differs"),
        ('{"schema": "hbeval-report/1"}', "not a baseline: field 'schema' differs, got 'hbeval-report/1'"),
        ('{"schema": "hbeval-baseline/1"}', "not the content of a baseline"),
        ('{"schema": "hbeval-baseline/1", "digest": "x", "content": {"report": {}, "replaces": null}}', "was changed"),
    ],
)
def test_what_is_no_baseline_says_so(tmp_path: Path, text: str, line: str) -> None:
    """With the file's name."""
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(InputError, match=line):
        read_baseline(tmp_path / "b.json")


def test_a_folder_without_a_current_one_says_so(tmp_path: Path) -> None:
    """Missing, and no digest."""
    with pytest.raises(InputError, match="current: cannot be read"):
        read_baseline(tmp_path)
    (tmp_path / "current").write_text("../../etc/passwd\n")
    with pytest.raises(InputError, match="no digest"):
        read_baseline(tmp_path)


def test_a_place_that_cannot_be_made_is_the_operators(tmp_path: Path) -> None:
    """A file is in the way."""
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentFault, match="cannot be made"):
        begin(tmp_path / "file" / "deeper" / "b.json", GOOD)


def test_a_baseline_that_is_partial_cannot_be_held_against(place: Path) -> None:
    """It could be kept by hand only; the gate refuses it too."""
    begin(place, replace(GOOD, partial=True))
    assert any("the baseline: is partial" in each for each in held(GOOD, place).errors)
