"""The reference page of the command line, made from the parsers themselves."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from hbeval.cli.main import COMMANDS, Command, load
from hbeval.cli.parser import Parser
from hbeval.cli.settings import SETTINGS

__all__ = ["page_with_reference", "reference"]

_MARK = "<!-- generated"


def page_with_reference(page: str) -> str:
    """The page with everything after the line of its mark made anew."""
    start = page.index("\n", page.index(_MARK)) + 1
    return page[:start] + "\n" + reference()


def reference() -> str:
    """Settings and commands as Markdown."""
    return "\n".join([_settings(), *(_section(each) for each in COMMANDS)])


def _settings() -> str:
    rows = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in SETTINGS.items())
    return f"## Settings\n\n| environment variable | meaning |\n|---|---|\n{rows}"


def _section(command: Command) -> str:
    parser = load(command).parser()
    usage, summary = f"{parser.prog} {_usage(parser)}".strip(), parser.description or ""
    example = (parser.epilog or "").partition("\n")[2].strip()
    rows = "".join(_rows(parser))
    head = f"## {command.name}\n\n{summary}\n\n    {usage}\n\n"
    return f"{head}| argument | meaning |\n|---|---|\n{rows}\n```console\n$ {example}\n```\n"


def _usage(parser: Parser) -> str:
    return " ".join(_positional(each) for each in parser.arguments() if not each.option_strings)


def _positional(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest)
    if action.nargs == "?":
        return f"[{name}]"
    return f"{name}…" if action.nargs == "+" else name


def _rows(parser: Parser) -> Iterator[str]:
    for action in parser.arguments():
        if not action.option_strings and not action.help:
            continue
        value = "" if action.nargs == 0 else f" {action.metavar or action.dest.upper()}"
        name = f"{action.option_strings[-1]}{value}" if action.option_strings else _positional(action)
        meaning = (action.help or "") % {"default": action.default}
        yield f"| `{name.replace('|', chr(92) + '|')}` | {meaning} |\n"


if __name__ == "__main__":
    _path = Path(sys.argv[1])
    _path.write_text(page_with_reference(_path.read_text(encoding="utf-8")), encoding="utf-8")
