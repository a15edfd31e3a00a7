"""`hbeval rescore`: an old run under other instrument versions, shown beside the old report."""

from __future__ import annotations

import argparse
from pathlib import Path

from hbeval.battery import rescore
from hbeval.cli.console import Console
from hbeval.cli.files import write_text
from hbeval.cli.parser import Parser, command, words
from hbeval.cli.redaction import add_redaction_flag, fit_to_keep
from hbeval.cli.results import find_result, run_directory
from hbeval.cli.suggest import choose
from hbeval.cli.tables import text_table
from hbeval.instruments import BUILTIN, CURRENT, METRIC_SCHEMA, Instrument, find
from hbeval.report.document import to_document, to_json
from hbeval.report.facts import label
from hbeval.report.words import reading_words

__all__ = ["execute", "parser"]


def parser() -> Parser:
    """The command's arguments."""
    made = command(
        "rescore",
        "An old run judged again and measured with other instrument versions.",
        description="PROFILE is the current profile, or instruments by id@version. New values stand beside the old\n"
        "ones; they are another series and never its continuation. The run directory is not changed.",
        example="hbeval rescore out/demo/adapt --profile irs@1.0,pei@2.0-candidate",
    )
    made.add_argument("run", type=Path, metavar="RUN", help="a run directory")
    made.add_argument(
        "--profile",
        type=words,
        default=(METRIC_SCHEMA,),
        metavar="PROFILE",
        help=f"{METRIC_SCHEMA} (default), or a list such as irs@1.0,frr@1.0",
    )
    made.add_argument("--runs", action="store_true", help="also list each run in the document")
    add_redaction_flag(made)
    made.add_argument("--out", type=Path, metavar="FILE", help="also write the new result document there")
    return made


def execute(args: argparse.Namespace, console: Console) -> int:
    """Judge and measure again."""
    directory = run_directory(args.run)
    old = find_result(args.run, redacts=args.redacts).report
    new = fit_to_keep(rescore(directory.path, _instruments(args.profile), runs=args.runs), args)
    console.document(to_document(new))
    if args.out is not None:
        write_text(args.out, to_json(new))
        console.aside(f"written to {args.out}")
    if not console.json:
        keys = dict.fromkeys((*old.metrics, *new.metrics))
        rows = []
        for key in keys:
            before, after = old.metrics.get(key), new.metrics.get(key)
            names = " / ".join(dict.fromkeys(each.instrument for each in (before, after) if each is not None))
            rows.append((label(key), reading_words(before), reading_words(after), names))
        console.say(text_table("", ("metric", "as reported", "rescored", "instrument"), rows, console))
        console.say(f"scoring fingerprint: {old.scoring_fingerprint} as reported, {new.scoring_fingerprint} rescored")
        if old.scoring_fingerprint != new.scoring_fingerprint:
            console.say("Scored differently: two series, not one.")
    return 0


def _instruments(profile: tuple[str, ...]) -> tuple[Instrument, ...]:
    if profile == (METRIC_SCHEMA,):
        return CURRENT
    known = [METRIC_SCHEMA, *(each.name for each in BUILTIN)]
    return tuple(find(choose("instrument", each, known)) for each in dict.fromkeys(profile))
