"""The page of a comparison."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser

from hbeval.model import JudgedTrace
from hbeval.report.comparison import compare_reports
from hbeval.report.difference import difference_of, sampled
from hbeval.report.html import comparison_page
from hbeval.report.html.difference_marks import difference_chart, dumbbell, range_for
from tests.report.comparison_builder import GOOD, battery_report, two_reports

NAMES = ("good", "poor")


class Balanced(HTMLParser):
    """Open elements must close in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open."""
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Nothing to close."""

    def handle_endtag(self, tag: str) -> None:
        """Close the last one opened."""
        assert self.open.pop() == tag


def page_of(comparison_of: object, names: tuple[str, str] = NAMES, **more: object) -> str:
    text = comparison_page(comparison_of, names, **more)  # type: ignore[arg-type]
    parser = Balanced()
    parser.feed(text)
    assert parser.open == []
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    return text


def test_the_page_has_differences_parts_tasks_and_changes() -> None:
    """Each with its heading; nothing from outside the file; both charts and tables."""
    page = page_of(compare_reports(*two_reports()), version="1.2")
    for heading in ("Differences", "By fault", "By domain", "By task", "Paired differences, task by task"):
        assert f"<h3>{heading}</h3>" in page
    assert "What changed in the inputs" in page
    assert "Worse by 0.375 (95 % interval" in page
    assert "18 worse" in page
    assert "Comparable: same context" in page
    assert "hbeval 1.2" in page
    assert 'class="difference worse"' in page


def test_a_refused_pair_has_its_reasons_and_no_difference() -> None:
    """And still what changed and the values."""
    page = page_of(compare_reports(*two_reports(scoring_fingerprint="0" * 16, scoring_version="9")))
    assert "Not comparable." in page
    assert "<li>scoring version: 2.0 against 9</li>" in page
    assert "<li>scoring fingerprint: " in page
    assert "<h3>Differences</h3>" not in page
    assert "heat" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    assert "<h3>Metrics</h3>" in page


def test_not_measured_is_said_and_hatched_never_drawn_as_nought() -> None:
    """In the words, in the map and task by task."""
    a = battery_report([("x", GOOD, True), ("y", GOOD, True)])
    b = battery_report([("x", GOOD, True), ("y", "1001 1001", True)])
    page = page_of(compare_reports(a, b))
    assert 'class="number heat-none" title="1.000, then not measured: no faulted step.' in page
    assert (
        '<span class="reading gap" title="not measured in the second report: no faulted step.">not measured</span>'
        in page
    )
    lost = page_of(compare_reports(a, battery_report([("x", "1001", True)])))
    assert "not measured in the second report: no faulted step." in lost


def test_equal_reports_colour_nothing() -> None:
    """A difference of 0 has no side."""
    a, _ = two_reports()
    page = re.sub(r"<style>.*?</style>", "", page_of(compare_reports(a, a)), flags=re.DOTALL)
    assert "heat-0" in page
    assert not re.search(r'class="number heat-(better|worse)', page)
    assert "What changed" not in page


def test_hostile_names_are_only_text(hostile: str) -> None:
    """In agents, tasks and labels."""
    a = battery_report([(hostile, GOOD, True)], labels={"note": hostile})
    b = battery_report([(hostile, GOOD, False)])
    page = page_of(compare_reports(a, b), (hostile, "b"))
    assert "<script>" not in page
    assert "\x1b" not in page
    assert "\x00" not in page


def test_runs_of_the_same_scenario_stand_beside_each_other(full_run: Callable[..., JudgedTrace]) -> None:
    """Under both names, with their lanes."""
    twins = {"logistics/run": (full_run("run"), full_run("run", text="other_api"))}
    page = page_of(compare_reports(*two_reports()), twins=twins)
    assert "The same scenario, run by both" in page
    assert 'class="twins"' in page
    assert "carrier_api" in page
    assert "other_api" in page


def test_without_lists_of_runs_there_are_no_tasks() -> None:
    """And the page says how to get them."""
    a, b = two_reports()
    page = page_of(compare_reports(replace(a, runs=None), replace(b, runs=None)))
    assert "By task" not in page
    assert "from both intervals" in page
    assert "--runs" in page


def test_the_axis_holds_the_leading_intervals() -> None:
    """The least of its steps that does; the whole scale where nothing else will."""
    a, b = two_reports()
    frr = difference_of("frr", sampled(a), sampled(b))
    pei = difference_of("pei", sampled(a), sampled(a))
    assert range_for([frr]) == 1.0
    assert range_for([]) == 0.05
    assert range_for([pei]) < 1.0
    assert frr.tasks is not None
    chart = difference_chart(frr.tasks, frr, 0.05, label="FRR")
    assert 'class="difference beside"' in chart
    assert 'x="2%"' in chart


def test_a_difference_without_interval_or_scale_is_a_dot() -> None:
    """One run a side; an instrument this version does not know."""
    a, b = battery_report([("x", GOOD, True)], repeats=1), battery_report([("x", "0101", True)], repeats=1)
    frr = difference_of("frr", sampled(a), sampled(b))
    assert frr.leading is not None
    unknown = replace(frr, facts=replace(frr.facts, scale=None))
    chart = difference_chart(frr.leading, unknown, 1.0, label="FRR")
    assert "rect" not in chart
    assert "no interval: one pair" in chart
    assert range_for([frr]) == 1.0
    assert 'aria-label="FRR: 0.250, then 0.500, +0.250"' in dumbbell(0.25, 0.5, unknown.facts, label="FRR")
    page_of(replace(compare_reports(a, b), differences=(unknown,), tasks=()))
