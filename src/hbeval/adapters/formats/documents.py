"""JSON documents of others: read tolerantly, as far as they go, with what was lost said."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from hbeval.errors import InputError

__all__ = ["Document", "object_at", "parse_json", "read_bytes", "read_json", "starts_with"]

_BOM = b"\xef\xbb\xbf"
_MOST_DIGITS = 4300
_BLANKS = (" ", "\t", "\n", "\r")
_DAMAGE = (json.JSONDecodeError, RecursionError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A JSON value as far as its text could be read.

    nulled   how many numbers that JSON cannot hold or a double cannot reach (NaN, 1e400) were read as null
    torn     why the text could not be read to its end, None if it could. What stands before the damage is in `value`:
             the members of the outermost object, and the items of the list in which the damage lies
    """

    value: Any
    nulled: int = 0
    torn: str | None = None


def starts_with(head: bytes, opening: bytes) -> bool:
    """Whether the first byte that is no blank or byte order mark is `opening`."""
    return head.removeprefix(_BOM).lstrip()[:1] == opening


def object_at(value: Any, *keys: str) -> Mapping[str, Any]:
    """The object under a path of keys; an empty one where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def read_bytes(path: Path, source: str) -> bytes:
    """The bytes of a file. Raises InputError naming `source`."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"not readable ({error.strerror})", where=source) from error


def read_json(path: Path, source: str) -> Document:
    """The JSON document of a file. Raises InputError if nothing of it can be read."""
    return parse_json(read_bytes(path, source), source)


def parse_json(data: bytes, source: str) -> Document:
    """The JSON document of a text in UTF-8; bytes that are none become replacement characters.

    Raises InputError if not even the beginning of a list or an object can be read.
    """
    text = data.removeprefix(_BOM).decode("utf-8", "replace")
    try:
        return _parsed(text, source, digits=False)
    except _TooManyDigits:
        return _parsed(text, source, digits=True)


class _TooManyDigits(Exception):
    """A whole number is longer than Python turns into one by itself."""


def _parsed(text: str, source: str, *, digits: bool) -> Document:
    nulled: list[str] = []
    try:
        return Document(value=_decoder(nulled, digits=digits).decode(text), nulled=len(nulled))
    except json.JSONDecodeError as error:
        nulled.clear()
        value = _Torn(text, _decoder(nulled, digits=True)).value()
        if not value:
            place = f"line {error.lineno} column {error.colno}"
            raise InputError(f"not JSON: {error.msg} at {place}", where=source) from error
        return Document(value=value, nulled=len(nulled), torn=_damage(text, error))
    except RecursionError as error:
        raise InputError("nested too deeply", where=source) from error
    except ValueError as error:
        raise _TooManyDigits from error


def _decoder(nulled: list[str], *, digits: bool) -> json.JSONDecoder:
    """A decoder that gives null for every number that is none, and notes it.

    With `digits` also for whole numbers of too many digits; looking at each of them takes time.
    """

    def number(text: str) -> float | None:
        value = float(text)
        if isfinite(value):
            return value
        nulled.append(text)
        return None

    def whole(text: str) -> int | None:
        if len(text) <= _MOST_DIGITS:
            return int(text)
        nulled.append(text)
        return None

    return json.JSONDecoder(parse_constant=nulled.append, parse_float=number, parse_int=whole if digits else None)


def _damage(text: str, error: json.JSONDecodeError) -> str:
    place = f"line {error.lineno} column {error.colno}"
    if error.pos >= len(text.rstrip(" \t\n\r\0")) or error.msg.startswith("Unterminated string"):
        return f"cut off at {place}; what stands before it was read"
    return f"damaged in the middle: {error.msg} at {place}; nothing after it was read"


class _Torn:
    """Reads the outer level of a damaged text value by value, and one level deeper where the damage lies."""

    __slots__ = ("_at", "_decoder", "_text")

    def __init__(self, text: str, decoder: json.JSONDecoder) -> None:
        self._text, self._decoder, self._at = text, decoder, 0

    def value(self) -> Any:
        """What is whole of the outermost list or object; None for anything else."""
        if self._taken("["):
            return list(self._items())
        return dict(self._members()) if self._taken("{") else None

    def _items(self) -> Iterator[Any]:
        going_on = True
        while going_on:
            try:
                item = self._whole_value("]")
            except _DAMAGE:
                return
            yield item
            going_on = self._taken(",")

    def _members(self) -> Iterator[tuple[str, Any]]:
        going_on = True
        while going_on:
            try:
                key = self._whole_value(":")
            except _DAMAGE:
                return
            if not isinstance(key, str) or not self._taken(":"):
                return
            try:
                yield key, self._whole_value("}")
            except _DAMAGE:
                if self._taken("["):
                    yield key, list(self._items())
                return
            going_on = self._taken(",")

    def _whole_value(self, closing: str) -> Any:
        """The value here. A number at the very end of the text may lack digits, so something has to follow."""
        value, end = self._decoder.raw_decode(self._text, self._past_blanks(self._at))
        after = self._past_blanks(end)
        if self._text[after : after + 1] not in (",", closing):
            raise json.JSONDecodeError("cut off", self._text, after)
        self._at = after
        return value

    def _taken(self, sign: str) -> bool:
        """Whether the next character is `sign`; if so, go past it."""
        place = self._past_blanks(self._at)
        found = self._text[place : place + 1] == sign
        self._at = place + found
        return found

    def _past_blanks(self, place: int) -> int:
        while self._text[place : place + 1] in _BLANKS:
            place += 1
        return place
