"""What time it is inside a run."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import Literal, get_args

from hbeval.errors import UsageError
from hbeval.observe.clock import Clock, Sleep, VirtualClock

__all__ = ["EPOCH", "ClockKind", "Clocks", "clock_maker"]

Clocks = Callable[[], tuple[Clock, Sleep | None]]
ClockKind = Literal["elapsed", "virtual", "real"]

EPOCH = 1_767_225_600.0
"""2026-01-01T00:00:00Z, where every run begins unless its clock is real."""


def clock_maker(kind: ClockKind) -> Clocks:
    """Makes the clock and the sleep of one run. In the first two, waits of injected faults pass at once.

    elapsed   starts at `EPOCH` and runs with real time, waits of injected faults on top
    virtual   starts at `EPOCH` and moves by waits of injected faults alone: traces of a deterministic agent are
              reproducible to the byte, and waits of the agent's own are not seen
    real      wall clock; waits of injected faults are waited for

    Raises UsageError for another word.
    """
    if kind == "elapsed":
        return _elapsed
    if kind == "virtual":
        return _virtual
    if kind == "real":
        return _real
    raise UsageError(f"clock is {kind!r}; it can be {', '.join(get_args(ClockKind))}")


class _ElapsedClock:
    """Real time since its making, plus every wait asked for."""

    __slots__ = ("_lock", "_offset")

    def __init__(self) -> None:
        self._offset = EPOCH - time.perf_counter()
        self._lock = Lock()

    def __call__(self) -> float:
        return round(self._offset + time.perf_counter(), 6)

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self._offset += seconds


def _elapsed() -> tuple[Clock, Sleep | None]:
    clock = _ElapsedClock()
    return clock, clock.sleep


def _virtual() -> tuple[Clock, Sleep | None]:
    clock = VirtualClock(EPOCH)
    return clock, clock.sleep


def _real() -> tuple[Clock, Sleep | None]:
    return time.time, None
