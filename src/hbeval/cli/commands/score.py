"""`hbeval score`: the metrics on logs that others recorded."""

from __future__ import annotations

import argparse
from pathlib import Path

from hbeval.adapters.formats import BUILTIN
from hbeval.adapters.formats.score import score_paths
from hbeval.cli.console import Console
from hbeval.cli.files import write_text
from hbeval.cli.outcome import coverage_code
from hbeval.cli.parser import Parser, command, fraction, word, words
from hbeval.cli.progress import files_progress_for
from hbeval.cli.redaction import add_redaction_flag
from hbeval.cli.tables import show_report
from hbeval.report.document import to_document, to_json

__all__ = ["execute", "parser"]


def parser() -> Parser:
    """The command's arguments."""
    formats = [each.name for each in BUILTIN]
    made = command(
        "score",
        "The metrics on logs that others recorded.",
        description="Folders are read through. Every file is scored or left out with its reason. What a source cannot\n"
        "know is not measured. Exit code 4 if no run could be measured, or less than --min-coverage.",
        example="hbeval score logs/ --group-by model --json > result.json",
    )
    made.add_argument("paths", nargs="+", metavar="PATH", help="files or folders")
    made.add_argument(
        "--format", type=word("format", "auto", *formats), default="auto", help=f"auto, {', '.join(formats)}"
    )
    made.add_argument("--group-by", type=words, default=(), metavar="LABELS", help="model,task and other labels")
    made.add_argument("--runs", action="store_true", help="also list each run")
    made.add_argument("--min-coverage", type=fraction, metavar="SHARE", help="least share of runs measured (0 to 1)")
    made.add_argument("--out", type=Path, metavar="FILE", help="also write the result document there")
    add_redaction_flag(made)
    made.add_argument("--progress", action="store_true", help="say how far it is, also where nobody looks")
    return made


def execute(args: argparse.Namespace, console: Console) -> int:
    """Score and report."""
    progress = files_progress_for(console, wanted=args.progress)
    report = score_paths(
        args.paths,
        format=args.format,
        group_by=args.group_by,
        runs=args.runs,
        progress=progress,
        redaction=args.redacts,
    )
    console.document(to_document(report))
    if args.out is not None:
        write_text(args.out, to_json(report))
        console.aside(f"written to {args.out}")
    if not console.json:
        show_report(report, console)
    return coverage_code(report, args.min_coverage, console)
