"""The laws of a journal, for every implementation. Each check raises AssertionError with what it found."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hbeval.errors import HarnessError
from hbeval.model import JudgedTrace
from hbeval.store.base import Journal, may_come_again

__all__ = ["check_journal"]


def check_journal(open_journal: Callable[[], Journal], runs: Sequence[JudgedTrace]) -> None:
    """Check one journal implementation with finished runs whose ids differ.

    `open_journal` gives a new, empty journal each time. Runs come back equal, in order, also between appends; an id
    is taken once, unless its run may come again: then its next try replaces it; reading changes nothing; a closed
    journal may be closed again.
    """
    journal = open_journal()
    _equal(list(journal.read()), [], "a new journal is empty")
    for count, run in enumerate(runs, 1):
        journal.append(run)
        _equal(list(journal.read()), _told(runs[:count]), "a run is there once `append` has returned")
    for run in runs:
        if may_come_again(run):
            journal.append(run)
        else:
            _refuses(journal, run)
    _equal(list(journal.read()), _told(runs), "a refused run changes nothing, and one that comes again counts once")
    journal.close()
    journal.close()


def _told(runs: Sequence[JudgedTrace]) -> list[JudgedTrace]:
    return sorted(runs, key=may_come_again)


def _refuses(journal: Journal, run: JudgedTrace) -> None:
    try:
        journal.append(run)
    except HarnessError:
        return
    raise AssertionError(f"{type(journal).__name__} took run {run.trace.id!r} a second time")


def _equal(found: object, expected: object, law: str) -> None:
    if found != expected:
        raise AssertionError(f"{law}: found {found!r}, expected {expected!r}")
