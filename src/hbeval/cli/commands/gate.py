"""`hbeval gate`: a result judged by requirements, with a stated error rate."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from hbeval.battery import rebuild
from hbeval.cli.console import Console
from hbeval.cli.files import json_of, read_bytes
from hbeval.cli.gate_outputs import add_output_flags, as_text, write_outputs
from hbeval.cli.gate_text import say_verdict
from hbeval.cli.parser import Parser, command
from hbeval.cli.redaction import add_redaction_flag, fit_to_keep
from hbeval.cli.results import run_directory
from hbeval.errors import UsageError
from hbeval.gate import (
    GateResult,
    Requirements,
    default_requirements,
    defaults_for,
    exit_code,
    interrupted,
    parse_requirement,
    read_requirements,
    run_gate,
)
from hbeval.gate import baseline as baselines
from hbeval.gate.admission import faults_of
from hbeval.gate.document import gate_document
from hbeval.gate.quantity import error_rate, share
from hbeval.model import Report
from hbeval.report.document import from_document
from hbeval.store import RunDirectory

__all__ = ["execute", "parser"]

_NOT_MEASURED, _INTERRUPTED = 4, 130
_RIGHT = "a run directory, a result document written with --runs, or a baseline"


def parser() -> Parser:
    """The command's arguments."""
    made = command(
        "gate",
        "A result judged by requirements: PASS, FAIL, INCONCLUSIVE or ERROR.",
        description="A requirement is a floor ('frr >= 0.70') or a margin against a baseline ('irs not worse by\n"
        "0.05'); 'or' and 'and' combine them. With a baseline alone: pei, frr, irs and ti not worse by 0.05 of\n"
        "the scale. Exit code 4 for ERROR (something could not be measured or compared), 2 for usage; the others\n"
        "exit 0, with --enforce FAIL 1 and INCONCLUSIVE 3. What the words mean, and how errors add up: docs/gate.md.",
        example='hbeval gate out/demo/adapt --require "frr >= 0.20"',
    )
    made.add_argument("result", type=Path, metavar="RESULT", help="a run directory, or a result document with its runs")
    asked = made.add_argument_group("what is required")
    asked.add_argument(
        "--require", action="append", default=[], metavar="TEXT", help="a requirement; again for more, all must hold"
    )
    asked.add_argument("--requirements", type=Path, metavar="FILE", help="a requirements file, TOML or .json")
    asked.add_argument("--alpha", metavar="RATE", help="error rate of each test (default 0.05)")
    asked.add_argument("--min-coverage", metavar="SHARE", help="least share of runs measured (default 0.95)")
    asked.add_argument("--enforce", action="store_true", help="FAIL exits 1 and INCONCLUSIVE 3")
    held = made.add_argument_group("baselines")
    held.add_argument("--baseline", type=Path, metavar="PATH", help="a baseline, a folder of them, or another result")
    held.add_argument(
        "--update-baseline",
        nargs="?",
        const="",
        metavar="PATH",
        help="if the verdict is PASS, keep this result as the baseline at PATH (default: that of --baseline)",
    )
    held.add_argument(
        "--first-baseline", type=Path, metavar="PATH", help="keep this result as the first baseline; nothing is tested"
    )
    add_output_flags(made)
    add_redaction_flag(made)
    return made


def execute(args: argparse.Namespace, console: Console) -> int:
    """Judge; the exit code of the verdict."""
    asked = _requirements(args)
    if args.first_baseline is not None:
        return _begin(args, console)
    place = _place_of_update(args)
    try:
        report, baseline, result = _judged(args, asked)
    except KeyboardInterrupt:
        _publish(interrupted(asked or Requirements(all=default_requirements())), args, console)
        console.error("interrupted; nothing was decided, and no baseline was changed")
        return _INTERRUPTED
    _publish(result, args, console, report, baseline)
    if place is not None:
        _update(place, report, result, console)
    return exit_code(result, enforce=args.enforce)


def _judged(args: argparse.Namespace, asked: Requirements | None) -> tuple[Report, Report | None, GateResult]:
    """The result and what it is held against, both fit to be shown, and the verdict."""
    report = fit_to_keep(_report_at(args.result), args)
    baseline, digest = (None, None) if args.baseline is None else _baseline_at(args.baseline)
    if args.update_baseline == "" and digest is None:
        raise UsageError(f"--update-baseline: {args.baseline} is a result, not a baseline; name the place with =PATH")
    if baseline is not None:
        baseline = fit_to_keep(baseline, args)
        asked = asked or _with_settings(defaults_for(baseline), args)
    return report, baseline, run_gate(report, baseline, asked, baseline_digest=digest)


def _publish(
    result: GateResult,
    args: argparse.Namespace,
    console: Console,
    report: Report | None = None,
    baseline: Report | None = None,
) -> None:
    """Everything that is said of a verdict, also of one that was interrupted."""
    console.document(gate_document(result))
    if not console.json:
        with as_text(args, console):
            say_verdict(result, console, enforce=args.enforce)
    write_outputs(result, args, console, report=report, baseline=baseline)


def _requirements(args: argparse.Namespace) -> Requirements | None:
    """What was asked in words; None if the baseline alone says what is required."""
    texts = tuple(parse_requirement(each, where="--require") for each in args.require)
    if args.requirements is not None:
        given = read_requirements(args.requirements)
        return _with_settings(replace(given, all=(*given.all, *texts)), args)
    if texts:
        return _with_settings(Requirements(all=texts), args)
    if args.baseline is None and args.first_baseline is None:
        raise UsageError(
            "no requirement: a gate without one cannot fail; give --require 'frr >= 0.70', --requirements FILE or "
            "--baseline PATH (the first one is kept with --first-baseline PATH)"
        )
    return None


def _with_settings(given: Requirements, args: argparse.Namespace) -> Requirements:
    if args.alpha is not None:
        given = replace(given, alpha=error_rate(args.alpha, where="--alpha"))
    if args.min_coverage is not None:
        least = share(args.min_coverage, what="minimum coverage", where="--min-coverage")
        given = replace(given, min_coverage=least)
    return given


def _report_at(path: Path) -> Report:
    """A result with its runs: a run directory judged from its traces, or a document."""
    if path.is_dir():
        run_directory(path)
        return rebuild(path, runs=True)
    return _document_at(path)[0]


def _baseline_at(path: Path) -> tuple[Report, str | None]:
    """A baseline and its digest; None for a result that is held against as it is."""
    if (path / RunDirectory.MANIFEST).exists():
        return rebuild(path, runs=True), None
    if baselines.is_store(path):
        found = baselines.read_baseline(path)
        return found.report, found.digest
    return _document_at(path)


def _document_at(path: Path) -> tuple[Report, str | None]:
    where = str(path)
    document = json_of(read_bytes(where, right=_RIGHT), where=where, right=_RIGHT)
    if isinstance(document, dict) and document.get("schema") == baselines.SCHEMA:
        found = baselines.verified(document, where=where)
        return found.report, found.digest
    return from_document(document, where=where), None


def _place_of_update(args: argparse.Namespace) -> Path | None:
    """Where a passing result goes; None if it is not to be kept."""
    if args.update_baseline is None:
        return None
    if args.update_baseline:
        return Path(args.update_baseline)
    if args.baseline is None:
        raise UsageError("--update-baseline needs a place: =PATH, or the one given with --baseline")
    return Path(args.baseline)


def _update(place: Path, report: Report, result: GateResult, console: Console) -> None:
    refusal = baselines.refusal_to_update(place, result)
    if refusal is not None:
        console.aside(f"baseline not updated: {refusal}")
        return
    console.aside(f"baseline updated: {baselines.update(place, report, result)[:16]}… in {place}")


def _begin(args: argparse.Namespace, console: Console) -> int:
    """Keep a first baseline, if the result can be tested at all."""
    for name in ("baseline", "update_baseline", "enforce", "requirements", "require"):
        if getattr(args, name):
            raise UsageError(f"--first-baseline tests nothing; leave --{name.replace('_', '-')} out")
    report = fit_to_keep(_report_at(args.result), args)
    refusals = faults_of(report, _with_settings(Requirements(all=default_requirements()), args), "the result")
    for each in refusals:
        console.error(f"no baseline: {each}")
    if refusals:
        return _NOT_MEASURED
    digest = baselines.begin(args.first_baseline, report)
    console.document({"schema": baselines.SCHEMA, "digest": digest, "path": str(args.first_baseline)})
    if not console.json:
        console.say(f"kept as first baseline {digest[:16]}… in {args.first_baseline}; nothing was tested")
    return 0
