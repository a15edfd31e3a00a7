"""A report as plain text: aligned tables and a drawn scale per metric."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from hbeval.model import Measured, Measurement, NotMeasured, Report
from hbeval.report.facts import facts
from hbeval.report.redaction import redaction_words
from hbeval.report.tables import (
    NARROW,
    Column,
    Table,
    cell_words,
    group_tables,
    has_dash,
    interval_heading,
    run_table,
)
from hbeval.report.words import (
    agent_name,
    battery_words,
    coverage_words,
    evidence_words,
    fault_words,
    interval_words,
    n_words,
    printable,
    value_words,
)

__all__ = [
    "GAUGE",
    "Style",
    "draw_table",
    "gauge",
    "gauge_cells",
    "heading",
    "headings",
    "render",
    "text_width",
    "without",
]

GAUGE = "low to high"
_GAUGE_CELLS = 25
_MOST_LISTED = 10
_MOST_ROWS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """What the terminal can show. `width` is in columns."""

    unicode: bool = True
    color: bool = False
    width: int = 100

    def strong(self, text: str) -> str:
        """Text set apart where colour is on."""
        return f"\x1b[1m{text}\x1b[0m" if self.color and text else text

    def faint(self, text: str) -> str:
        """Text set back where colour is on."""
        return f"\x1b[2m{text}\x1b[0m" if self.color and text else text

    def plain(self, text: str) -> str:
        """Text within what the terminal can encode."""
        return text if self.unicode else text.translate(_ASCII)


_ASCII = str.maketrans({"–": "-", "━": "=", "●": "o", "·": ".", "─": "-", "÷": "/", "−": "-", "…": "~"})


def render(report: Report, style: Style | None = None, draw: Callable[[Table, Style], str] | None = None) -> str:
    """The whole report as text, ending in a newline. `draw` sets a table; None = `draw_table`."""
    style, draw = style or Style(), draw or draw_table
    parts = [heading(report, style), _metrics(report, style, draw)]
    if report.faults.intended or report.faults.natural:
        parts.append(f"Faults    {fault_words(report.faults)}")
    parts += [_longest(table, style, draw) for table, _ in group_tables(report, only=NARROW)]
    if report.runs:
        parts.append(_longest(run_table(report.runs), style, draw))
    parts += _lists(report, style)
    return style.plain("\n\n".join(parts) + "\n")


def _longest(table: Table, style: Style, draw: Callable[[Table, Style], str]) -> str:
    """The table, cut to the rows a terminal can bear."""
    left = len(table.rows) - _MOST_ROWS
    if left <= 0:
        return draw(table, style)
    return f"{draw(replace(table, rows=table.rows[:_MOST_ROWS]), style)}\n… and {left} more rows (all with --json)"


def heading(report: Report, style: Style) -> str:
    """Who was measured, where, how completely and on what evidence."""
    context = ", ".join(filter(None, (report.context.value, battery_words(report.battery))))
    lines = [style.strong(agent_name(report)) + style.faint(f"  {context}")]
    if report.partial:
        lines.append(style.strong("PARTIAL: interrupted; what was measured until then"))
    lines.append(f"Coverage  {coverage_words(report.coverage)}")
    lines.append(f"Evidence  {evidence_words(report.evidence)}")
    return "\n".join(lines)


def _metrics(report: Report, style: Style, draw: Callable[[Table, Style], str]) -> str:
    beside = True
    cells = gauge_cells(_metric_table(report), style)
    if cells is None:
        beside = False
        cells = gauge_cells(_metric_table(report, instruments=False), style)
    lines = [draw(_metric_table(report, instruments=beside, cells=cells), style)]
    lines += [] if beside else _instruments(report, style)
    for key, result in report.metrics.items():
        if isinstance(result, NotMeasured):
            lines.append(f"{facts(key, result).label} {value_words(result)}")
    lines.append(_weakest(report, style))
    lines.append(style.faint("What a number means, and what n counts: hbeval metrics explain frr"))
    return "\n".join(lines)


def _metric_table(report: Report, *, instruments: bool = True, cells: int | None = 0) -> Table:
    """One row per metric, its gauge of `cells` characters, None = without the column; the instruments last, or not."""
    columns = (
        Column(name="metric", fixed=True),
        Column(name=GAUGE, fixed=True),
        Column(name="value", numeric=True),
        Column(name=interval_heading(report), numeric=True),
        Column(name="n", numeric=True),
        Column(name="instrument", fixed=True),
    )
    rows = [_metric_row(key, result, cells or 0) for key, result in report.metrics.items()]
    hidden = {"" if instruments else "instrument", GAUGE if cells is None else ""}
    return without(Table(title="", columns=columns, rows=tuple(rows)), hidden)


def _metric_row(key: str, result: Measurement, cells: int) -> tuple[str, ...]:
    value = value_words(result) if isinstance(result, Measured) else "not measured"
    name, drawn = facts(key, result).label, gauge(key, result, cells)
    return name, drawn, value, interval_words(result), n_words(result), printable(result.instrument)


def _instruments(report: Report, style: Style) -> list[str]:
    """The instruments as lines, where the table has no room for them."""
    names = ", ".join(printable(each.instrument) for each in report.metrics.values())
    return textwrap.wrap(f"Instruments: {names}", style.width, break_on_hyphens=False)


def _weakest(report: Report, style: Style) -> str:
    if report.weakest is None:
        return "Weakest: none, nothing is measured"
    label = facts(report.weakest, report.metrics[report.weakest]).label
    return f"Weakest relative to its scale: {style.strong(label)}."


def without(table: Table, names: Collection[str]) -> Table:
    """The table without the columns of these names."""
    kept = [i for i, column in enumerate(table.columns) if column.name not in names]
    columns = tuple(table.columns[i] for i in kept)
    return replace(table, columns=columns, rows=tuple(tuple(row[i] for i in kept) for row in table.rows))


def gauge_cells(table: Table, style: Style) -> int | None:
    """How many cells a gauge may have in a table whose column `GAUGE` is still empty; None if it has no room."""
    texts = [[column.name for column in table.columns], *_texts(table)]
    others = [width for width, column in zip(_widths(texts), table.columns, strict=True) if column.name != GAUGE]
    room = style.width - sum(width + 2 for width in others)
    return min(_GAUGE_CELLS, room) if room >= len(GAUGE) else None


def gauge(key: str, result: Measurement, cells: int = _GAUGE_CELLS) -> str:
    """A scale of `cells` characters with the interval as a bar and the value as a dot; blank if not measured."""
    known = facts(key, result)
    if not isinstance(result, Measured) or known.scale is None or cells < 1:
        return ""
    drawn = ["·"] * cells
    if result.interval is not None:
        low, high = (_cell_at(known.position(end), cells) for end in result.interval)
        drawn[low : high + 1] = "━" * (high + 1 - low)
    drawn[_cell_at(known.position(result.value), cells)] = "●"
    return "".join(drawn)


def _cell_at(position: float | None, cells: int) -> int:
    return min(cells - 1, int((position or 0.0) * cells))


def draw_table(table: Table, style: Style) -> str:
    """Columns as wide as their widest cell; a rule under the headings.

    Where the width is short, headings of numbers take a line for each word, then the widest text columns are cut.
    """
    texts = _texts(table)
    heads = headings(table, style)
    names = [list(line) for line in zip(*heads, strict=True)]
    widths = _widths([*names, *texts])
    _narrow(widths, table.columns, style.width)
    lines = [style.strong(table.title)] if table.title else []
    lines += [style.faint(_line(each, widths, table.columns)) for each in names]
    lines.append(style.faint("  ".join("─" * width for width in widths)))
    lines += [_line(row, widths, table.columns) for row in texts]
    if table.note and has_dash(table):
        lines.append(style.faint(table.note))
    return "\n".join(lines)


def headings(table: Table, style: Style) -> list[list[str]]:
    """The lines of each column's heading: a number's has one for each word where the width is short, others have one.

    All have the same number of lines; they are empty above a shorter heading.
    """
    names = [column.name for column in table.columns]
    if _excess(_widths([names, *_texts(table)]), style.width) <= 0:
        return [[name] for name in names]
    words = [column.name.split(" ") if column.numeric else [column.name] for column in table.columns]
    height = max(map(len, words))
    return [[""] * (height - len(each)) + each for each in words]


def _texts(table: Table) -> list[list[str]]:
    return [[cell_words(cell) for cell in row] for row in table.rows]


def _widths(texts: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(text_width, column)) for column in zip(*texts, strict=True)]


def _excess(widths: Sequence[int], available: int) -> int:
    return sum(widths) + 2 * (len(widths) - 1) - available


def _narrow(widths: list[int], columns: Sequence[Column], available: int) -> None:
    """Take what is too much from the widest text columns, down to 16 characters each."""
    while (excess := _excess(widths, available)) > 0:
        texts = [i for i, column in enumerate(columns) if _shrinks(column) and widths[i] > 16]
        if not texts:
            return
        widest = max(texts, key=widths.__getitem__)
        widths[widest] = max(16, widths[widest] - excess)


def _shrinks(column: Column) -> bool:
    return not (column.numeric or column.fixed)


def _line(cells: Sequence[str], widths: Sequence[int], columns: Sequence[Column]) -> str:
    parts = []
    for cell, width, column in zip(cells, widths, columns, strict=True):
        shown = _cut(cell, width)
        gap = " " * (width - text_width(shown))
        parts.append(gap + shown if column.numeric else shown + gap)
    return "  ".join(parts).rstrip()


def _cut(text: str, width: int) -> str:
    if text_width(text) <= width:
        return text
    kept = ""
    for char in text:
        if text_width(kept) + text_width(char) > width - 1:
            break
        kept += char
    return kept + "…"


def text_width(text: str) -> int:
    """Columns a text takes: wide characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _lists(report: Report, style: Style) -> list[str]:
    parts = []
    if report.evidence.claims_unsupported:
        parts.append(_listed("Claims that conduct did not support", report.evidence.claims_unsupported, style))
    if report.left_out:
        lines = [f"{each.source}: {each.reason}" for each in report.left_out]
        parts.append(_listed(f"Left out ({len(lines)})", lines, style))
    if report.notes:
        parts.append(_listed("Notes", report.notes, style))
    if report.redacted:
        parts.append(f"Redacted  {redaction_words(report.redacted)}")
    return parts


def _listed(title: str, lines: Sequence[str], style: Style) -> str:
    shown = [f"- {printable(line)}" for line in lines[:_MOST_LISTED]]
    if len(lines) > _MOST_LISTED:
        shown.append(f"- … and {len(lines) - _MOST_LISTED} more (all of them with --json)")
    return "\n".join([style.strong(title), *shown])
