"""A JSON copy of whatever a tool was given or gave back. Bounded, marked where it had to leave something out, and safe:
it raises nothing, and later changes of the original do not reach it.

Marks are those of `hbeval.model`; addresses are removed from the words of foreign objects.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from enum import Enum
from math import isfinite
from typing import Any

from hbeval.model import MARK_CUT, MARK_REPR, MARK_TYPE

__all__ = ["snapshot"]

_DEPTH = 32
_NODES = 20_000
_TEXT = 200_000
_REPR = 500
_INTEGER_BITS = 10_000
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")


def snapshot(value: Any) -> Any:
    """The JSON copy: at most 32 levels, 20,000 values, 200,000 characters a text.

    Mappings and dataclass instances become objects, sequences and sets arrays, enum members their value, dates ISO
    text, and a model with a `model_dump` method its own dump.
    """
    kind = type(value)
    if kind is str and len(value) <= _TEXT:
        return value
    if value is None or kind is bool:
        return value
    return _Copy().take(value, 0)


class _Copy:
    """One copying; `left` is how many values it may still take in."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = _NODES

    def take(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind is str:
            return value if len(value) <= _TEXT else _cut_text(value)
        if kind is int:
            return value if -(2**53) < value < 2**53 else _large(value)
        if value is None or kind is bool:
            return value
        if kind is float:
            return value if isfinite(value) else {MARK_REPR: repr(value), MARK_TYPE: "float"}
        if depth >= _DEPTH:
            return {MARK_CUT: f"below level {_DEPTH}"}
        if kind is dict:
            return self._object(value, depth + 1)
        if kind is list or kind is tuple:
            return self._array(value, depth + 1)
        try:
            return self._foreign(value, depth)
        except Exception as error:  # noqa: BLE001 - foreign code must not disturb the agent; the mark records it
            return {MARK_REPR: f"<{type(error).__name__} while copying>", MARK_TYPE: _name(kind)}

    def _object(self, value: Mapping[Any, Any], depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, each in value.items():
            if self.left <= 0:
                out[MARK_CUT] = f"{len(value) - len(out)} more members"
                break
            self.left -= 1
            out[key if type(key) is str else _key(key)] = self.take(each, depth)
        return out

    def _array(self, value: Any, depth: int) -> list[Any]:
        out: list[Any] = []
        for each in value:
            if self.left <= 0:
                out.append({MARK_CUT: f"{len(value) - len(out)} more items"})
                break
            self.left -= 1
            out.append(self.take(each, depth))
        return out

    def _foreign(self, value: Any, depth: int) -> Any:
        if isinstance(value, Enum):
            return self.take(value.value, depth + 1)
        for plain in (str, bool, int, float):
            if isinstance(value, plain):
                return self.take(plain(value), depth)
        if isinstance(value, Mapping):
            return self._object(dict(value), depth + 1)
        if isinstance(value, (list, tuple)):
            return self._array(value, depth + 1)
        if isinstance(value, (set, frozenset)):
            return self._array(sorted(value, key=repr), depth + 1)
        if isinstance(value, (datetime, date, time)):
            return value.isoformat()
        if is_dataclass(value) and not isinstance(value, type):
            return self._object({each.name: getattr(value, each.name) for each in fields(value)}, depth + 1)
        dump = getattr(type(value), "model_dump", None)
        if dump is not None:
            return self.take(dict(dump(value)), depth + 1)
        return {MARK_REPR: _ADDRESS.sub("", repr(value))[:_REPR], MARK_TYPE: _name(type(value))}


def _cut_text(text: str) -> str:
    return f"{text[:_TEXT]}…[{len(text) - _TEXT} characters cut]"


def _large(number: int) -> Any:
    if number.bit_length() <= _INTEGER_BITS:
        return number
    return {MARK_REPR: f"an integer of {number.bit_length()} bits", MARK_TYPE: "int"}


def _key(key: Any) -> str:
    try:
        return str(key)
    except Exception as error:  # noqa: BLE001 - as above
        return f"<{type(error).__name__} while naming a {_name(type(key))}>"


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
