"""The page: one report or several beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from hbeval.model import JudgedTrace, Measured, Measurement, Report
from hbeval.report.assembly import FIVE
from hbeval.report.facts import MetricFacts, facts, label, threshold_note
from hbeval.report.html.definitions import definitions
from hbeval.report.html.marks import scale_chart
from hbeval.report.html.markup import Markup, element, join
from hbeval.report.html.sections import folded_table, report_sections
from hbeval.report.tables import Column, Table, metric_table
from hbeval.report.tally import low_coverage
from hbeval.report.words import (
    agent_name,
    battery_words,
    coverage_words,
    interval_words,
    n_words,
    number,
    reading_words,
    value_words,
)

__all__ = ["Shown", "overview", "page", "page_header", "whole_page"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A report to show, the name to show it under, and the runs to draw step by step."""

    report: Report
    name: str | None = None
    runs: tuple[JudgedTrace, ...] = ()

    @property
    def title(self) -> str:
        """The name given, or the agent's."""
        return self.name or agent_name(self.report)


def page(shown: Sequence[Shown], *, title: str | None = None, version: str = "") -> str:
    """A complete HTML document of one or more reports; nothing in it refers to anything outside it."""
    heading = title or ", ".join(each.title for each in shown)
    body = [page_header(shown, heading), overview(shown)]
    for each in shown:
        name = element("h2", each.title) if len(shown) > 1 else None
        body.append(join(name, *report_sections(each.report, each.runs)))
    return whole_page(heading, body, version)


def whole_page(title: str, body: Sequence[Markup], version: str, styles: Sequence[str] = ()) -> str:
    """A document of this body; `styles` are further style sheets of this package."""
    sheets = [files(__package__).joinpath(name).read_text(encoding="utf-8") for name in ("style.css", *styles)]
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", f"hbeval: {title}"),
        element("style", Markup("\n".join(sheets))),
    )
    made = element("footer", f"Written by hbeval {version}. ".replace(" .", "."), _SCOPE)
    content = element("body", element("main", *body, made))
    return "<!doctype html>\n" + element("html", head, content, lang="en") + "\n"


_SCOPE = (
    "Each number holds for the scenarios, faults and rules named here. There is no overall score, because the five "
    "answer different questions."
)


def page_header(shown: Sequence[Shown], heading: str) -> Markup:
    """The heading, what was measured and how far, and what must be said before anything else."""
    chips: list[str] = []
    for each in shown:
        report = each.report
        prefix = f"{each.title}: " if len(shown) > 1 else ""
        chips.append(prefix + coverage_words(report.coverage))
        chips.append(f"{prefix}evidence {report.evidence.level}")
    first = shown[0].report
    chips += [f"context: {first.context}"] + ([battery_words(first.battery)] if first.battery else [])
    partial = [each.title for each in shown if each.report.partial]
    warning = f"Partial: {', '.join(partial)} was interrupted. This is what was measured until then."
    return element(
        "header",
        element("p", "hbeval report", class_="kicker"),
        element("h1", heading),
        element("ul", *(element("li", chip) for chip in dict.fromkeys(chips)), class_="chips"),
        element("div", warning, class_="banner", role="note") if partial else None,
        *(element("div", line, class_="banner", role="note") for line in _coverage_warnings(shown)),
    )


def _coverage_warnings(shown: Sequence[Shown]) -> Iterator[str]:
    for each in shown:
        for line in low_coverage(each.report.coverage):
            yield f"{each.title}: {line}." if len(shown) > 1 else f"{line[0].upper()}{line[1:]}."


def overview(shown: Sequence[Shown]) -> Markup:
    """Every metric on its scale, one line a report."""
    keys = tuple(dict.fromkeys(key for each in shown for key in each.report.metrics))
    legend = None
    if len(shown) > 1:
        named = [
            element("li", element("span", class_="key", aria_hidden="true"), each.title, class_=f"series-{i % 4}")
            for i, each in enumerate(shown)
        ]
        legend = element("ul", *named, class_="legend")
    note = f"Dot: value. Bar: interval, with runs as clusters. Dashed line: threshold. {threshold_note()}"
    five = [_metric(key, shown) for key in keys if key in FIVE]
    beside = [_metric(key, shown) for key in keys if key not in FIVE]
    table = metric_table(shown[0].report) if len(shown) == 1 else side_by_side(shown, keys)
    return element(
        "section",
        element("h3", "Metrics"),
        legend,
        *five,
        element("p", note, class_="note"),
        element("h3", "Beside the five") if beside and five else None,
        *beside,
        folded_table(table),
        definitions([each.report.metrics for each in shown]),
        class_="card",
    )


def _metric(key: str, shown: Sequence[Shown]) -> Markup:
    results = [(i, each, each.report.metrics.get(key)) for i, each in enumerate(shown)]
    known = facts(key, next(result for _, _, result in results if result is not None))
    weak = [each.title for each in shown if each.report.weakest == key]
    words = "weakest" if len(shown) == 1 else f"weakest of {', '.join(weak)}"
    name = element(
        "div",
        element("b", known.label),
        element("span", words, class_="chip") if weak else None,
        element("span", _subtitle(known)),
        class_="name",
    )
    lines = []
    for i, each, result in results:
        if result is None:
            lines.append(_line(Markup(), element("div", f"{each.title}: not in this report", class_="reading gap"), i))
            continue
        spoken = f"{known.label}, {each.title}" if len(shown) > 1 else known.label
        lines.append(_line(scale_chart(result, facts(key, result), series=i % 4, label=spoken), _reading(result), i))
    ends = Markup()
    if known.scale is not None:
        low, high = known.scale
        ticks = element("div", *(element("span", f"{low + (high - low) * i / 4:g}") for i in range(5)), class_="ends")
        ends = element("div", ticks, class_="line", aria_hidden="true")
    return element("div", name, element("div", *lines, ends), class_="metric")


def _subtitle(known: MetricFacts) -> str:
    title = "" if known.title.lower() == known.label.lower() else known.title
    status = "" if known.status in (None, "current") else f" ({known.status})"
    return title + status


def _line(chart: Markup, reading: Markup, series: int) -> Markup:
    return element("div", chart, reading, class_=f"line series-{series % 4}")


def _reading(result: Measurement) -> Markup:
    if not isinstance(result, Measured):
        return element("div", value_words(result), class_="reading gap")
    detail = f"{interval_words(result)}, n = {n_words(result)}"
    return element("div", element("b", number(result.value)), element("span", detail), class_="reading")


def side_by_side(shown: Sequence[Shown], keys: Sequence[str]) -> Table:
    """Values of several reports, one column each."""
    columns = (Column(name="metric"), *(Column(name=each.title, numeric=True) for each in shown))
    rows = tuple((label(key), *(reading_words(each.report.metrics.get(key)) for each in shown)) for key in keys)
    return Table(title="Metrics", columns=columns, rows=rows)
