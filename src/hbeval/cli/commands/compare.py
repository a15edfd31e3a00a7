"""`hbeval compare`: two results side by side, or every reason why they must not be compared."""

from __future__ import annotations

import argparse
from pathlib import Path

from hbeval import __version__
from hbeval.cli.console import Console
from hbeval.cli.files import write_text
from hbeval.cli.parser import Parser, command, words
from hbeval.cli.results import Result, find_result
from hbeval.cli.suggest import choose
from hbeval.cli.tables import text_table
from hbeval.instruments.comparability import ACCEPTED_EVIDENCE, reasons_not_comparable
from hbeval.model import EvidenceLevel
from hbeval.report.document import metrics_document, rounded
from hbeval.report.facts import label
from hbeval.report.html import Shown, comparison_page
from hbeval.report.words import agent_name, reading_words

__all__ = ["execute", "parser"]


def parser() -> Parser:
    """The command's arguments."""
    made = command(
        "compare",
        "Two results side by side.",
        description="They are comparable if context, scoring, fault specification, scenarios (imports: tasks) and\n"
        "evidence agree. If not, the values are still shown, every reason is named, and the exit code is 4.\n"
        "Values side by side are not a test of their difference.",
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
    """Show both; 4 if they must not be compared."""
    levels = [choose("evidence level", each, EvidenceLevel) for each in args.accept_evidence]
    a, b = find_result(args.a), find_result(args.b)
    refusals = reasons_not_comparable(a.report, b.report, accept_evidence=levels)
    console.document(_document(a, b, refusals))
    if not console.json:
        console.say(_side_by_side(a, b, console))
        if not refusals:
            console.say("Comparable: same context, scoring, faults and scenarios, evidence accepted.")
    if args.html is not None:
        one, two = _names(a, b)
        first, second = Shown(report=a.report, name=one), Shown(report=b.report, name=two)
        write_text(args.html, comparison_page(first, second, refusals, version=__version__))
        console.aside(f"written to {args.html}")
    for reason in refusals:
        console.error(f"not comparable: {reason}")
    return 4 if refusals else 0


def _names(a: Result, b: Result) -> tuple[str, str]:
    """The agents' names, or the paths where both agents are called alike."""
    names = agent_name(a.report), agent_name(b.report)
    return names if names[0] != names[1] else (str(a.path), str(b.path))


def _side_by_side(a: Result, b: Result, console: Console) -> str:
    keys = dict.fromkeys((*a.report.metrics, *b.report.metrics))
    rows = [(label(key), *(reading_words(each.report.metrics.get(key)) for each in (a, b))) for key in keys]
    return text_table("", ("metric", *_names(a, b)), rows, console)


def _document(a: Result, b: Result, refusals: tuple[str, ...]) -> object:
    sides = [
        {"path": str(each.path), "agent": dict(each.report.agent), "metrics": metrics_document(each.report.metrics)}
        for each in (a, b)
    ]
    return rounded(
        {
            "schema": "hbeval-comparison/1",
            "comparable": not refusals,
            "reasons": list(refusals),
            "a": sides[0],
            "b": sides[1],
        }
    )
