"""Argument parsing: errors in one line, with the nearest known flag; types that say what would be right."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from typing import Any, NoReturn

from hbeval.cli.suggest import unknown_word
from hbeval.errors import UsageError

__all__ = ["Parser", "command", "count", "fraction", "integer", "label", "seconds", "seed", "word", "words"]


_EVERYWHERE = ("help", "json", "debug")


class Parser(argparse.ArgumentParser):
    """Raises UsageError where argparse would print a usage text and exit."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        settings.setdefault("allow_abbrev", False)
        super().__init__(**settings)

    def error(self, message: str) -> NoReturn:
        """One line that ends with where to read on."""
        words = re.sub(r"^argument \S+: (?=unknown )", "", message)
        raise UsageError(f"{words} (see '{self.prog} --help')")

    def parse_all(self, arguments: list[str]) -> argparse.Namespace:
        """The parsed arguments. Raises UsageError on any that is not known."""
        args, unknown = self.parse_known_args(arguments)
        if unknown:
            self.error(self._unknown(unknown[0]))
        return args

    def print_help(self, file: object = None) -> None:
        """Hand the text up instead of printing it; the caller owns the streams."""
        raise HelpWanted(self.format_help())

    def arguments(self) -> list[argparse.Action]:
        """The command's own arguments, in order."""
        return [action for action in self._actions if action.dest not in _EVERYWHERE]

    def flags(self) -> list[str]:
        """Every long flag, in order."""
        return [each for action in self._actions for each in action.option_strings if each.startswith("--")]

    def _unknown(self, word: str) -> str:
        if word.startswith("-"):
            return unknown_word("flag", word.partition("=")[0], self.flags())
        return f"unexpected argument {word!r}"


class HelpWanted(Exception):
    """Help was asked for; the text is the argument."""


def command(name: str, summary: str, *, description: str, example: str) -> Parser:
    """The parser of one command, with the flags that every command has."""
    parser = Parser(
        prog=f"hbeval {name}", description=f"{summary}\n\n{description}".strip(), epilog=f"example:\n  {example}"
    )
    common = parser.add_argument_group("every command")
    common.add_argument("--json", action="store_true", help="one strict JSON document on standard output")
    common.add_argument("--debug", action="store_true", help="show the traceback of a defect")
    return parser


def integer(least: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number within bounds."""

    def parse(text: str) -> int:
        right = f"a whole number of at least {least}" + (f" and at most {most}" if most is not None else "")
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"got {text[:40]!r}; expected {right}") from None
        if value < least or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"got {text[:40]!r}; expected {right}")
        return value

    return parse


def count(text: str) -> int:
    """A whole number of at least 1."""
    return integer(1)(text)


def seed(text: str) -> int:
    """A whole number that every reader of JSON takes in exactly."""
    return integer(0, 2**53 - 1)(text)


def seconds(text: str) -> float:
    """A positive, finite number of seconds."""
    value = _number(text)
    if value is None or value <= 0:
        raise argparse.ArgumentTypeError(f"got {text!r}; expected a positive number of seconds")
    return value


def fraction(text: str) -> float:
    """A share between 0 and 1; per cent are refused, not guessed."""
    value = _number(text)
    if value is None or not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"got {text!r}; expected a fraction between 0 and 1 (0.95, not 95 or 95%)")
    return value


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def label(text: str) -> tuple[str, str]:
    """A label as KEY=TEXT."""
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"got {text!r}; expected KEY=TEXT, such as model=small-2")
    return key, value


def word(kind: str, *known: str) -> Callable[[str], str]:
    """One of the known words; the nearest one is named for any other."""

    def parse(text: str) -> str:
        if text not in known:
            raise argparse.ArgumentTypeError(unknown_word(kind, text, known))
        return text

    return parse


def words(text: str) -> tuple[str, ...]:
    """Comma-separated words, without empty ones."""
    return tuple(each for each in (part.strip() for part in text.split(",")) if each)
