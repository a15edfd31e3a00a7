"""What an importer is: one log format in, traces out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from hbeval.model import LeftOut, Trace

__all__ = ["Importer"]


class Importer(Protocol):
    """Reads one format. It records facts and says what the source cannot know; it judges nothing.

    `name` is the word for `--format`. `suffixes` are the file endings the format comes in.
    """

    name: str
    suffixes: tuple[str, ...]

    def detect(self, path: Path, head: bytes) -> str | None:
        """Why this file is of this format, or None. `head` is its first 64 KiB."""
        ...

    def read(self, path: Path, source: str) -> Iterator[Trace | LeftOut]:
        """The runs of a file, in file order. `source` is the name to record for it.

        What cannot become a run is yielded as `LeftOut` with the reason; a file that cannot be read at all raises
        InputError. Every record of the file is one or the other.
        """
        ...
