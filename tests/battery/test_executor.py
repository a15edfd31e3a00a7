"""Attempts side by side: deadlines, agents that hang or block, stopping."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from hbeval.battery.executor import Ended, Pool
from hbeval.battery.invoke import ending_of
from hbeval.battery.lanes import LoopLane, ThreadLane
from hbeval.errors import EnvironmentFault
from hbeval.model import Ending

Work = Callable[[], Any]


class Bench:
    """Runs functions as attempts and keeps what they were concluded with."""

    def __init__(self) -> None:
        self.concluded: list[tuple[Work, Ended]] = []
        self.pool: Pool[Work] | None = None

    def run(self, works: Iterable[Work], *, lanes: int = 1, tick: Work = lambda: None, **settings: Any) -> list[Ended]:
        """The conclusions in the order of the works."""
        works = list(works)
        given = {"timeout_s": 5.0, "grace_s": 0.2, **settings}
        loops = asyncio.iscoroutinefunction(works[0])
        lane = (lambda pool: LoopLane(pool, lanes)) if loops else ThreadLane
        self.pool = Pool(works, lambda work: BenchAttempt(self, work), lane, **given)
        self.pool.run(1 if loops else lanes, tick)
        found = dict(self.concluded)
        return [found[work] for work in works]


class BenchAttempt:
    """One function as an attempt."""

    def __init__(self, bench: Bench, work: Work) -> None:
        self.bench, self.work = bench, work

    def call(self) -> Ended:
        """Call it."""
        try:
            return Ended(Ending.COMPLETED, None, self.work())
        except BaseException as error:
            return Ended(*ending_of(error))

    async def acall(self) -> Ended:
        """Await it."""
        try:
            return Ended(Ending.COMPLETED, None, await self.work())
        except BaseException as error:
            return Ended(*ending_of(error))

    def conclude(self, ended: Ended) -> None:
        """Keep the conclusion."""
        self.bench.concluded.append((self.work, ended))


@pytest.fixture
def bench() -> Bench:
    return Bench()


def quick(value: object = 1) -> Work:
    return lambda: value


def aquick(value: object = 1) -> Work:
    async def work() -> object:
        await asyncio.sleep(0)
        return value

    return work


def napping(seconds: float) -> Work:
    return lambda: time.sleep(seconds)


def anapping(seconds: float) -> Work:
    async def work() -> None:
        await asyncio.sleep(seconds)

    return work


@pytest.mark.parametrize("lanes", [1, 3, 50])
@pytest.mark.parametrize("make", [quick, aquick])
def test_everything_is_done_once(bench: Bench, make, lanes: int):
    """Whatever the number of lanes."""
    ended = bench.run([make(i) for i in range(40)], lanes=lanes)
    assert [each.answer for each in ended] == list(range(40))
    assert len(bench.concluded) == 40


@pytest.mark.parametrize("make", [napping, anapping])
def test_eighteen_waits_of_50_ms_take_less_than_a_tenth_of_a_second(bench: Bench, make):
    """Threads and tasks wait side by side."""
    took = []
    for _ in range(3):
        begun = time.perf_counter()
        bench.run([make(0.05) for _ in range(18)], lanes=18)
        took.append(time.perf_counter() - begun)
    assert min(took) < 0.1


@pytest.mark.parametrize("make", [napping, anapping])
def test_no_more_run_at_once_than_asked(bench: Bench, make):
    """Two lanes, two at a time."""
    begun = time.perf_counter()
    bench.run([make(0.05) for _ in range(6)], lanes=2)
    assert time.perf_counter() - begun >= 0.15


@pytest.mark.parametrize(("make", "fast"), [(napping, quick), (anapping, aquick)])
def test_an_attempt_beyond_its_deadline_ends_by_the_limit_and_the_others_go_on(bench: Bench, make, fast):
    """The deadline is each attempt's own."""
    hanging, *rest = bench.run([make(1.0), fast("a"), fast("b")], timeout_s=0.1)
    assert (hanging.ending, hanging.detail) == (Ending.LIMIT, "deadline: no answer within 0.1 s")
    assert [each.answer for each in rest] == ["a", "b"]


def test_without_a_deadline_an_attempt_may_take_its_time(bench: Bench):
    """`timeout_s=None`."""
    assert bench.run([napping(0.15)], timeout_s=None)[0].ending is Ending.COMPLETED
    assert bench.run([anapping(0.15)], timeout_s=None)[0].ending is Ending.COMPLETED


def test_what_an_abandoned_thread_returns_later_is_dropped(bench: Bench):
    """The run was recorded as ended by the limit; it stays so, once."""
    bench.run([napping(0.2), quick()], timeout_s=0.05)
    time.sleep(0.3)
    assert Counter(ended.ending for _, ended in bench.concluded) == {Ending.LIMIT: 1, Ending.COMPLETED: 1}


def test_a_task_that_ignores_its_cancellation_holds_up_nothing(bench: Bench, caplog: pytest.LogCaptureFixture):
    """It is left running; its run ended by the limit."""

    async def stubborn() -> None:
        until = time.monotonic() + 1.0
        while time.monotonic() < until:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(1)

    with caplog.at_level(logging.CRITICAL, "asyncio"):
        first, *rest = bench.run([stubborn, aquick(), aquick()], timeout_s=0.1, grace_s=0.05)
    assert first.ending is Ending.LIMIT
    assert [each.ending for each in rest] == [Ending.COMPLETED] * 2


def test_an_agent_that_answers_its_cancellation_is_still_too_late(bench: Bench):
    """An answer after the deadline is no answer."""

    async def late() -> str:
        try:
            await asyncio.sleep(1)
        except asyncio.CancelledError:
            return "sorry"
        return "never"

    assert bench.run([late], timeout_s=0.05)[0].ending is Ending.LIMIT


def test_a_blocked_event_loop_is_left_behind_and_the_innocent_start_again(bench: Bench):
    """The blocker ends by the limit; those that waited beside it complete."""
    starts: Counter[str] = Counter()

    async def blocker() -> None:
        starts["blocker"] += 1
        await asyncio.sleep(0.02)
        time.sleep(2.0)

    async def neighbour() -> str:
        starts["neighbour"] += 1
        await asyncio.sleep(0.15)
        return "well"

    begun = time.monotonic()
    blocked, beside, after = bench.run([blocker, neighbour, aquick("x")], lanes=2, timeout_s=0.2, grace_s=0.05)
    assert time.monotonic() - begun < 1.5
    assert blocked.ending is Ending.LIMIT
    assert (beside.answer, after.answer) == ("well", "x")
    assert starts == {"blocker": 1, "neighbour": 2}


def test_a_loop_blocked_by_no_task_of_ours_ends_whoever_is_late(bench: Bench):
    """A callback that blocks belongs to nobody."""

    async def plants() -> None:
        asyncio.get_running_loop().call_soon(time.sleep, 1.0)
        await asyncio.sleep(0.05)

    assert bench.run([plants, aquick()], timeout_s=0.1, grace_s=0.05)[0].ending is Ending.LIMIT


def test_tasks_that_an_agent_leaves_behind_are_cancelled_with_its_end(bench: Bench):
    """Also tasks of tasks."""
    heard: list[str] = []

    async def speaks_later() -> None:
        try:
            await asyncio.sleep(0.1)
            heard.append("later")
        except asyncio.CancelledError:
            heard.append("cancelled")
            raise

    kept: list[asyncio.Task[None]] = []

    async def leaves() -> None:
        async def child() -> None:
            kept.append(asyncio.create_task(speaks_later()))

        kept.append(asyncio.create_task(speaks_later()))
        await asyncio.create_task(child())
        await asyncio.sleep(0)

    bench.run([leaves, anapping(0.2)])
    assert heard == ["cancelled", "cancelled"]


def test_system_exit_in_a_task_of_the_agent_ends_the_run_and_not_the_battery(bench: Bench):
    """The loop lets it through every task."""

    async def exits() -> None:
        async def child() -> None:
            raise SystemExit(3)

        await asyncio.create_task(child())

    first, second = bench.run([exits, aquick("on")])
    assert (first.ending, first.detail) == (Ending.AGENT_ERROR, "SystemExit: 3")
    assert second.answer == "on"


def test_an_agent_that_cancels_every_task_of_the_loop_ends_its_own_run_only(bench: Bench):
    """Clean-up code of frameworks does so; the lane's own tasks are among them."""

    async def cancels() -> None:
        for task in asyncio.all_tasks():
            task.cancel()
        await asyncio.sleep(0)

    first, second, third = bench.run([cancels, aquick("on"), cancels])
    assert (first.ending, third.ending) == (Ending.AGENT_ERROR, Ending.AGENT_ERROR)
    assert second.answer == "on"


def test_runs_beside_one_that_cancels_everything_end_too(bench: Bench):
    """One that had not begun says so; nothing waits for ever."""

    async def cancels() -> None:
        for task in asyncio.all_tasks():
            task.cancel()
        await asyncio.sleep(0)

    begun = time.monotonic()
    ended = bench.run([cancels, anapping(30), anapping(30)], lanes=3, timeout_s=60)
    assert time.monotonic() - begun < 5
    assert [each.ending for each in ended] == [Ending.AGENT_ERROR] * 3


def test_an_agent_that_stops_the_event_loop_ends_nothing(bench: Bench):
    """`loop.stop()` ends the loop's turn, not the work in it."""

    async def stops() -> str:
        asyncio.get_running_loop().stop()
        await asyncio.sleep(0)
        return "still here"

    assert [each.answer for each in bench.run([stops, aquick("on")])] == ["still here", "on"]


def test_a_thread_that_an_asynchronous_agent_left_hanging_delays_nothing(bench: Bench):
    """`asyncio.to_thread` runs on daemon threads, results and exceptions included."""

    async def hangs() -> None:
        await asyncio.to_thread(time.sleep, 30)

    async def works() -> object:
        return await asyncio.to_thread(threading.current_thread)

    async def fails() -> None:
        await asyncio.to_thread(int, "x")

    begun = time.monotonic()
    hanging, working, failing = bench.run([hangs, works, fails], timeout_s=0.2)
    assert time.monotonic() - begun < 2
    assert hanging.ending is Ending.LIMIT
    assert isinstance(working.answer, threading.Thread)
    assert working.answer.daemon
    assert failing.detail is not None
    assert failing.detail.startswith("ValueError")
    leftover = [each for each in threading.enumerate() if not each.daemon and each is not threading.main_thread()]
    assert leftover == []


VARIABLE: contextvars.ContextVar[str] = contextvars.ContextVar("test_variable", default="unset")


@pytest.mark.parametrize("loops", [False, True])
def test_an_agent_sees_the_callers_context_and_leaves_no_trace_in_the_next(bench: Bench, loops: bool):
    """Context variables are the caller's at the start of every run."""

    def look() -> str:
        before = VARIABLE.get()
        VARIABLE.set("changed")
        return before

    async def alook() -> str:
        return look()

    token = VARIABLE.set("caller")
    try:
        works = [_again(alook) if loops else functools.partial(look) for _ in range(3)]
        assert [each.answer for each in bench.run(works)] == ["caller"] * 3
    finally:
        VARIABLE.reset(token)
    assert VARIABLE.get() == "unset"


def _again(work: Work) -> Work:
    async def again() -> Any:
        return await work()

    return again


def test_what_conclude_raises_comes_out_and_stops_the_rest(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    """A journal that cannot be written to, for one."""

    def broken(self, ended):
        raise OSError("disk")

    monkeypatch.setattr(BenchAttempt, "conclude", broken)
    for make in (quick, aquick):
        with pytest.raises(OSError, match="disk"):
            bench.run([make() for _ in range(20)], lanes=2)
    with pytest.raises(OSError, match="disk"):
        bench.run([napping(1.0)], timeout_s=0.05)


@pytest.mark.parametrize(("long", "short"), [(napping, quick), (anapping, aquick)])
def test_an_interrupt_stops_new_attempts_and_keeps_what_is_done(bench: Bench, long, short):
    """Ctrl-C reaches the caller's thread while the lanes work; what cannot be cancelled is left behind."""

    def interrupted() -> None:
        if bench.concluded:
            raise KeyboardInterrupt

    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        bench.run([short(), long(5.0), *(short() for _ in range(50))], tick=interrupted)
    assert time.monotonic() - begun < 2.0
    assert [ended.ending for _, ended in bench.concluded] == [Ending.COMPLETED]


def test_an_attempt_about_to_end_when_the_interrupt_comes_is_kept(bench: Bench):
    """The stop waits a moment for it."""

    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bench.run([napping(0.2), quick()], tick=interrupted, grace_s=1.0)
    assert len(bench.concluded) == 1


def test_a_cancelled_task_is_not_concluded_when_everything_stops(bench: Bench):
    """It is neither a failure of the agent nor a finished run."""

    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bench.run([anapping(5.0), anapping(5.0)], lanes=2, tick=interrupted, grace_s=1.0)
    assert bench.concluded == []


def test_the_watch_ticks_while_lanes_work(bench: Bench):
    """Several times a second."""
    ticks: list[float] = []
    bench.run([napping(0.45)], tick=lambda: ticks.append(time.monotonic()))
    assert len(ticks) >= 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("loops", [False, True])
def test_a_fork_that_an_agent_lets_return_does_none_of_our_work(bench: Bench, tmp_path: Path, loops: bool):
    """It has a copy of everything that waits; doing it would call the agent again, unseen."""
    calls = tmp_path / "calls"

    def forks() -> None:
        with calls.open("a") as file:
            file.write("called\n")
        child = os.fork()
        if child:
            os.waitpid(child, 0)

    async def aforks() -> None:
        forks()

    bench.run([functools.partial(aforks if loops else forks) for _ in range(3)])
    assert calls.read_text().count("called") == 3


def test_a_system_that_starts_no_more_threads_is_said_to_be_at_its_limit(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    """Not a defect of ours: somebody asked for more at a time than there is."""

    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(EnvironmentFault, match="lower the concurrency"):
        bench.run([quick(), quick()], lanes=2)


def test_nothing_to_do_is_done_at_once(bench: Bench):
    """A finished battery that is resumed."""
    pool = Pool([], lambda work: BenchAttempt(bench, work), ThreadLane, timeout_s=1.0)
    pool.run(4, lambda: None)
    assert bench.concluded == []
