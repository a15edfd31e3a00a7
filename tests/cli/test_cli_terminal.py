"""What only a terminal sees: tables in colour, a line of progress."""

from __future__ import annotations

import io
import re

import pytest

from hbeval.battery import Progress
from hbeval.cli import tables
from hbeval.cli.console import Console
from hbeval.cli.progress import files_progress_for, progress_for
from hbeval.report.tables import Column, Table
from hbeval.report.terminal import Style

TABLE = Table(
    title="Things",
    columns=(Column(name="name"), Column(name="n", numeric=True)),
    rows=(("[red]not markup[/red]", "1"), ("–", "22")),
    note="– not measured",
)


class Terminal(io.StringIO):
    """A stream somebody looks at."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Somebody does."""
        return True


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_rich_sets_tables_in_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """Title, heads, cells and note; text of a cell is never markup."""
    pytest.importorskip("rich")
    text = tables.draw(TABLE, Style(color=True, width=60))
    assert "\x1b[" in text
    lines = _plain(text).splitlines()
    assert lines[0] == "Things"
    assert "[red]not markup[/red]" in text
    assert lines[-1] == "– not measured"


@pytest.mark.parametrize("style", [Style(), Style(color=True, unicode=False)])
def test_without_colour_or_unicode_tables_are_plain(style: Style) -> None:
    """The same table, set by ourselves."""
    assert "name" in tables.draw(TABLE, style)
    assert "\x1b[3" not in tables.draw(TABLE, style)


def test_without_rich_tables_are_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not installed: nothing is missing."""
    monkeypatch.setattr(tables, "rich", None)
    lines = _plain(tables.draw(TABLE, Style(color=True))).splitlines()
    assert lines[1].split() == ["name", "n"]
    assert len(lines) == 6


WIDE = Table(
    title="",
    columns=(Column(name="task"), *(Column(name="reliability gap", numeric=True) for _ in range(3))),
    rows=(("healthcare/contrast-scan", "0.111", "0.222", "0.333"),),
)


def test_rich_cuts_no_number() -> None:
    """Headings stack first; where even that is too wide, the table is set plain and no figure is lost."""
    pytest.importorskip("rich")
    stacked = _plain(tables.draw(WIDE, Style(color=True, width=60)))
    assert max(map(len, stacked.splitlines())) <= 60
    for width in (60, 40):
        drawn = _plain(tables.draw(WIDE, Style(color=True, width=width)))
        assert all(figure in drawn for figure in ("0.111", "0.222", "0.333"))


def test_a_terminal_decides_the_width() -> None:
    """A width that a command would like is for pipes; a terminal has its own."""
    console = Console(Terminal(), io.StringIO())
    assert 60 <= console.width <= 160
    assert console.terminal
    text = tables.text_table("", ("a",), [("x" * 500,)], console, width=600)
    assert max(len(_plain(line)) for line in text.splitlines()) <= console.width


def test_progress_moves_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is redrawn, names what did not complete, and ends once."""
    err = Terminal()
    shown = progress_for(Console(io.StringIO(), err), "mine", wanted=False)
    assert shown is not None
    shown(Progress(done=1, total=4, resumed=1, endings={"completed": 1}))
    shown(Progress(done=4, total=4, resumed=1, endings={"completed": 3, "agent_error": 1}))
    shown(Progress(done=4, total=4))
    text = err.getvalue()
    assert text.count("\r\x1b[K") == 2
    assert text.count("\n") == 1
    assert "━━━━━━··················  1 of 4, 1 from before" in text
    assert "4 of 4, 1 from before, 1 agent error" in text


def test_progress_of_nothing_is_done() -> None:
    """No division by nothing."""
    err = Terminal()
    shown = progress_for(Console(io.StringIO(), err), "mine", wanted=False)
    assert shown is not None
    shown(Progress(done=0, total=0))
    assert "0 of 0" in err.getvalue()


def test_progress_in_a_log_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every two seconds at most, and one at the end."""
    now = iter([0.0, 1.0, 2.5, 2.5, 2.6, 2.7])
    monkeypatch.setattr("time.monotonic", lambda: next(now))
    err = io.StringIO()
    shown = progress_for(Console(io.StringIO(), err), "mine", wanted=True)
    assert shown is not None
    for done in (1, 2, 3):
        shown(Progress(done=done, total=3))
    shown(Progress(done=3, total=3))
    assert err.getvalue() == "mine: 2 of 3\nmine: 3 of 3\n"


def test_files_have_the_same_progress() -> None:
    """Nobody looks and nobody asked: nothing to call."""
    assert files_progress_for(Console(io.StringIO(), io.StringIO()), wanted=False) is None
    err = io.StringIO()
    shown = files_progress_for(Console(io.StringIO(), err), wanted=True)
    assert shown is not None
    shown(2, 2, "a.json")
    assert err.getvalue() == "score: 2 of 2\n"
