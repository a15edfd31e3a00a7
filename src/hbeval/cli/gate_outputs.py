"""Files and commands in which CI reads a verdict: the flags of `hbeval gate`, and the writing."""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from hbeval import __version__
from hbeval.cli.console import Console
from hbeval.cli.files import append_text, write_text
from hbeval.gate import GateResult, exit_code
from hbeval.gate.outputs import (
    SUMMARY_LIMIT,
    annotations_of,
    gate_markdown,
    gate_page,
    gate_sarif,
    gate_suite,
    outputs_of,
    outputs_text,
    summary_within,
)
from hbeval.model import Report, dumps
from hbeval.report import junit
from hbeval.report.document import rounded

__all__ = ["add_output_flags", "as_text", "write_outputs"]

_SUMMARY, _OUTPUTS = "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"


def add_output_flags(parser: argparse.ArgumentParser) -> None:
    """Where else the verdict goes."""
    group = parser.add_argument_group("outputs for CI (docs/outputs.md)")
    group.add_argument("--junit", type=Path, metavar="FILE", help="JUnit XML; INCONCLUSIVE is skipped, never passed")
    group.add_argument("--sarif", type=Path, metavar="FILE", help="SARIF 2.1.0: what fails, and what is open")
    group.add_argument("--md", type=Path, metavar="FILE", help="Markdown")
    group.add_argument("--html", type=Path, metavar="FILE", help="one HTML file with the comparison behind the verdict")
    group.add_argument(
        "--github", action="store_true", help=f"annotations, job summary (${_SUMMARY}) and outputs (${_OUTPUTS})"
    )


def write_outputs(
    result: GateResult,
    args: argparse.Namespace,
    console: Console,
    *,
    report: Report | None = None,
    baseline: Report | None = None,
) -> None:
    """Write what was asked for. Raises UsageError for the first that cannot be written, which is then the exit code."""
    enforce = args.enforce
    if args.junit is not None:
        _write(args.junit, junit.render(gate_suite(result, enforce=enforce)), "--junit", console)
    if args.sarif is not None:
        code, place = exit_code(result, enforce=enforce), args.requirements or args.result
        sarif = gate_sarif(result, exit_code=code, place=quote(place.as_posix(), errors="replace"), version=__version__)
        _write(args.sarif, dumps(rounded(sarif), indent=2) + "\n", "--sarif", console)
    if args.md is not None:
        _write(args.md, gate_markdown(result, enforce=enforce), "--md", console)
    if args.html is not None:
        page = gate_page(result, report, baseline, enforce=enforce, version=__version__)
        _write(args.html, page, "--html", console)
    if args.github:
        _tell_github(result, console, os.environ, enforce=enforce)


def _write(path: Path, text: str, flag: str, console: Console) -> None:
    write_text(path, text, chosen_with=flag)
    console.aside(f"written to {path}")


def _tell_github(result: GateResult, console: Console, environment: Mapping[str, str], *, enforce: bool) -> None:
    for each in annotations_of(result, enforce=enforce):
        console.aside(str(each))
    files = {name: Path(environment[name]) for name in (_SUMMARY, _OUTPUTS) if environment.get(name)}
    for name in (_SUMMARY, _OUTPUTS):
        if name not in files:
            console.aside(f"{name} is not set, so this is no job of GitHub Actions; nothing was written for it")
    if _SUMMARY in files:
        there = files[_SUMMARY].stat().st_size if files[_SUMMARY].exists() else 0
        append_text(files[_SUMMARY], summary_within(result, enforce=enforce, room=SUMMARY_LIMIT - there))
    if _OUTPUTS in files:
        outputs = outputs_of(result, exit_code=exit_code(result, enforce=enforce))
        append_text(files[_OUTPUTS], outputs_text(outputs))


@contextmanager
def as_text(args: argparse.Namespace, console: Console) -> Iterator[None]:
    """With `--github` no line printed meanwhile is taken for a command, whatever a task or an agent is called."""
    if not args.github:
        yield
        return
    word = secrets.token_hex(16)
    console.say(f"::stop-commands::{word}")
    try:
        yield
    finally:
        console.say(f"::{word}::")
