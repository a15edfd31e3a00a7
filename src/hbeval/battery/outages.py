"""Runs that something outside kept from measuring: they are tried again on resume, and many in a row end a battery."""

from __future__ import annotations

from collections.abc import Callable

from hbeval.errors import EnvironmentFault
from hbeval.model import JudgedTrace, Report, Trace
from hbeval.store import may_come_again

__all__ = ["ATTEMPT", "Outages", "Unreachable", "attempt_of"]

ATTEMPT = "attempt"
"""In `Trace.extra` of a run that was tried again: which try it was, from 2."""

_IN_A_ROW = 5


class Unreachable(EnvironmentFault):
    """Run after run came to nothing because something outside failed, so the battery was given up.

    `report` covers what was done until then; with a directory it can be resumed.
    """

    def __init__(self, message: str, report: Report | None = None) -> None:
        super().__init__(message)
        self.report = report


class Outages:
    """Stands before `tell`, which takes each run that counts once. `tries` are those on record, by scenario.

    Raises Unreachable when 5 runs in a row measured nothing for want of something outside; of `together` runs at a
    time, which one outage strikes together, as many more.
    """

    def __init__(self, tell: Callable[[JudgedTrace], None], *, together: int) -> None:
        self._tell = tell
        self._limit = _IN_A_ROW + together - 1
        self._in_a_row = 0
        self._waiting: dict[str, JudgedTrace] = {}
        self.tries: dict[str, int] = {}

    def on_record(self, judged: JudgedTrace) -> bool:
        """Take in a run of an earlier start; whether it is to be tried again."""
        if not may_come_again(judged):
            self._tell(judged)
            return False
        self._waiting[judged.trace.id] = judged
        self.tries[judged.trace.id] = attempt_of(judged.trace)
        return True

    def tell(self, judged: JudgedTrace) -> None:
        """Take in a run that has just ended."""
        self._waiting.pop(judged.trace.id, None)
        self._tell(judged)
        self._in_a_row = self._in_a_row + 1 if may_come_again(judged) else 0
        if self._in_a_row >= self._limit:
            why = judged.trace.ending_detail or "no reason recorded"
            many = f"{self._in_a_row} runs in a row could not be measured"
            raise Unreachable(f"{many} ({why}); put that right and resume")

    def settle(self) -> None:
        """Nothing more will be tried: what is still to be tried again counts as it ended."""
        while self._waiting:
            self._tell(self._waiting.popitem()[1])


def attempt_of(trace: Trace) -> int:
    """Which try at its scenario a run was, from 1."""
    number = trace.extra.get(ATTEMPT)
    return number if type(number) is int and number > 1 else 1
