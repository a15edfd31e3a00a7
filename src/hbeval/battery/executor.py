"""Runs attempts side by side, each with its deadline, and survives agents that hang, block or will not be cancelled."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextvars import Context, copy_context
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from hbeval.errors import EnvironmentFault
from hbeval.model import Ending

__all__ = ["Attempt", "Ended", "Lane", "Pool"]

Key = TypeVar("Key")

_POLL_S = 0.1
_SOONEST_S = 0.01


@dataclass(frozen=True, slots=True)
class Ended:
    """How the agent's part of a run came to its end. `answer` is what it returned, if it returned."""

    ending: Ending
    detail: str | None = None
    answer: object = None


class Attempt(Protocol):
    """One run being done. It is called once, then concluded once; conclusions come from one thread only."""

    def call(self) -> Ended:
        """Call the agent and wait for its end, in this thread. Raises nothing."""
        ...

    async def acall(self) -> Ended:
        """The same in an event loop. Raises nothing, not even when cancelled."""
        ...

    def conclude(self, ended: Ended) -> None:
        """Record the run. What the agent's code does from here on touches nothing."""
        ...


class Lane(Protocol):
    """Where attempts run one after another, or several at a time in one event loop."""

    running: dict[Attempt, float]
    abandoned: bool

    def start(self, late: tuple[Attempt, ...]) -> None:
        """In a thread of its own: conclude the late attempts, then take others from the pool."""
        ...

    def stop(self) -> None:
        """Cancel what can be cancelled."""
        ...

    def culprits(self, late: list[Attempt]) -> list[Attempt]:
        """Those of the late attempts that hold the lane up; none if it is still able to end them itself."""
        ...


class Pool(Generic[Key]):
    """Lanes, what waits for them, and the watch over their deadlines.

    Work is done by the lanes' threads, up to and including `conclude`; the caller's thread only watches, so Ctrl-C
    always reaches it. A lane that is held up beyond its deadline is left behind with its thread: the run is recorded
    as ended by the limit, and a new lane takes over. Runs that were merely caught in it start again.
    """

    def __init__(
        self,
        keys: Iterable[Key],
        attempt: Callable[[Key], Attempt],
        lane: Callable[[Pool[Key]], Lane],
        *,
        timeout_s: float | None,
        grace_s: float = 1.0,
    ) -> None:
        self.timeout_s, self.grace_s = timeout_s, grace_s
        self.context: Context = copy_context()
        self._attempt, self._lane = attempt, lane
        self._waiting = deque(keys)
        self._keys: dict[Attempt, Key] = {}
        self._owner = os.getpid()
        self._lanes: list[Lane] = []
        self._changed = threading.Condition()
        self._concluding = threading.Lock()
        self._stopping = self._closed = False
        self._error: BaseException | None = None

    def run(self, lanes: int, tick: Callable[[], None]) -> None:
        """Work off everything on `lanes` lanes; `tick` is called in this thread several times a second.

        Raises what `conclude` or `tick` raised, and KeyboardInterrupt, after everything has come to a stop.
        """
        try:
            for _ in range(min(lanes, len(self._waiting))):
                self._open_lane()
            while self._wait():
                tick()
                self._leave_late_ones_behind()
        finally:
            self._stop()
        if self._error is not None:
            raise self._error

    def take(self, lane: Lane, deadline_s: float | None) -> Attempt | None:
        """The next attempt for a lane, None if it should end. It counts as late after `deadline_s` from now."""
        with self._changed:
            if self._stopping or lane.abandoned or not self._waiting:
                return None
            key = self._waiting.popleft()
            attempt = self._attempt(key)
            self._keys[attempt] = key
            lane.running[attempt] = time.monotonic() + deadline_s if deadline_s is not None else float("inf")
            return attempt

    def finish(self, lane: Lane, attempt: Attempt, ended: Ended) -> None:
        """An attempt of this lane has ended; it is concluded unless the lane was left behind or stopped.

        A fork that an agent made and did not end comes here as well: it ends here, before it works off our runs.
        """
        if os.getpid() != self._owner:
            os._exit(0 if ended.ending is Ending.COMPLETED else 1)
        with self._changed:
            if lane.abandoned or lane.running.pop(attempt, None) is None:
                return
            del self._keys[attempt]
        self._conclude(attempt, ended)

    def leave(self, lane: Lane, error: BaseException | None = None) -> None:
        """A lane's thread ends; `error` says that it broke."""
        with self._changed:
            if lane in self._lanes:
                self._lanes.remove(lane)
            if error is not None and self._error is None:
                self._error = error
            self._stopping = self._stopping or error is not None
            self._changed.notify_all()

    def _conclude(self, attempt: Attempt, ended: Ended) -> None:
        with self._concluding:
            if not self._closed and self._error is None:
                attempt.conclude(ended)

    def _open_lane(self, late: Iterable[Attempt] = ()) -> None:
        """A new lane, which first concludes attempts that an earlier one was left behind with."""
        lane = self._lane(self)
        with self._changed:
            self._lanes.append(lane)
        try:
            lane.start(tuple(late))
        except RuntimeError as error:
            self.leave(lane)
            running = threading.active_count()
            raise EnvironmentFault(
                f"the system starts no further thread, {running} are running ({error}); "
                "lower the concurrency and resume"
            ) from error

    def conclude_late(self, attempt: Attempt) -> None:
        """Record an attempt as ended by its deadline."""
        self._conclude(attempt, Ended(Ending.LIMIT, f"deadline: no answer within {self.timeout_s:g} s"))

    def _wait(self) -> bool:
        """Wait for the next thing to look at; False when every lane has ended."""
        with self._changed:
            if self._lanes:
                first = min(min(lane.running.values(), default=float("inf")) for lane in self._lanes)
                self._changed.wait(min(_POLL_S, max(_SOONEST_S, first - time.monotonic())))
            return bool(self._lanes)

    def _leave_late_ones_behind(self) -> None:
        now = time.monotonic()
        with self._changed:
            late = [(lane, [each for each, due in lane.running.items() if due <= now]) for lane in self._lanes]
            held_up = [(lane, culprits) for lane, them in late if them and (culprits := lane.culprits(them))]
            for lane, culprits in held_up:
                self._abandon(lane, culprits)
        for _, culprits in held_up:
            self._open_lane(culprits)

    def _abandon(self, lane: Lane, culprits: list[Attempt]) -> None:
        lane.abandoned = True
        self._lanes.remove(lane)
        for attempt in lane.running:
            key = self._keys.pop(attempt)
            if attempt not in culprits:
                self._waiting.appendleft(key)
        lane.running = {}

    def _stop(self) -> None:
        with self._changed:
            self._stopping = True
            for lane in self._lanes:
                lane.stop()
            self._changed.wait_for(lambda: not self._lanes, self.grace_s)
            for lane in self._lanes:
                lane.abandoned = True
        with self._concluding:
            self._closed = True
