"""Time as an argument: the real one, and one that only moves when somebody waits."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

__all__ = ["Clock", "Sleep", "VirtualClock"]

Clock = Callable[[], float]
Sleep = Callable[[float], None]


class VirtualClock:
    """Seconds since the Unix epoch that pass only by `sleep`: `Recorder(clock=virtual, sleep=virtual.sleep)`.

    Waits of concurrent calls add up. Safe between threads.
    """

    def __init__(self, start: float = 0.0) -> None:
        self._now = start
        self._lock = Lock()

    def __call__(self) -> float:
        """The time now."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Let the time pass at once."""
        with self._lock:
            self._now += seconds
