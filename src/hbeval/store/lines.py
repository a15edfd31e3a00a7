"""The self-checking line: `{"crc32":"8 hex","length":N,"trace":{…}}`, its writing, its reading, and what damage means.

Checksum and length are over the exact bytes of the value of `trace`. The part before it has a fixed width, so that
both can be checked without parsing; the whole line is still one JSON object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO
from zlib import crc32

from hbeval.errors import InputError

__all__ = ["Scan", "Torn", "frame", "unframe"]

_HEAD = re.compile(rb'\{"crc32":"([0-9a-f]{8})","length":( *[0-9]+),"trace":')
_HEAD_WIDTH = len(b'{"crc32":"01234567","length":0123456789,"trace":')
_BLANK = b" \t\r\n\x00"


@dataclass(frozen=True, slots=True, kw_only=True)
class Torn:
    """What follows the last intact line of a journal: the rest of a write that never finished.

    `offset` is where the intact part ends, `dropped` how many bytes do not count. `unterminated` marks the mildest
    form: the last line is intact and only its newline is missing; nothing is dropped then.
    """

    where: str
    line: int
    offset: int
    dropped: int
    why: str
    unterminated: bool = False

    def __str__(self) -> str:
        if self.unterminated:
            return f"{self.where}:{self.line}: the newline of the last line was missing; the run is kept"
        return f"{self.where}:{self.line}: torn last line ({self.why}); {self.dropped} bytes left out"


def frame(payload: bytes) -> bytes:
    """The line of a payload (JSON text without a newline), newline included."""
    return b'{"crc32":"%08x","length":%10d,"trace":%b}\n' % (crc32(payload), len(payload), payload)


def unframe(line: bytes) -> bytes | str:
    """The payload of a line without its newline, or a phrase that says why the line is not intact."""
    head = _HEAD.match(line)
    if head is None or head.end() != _HEAD_WIDTH:
        return "it does not start as a journal line"
    length = int(head[2])
    payload = line[_HEAD_WIDTH:-1]
    if len(payload) != length:
        return f"{len(payload)} of {length} bytes are there" if len(payload) < length else "it is too long"
    if not line.endswith(b"}"):
        return "it does not end as a journal line"
    found = b"%08x" % crc32(payload)
    if found != head[1]:
        return f"checksum is {found.decode()}, the line says {head[1].decode()}"
    return payload


class Scan:
    """Iterates over (line number, payload) of the intact lines of a journal.

    When it is exhausted, `torn` says what followed the last intact line, None if nothing did, and `end` where the
    intact part ends. One unfinished line and any blanks or NULs after it are torn; a damaged line before an intact one,
    or two damaged lines, are damage, and raise InputError with the number of the first.
    """

    def __init__(self, file: BinaryIO, where: str) -> None:
        self._file, self.where = file, where
        self.end = 0
        self.torn: Torn | None = None

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        offset = 0
        damaged: tuple[int, str] | None = None
        blank_from: int | None = None
        for number, line in enumerate(self._file, 1):
            offset += len(line)
            found = "it is blank" if not line.strip(_BLANK) else unframe(line.removesuffix(b"\n"))
            if isinstance(found, bytes):
                self._refuse(damaged, blank_from)
                self.end = offset
                if not line.endswith(b"\n"):
                    self.torn = self._torn(number, 0, "", unterminated=True)
                yield number, found
            elif not line.strip(_BLANK):
                blank_from = blank_from or number
            else:
                self._refuse(damaged, None)
                damaged = (number, found)
        if damaged is not None or blank_from is not None:
            number, why = damaged or (blank_from or 0, "blank")
            self.torn = self._torn(number, offset - self.end, why)

    def _refuse(self, damaged: tuple[int, str] | None, blank_from: int | None) -> None:
        if damaged is None and blank_from is None:
            return
        number, why = damaged or (blank_from, "it is blank")
        raise InputError(
            f"line {number} is damaged and is not the last one: {why}",
            where=f"{self.where}:{number}",
            right="an intact journal; delete that line to have its scenario run again",
        )

    def _torn(self, line: int, dropped: int, why: str, *, unterminated: bool = False) -> Torn:
        return Torn(where=self.where, line=line, offset=self.end, dropped=dropped, why=why, unterminated=unterminated)
