"""A run that is there twice counts once: copies of a file, and one run in two files (an archive and its export)."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from hbeval.model import Trace, dumps

__all__ = ["Copies", "place_of"]

_CHUNK = 1 << 20


class Copies:
    """What was seen so far, by content: names and ids decide nothing, since copies are renamed and ids collide."""

    def __init__(self) -> None:
        self._files: dict[int, list[_File]] = {}
        self._runs: dict[bytes, str] = {}

    def earlier_file(self, path: Path, source: str) -> str | None:
        """The source of an earlier file with the same bytes, None if this is the first. Raises OSError."""
        file = _File(path, source)
        others = self._files.setdefault(path.stat().st_size, [])
        known = next((each.source for each in others if each.digest() == file.digest()), None)
        if known is None:
            others.append(file)
        return known

    def earlier_run(self, trace: Trace) -> str | None:
        """Where an earlier run with the same content stood; None if this is the first."""
        steps = tuple([replace(step, origin=None) for step in trace.steps])
        content = dumps(replace(trace, id="", source="", steps=steps))
        key = hashlib.sha256(content.encode("ascii")).digest()
        known = self._runs.get(key)
        if known is None:
            self._runs[key] = place_of(trace)
        return known


def place_of(trace: Trace) -> str:
    """Where a run stands: its id where that names the place in its file, else the file."""
    return trace.id if trace.id.startswith(trace.source) else trace.source


class _File:
    """A file whose bytes are looked at only if another one has as many."""

    __slots__ = ("_digest", "_path", "source")

    def __init__(self, path: Path, source: str) -> None:
        self._path, self.source = path, source
        self._digest: bytes | None = None

    def digest(self) -> bytes:
        if self._digest is None:
            found = hashlib.sha256()
            with self._path.open("rb") as file:
                while chunk := file.read(_CHUNK):
                    found.update(chunk)
            self._digest = found.digest()
        return self._digest
