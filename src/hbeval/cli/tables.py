"""Tables on the terminal: set by `rich` where it is installed and somebody looks, plain text elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hbeval.cli.console import Console
from hbeval.cli.files import write_text
from hbeval.model import Report
from hbeval.report.tables import Column, Table, cell_words, has_dash
from hbeval.report.terminal import Style, draw_table, headings, render, text_width
from hbeval.report.words import printable

try:
    import rich.box
    import rich.console
    import rich.table
    import rich.text
except ImportError:
    rich: Any = None  # type: ignore[no-redef]

__all__ = ["draw", "show_report", "style_of", "text_table"]


def style_of(console: Console) -> Style:
    """What the console can show."""
    return Style(unicode=console.unicode, color=console.color, width=console.width)


def text_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], console: Console, *, width: int | None = None
) -> str:
    """A titled table of plain values, their text made printable; None is a dash."""
    style = style_of(console)
    if width is not None and not console.terminal:
        style = Style(unicode=style.unicode, color=style.color, width=width)
    cells = tuple(tuple("–" if each is None else printable(each) for each in row) for row in rows)
    heads = tuple(Column(name=each) for each in columns)
    return style.plain(draw(Table(title=title, columns=heads, rows=cells), style))


def show_report(report: Report, console: Console, out: Path | None = None) -> None:
    """The report as text for people: on the console, or in a file."""
    if out is None:
        console.say(render(report, style_of(console), draw))
        return
    write_text(out, render(report, Style()))
    console.aside(f"written to {out}")


_LEAST_TEXT = 14


def draw(table: Table, style: Style) -> str:
    """A table as text: by `rich` in colour, where no number needs to be cut for it, else plain."""
    if rich is None or not style.color or not style.unicode:
        return draw_table(table, style)
    heads = headings(table, style)
    least = [_least(table, i, heads[i]) for i in range(len(heads))]
    if sum(least) + 2 * (len(least) - 1) > style.width:
        return draw_table(table, style)
    made = rich.table.Table(
        box=rich.box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        padding=(0, 1, 0, 0),
        header_style="dim",
    )
    for column, head, width in zip(table.columns, heads, least, strict=True):
        rigid = column.numeric or column.fixed
        made.add_column("\n".join(head), justify="right" if column.numeric else "left", no_wrap=rigid, min_width=width)
    for row in table.rows:
        made.add_row(*(rich.text.Text(cell_words(cell)) for cell in row))
    terminal = rich.console.Console(width=style.width, force_terminal=True, highlight=False, legacy_windows=False)
    with terminal.capture() as captured:
        terminal.print(made)
    lines = [style.strong(table.title)] if table.title else []
    lines += [line.rstrip() for line in captured.get().splitlines() if line.strip()]
    lines += [style.faint(table.note)] if table.note and has_dash(table) else []
    return "\n".join(lines)


def _least(table: Table, i: int, heading: Sequence[str]) -> int:
    """The width of a column below which something would be lost that should not be."""
    column = table.columns[i]
    head = max(map(len, heading))
    if not (column.numeric or column.fixed):
        return max(head, _LEAST_TEXT)
    return max(head, *(text_width(cell_words(row[i])) for row in table.rows), 0)
