"""A journal that lives as long as its process: for runs without a directory whose traces are still wanted."""

from __future__ import annotations

from collections.abc import Iterator

from hbeval.errors import HarnessError
from hbeval.model import JudgedTrace

__all__ = ["MemoryJournal"]


class MemoryJournal:
    """Keeps the finished runs in a dictionary."""

    def __init__(self) -> None:
        self._runs: dict[str, JudgedTrace] = {}

    def read(self) -> Iterator[JudgedTrace]:
        """The finished runs in the order in which they were appended."""
        yield from tuple(self._runs.values())

    def append(self, judged: JudgedTrace) -> None:
        """Keep one finished run. Raises HarnessError for an id that is already there."""
        if judged.trace.id in self._runs:
            raise HarnessError(f"run {judged.trace.id!r} was appended twice; every run of a battery has its own id")
        self._runs[judged.trace.id] = judged

    def close(self) -> None:
        """Nothing is on its way; the runs stay readable."""
