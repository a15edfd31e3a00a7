"""A report as Markdown (GitHub's dialect), for pull requests and notebooks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hbeval.model import Report
from hbeval.report.facts import facts
from hbeval.report.tables import (
    Table,
    cell_words,
    coverage_table,
    evidence_table,
    fault_table,
    group_tables,
    identity_table,
    metric_table,
    run_table,
)
from hbeval.report.words import agent_name, coverage_words, printable

__all__ = ["escaped", "markdown_table", "render"]

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>#|~&!@:])")


def render(report: Report) -> str:
    """The whole report as Markdown, ending in a newline. No text of the report is active as markup."""
    parts = [f"# hbeval report: {escaped(agent_name(report))}", escaped(coverage_words(report.coverage)) + "."]
    if report.partial:
        parts.append("**Partial: interrupted; what was measured until then.**")
    parts += _section(metric_table(report))
    parts += [_weakest(report), "What a number means, and what n counts: `hbeval metrics explain frr`."]
    tables = [coverage_table(report), fault_table(report), evidence_table(report)]
    tables += [table for table, _ in group_tables(report)]
    tables += [run_table(report.runs)] if report.runs else []
    for table in (*tables, identity_table(report)):
        parts += _section(table)
    parts += _listed("Claims that conduct did not support", report.evidence.claims_unsupported)
    parts += _listed("Left out", [f"{each.source}: {each.reason}" for each in report.left_out])
    parts += _listed("Notes", report.notes)
    return "\n\n".join(parts) + "\n"


def markdown_table(table: Table) -> str:
    """One table; every cell's text is escaped."""
    names = " | ".join(escaped(column.name) or " " for column in table.columns)
    rule = " | ".join("---:" if column.numeric else "---" for column in table.columns)
    rows = [" | ".join(escaped(cell_words(cell)) for cell in row) for row in table.rows]
    return "\n".join(f"| {row} |" for row in (names, rule, *rows))


def _section(table: Table) -> list[str]:
    parts = [f"## {escaped(table.title)}", markdown_table(table)]
    return [*parts, table.note] if table.note else parts


def _weakest(report: Report) -> str:
    if report.weakest is None:
        return "Weakest: none, nothing is measured."
    label = facts(report.weakest, report.metrics[report.weakest]).label
    return f"Weakest relative to its scale: **{escaped(label)}**."


def _listed(title: str, lines: Sequence[str]) -> list[str]:
    return [f"## {title}", "\n".join(f"- {escaped(printable(line))}" for line in lines)] if lines else []


def escaped(text: str) -> str:
    """Text of which nothing is markup."""
    return _ACTIVE.sub(r"\\\1", text)
