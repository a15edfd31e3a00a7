"""`hbeval report`: a result as a table, Markdown, HTML or JSON."""

from __future__ import annotations

import argparse
from pathlib import Path

from hbeval import __version__
from hbeval.battery import rebuild
from hbeval.cli.console import Console
from hbeval.cli.files import write_text
from hbeval.cli.parser import Parser, command
from hbeval.cli.redaction import add_redaction_flag
from hbeval.cli.results import Result, find_result
from hbeval.cli.tables import show_report
from hbeval.errors import UsageError
from hbeval.report import junit, markdown
from hbeval.report.document import to_document
from hbeval.report.html import Shown, page
from hbeval.report.timeline import TellingRuns

__all__ = ["execute", "parser"]


def parser() -> Parser:
    """The command's arguments."""
    made = command(
        "report",
        "A result as a table on the terminal, Markdown, one self-contained HTML file, or JSON.",
        description="RESULT is a run directory or a result document. Without a report.json the report is rebuilt from\n"
        "the manifest and the traces. Markdown and HTML go to standard output; on a terminal, HTML goes to a file.",
        example="hbeval report out/demo/adapt --html --out adapt.html",
    )
    made.add_argument("result", type=Path, metavar="RESULT", help="a run directory, or the file of a result document")
    form = made.add_mutually_exclusive_group()
    form.add_argument("--md", action="store_true", help="Markdown")
    form.add_argument("--html", action="store_true", help="one HTML file with charts, without external resources")
    form.add_argument("--junit", action="store_true", help="JUnit XML: a line per metric, skipped if not measured")
    made.add_argument("--runs", action="store_true", help="also list each run (needs a run directory)")
    add_redaction_flag(made)
    made.add_argument("--out", type=Path, metavar="FILE", help="write there instead")
    return made


def execute(args: argparse.Namespace, console: Console) -> int:
    """Render the result."""
    result = find_result(args.result, redacts=args.redacts)
    if args.runs and result.report.runs is None:
        if result.directory is None:
            raise UsageError(f"{args.result} lists no runs; --runs needs the run directory")
        result = result.with_report(rebuild(result.directory.path, runs=True))
    console.document(to_document(result.report))
    if args.html:
        out, text = args.out or _beside(result, console), _page_of(result)
        _write(text if out is not None or console.unicode else _in_ascii(text), out, console)
    elif args.junit:
        _write(junit.render(junit.report_suite(result.report)), args.out, console)
    elif args.md:
        _write(markdown.render(result.report), args.out, console)
    elif not console.json or args.out is not None:
        show_report(result.report, console, args.out)
    return 0


def _page_of(result: Result) -> str:
    telling = TellingRuns()
    for judged in result.runs():
        telling.add(judged)
    return page([Shown(report=result.report, runs=telling.chosen())], version=__version__)


def _in_ascii(text: str) -> str:
    """The page for an output that holds no more: all else becomes character references, which browsers read."""
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _beside(result: Result, console: Console) -> Path | None:
    """Where HTML goes that nobody wants to read on a terminal."""
    if not (console.terminal or console.json):
        return None
    folder = result.path if result.directory is not None else result.path.parent
    return folder / "report.html"


def _write(text: str, out: Path | None, console: Console) -> None:
    if out is None:
        console.raw(text)
        return
    write_text(out, text)
    console.aside(f"written to {out}")
