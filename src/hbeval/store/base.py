"""What a run journal is: finished runs go in once, in order, and come back as they were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from hbeval.model import JudgedTrace

__all__ = ["Journal"]


class Journal(Protocol):
    """Holds the finished runs of one battery. One writer, which appends from one thread at a time."""

    def read(self) -> Iterator[JudgedTrace]:
        """The finished runs in the order in which they were appended. Raises InputError on damage."""
        ...

    def append(self, judged: JudgedTrace) -> None:
        """Take in one finished run; once this returns it outlives the process (if the journal outlives it at all).

        Raises HarnessError for an id that is already there, InputError for a run that has no wire form,
        EnvironmentFault if the medium fails; in each case what was there before is kept.
        """
        ...

    def close(self) -> None:
        """Write down what is still on its way and let go. Closing twice is harmless."""
        ...
