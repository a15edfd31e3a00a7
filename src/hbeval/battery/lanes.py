"""The two kinds of lane: a thread for synchronous agents, an event loop in a thread for asynchronous ones."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, TypeVar

from hbeval.battery.executor import Attempt, Ended, Pool
from hbeval.model import Ending

__all__ = ["LoopLane", "ThreadLane"]

T = TypeVar("T")


class ThreadLane:
    """One attempt after another in one thread. A thread cannot be stopped; what hangs is left behind with it."""

    def __init__(self, pool: Pool[Any]) -> None:
        self._pool = pool
        self.running: dict[Attempt, float] = {}
        self.abandoned = False

    def start(self, late: tuple[Attempt, ...]) -> None:
        """Begin to work."""
        threading.Thread(target=self._work, args=(late,), name="hbeval-lane", daemon=True).start()

    def stop(self) -> None:
        """A running call cannot be cancelled; the pool waits for it a little while."""

    def culprits(self, late: list[Attempt]) -> list[Attempt]:
        """The one that runs."""
        return late

    def _work(self, late: tuple[Attempt, ...]) -> None:
        pool = self._pool
        try:
            for attempt in late:
                pool.conclude_late(attempt)
            while (taken := pool.take(self, pool.timeout_s)) is not None:
                pool.finish(self, taken, pool.context.copy().run(taken.call))
        except BaseException as error:  # noqa: BLE001  the pool raises it in the caller's thread
            pool.leave(self, error)
        else:
            pool.leave(self)


class LoopLane:
    """Up to `width` attempts at a time as tasks of one event loop.

    A deadline cancels the task, and whatever tasks the agent left behind are cancelled with its end. One that ignores
    its cancellation is left running beside the others; one that blocks the loop is left behind with the thread.
    """

    def __init__(self, pool: Pool[Any], width: int) -> None:
        self._pool, self._width = pool, width
        self._loop = asyncio.new_event_loop()
        self._loop.set_task_factory(_spawn)
        self._loop.set_default_executor(_DaemonThreads())
        self._spawned: dict[Attempt, set[asyncio.Task[Any]]] = {}
        self._stopped = False
        self.running: dict[Attempt, float] = {}
        self.abandoned = False

    def start(self, late: tuple[Attempt, ...]) -> None:
        """Begin to work."""
        threading.Thread(target=self._work, args=(late,), name="hbeval-loop", daemon=True).start()

    def stop(self) -> None:
        """Cancel every attempt; none of them is concluded."""
        self._stopped = True
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._cancel_all)

    def culprits(self, late: list[Attempt]) -> list[Attempt]:
        """The attempt that has the loop now, if it is late itself; all late ones if that cannot be told."""
        task = asyncio.current_task(self._loop)
        holders = [attempt for attempt, tasks in tuple(self._spawned.items()) if task in tasks]
        return [each for each in holders if each in late] if holders else late

    def _work(self, late: tuple[Attempt, ...]) -> None:
        pool, loop = self._pool, self._loop
        try:
            for attempt in late:
                pool.conclude_late(attempt)
            turns = [loop.create_task(self._take_turns()) for _ in range(self._width)]
            while not all(turn.done() for turn in turns):
                _run(loop, asyncio.wait(turns))
            _close(loop, pool.grace_s)
            for turn in turns:
                turn.result()
        except BaseException as error:  # noqa: BLE001  the pool raises it in the caller's thread
            pool.leave(self, error)
        else:
            pool.leave(self)

    async def _take_turns(self) -> None:
        pool = self._pool
        patience = None if pool.timeout_s is None else pool.timeout_s + 3 * pool.grace_s
        while (attempt := pool.take(self, patience)) is not None:
            ended = await self._within_deadline(attempt)
            for task in tuple(self._spawned.pop(attempt)):
                task.cancel()
            if not self._stopped:
                pool.finish(self, attempt, ended)

    async def _within_deadline(self, attempt: Attempt) -> Ended:
        pool = self._pool
        spawned = self._spawned[attempt] = set()
        context = pool.context.copy()
        context.run(_SPAWNED.set, spawned)
        task = self._loop.create_task(attempt.acall(), context=context)
        spawned.add(task)
        await _patiently(task, pool.timeout_s)
        if task.cancelled():
            return Ended(Ending.AGENT_ERROR, "CancelledError: something in the event loop cancelled it before it began")
        if task.done():
            return task.result()
        task.cancel()
        await _patiently(task, pool.grace_s)
        return Ended(Ending.LIMIT, f"deadline: no answer within {pool.timeout_s:g} s")

    def _cancel_all(self) -> None:
        for tasks in self._spawned.values():
            for task in tuple(tasks):
                task.cancel()


_SPAWNED: ContextVar[set[asyncio.Task[Any]]] = ContextVar("hbeval_spawned")


def _spawn(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T] | Generator[Any, None, T], **more: Any
) -> asyncio.Task[T]:
    """Task factory: a task that an agent creates is noted with the attempt in whose context it was created."""
    task = asyncio.Task(work, loop=loop, **more)
    spawned = _SPAWNED.get(None)
    if spawned is not None:
        spawned.add(task)
        task.add_done_callback(spawned.discard)
    return task


async def _patiently(task: asyncio.Task[Any], timeout_s: float | None) -> None:
    """Wait for a task, also if an agent cancels every task it finds in the loop, the waiting one among them."""
    loop = asyncio.get_running_loop()
    ends_at = None if timeout_s is None else loop.time() + timeout_s
    while True:
        try:
            await asyncio.wait((task,), timeout=None if ends_at is None else max(0.0, ends_at - loop.time()))
        except asyncio.CancelledError:
            continue
        return


def _run(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any]) -> None:
    """Run the loop until `work` is done or cancelled; an agent's SystemExit or stopped loop ends nothing."""
    task = loop.create_task(work)
    while not task.done():
        try:
            loop.run_until_complete(task)
        except (SystemExit, KeyboardInterrupt, asyncio.CancelledError):
            continue  # asyncio lets the first two through from any task; they are in that task's result
        except RuntimeError:
            if task.done() or loop.is_closed():
                raise
            continue  # the loop was stopped before the task was done


def _close(loop: asyncio.AbstractEventLoop, grace_s: float) -> None:
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        _run(loop, asyncio.wait(tasks, timeout=grace_s))
    _run(loop, loop.shutdown_asyncgens())
    loop.close()


class _DaemonThreads(ThreadPoolExecutor):
    """What `asyncio.to_thread` of an agent runs on: a daemon thread a call, so that none of them delays our exit."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **more: Any) -> Future[Any]:
        """Run `work` in a thread of its own."""
        future: Future[Any] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(work(*args, **more))
            except BaseException as error:  # noqa: BLE001  it belongs to whoever waits for the future
                future.set_exception(error)

        threading.Thread(target=run, name="hbeval-agent", daemon=True).start()
        return future
