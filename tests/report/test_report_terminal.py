"""A report as plain text."""

from __future__ import annotations

import dataclasses

from hbeval.model import Measured, NotMeasured, Report
from hbeval.report.tables import Column, Table
from hbeval.report.terminal import Style, draw_table, gauge, render


def _measured(value: float, low: float, high: float) -> Measured:
    return Measured(
        value=value, n=4, n_total=4, k=2, interval=(low, high), level=0.95, method="t", instrument="frr@1.0"
    )


def test_a_gauge_shows_value_and_interval_on_the_scale() -> None:
    """The dot is the value, the bar its interval; the ends of the scale are the ends of the text."""
    assert gauge("frr", _measured(0.0, 0.0, 0.35), 10) == "●━━━······"
    assert gauge("frr", _measured(1.0, 0.65, 1.0), 10) == "······━━━●"
    assert gauge("frr", _measured(0.5, 0.5, 0.5), 10) == "·····●····"


def test_what_is_not_measured_has_no_gauge() -> None:
    """A gap, not a dot at zero; nor for an instrument of unknown scale."""
    assert gauge("frr", NotMeasured(reason="none", n=0, n_total=0, instrument="frr@1.0")) == ""
    assert gauge("new", dataclasses.replace(_measured(0.5, 0.4, 0.6), instrument="new@9")) == ""


def test_a_value_without_an_interval_is_a_dot_alone() -> None:
    """One run: the value is shown, no bar is invented."""
    alone = dataclasses.replace(_measured(0.5, 0.4, 0.6), interval=None, no_interval="one run")
    assert gauge("frr", alone, 10) == "·····●····"


def test_everything_stands_in_the_text(report: Report) -> None:
    """Coverage, evidence, metrics with instruments, weakest, faults, groups, claims, left out, notes."""
    text = render(report)
    for words in ("Coverage ", "Evidence ", "frr@1.0", "Weakest relative to its scale: ", "Faults ", "By fault"):
        assert words in text
    assert "By domain and model" in text
    assert "Claims that conduct did not support" in text
    assert "Left out (1)" in text
    assert "Notes" in text
    assert "Runs" in text


def test_nothing_measured_says_so(empty_report: Report) -> None:
    """Each metric says not measured and why; no zero stands for a value."""
    text = render(empty_report)
    assert text.count("not measured") >= 5
    assert "FRR not measured: " in text
    assert "0.000" not in text
    assert "Weakest: none" in text


def test_no_text_acts_on_the_terminal(report: Report) -> None:
    """Hostile names come out as visible escapes; without colour there is no escape sequence at all."""
    text = render(report)
    assert "\x1b" not in text
    assert "\x00" not in text
    assert "\u202e" not in text
    text.encode("utf-8")


def test_colour_is_only_where_asked_for(report: Report) -> None:
    """Bold and faint with colour; the letters are the same."""
    colored = render(report, Style(color=True))
    assert "\x1b[1m" in colored
    plain = colored.replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[0m", "")
    assert plain == render(report)


def test_ascii_where_the_terminal_has_no_more(report: Report) -> None:
    """Drawn parts fall back to ASCII."""
    text = render(report, Style(unicode=False))
    assert "o" in text
    assert "●" not in text
    assert "–" not in text


def test_partial_is_loud(report: Report) -> None:
    """An interrupted report says so before its numbers."""
    text = render(dataclasses.replace(report, partial=True))
    assert text.index("PARTIAL") < text.index("frr@1.0")


def test_long_lists_are_cut_and_say_where_the_rest_is(report: Report) -> None:
    """The terminal shows ten; the document has all."""
    noted = dataclasses.replace(report, notes=tuple(f"note {i}" for i in range(15)))
    assert "… and 5 more (all of them with --json)" in render(noted)


def test_wide_and_combining_characters_keep_columns_aligned() -> None:
    """A wide character takes two columns, a combining mark none."""
    columns = (Column(name="a"), Column(name="b"))
    table = Table(title="", columns=columns, rows=(("漢字", "x"), ("e\u0301", "x"), ("abcd", "x")))
    lines = draw_table(table, Style()).splitlines()
    assert lines[2] == "漢字  x"
    assert lines[3] == "e\u0301     x"
    assert lines[4] == "abcd  x"


def test_wide_tables_give_up_text_before_numbers() -> None:
    """Text columns are cut with an ellipsis down to 16 columns; numbers and fixed columns never are."""
    columns = (Column(name="text"), Column(name="n", numeric=True), Column(name="fixed", fixed=True))
    table = Table(title="T", columns=columns, rows=(("x" * 80, "1" * 20, "y" * 20),), note="– not measured")
    lines = draw_table(table, Style(width=50)).splitlines()
    assert lines[0] == "T"
    assert lines[3] == "x" * 15 + "…" + "  " + "1" * 20 + "  " + "y" * 20
    assert draw_table(table, Style(width=20)) == draw_table(table, Style(width=50))


def test_headings_of_numbers_stack_where_the_width_is_short() -> None:
    """A word a line, the last beside the rule; nothing is cut that fits so."""
    columns = (Column(name="task"), Column(name="success rate", numeric=True), Column(name="n", numeric=True))
    table = Table(title="", columns=columns, rows=(("t" * 10, "0.5", "1"),))
    assert draw_table(table, Style(width=40)).splitlines()[0] == "task        success rate  n"
    assert draw_table(table, Style(width=22)).splitlines() == [
        "            success",
        "task           rate  n",
        "──────────  ───────  ─",
        "tttttttttt      0.5  1",
    ]


def test_the_metrics_fit_the_terminal_and_keep_their_gauges(report: Report) -> None:
    """Gauges give way down to their heading; then the instruments go below the table, whole; then the gauges go."""
    for width in (160, 100, 80, 60):
        lines = render(report, Style(width=width)).splitlines()
        begin = next(i for i, line in enumerate(lines) if line.startswith("metric "))
        table = lines[begin : begin + 2 + len(report.metrics)]
        assert max(map(len, table)) <= width
        text = " ".join(lines)
        assert all(each.instrument in text for each in report.metrics.values())
        assert ("●" in text) == (width >= 80)
        assert ("Instruments: pei@1.0, " in text) == (width <= 80)


def test_where_a_definition_is_stands_below_the_numbers(report: Report) -> None:
    """One step from a number to what it means."""
    assert "what n counts: hbeval metrics explain frr" in render(report)


def test_the_dash_is_explained_where_it_stands() -> None:
    """A table without a dash needs no note on dashes."""
    column = (Column(name="a"),)
    assert "– not" in draw_table(Table(title="", columns=column, rows=(("–",),), note="– not measured"), Style())
    assert "– not" not in draw_table(Table(title="", columns=column, rows=(("1",),), note="– not measured"), Style())
