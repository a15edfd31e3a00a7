"""The command line's front door: finds the command, loads its module alone, turns errors into exit codes."""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from hbeval import __version__
from hbeval.cli.console import Console
from hbeval.cli.parser import HelpWanted, Parser
from hbeval.cli.suggest import unknown_word
from hbeval.errors import AgentError, EnvironmentFault, HarnessError, HbevalError, NotComparable, UsageError

__all__ = ["COMMANDS", "DONE", "INTERRUPTED", "NO", "NOT_MEASURED", "USAGE", "Command", "load", "main"]

DONE, NO, USAGE, NOT_MEASURED, INTERRUPTED = 0, 1, 2, 4, 130


class CommandModule(Protocol):
    """What a module under `commands` offers."""

    def parser(self) -> Parser:
        """The command's arguments and help."""
        ...

    def execute(self, args: argparse.Namespace, console: Console) -> int:
        """Do it; the exit code."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command's name, its module under `commands`, and what it does in a few words."""

    name: str
    module: str
    summary: str


COMMANDS = (
    Command(name="demo", module="demo", summary="the standard battery against two bundled agents, with a report"),
    Command(name="run", module="run", summary="a battery of real faults against your agent"),
    Command(name="score", module="score", summary="the metrics on logs that others recorded"),
    Command(name="report", module="report", summary="a result as table, Markdown, HTML or JSON"),
    Command(name="compare", module="compare", summary="two results side by side, or why they must not be compared"),
    Command(name="gate", module="gate", summary="a result judged by requirements: PASS, FAIL, INCONCLUSIVE or ERROR"),
    Command(name="rescore", module="rescore", summary="an old run under other instrument versions, shown beside"),
    Command(name="export", module="export", summary="tidy tables (runs, trials, steps) with a codebook"),
    Command(
        name="expectations", module="expectations", summary="what the reference agents should show, beside what they do"
    ),
    Command(name="spec", module="spec", summary="the fault specification and its fingerprint"),
    Command(name="faults", module="faults", summary="fault types and effects; what a plan would inject"),
    Command(name="metrics", module="metrics", summary="instruments, their definitions and their history"),
    Command(name="init", module="init", summary="write a small example to start from"),
    Command(name="doctor", module="doctor", summary="what is installed, configured and reachable"),
)

_HELP = """usage: hbeval COMMAND [...]

How does an AI agent behave when things break? Real faults in, a measured report out.

commands:
{commands}

hbeval COMMAND --help shows the flags of a command and an example; hbeval --version the version.
Exit codes: 0 done, 1 a checked no, 2 usage, 3 inconclusive, 4 not measured or not comparable, 130 interrupted.

example:
  hbeval demo
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    console = Console(json="--json" in arguments)
    try:
        return _dispatch(arguments, console)
    except HelpWanted as help_wanted:
        console.raw(str(help_wanted))
        return DONE
    except HbevalError as error:
        console.error(str(error))
        return _exit_code(error)
    except KeyboardInterrupt:
        console.error("interrupted")
        return INTERRUPTED
    except OSError as error:
        console.error(f"{error.filename or 'system'}: {error.strerror or error}")
        return USAGE if isinstance(error, _CALLERS_OS_ERRORS) else NOT_MEASURED
    except Exception as error:  # noqa: BLE001 recorded below, never swallowed
        _report_defect(error, console, debug="--debug" in arguments)
        return NOT_MEASURED


_CALLERS_OS_ERRORS = (FileExistsError, FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)


def load(command: Command) -> CommandModule:
    """The module of one command."""
    return cast("CommandModule", import_module(f"hbeval.cli.commands.{command.module}"))


def _dispatch(arguments: list[str], console: Console) -> int:
    if not arguments or arguments[0] in ("--help", "-h", "help"):
        console.raw(_help())
        return DONE if arguments else USAGE
    if arguments[0] == "--version":
        console.raw(f"hbeval {__version__}\n")
        return DONE
    known = {each.name: each for each in COMMANDS}
    if arguments[0] not in known:
        kind = "flag" if arguments[0].startswith("-") else "command"
        words = ("--help", "--version") if kind == "flag" else known
        raise UsageError(unknown_word(kind, arguments[0], words))
    module = load(known[arguments[0]])
    return module.execute(module.parser().parse_all(arguments[1:]), console)


def _help() -> str:
    width = max(len(each.name) for each in COMMANDS)
    return _HELP.format(commands="\n".join(f"  {each.name:<{width}}  {each.summary}" for each in COMMANDS))


def _exit_code(error: HbevalError) -> int:
    if isinstance(error, (UsageError, AgentError)):
        return USAGE
    if isinstance(error, (NotComparable, EnvironmentFault, HarnessError)):
        return NOT_MEASURED
    return NOT_MEASURED


def _report_defect(error: Exception, console: Console, *, debug: bool) -> None:
    text = "".join(traceback.format_exception(error))
    line = f"{type(error).__name__}: {error}; this is a defect in hbeval"
    if debug:
        console.aside(text)
        console.error(line)
        return
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", errors="backslashreplace", prefix="hbeval-defect-", suffix=".txt", delete=False
        ) as file:
            file.write(text)
    except OSError:
        console.error(f"{line} (run again with --debug for the traceback)")
        return
    console.error(f"{line} (traceback in {file.name})")
