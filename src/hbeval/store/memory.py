"""A journal that lives as long as its process: for runs without a directory whose traces are still wanted."""

from __future__ import annotations

from collections.abc import Iterator

from hbeval.errors import HarnessError
from hbeval.model import JudgedTrace
from hbeval.store.base import may_come_again

__all__ = ["MemoryJournal"]


class MemoryJournal:
    """Keeps the finished runs in a dictionary."""

    def __init__(self) -> None:
        self._runs: dict[str, JudgedTrace] = {}

    def read(self) -> Iterator[JudgedTrace]:
        """The finished runs in the order in which they were appended, those that may come again last."""
        yield from sorted(self._runs.values(), key=may_come_again)

    def append(self, judged: JudgedTrace, text: str | None = None) -> None:
        """Keep one finished run. Raises HarnessError for an id that is already there and may not come again."""
        earlier = self._runs.get(judged.trace.id)
        if earlier is not None and not may_come_again(earlier):
            raise HarnessError(f"run {judged.trace.id!r} was appended twice; every run of a battery has its own id")
        self._runs.pop(judged.trace.id, None)
        self._runs[judged.trace.id] = judged

    def close(self) -> None:
        """Nothing is on its way; the runs stay readable."""
