"""`hbeval init`: an agent, tools and tasks to start from."""

from __future__ import annotations

import argparse
from importlib.resources import files
from pathlib import Path

from hbeval.cli.console import Console
from hbeval.cli.files import write_text
from hbeval.cli.parser import Parser, command
from hbeval.errors import UsageError

__all__ = ["execute", "parser"]

_FILES = ("agent.py", "helpdesk.json", "battery.json")


def parser() -> Parser:
    """The command's arguments."""
    made = command(
        "init",
        "Write a small example to start from: an agent, a domain of tools and tasks, and a battery of them.",
        description="Change the tools and tasks to your own and the agent to a call of yours. Nothing is overwritten.",
        example="hbeval init my-battery",
    )
    made.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="DIR", help="where (default: here)")
    return made


def execute(args: argparse.Namespace, console: Console) -> int:
    """Write the example, or nothing at all."""
    targets = {name: args.folder / name for name in _FILES}
    there = [str(path) for path in targets.values() if path.exists() or path.is_symlink()]
    if there:
        raise UsageError(f"{', '.join(there)}: there already; init overwrites nothing, choose another folder")
    template = files("hbeval.cli.template")
    for name, path in targets.items():
        write_text(path, template.joinpath(name).read_text(encoding="utf-8"), chosen_with=None)
    written = [str(path) for path in targets.values()]
    then = "hbeval run agent:agent --battery battery.json"
    console.document({"schema": "hbeval-init/1", "written": written, "next": then})
    if not console.json:
        console.say("\n".join(f"wrote {path}" for path in written))
        console.say(f"next: {'cd ' + str(args.folder) + ' && ' if args.folder != Path() else ''}{then}")
    return 0
