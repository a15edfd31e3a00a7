"""Two reports held against each other: the record, its document and its tables."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hbeval.model import dumps
from hbeval.report.changes import changes
from hbeval.report.comparison import compare_reports, comparison_document
from hbeval.report.comparison_tables import (
    changes_table,
    difference_table,
    interval_table,
    part_tables,
    sides_table,
)
from hbeval.report.telling import telling_scenarios
from tests.report.comparison_builder import GOOD, battery_report, two_reports

NAMES = ("good", "poor")


def test_differences_come_overall_by_fault_by_domain_and_by_task() -> None:
    """Each part with the runs of both sides."""
    comparison = compare_reports(*two_reports())
    assert comparison.refusals == ()
    assert [dict(each.by) for each in comparison.parts] == [{"fault": "tool_failure"}, {"domain": "a"}, {"domain": "b"}]
    assert [each.name for each in comparison.tasks] == ["a0", "a2", "a4", "a6", "b1", "b3", "b5", "b7"]
    assert all(each.runs == (3, 3) for each in comparison.tasks)
    assert comparison.paired


def test_what_must_not_be_compared_is_not_subtracted() -> None:
    """Every reason, what changed, and no difference of any kind."""
    a, b = two_reports(scoring_fingerprint="0" * 16, fault_spec_fingerprint="1" * 16)
    comparison = compare_reports(a, b)
    assert len(comparison.refusals) == 2
    assert (comparison.differences, comparison.parts, comparison.tasks, comparison.caveats()) == ((), (), (), ())
    assert {each.what for each in comparison.changes} >= {"scoring fingerprint", "fault specification fingerprint"}
    document = comparison_document(comparison, ("x", "y"))
    assert (document["comparable"], document["differences"], document["groups"]) == (False, {}, [])


def test_a_part_that_only_one_side_has_is_shown_as_not_measured() -> None:
    """A task that is gone is not passed over."""
    a = battery_report([("x", GOOD, True), ("y", GOOD, True)])
    b = battery_report([("x", GOOD, True)])
    parts = {each.name: each for each in compare_reports(a, b).tasks}
    assert parts["y"].runs == (3, 0)
    assert all(each.leading is None for each in parts["y"].differences)
    assert "not measured in the second report" in (parts["y"].differences[0].reason or "")


def test_without_lists_of_runs_the_groups_are_compared_and_it_is_said() -> None:
    """By fault and by domain from the groups' own intervals; no tasks."""
    a, b = two_reports()
    comparison = compare_reports(replace(a, runs=None), b)
    assert not comparison.paired
    assert [dict(each.by) for each in comparison.parts] == [{"fault": "tool_failure"}, {"domain": "a"}, {"domain": "b"}]
    assert comparison.tasks == ()
    assert any("--runs" in each for each in comparison.caveats())
    apart = replace(b, groups=b.groups[:1])
    assert len(compare_reports(replace(a, runs=None), apart).parts) == 1


def test_caveats_count_the_intervals_and_the_tasks() -> None:
    """Many intervals, few tasks: both are said; from twenty tasks on only the first."""
    few = compare_reports(*two_reports()).caveats()
    assert any("intervals holds on its own" in each for each in few)
    assert any("8 tasks: fewer than 20" in each for each in few)
    runs = [(f"t{place:02}", GOOD, True) for place in range(20)]
    many = compare_reports(battery_report(runs), battery_report(runs)).caveats()
    assert not any("fewer than 20" in each for each in many)
    one = compare_reports(battery_report(runs[:1]), battery_report(runs[:1])).caveats()
    assert any("1 task: fewer" in each for each in one)


def test_changes_name_what_differs_and_nothing_else() -> None:
    """Labels, battery, versions, further settings; a label that one side lacks is there with nothing."""
    runs = [("x", GOOD, True)]
    a = battery_report(runs, labels={"model": "m1", "commit": "c"})
    b = battery_report(runs, labels={"model": "m2", "commit": "c", "prompt_version": 3})
    found = {each.what: (each.a, each.b) for each in changes(a, b)}
    assert found == {"agent model": ("m1", "m2"), "agent prompt version": (None, 3)}
    assert changes(a, a) == ()
    other = replace(b, battery={**(b.battery or {}), "seed": 8}, metric_versions={**b.metric_versions, "frr": "1.1"})
    more = {each.what for each in changes(a, other, ({"hbeval version": "1"}, {"hbeval version": "2"}))}
    assert more >= {"battery seed", "version of frr", "hbeval version"}
    without = {each.what: each for each in changes(a, replace(b, battery=None))}
    assert without["battery seed"].b is None


def test_the_document_is_strict_json_with_every_key() -> None:
    """Undefined is null with its reason; all three estimates; pairs counted."""
    a, b = two_reports()
    lost = battery_report([("a0", "1001", True)], name="lost")
    document = json.loads(dumps(comparison_document(compare_reports(a, b), ("x", "y"))))
    frr = document["differences"]["frr"]
    assert (frr["shown"], frr["value"], frr["reason"]) == ("worse", -0.375, None)
    assert frr["pairs"] == {"higher_in_b": 0, "equal": 6, "lower_in_b": 18, "on_one_side": 0}
    assert set(frr["runs"]) == set(frr["tasks"]) == set(frr["scenarios"])
    assert frr["runs"]["pairs"] is None
    assert frr["interval"] == frr["scenarios"]["interval"]
    assert document["differences"]["pass_1"]["tasks"] is None
    assert (document["schema"], document["paired"], document["a"]["path"]) == ("hbeval-comparison/1", True, "x")
    assert {"what": "agent id", "a": "good", "b": "poor"} in document["changes"]
    undefined = comparison_document(compare_reports(a, lost), ("x", "y"))["differences"]["frr"]
    assert (undefined["value"], undefined["interval"]) == (None, None)
    assert undefined["reason"] == "not measured in the second report: no faulted step"


def test_tables_write_undefined_as_a_dash_never_as_nought() -> None:
    """Value, difference, interval and count alike."""
    a, _ = two_reports()
    lost = battery_report([("a0", "1001", True)], name="lost")
    rows = {row[0]: row for row in difference_table(compare_reports(a, lost), ("good", "lost")).rows}
    assert rows["FRR"] == ("FRR", "1.000", "–", "–", "–", "not measured", "–")
    cells = next(part_tables(compare_reports(a, lost).tasks)).rows[0]
    assert cells[0] == "a0"
    assert "–" in cells


def test_tables_show_the_difference_and_mark_what_is_shown() -> None:
    """One row a metric; a row a part with an arrow where the interval leaves out 0."""
    comparison = compare_reports(*two_reports())
    table = difference_table(comparison, NAMES)
    assert table.title == "poor less good, with 95 % intervals"
    rows = {row[0]: row for row in table.rows}
    assert rows["FRR"][1:4] == ("1.000", "0.625", "−0.375")
    assert rows["FRR"][5:] == ("worse", "24 scenarios")
    ways = {row[0]: row for row in interval_table(comparison).rows}
    assert all(each.startswith("−0.375 (") for each in ways["FRR"][1:])
    assert ways["pass^1"][2:] == ("–", "–")
    titles = [each.title for each in part_tables(comparison.parts)]
    assert titles == ["By fault", "By domain"]
    by_fault = next(part_tables(comparison.parts))
    assert any(cell.endswith("▼") for cell in by_fault.rows[0] if isinstance(cell, str))
    assert list(part_tables(())) == []


def test_changes_are_cut_where_they_are_long_and_refused_values_stand_beside_each_other() -> None:
    """Control characters become visible."""
    runs = [("x", GOOD, True)]
    a = battery_report(runs, labels={"prompt": "p" * 200, "tools": ["a", "b"], "note": "\x1b[31m"})
    b = battery_report(runs)
    rows = {row[0]: row for row in changes_table(compare_reports(a, b), NAMES).rows}
    prompt = rows["agent prompt"][1]
    assert isinstance(prompt, str)
    assert len(prompt) == 60
    assert prompt.endswith("…")
    assert rows["agent tools"][1:] == ('["a", "b"]', "–")
    assert "\x1b" not in "".join(str(cell) for cell in rows["agent note"])
    sides = sides_table(compare_reports(a, replace(b, metrics={})), NAMES)
    assert sides.rows[0][0] == "PEI"
    assert sides.rows[0][2] == "not in this report"


def test_no_metric_in_common_has_no_level() -> None:
    """A table of a comparison without any difference still has a heading."""
    a, b = two_reports()
    nothing = replace(compare_reports(a, b), differences=())
    assert difference_table(nothing, NAMES).title == "poor less good, with intervals"


def test_the_most_different_scenarios_are_shown_one_a_task() -> None:
    """Success and FRR both lost counts more than one of them; equal runs never."""
    comparison = compare_reports(*two_reports())
    assert telling_scenarios(comparison) == ("a0/tool_failure/r0", "a2/tool_failure/r0", "b1/tool_failure/r0")
    assert len(telling_scenarios(comparison, 1)) == 1
    a, _ = two_reports()
    assert telling_scenarios(compare_reports(a, a)) == ()
    assert telling_scenarios(compare_reports(replace(a, runs=None), a)) == ()


@pytest.mark.parametrize("count", [2, 40])
def test_many_tasks_are_split_in_one_pass(count: int) -> None:
    """As many parts as tasks."""
    runs = [(f"t{place}", GOOD, True) for place in range(count)]
    report = battery_report(runs, repeats=1)
    assert len(compare_reports(report, report).tasks) == count
