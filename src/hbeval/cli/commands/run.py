"""`hbeval run`: a battery of real faults against an agent."""

from __future__ import annotations

import argparse
import os
import re
from itertools import count as numbers
from itertools import islice
from pathlib import Path

from hbeval.battery import Battery, Interrupted, Unreachable, load, run, standard
from hbeval.battery.resolve import resolve
from hbeval.cli.agents_output import agents_output_aside, termination_as_interrupt
from hbeval.cli.console import Console
from hbeval.cli.dry_run import dry_run
from hbeval.cli.outcome import coverage_code
from hbeval.cli.parser import Parser, command, count, fraction, label, seconds, seed, words
from hbeval.cli.progress import progress_for
from hbeval.cli.redaction import add_redaction_flag
from hbeval.cli.suggest import choose
from hbeval.cli.tables import show_report
from hbeval.errors import UsageError
from hbeval.model import Ending, FaultType, Measured, Report
from hbeval.report.document import to_document
from hbeval.report.tally import MINIMUM_COVERAGE
from hbeval.report.words import printable, runs_words
from hbeval.store import RunDirectory

__all__ = ["execute", "parser"]

_NOT_MEASURED, _INTERRUPTED = 4, 130


def parser() -> Parser:
    """The command's arguments."""
    made = command(
        "run",
        "A battery of real faults against your agent.",
        description="AGENT is module:attr (a callable agent(task) or agent(task, tools), sync or async), http(s)://…\n"
        "(an OpenAI-compatible endpoint or plain JSON) or cmd:… (a program). Exit code 4 if nothing was measured, or\n"
        "less than --min-coverage of the runs; 130 if interrupted: what was measured is kept and can be resumed.",
        example="hbeval run my_package.my_agent:agent --repeats 3 --seed 7 --out out/mine",
    )
    made.add_argument("agent", metavar="AGENT", help="module:attr, http(s)://… or cmd:…")
    what = made.add_argument_group("what is run")
    what.add_argument("--battery", default="standard", metavar="standard|FILE", help="default: %(default)s")
    what.add_argument("--domains", type=words, metavar="NAMES", help="default: all of the battery")
    what.add_argument("--faults", type=words, metavar="TYPES|none", help=f"of {', '.join(FaultType)}; default: all")
    what.add_argument("--scenarios", type=count, metavar="N", help="default: every task under every type that fits it")
    what.add_argument("--repeats", type=count, default=1, metavar="K", help="runs of each scenario (default 1)")
    what.add_argument("--seed", type=seed, default=7, metavar="S", help="same seed, same faults (default 7)")
    what.add_argument(
        "--dry-run", action="store_true", help="say what would be called and what it may cost; run nothing"
    )
    whom = made.add_argument_group("agents behind an address or a program")
    whom.add_argument("--model", metavar="NAME", help="the model's name at an OpenAI-compatible endpoint")
    whom.add_argument("--key-env", metavar="VARIABLE", help="environment variable that holds the endpoint's key")
    whom.add_argument("--reply-s", type=seconds, default=60.0, metavar="T", help="deadline of each reply (default 60)")
    whom.add_argument(
        "--max-turns", type=count, default=30, metavar="N", help="replies of a model in one run (default 30)"
    )
    how = made.add_argument_group("how")
    how.add_argument("--concurrency", type=count, default=1, metavar="N", help="runs at the same time (default 1)")
    how.add_argument("--executor", default="local", metavar="local|ray", help="ray is not available yet")
    how.add_argument("--timeout-s", type=seconds, default=300.0, metavar="T", help="deadline of a run (default 300)")
    how.add_argument("--progress", action="store_true", help="say how far it is, also where nobody looks")
    kept = made.add_argument_group("what is kept")
    kept.add_argument("--out", type=Path, metavar="DIR", help="run directory (default: the next free one under out/)")
    kept.add_argument("--resume", action="store_true", help="go on with the run in --out, or begin it")
    kept.add_argument("--durable", action="store_true", help="bring every run to the medium before it counts")
    kept.add_argument(
        "--label", type=label, action="append", default=[], metavar="KEY=TEXT", help="of the agent: model=…"
    )
    add_redaction_flag(kept)
    kept.add_argument("--runs", action="store_true", help="also list each run")
    kept.add_argument(
        "--min-coverage",
        type=fraction,
        default=MINIMUM_COVERAGE,
        metavar="SHARE",
        help="least share of runs measured (default %(default)s)",
    )
    return made


def execute(args: argparse.Namespace, console: Console) -> int:
    """Run the battery, or say what it would do."""
    if args.executor != "local":
        choose("executor", args.executor, ("local", "ray"))
        raise UsageError("--executor ray needs an extra that hbeval does not have yet; use local")
    if args.resume and args.out is None:
        raise UsageError("--resume goes on with a run directory; name it with --out")
    battery = _battery(args.battery)
    for name in args.domains or ():
        choose("domain", name, [each.name for each in battery.domains])
    _check_faults(args.faults)
    if args.dry_run:
        return dry_run(args, battery, console)
    out = args.out or _free_directory(args.agent)
    try:
        with agents_output_aside(), termination_as_interrupt():
            report = _run(args, battery, out, console)
    except (Interrupted, Unreachable) as stopped:
        return _stopped(stopped, out, console)
    _show(report, console)
    _hints(report, out, console)
    return coverage_code(report, args.min_coverage, console)


def _check_faults(names: tuple[str, ...] | None) -> None:
    if names is None or names == ("none",):
        return
    if "none" in names:
        raise UsageError("--faults none stands alone; a run with fault types has nominal runs anyway")
    for name in names:
        choose("fault type", name, (*FaultType, "none"))


def _battery(name: str) -> Battery:
    return standard() if name == "standard" else load(name)


def _key(variable: str | None) -> str | None:
    """The key out of the environment; a key on the command line would be seen by others."""
    if variable is None:
        return None
    if not os.environ.get(variable):
        raise UsageError(f"--key-env {variable}: there is no such environment variable, or it is empty")
    return os.environ[variable]


def _free_directory(agent: str) -> Path:
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", agent).strip("-.")[:60] or "agent"
    return next(path for number in numbers(1) if not (path := Path("out") / f"{slug}-{number}").exists())


def _run(args: argparse.Namespace, battery: Battery, out: Path, console: Console) -> Report:
    labels = {**({"model": args.model} if args.model else {}), **dict(args.label)}
    return run(
        resolve(
            args.agent, model=args.model, key=_key(args.key_env), deadline_s=args.reply_s, max_turns=args.max_turns
        ),
        battery=battery,
        scenarios=args.scenarios,
        repeats=args.repeats,
        seed=args.seed,
        domains=args.domains,
        faults=args.faults,
        concurrency=args.concurrency,
        timeout_s=args.timeout_s,
        out=out,
        resume=args.resume,
        durable=args.durable,
        labels=labels,
        reference=args.agent,
        runs=args.runs,
        redaction=args.redacts,
        progress=progress_for(console, args.agent, wanted=args.progress),
    )


def _show(report: Report, console: Console) -> None:
    console.document(to_document(report))
    if not console.json:
        show_report(report, console)


def _hints(report: Report, out: Path, console: Console) -> None:
    raised = report.coverage.endings.get(Ending.AGENT_ERROR, 0)
    if raised:
        said = f"{runs_words(raised)} ended with an exception of the agent"
        console.aside(f"{said}{_first(out, Ending.AGENT_ERROR)}; each one: hbeval report {out} --runs")
    for ending, runs in report.coverage.invalid.items():
        said = f"{runs_words(runs)} could not measure the agent"
        console.aside(f"{said}{_first(out, Ending(ending))}; each one: hbeval report {out} --runs")
    if 0 < report.faults.intended == report.faults.not_exposed and raised < report.coverage.measured:
        console.aside(
            "no fault was met: the agent called no tool that was to fail. Faults act on the tools that a battery\n"
            "hands over, agent(task, tools); tools of your own are recorded and left whole (docs/environments.md)"
        )
    traceability = report.metrics.get("ti")
    if isinstance(traceability, Measured) and traceability.value == 0:
        console.aside("TI is 0: no call follows recorded words of the agent; it leaves them with hbeval.turn(text)")
    console.aside(f"kept in {out}; charts: hbeval report {out} --html --out {out / 'report.html'}")


def _first(out: Path, ending: Ending) -> str:
    """What the first run that ended so has to say, in brackets; empty if nothing, or none is near the beginning."""
    for judged in islice(RunDirectory(out).traces(), _LOOKED_AT):
        if judged.trace.ending is ending and judged.trace.ending_detail:
            return f" (the first: {printable(judged.trace.ending_detail)[:_LONGEST]})"
    return ""


_LOOKED_AT = 2000
_LONGEST = 300


def _stopped(stopped: Interrupted | Unreachable, out: Path, console: Console) -> int:
    assert stopped.report is not None
    _show(stopped.report, console)
    kept = stopped.report.coverage.runs
    console.error(f"{stopped}; {kept} runs are kept in {out}: the same command with --resume --out {out} goes on")
    return _INTERRUPTED if isinstance(stopped, Interrupted) else _NOT_MEASURED
