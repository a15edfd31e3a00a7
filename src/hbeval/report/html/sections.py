"""The parts of the page that belong to one report: coverage, faults, groups, runs, evidence, identity."""

from __future__ import annotations

from collections.abc import Sequence

from hbeval.model import Group, JudgedTrace, Measured, Measurement, Report
from hbeval.report.facts import facts
from hbeval.report.html.marks import scale_chart, share_bar
from hbeval.report.html.markup import Markup, element, join
from hbeval.report.html.runs import LEGEND, run_card
from hbeval.report.tables import (
    NARROW,
    Table,
    cell_words,
    coverage_table,
    evidence_table,
    fault_table,
    group_tables,
    has_dash,
    identity_table,
    run_table,
)
from hbeval.report.words import number, printable, value_words

__all__ = ["folded_table", "report_sections", "table_card", "table_element"]

_MOST_LISTED = 200
_MOST_DRAWN = 8
_MOST_OPEN = 8
_LONGEST_FIGURE = 32


def report_sections(report: Report, runs: Sequence[JudgedTrace]) -> list[Markup]:
    """Everything but the overview, in reading order."""
    sections = [element("div", _coverage(report), _faults(report), class_="columns")]
    sections += [_groups(table, groups, report) for table, groups in group_tables(report)]
    if runs:
        cards = element("div", *(run_card(each) for each in runs), class_="runs")
        chosen = (
            "A few runs, chosen by how their faults were handled: the least deliberate first. Signals: docs/judging.md."
        )
        title = element("h3", "Runs, step by step")
        sections.append(element("section", title, element("p", chosen, class_="note"), LEGEND, cards, class_="card"))
    if report.runs:
        sections.append(_run_results(report))
    sections.append(element("div", _evidence(report), _identity(report), class_="columns"))
    sections += _listed("Left out", [f"{each.source}: {each.reason}" for each in report.left_out])
    return sections + _listed("Notes", report.notes)


def table_card(table: Table) -> Markup:
    """A table with its heading."""
    return element("section", element("h3", table.title), table_element(table), class_="card")


def folded_table(table: Table) -> Markup:
    """A table folded away, for those who do not see the chart beside it."""
    return element("details", element("summary", f"{table.title} as a table"), table_element(table))


def table_element(table: Table) -> Markup:
    """A table that scrolls sideways where it is too wide."""
    heads = [
        element("th", column.name or " ", scope="col", class_="number" if column.numeric else None)
        for column in table.columns
    ]
    rows = []
    for row in table.rows:
        cells = [
            element("td", *_cell(cell), class_=_class_of(cell, numeric=column.numeric))
            for cell, column in zip(row, table.columns, strict=True)
        ]
        rows.append(element("tr", *cells))
    drawn = element("table", element("thead", element("tr", *heads)), element("tbody", *rows))
    note = element("p", table.note, class_="note") if table.note and has_dash(table) else None
    return join(element("div", drawn, class_="scroll", tabindex=0, role="group", aria_label=table.title), note)


def _class_of(cell: str | Measurement, *, numeric: bool) -> str | None:
    """Short figures are set flush right and never broken; a word too long for a column may break anywhere."""
    text = cell_words(cell)
    if numeric and len(text) <= _LONGEST_FIGURE:
        return "number"
    return "break" if any(len(word) > _LONGEST_FIGURE for word in text.split()) else None


def _cell(cell: str | Measurement) -> tuple[str, ...]:
    if isinstance(cell, (str, Measured)):
        return (cell_words(cell),)
    return (element("span", cell_words(cell), title=value_words(cell)),)


def _coverage(report: Report) -> Markup:
    coverage = report.coverage
    invalid = sum(coverage.invalid.values())
    parts = (
        ("measured", coverage.measured, "yes"),
        ("cancelled", coverage.cancelled, "soft"),
        ("invalid", invalid, "no"),
    )
    table = coverage_table(report)
    bar = share_bar(parts, label="Runs")
    return element("section", element("h3", table.title), bar, table_element(table), class_="card")


def _faults(report: Report) -> Markup:
    faults = report.faults
    table = fault_table(report)
    parts = (
        ("met", faults.met, "yes"),
        ("not exposed", faults.not_exposed, "soft"),
        ("failed to inject", faults.failed, "no"),
    )
    bar = share_bar(parts, label="Intended faults") if faults.intended else None
    return element("section", element("h3", table.title), bar, table_element(table), class_="card")


def _groups(table: Table, groups: Sequence[Group], report: Report) -> Markup:
    """Charts with the table folded away; the other way round where the groups are many."""
    shown = [key for key in report.metrics if key in NARROW and any(_is_measured(each, key) for each in groups)]
    charts = element("div", *(_multiple(key, groups) for key in shown), class_="multiples")
    if len(groups) <= _MOST_DRAWN:
        parts = (charts, folded_table(table))
    else:
        parts = (table_element(table), element("details", element("summary", f"{table.title} as charts"), charts))
    return element("section", element("h3", table.title), *parts, class_="card")


def _is_measured(group: Group, key: str) -> bool:
    return isinstance(group.metrics.get(key), Measured)


def _multiple(key: str, groups: Sequence[Group]) -> Markup:
    rows = []
    known = None
    for group in groups:
        result = group.metrics.get(key)
        name = ", ".join(printable(each).replace("_", " ") for each in group.by.values())
        if result is None:
            continue
        known = facts(key, result)
        measured = isinstance(result, Measured)
        reading = element(
            "span",
            number(result.value) if isinstance(result, Measured) else "not measured",
            class_="reading" if measured else "reading gap",
            title=None if measured else value_words(result),
        )
        chart = scale_chart(result, known, label=f"{known.label}, {name}")
        rows.append(element("div", element("span", name), chart, reading, class_="row series-0"))
    heading = key if known is None else known.label
    return element("div", element("h4", heading), *rows, class_="multiple")


def _run_results(report: Report) -> Markup:
    runs = report.runs or ()
    table = run_table(runs[:_MOST_LISTED])
    left = len(runs) - _MOST_LISTED
    note = f"{left} more runs are not listed here; the result document has them all." if left > 0 else None
    content = join(table_element(table), element("p", note, class_="note") if note else None)
    return element("section", element("details", element("summary", f"All {len(runs)} runs"), content), class_="card")


def _evidence(report: Report) -> Markup:
    table = evidence_table(report)
    claims = report.evidence.claims_unsupported
    named: Markup | None = None
    if claims:
        items = element("ul", *(element("li", claim) for claim in claims[:_MOST_LISTED]))
        named = join(element("h4", "Claims that conduct did not support"), items)
    return element("section", element("h3", table.title), table_element(table), named, class_="card")


def _identity(report: Report) -> Markup:
    return table_card(identity_table(report))


def _listed(title: str, lines: Sequence[str]) -> list[Markup]:
    if not lines:
        return []
    items = [element("li", line) for line in lines[:_MOST_LISTED]]
    if len(lines) > _MOST_LISTED:
        items.append(element("li", f"… and {len(lines) - _MOST_LISTED} more; the result document has them all."))
    shown = "open" if len(lines) <= _MOST_OPEN else None
    listed = element("details", element("summary", f"{title} ({len(lines)})"), element("ul", *items), open=shown)
    return [element("section", listed, class_="card")]
