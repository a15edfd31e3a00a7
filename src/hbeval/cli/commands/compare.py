"""`hbeval compare`: how two results differ, or every reason why they must not be compared."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hbeval import __version__
from hbeval.battery import rebuild
from hbeval.battery.results import read_manifest
from hbeval.cli.console import Console
from hbeval.cli.files import write_text
from hbeval.cli.parser import Parser, command, words
from hbeval.cli.results import Result, find_result
from hbeval.cli.suggest import choose
from hbeval.cli.tables import draw, style_of
from hbeval.instruments.comparability import ACCEPTED_EVIDENCE
from hbeval.model import EvidenceLevel, JudgedTrace
from hbeval.report.comparison import Comparison, compare_reports, comparison_document
from hbeval.report.comparison_tables import changes_table, difference_table, interval_table, part_tables, sides_table
from hbeval.report.effect import effect_words
from hbeval.report.html import comparison_page
from hbeval.report.tables import Table
from hbeval.report.telling import telling_scenarios
from hbeval.report.terminal import Style
from hbeval.report.words import agent_name

__all__ = ["execute", "parser"]

_MOST_ROWS = 60


def parser() -> Parser:
    """The command's arguments."""
    made = command(
        "compare",
        "How two results differ, with intervals, and where.",
        description="They are comparable if context, scoring, fault specification, scenarios (imports: tasks) and\n"
        "evidence agree. If not, the values are still shown, every reason is named, and the exit code is 4.\n"
        "Differences are B less A; runs are clusters, paired by scenario where both results have it. To pair, give\n"
        "run directories, or documents written with --runs. To decide about a difference, use 'hbeval gate'.",
        example="hbeval compare out/demo/adapt out/demo/blind_retry",
    )
    made.add_argument("a", type=Path, metavar="A", help="a run directory, or the file of a result document")
    made.add_argument("b", type=Path, metavar="B", help="the other one")
    made.add_argument(
        "--accept-evidence",
        type=words,
        default=tuple(sorted(ACCEPTED_EVIDENCE)),
        metavar="LEVELS",
        help="evidence levels to accept (default: E1,E2)",
    )
    made.add_argument("--html", type=Path, metavar="FILE", help="also write the comparison as one HTML file")
    return made


def execute(args: argparse.Namespace, console: Console) -> int:
    """Show how both differ; 4 if they must not be compared."""
    levels = [choose("evidence level", each, EvidenceLevel) for each in args.accept_evidence]
    a, b = _with_runs(find_result(args.a)), _with_runs(find_result(args.b))
    settings = _settings(a), _settings(b)
    known = settings if all(settings) else None
    comparison = compare_reports(a.report, b.report, accept_evidence=levels, settings=known)
    names = _names(a, b)
    console.document(comparison_document(comparison, (str(a.path), str(b.path))))
    if not console.json:
        console.say(_as_text(comparison, names, console))
    if args.html is not None:
        page = comparison_page(comparison, names, _twins(comparison, a, b), version=__version__)
        write_text(args.html, page, chosen_with="--html")
        console.aside(f"written to {args.html}")
    for reason in comparison.refusals:
        console.error(f"not comparable: {reason}")
    return 4 if comparison.refusals else 0


def _with_runs(result: Result) -> Result:
    """The result with its runs listed, where the run directory holds them."""
    if result.directory is None or result.report.runs is not None:
        return result
    return result.with_report(rebuild(result.directory.path, runs=True))


def _settings(result: Result) -> Mapping[str, Any]:
    """Inputs that only the run directory names."""
    if result.directory is None:
        return {}
    manifest = read_manifest(result.directory)
    versions = {f"{name} version": each for name, each in manifest.versions.items()}
    return {**versions, "time limit (s)": manifest.timeout_s, "clock": manifest.clock}


def _names(a: Result, b: Result) -> tuple[str, str]:
    """The agents' names, or the paths where both agents are called alike."""
    names = agent_name(a.report), agent_name(b.report)
    return names if names[0] != names[1] else (str(a.path), str(b.path))


def _twins(comparison: Comparison, a: Result, b: Result) -> dict[str, tuple[JudgedTrace, JudgedTrace]]:
    """The most telling scenarios as both ran them; none without both run directories."""
    if comparison.refusals or a.directory is None or b.directory is None:
        return {}
    wanted = telling_scenarios(comparison)
    first, second = (
        {each.trace.source: each for each in side.runs() if each.trace.source in wanted} for side in (a, b)
    )
    return {source: (first[source], second[source]) for source in wanted if source in first and source in second}


def _as_text(comparison: Comparison, names: tuple[str, str], console: Console) -> str:
    style = style_of(console)
    if comparison.refusals:
        parts = [draw(sides_table(comparison, names), style)]
    else:
        words = [f"{each.facts.label}: {effect_words(each)}" for each in comparison.differences]
        parts = [
            draw(difference_table(comparison, names), style),
            "\n".join(line for each in words for line in textwrap.wrap(each, style.width, subsequent_indent="  ")),
            draw(interval_table(comparison), style),
            *(_longest(each, style) for each in part_tables((*comparison.parts, *comparison.tasks))),
        ]
    if comparison.changes:
        parts.append(draw(changes_table(comparison, names), style))
    if not comparison.refusals:
        said = ("Comparable: same context, scoring, faults and scenarios, evidence accepted.", *comparison.caveats())
        parts.append("\n".join(textwrap.fill(each, style.width) for each in said))
    return style.plain("\n\n".join(parts))


def _longest(table: Table, style: Style) -> str:
    """The table, cut to the rows a terminal can bear."""
    left = len(table.rows) - _MOST_ROWS
    if left <= 0:
        return draw(table, style)
    return f"{draw(replace(table, rows=table.rows[:_MOST_ROWS]), style)}\n… and {left} more rows (all with --json)"
