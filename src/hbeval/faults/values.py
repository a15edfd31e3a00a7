"""Small operations on JSON values that altering effects share. Nothing here changes its input."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

__all__ = [
    "Path",
    "at",
    "flip",
    "leaves",
    "objects",
    "opened",
    "path_of",
    "perturb",
    "put",
    "same",
    "without",
]

Path = tuple[str | int, ...]

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DIGITS = re.compile(r"[0-9]+")


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same on the wire: 1, 1.0 and true are three values."""
    return _wire(one) == _wire(other)


def _wire(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=True)


def opened(value: Any) -> tuple[Any, Callable[[Any], Any]]:
    """The structure to alter and how to close it again: a text that holds a JSON object or array is opened."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value), lambda inner: json.dumps(inner, ensure_ascii=False)
        except (ValueError, RecursionError):
            return value, _as_is
    return value, _as_is


def _as_is(value: Any) -> Any:
    return value


def path_of(pointer: str) -> Path:
    """The steps of a JSON Pointer (RFC 6901). Array positions stay text until they meet an array."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def at(value: Any, path: Path) -> tuple[Path, Any]:
    """The exact path and the value there. Raises LookupError if the value does not hold it."""
    exact: list[str | int] = []
    for step in path:
        key = int(step) if isinstance(value, list) and str(step).isdecimal() else step
        if not isinstance(value, (dict, list)) or (isinstance(value, list) and not isinstance(key, int)):
            raise LookupError(step)
        value = value[key]  # type: ignore[index]
        exact.append(key)
    return tuple(exact), value


def put(value: Any, path: Path, new: Any) -> Any:
    """A copy with `new` at an existing path, or at a new key of an existing object."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    head: Any = path[0]
    copy[head] = new if len(path) == 1 else put(copy[head], path[1:], new)
    return copy


def without(value: Any, path: Path) -> Any:
    """A copy that lacks the member at `path`."""
    _, holder = at(value, path[:-1])
    copy: Any = dict(holder) if isinstance(holder, dict) else list(holder)
    del copy[path[-1]]
    return put(value, path[:-1], copy)


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value that is neither a filled object nor a filled array, with its path, in document order."""
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from leaves(each, (*path, key))
    elif isinstance(value, list) and value:
        for index, each in enumerate(value):
            yield from leaves(each, (*path, index))
    else:
        yield path, value


def objects(value: Any, path: Path = ()) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every object with at least one member, outermost first."""
    if isinstance(value, dict):
        if value:
            yield path, value
        for key, each in value.items():
            yield from objects(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from objects(each, (*path, index))


def perturb(value: Any, chance: random.Random) -> Any | None:
    """A copy in which every number is off by 15 to 45 percent (at least 1 for integers).

    Without numbers: the first text with a date or with digits is changed; without those: the first flag. None if the
    value holds no figure at all.
    """
    if any(_is_number(leaf) for _, leaf in leaves(value)):
        return _with_other_numbers(value, chance)
    for path, leaf in leaves(value):
        if isinstance(leaf, str) and _DIGITS.search(leaf):
            return put(value, path, _other_text(leaf, chance))
    return flip(value)


def flip(value: Any) -> Any | None:
    """A copy in which the first flag says the opposite, None if there is no flag."""
    for path, leaf in leaves(value):
        if isinstance(leaf, bool):
            return put(value, path, not leaf)
    return None


def _with_other_numbers(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        return {key: _with_other_numbers(each, chance) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_other_numbers(each, chance) for each in value]
    return _other_number(value, chance) if _is_number(value) else value


def _is_number(leaf: Any) -> bool:
    return isinstance(leaf, (int, float)) and not isinstance(leaf, bool)


def _other_number(number: int | float, chance: random.Random) -> int | float:
    share = chance.randint(15, 45)
    up = chance.random() < 0.5
    if isinstance(number, int):
        change = max(1, abs(number) * share // 100)
        return number + change if up or number >= 0 > number - change else number - change
    moved = number * (1 + share / 100 if up else 1 - share / 100)
    rounded = round(moved, 2) if math.isfinite(moved) else number / 2
    return rounded if rounded != number else number + 1.0


def _other_text(text: str, chance: random.Random) -> str:
    day = _DAY.search(text)
    if day is not None:
        try:
            earlier = date.fromisoformat(day.group()) - timedelta(days=chance.randint(2, 9))
        except (ValueError, OverflowError):
            return _other_digits(text, chance)
        return text[: day.start()] + earlier.isoformat() + text[day.end() :]
    return _other_digits(text, chance)


def _other_digits(text: str, chance: random.Random) -> str:
    shift = chance.randint(1, 9)
    return _DIGITS.sub(lambda run: "".join(str((int(digit) + shift) % 10) for digit in run.group()), text, count=1)
