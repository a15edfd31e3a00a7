"""A verdict as one HTML page: the verdict, its requirements as charts, and the comparison behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hbeval.gate.metrics import gated
from hbeval.gate.outputs.standing import carries_failure, standing_words
from hbeval.gate.outputs.tables import flaky_table, requirement_table, task_table
from hbeval.gate.verdict import GateResult, RequirementResult, Verdict
from hbeval.model import Measured, NotMeasured, Report
from hbeval.report.comparison import compare_reports
from hbeval.report.comparison_tables import difference_table
from hbeval.report.facts import MetricFacts, facts
from hbeval.report.html.difference_marks import dumbbell
from hbeval.report.html.marks import scale_chart
from hbeval.report.html.markup import Markup, element
from hbeval.report.html.page import Shown, overview, page_header, whole_page
from hbeval.report.html.sections import folded_table, table_card
from hbeval.report.html.task_pairs import by_task

__all__ = ["gate_page"]

_CHIPS = {
    Verdict.PASS: "chip deliberate",
    Verdict.FAIL: "chip reflex",
    Verdict.ERROR: "chip reflex",
    Verdict.INCONCLUSIVE: "chip not_judged",
}
_MOST_TASKS = 200


def gate_page(
    result: GateResult, report: Report | None, baseline: Report | None, *, enforce: bool, version: str = ""
) -> str:
    """A complete HTML document; nothing in it refers to anything outside it.

    Without the reports (an interrupted gate) it holds the verdict alone.
    """
    heading = f"Gate: {result.verdict}"
    shown = [Shown(report=report, name="result")] if report is not None else []
    if report is not None and baseline is not None:
        shown.append(Shown(report=baseline, name="baseline"))
    body = [page_header(shown, heading) if shown else element("header", element("h1", heading))]
    body += [_verdict(result, enforce=enforce), *_requirements(result), *_tasks(result)]
    if result.flaky:
        body.append(table_card(flaky_table(result.flaky)))
    body += _behind(report, baseline)
    if shown:
        body.append(overview(shown))
    return whole_page(heading, body, version, styles=("comparison.css",))


def _verdict(result: GateResult, *, enforce: bool) -> Markup:
    mode = "It counts: --enforce." if enforce else "Report mode: only ERROR changes the exit code."
    lines = [element("p", element("span", result.verdict.value, class_=_CHIPS[result.verdict]), f" {result.required}")]
    if result.partial:
        lines.append(element("div", "Interrupted: nothing was decided.", class_="banner", role="note"))
    if result.errors:
        reasons = element("ul", *(element("li", each) for each in result.errors))
        lines.append(element("div", element("b", "Could not be tested."), reasons, class_="banner", role="note"))
    for title, told in (("Not required, and not measured", result.unmeasured), ("Beside the verdict", result.notes)):
        if told:
            lines += [element("h4", title), element("ul", *(element("li", each) for each in told))]
    spoken = (each for each in (mode, result.population, result.multiplicity) if each)
    return element(
        "section",
        element("h3", "Verdict"),
        *lines,
        *(element("p", each, class_="note") for each in spoken),
        class_="card",
    )


def _requirements(result: GateResult) -> Iterator[Markup]:
    if not result.requirements:
        return
    yield element(
        "section",
        element("h3", "Requirements"),
        *(_requirement(each, result) for each in result.requirements),
        folded_table(requirement_table(result)),
        class_="card",
    )


def _requirement(row: RequirementResult, result: GateResult) -> Markup:
    name = element("div", element("b", row.requirement), class_="name")
    chip = element("span", row.verdict.value, class_=_CHIPS[row.verdict])
    words = element("p", chip, f" {standing_words(row, result)}")
    return element("div", name, element("div", _chart(row), words), class_="metric")


def _chart(row: RequirementResult) -> Markup:
    """A floor on the metric's scale with its bounds; a margin as baseline and result joined."""
    known, measured = _facts(row)
    if row.baseline is not None and row.value is not None:
        return dumbbell(row.baseline, row.value, known, label=row.requirement)
    return scale_chart(measured, known, label=row.requirement)


def _facts(row: RequirementResult) -> tuple[MetricFacts, Measured | NotMeasured]:
    instrument = gated()[row.metric].name if row.metric in gated() else row.metric
    if row.value is None:
        result: Measured | NotMeasured = NotMeasured(reason=row.words, n=row.n, n_total=row.n, instrument=instrument)
    else:
        bounds = None if row.bound is None or row.upper is None else (row.bound, row.upper)
        result = Measured(
            value=row.value,
            n=row.trials,
            n_total=row.trials,
            k=0.0,
            interval=bounds,
            level=0.0,
            method="one-sided bounds",
            instrument=instrument,
        )
    return replace(facts(row.metric, result), threshold=None if row.margin is not None else row.limit), result


def _tasks(result: GateResult) -> Iterator[Markup]:
    failed = [each for each in result.tasks if carries_failure(each, result)]
    if failed:
        yield table_card(replace(task_table(failed[:_MOST_TASKS], result), title="Tasks that fail the gate"))
    if result.tasks:
        table = task_table(result.tasks[:_MOST_TASKS], result)
        left = len(result.tasks) - _MOST_TASKS
        note = element("p", f"{left} more are in the JSON document.", class_="note") if left > 0 else None
        yield element("section", element("h3", "Single tasks"), folded_table(table), note, class_="card")


def _behind(report: Report | None, baseline: Report | None) -> Iterator[Markup]:
    """The comparison with the baseline, where the two may be compared."""
    if report is None or baseline is None:
        return
    comparison = compare_reports(baseline, report)
    if comparison.refusals:
        return
    names = ("baseline", "result")
    yield table_card(difference_table(comparison, names))
    yield from by_task(comparison.tasks, names)
