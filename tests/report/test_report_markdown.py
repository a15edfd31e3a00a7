"""A report as Markdown."""

from __future__ import annotations

import dataclasses
import re

from hbeval.model import Report
from hbeval.report.markdown import markdown_table, render
from hbeval.report.tables import Column, Table


def test_every_part_has_a_heading(report: Report) -> None:
    """The sections a reader of a pull request looks for."""
    headings = re.findall(r"^## (.*)$", render(report), re.MULTILINE)
    for title in ("Metrics", "Coverage", "Faults", "Evidence", "By fault", "Runs", "Identity", "Left out", "Notes"):
        assert title in headings


def test_rows_have_as_many_cells_as_their_heading(report: Report) -> None:
    """No text of a report can break a table: pipes and line breaks are escaped."""
    for block in re.findall(r"(?:^\|.*\|$\n?)+", render(report), re.MULTILINE):
        counts = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(counts) == 1


def test_no_text_is_active_markup(report: Report) -> None:
    """Tags, backticks, links and mentions out of a log are plain text."""
    text = render(report)
    assert "<script" not in text.replace("\\<script", "")
    assert "\x1b" not in text
    cell = markdown_table(Table(title="", columns=(Column(name="a"),), rows=(("[x](http://y) @me `c` *b* a|b",),)))
    assert cell.splitlines()[2] == "| \\[x\\](http\\://y) \\@me \\`c\\` \\*b\\* a\\|b |"


def test_undefined_and_partial_are_said(empty_report: Report) -> None:
    """Not measured with its reason; nothing is the weakest; partial in bold."""
    text = render(dataclasses.replace(empty_report, partial=True))
    assert "not measured\\: " in text
    assert "Weakest: none, nothing is measured." in text
    assert "**Partial" in text
    assert "0.000" not in text


def test_the_weakest_is_named_and_nothing_is_graded(report: Report) -> None:
    """One of the five by name, no overall score."""
    text = render(report)
    assert re.search(r"Weakest relative to its scale: \*\*(PEI|FRR|IRS|TI|CSI)\*\*\.", text)
    assert "overall" not in text.lower()
