"""`hbeval demo`: the main job on two bundled agents, with a page to look at."""

from __future__ import annotations

import argparse
from pathlib import Path

from hbeval import __version__
from hbeval.battery import run
from hbeval.battery.agents import adapt, blind_retry
from hbeval.battery.results import read_manifest
from hbeval.cli.console import Console
from hbeval.cli.files import write_text
from hbeval.cli.parser import Parser, command, count, seed
from hbeval.cli.progress import progress_for
from hbeval.cli.tables import draw, style_of
from hbeval.errors import UsageError
from hbeval.model import JudgedTrace, NotMeasured, Report
from hbeval.report.document import to_document
from hbeval.report.facts import label
from hbeval.report.html import Shown, page
from hbeval.report.tables import Column, Table
from hbeval.report.terminal import GAUGE, gauge, gauge_cells, without
from hbeval.report.timeline import TellingRuns
from hbeval.report.words import coverage_words, fault_words, reading_words
from hbeval.store import RunDirectory

__all__ = ["execute", "parser"]

_AGENTS = {"adapt": adapt, "blind_retry": blind_retry}


def parser() -> Parser:
    """The command's arguments."""
    made = command(
        "demo",
        "The standard battery against two bundled agents: one that adapts, one that retries blindly.",
        description="No network and no model is needed. An earlier demo in the same folder is replaced.",
        example="hbeval demo",
    )
    made.add_argument("--out", type=Path, default=Path("out/demo"), metavar="DIR", help="default: %(default)s")
    made.add_argument("--repeats", type=count, default=3, metavar="K", help="runs of each scenario (default 3)")
    made.add_argument("--seed", type=seed, default=7, metavar="S", help="same seed, same faults (default 7)")
    made.add_argument("--progress", action="store_true", help="say how far it is, also where nobody looks")
    return made


def execute(args: argparse.Namespace, console: Console) -> int:
    """Run both, show them side by side, write the page."""
    directories = {name: RunDirectory(args.out / name) for name in _AGENTS}
    for name, directory in directories.items():
        _clear(directory, name)
    reports = {name: _run(name, directory, args, console) for name, directory in directories.items()}
    shown = [Shown(report=reports[name], name=name, runs=_telling(directories[name])) for name in _AGENTS]
    path = args.out / "report.html"
    write_text(path, page(shown, title="Demo: two bundled agents under the same faults", version=__version__))
    documents = {name: to_document(report) for name, report in reports.items()}
    console.document({"schema": "hbeval-demo/1", "reports": documents, "page": str(path)})
    if not console.json:
        console.say(_side_by_side(reports, console))
        console.say(f"charts and runs, step by step: {path}")
        console.say("your own agent: hbeval run module:attr    what a number means: hbeval metrics explain frr")
    return 0


def _clear(directory: RunDirectory, name: str) -> None:
    """Remove the files of an earlier demo, and only of a demo."""
    if not directory.begun:
        return
    if read_manifest(directory).agent != name:
        raise UsageError(f"{directory.path} holds a run of another agent; choose another folder with --out")
    for file in (directory.REPORT, directory.TRACES, directory.MANIFEST):
        (directory.path / file).unlink(missing_ok=True)


def _run(name: str, directory: RunDirectory, args: argparse.Namespace, console: Console) -> Report:
    return run(
        _AGENTS[name],
        repeats=args.repeats,
        seed=args.seed,
        out=directory.path,
        reference=name,
        progress=progress_for(console, name, wanted=args.progress),
    )


def _telling(directory: RunDirectory) -> tuple[JudgedTrace, ...]:
    telling = TellingRuns(4)
    for judged in directory.traces():
        telling.add(judged)
    return telling.chosen()


def _side_by_side(reports: dict[str, Report], console: Console) -> str:
    lines = [
        f"{name}: {coverage_words(each.coverage)}; faults {fault_words(each.faults)}" for name, each in reports.items()
    ]
    style = style_of(console)
    cells = gauge_cells(_table(reports, 0), style)
    table = _table(reports, cells or 0) if cells else without(_table(reports, 0), {GAUGE})
    return style.plain("\n".join([*lines, "", draw(table, style), *_not_measured(reports), ""]))


def _not_measured(reports: dict[str, Report]) -> list[str]:
    return [
        f"{label(key)} of {name} {reading_words(result)}"
        for name, report in reports.items()
        for key, result in report.metrics.items()
        if isinstance(result, NotMeasured)
    ]


def _table(reports: dict[str, Report], cells: int) -> Table:
    """The metrics of both, with gauges of so many characters."""
    columns = tuple(Column(name=each, fixed=True) for each in ("metric", "agent", GAUGE, "value and interval", ""))
    keys = dict.fromkeys(key for each in reports.values() for key in each.metrics)
    rows = []
    for key in keys:
        for name, report in reports.items():
            result = report.metrics.get(key)
            drawn = "" if result is None else gauge(key, result, cells)
            reading = "not measured" if isinstance(result, NotMeasured) else reading_words(result)
            rows.append((label(key), name, drawn, reading, "weakest" if report.weakest == key else ""))
    return Table(title="", columns=columns, rows=tuple(rows))
