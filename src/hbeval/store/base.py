"""What a run journal is: finished runs go in once, in order, and come back as they were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from hbeval.model import Ending, JudgedTrace

__all__ = ["Journal", "may_come_again"]


def may_come_again(judged: JudgedTrace) -> bool:
    """Whether a run on record says nothing of the agent because something outside failed, so that it may be repeated.

    No other run is: repeating what was measured, or what failed on our side, would be choosing.
    """
    return judged.trace.ending is Ending.INFRASTRUCTURE


class Journal(Protocol):
    """Holds the finished runs of one battery. One writer, which appends from one thread at a time."""

    def read(self) -> Iterator[JudgedTrace]:
        """The finished runs, each once, in the order in which they were appended. Raises InputError on damage.

        Those that may come again come last, as they ended the last time.
        """
        ...

    def append(self, judged: JudgedTrace, text: str | None = None) -> None:
        """Take in one finished run; once this returns it outlives the process (if the journal outlives it at all).

        `text` is what `Wire` writes for the run, from a caller that has it already.
        A run that may come again is replaced by its next try.
        Raises HarnessError for any other id that is already there, InputError for a run that has no wire form,
        EnvironmentFault if the medium fails; in each case what was there before is kept.
        """
        ...

    def close(self) -> None:
        """Write down what is still on its way and let go. Closing twice is harmless."""
        ...
