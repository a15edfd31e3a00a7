"""Recordings follow work into tasks, threads and pools, and leave nothing behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextvars import Context, ContextVar
from typing import Any

import pytest

from hbeval.faults import ServiceError
from hbeval.model import Delivery
from hbeval.observe import current_recorder, recording, tool
from hbeval.observe.carrier import Carrier
from tests.observe.boundary_kit import fault, finished, recorder, run

START, SUBMIT = vars(threading.Thread)["start"], vars(ThreadPoolExecutor)["submit"]
ELSEWHERE: ContextVar[int] = ContextVar("elsewhere", default=0)


@tool("api")
def look() -> int:
    """A tool."""
    return 1


def outcome() -> str:
    """What a call of the tool came to."""
    try:
        look()
    except ServiceError:
        return "faulted"
    return "clean"


@pytest.fixture(autouse=True)
def _originals_come_back() -> Iterator[None]:
    yield
    assert vars(threading.Thread)["start"] is START
    assert vars(ThreadPoolExecutor)["submit"] is SUBMIT


def by_thread() -> str:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(outcome()))
    thread.start()
    thread.join(5)
    return found[0]


class _Own(threading.Thread):
    def run(self) -> None:
        self.found = outcome()


def by_subclass() -> str:
    thread = _Own()
    thread.start()
    thread.join(5)
    assert "run" not in vars(thread)
    return thread.found


def by_own_run() -> str:
    found: list[str] = []
    thread = threading.Thread()
    own = lambda: found.append(outcome())  # noqa: E731
    thread.run = own  # type: ignore[method-assign]
    thread.start()
    thread.join(5)
    assert thread.run is own
    return found[0]


def by_timer() -> str:
    found: list[str] = []
    timer = threading.Timer(0.001, lambda: found.append(outcome()))
    timer.start()
    timer.join(5)
    return found[0]


def by_pool() -> str:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(outcome).result(5)


def by_map() -> str:
    with ThreadPoolExecutor(2) as pool:
        return next(iter(set(pool.map(lambda _: outcome(), range(3)))))


def by_executor() -> str:
    async def body() -> str:
        return await asyncio.get_running_loop().run_in_executor(None, outcome)

    return asyncio.run(body())


def by_to_thread() -> str:
    async def body() -> str:
        return await asyncio.to_thread(outcome)

    return asyncio.run(body())


def by_task() -> str:
    async def one() -> str:
        return outcome()

    async def body() -> str:
        return (await asyncio.gather(asyncio.create_task(one())))[0]

    return asyncio.run(body())


def by_loop_in_another_thread() -> str:
    async def one() -> str:
        return outcome()

    loop = asyncio.new_event_loop()
    runner = threading_outside(loop.run_forever)
    try:
        return asyncio.run_coroutine_threadsafe(one(), loop).result(5)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        runner.join(5)
        loop.close()


def by_nested_threads() -> str:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(by_pool()))
    thread.start()
    thread.join(5)
    return found[0]


WAYS = [
    by_thread,
    by_subclass,
    by_own_run,
    by_timer,
    by_pool,
    by_map,
    by_executor,
    by_to_thread,
    by_task,
    by_nested_threads,
    by_loop_in_another_thread,
]


@pytest.mark.parametrize("way", WAYS)
def test_work_started_inside_is_recorded_and_faulted(way: Callable[[], str]) -> None:
    """However it is started."""
    assert way() == "clean"
    given, trace = run(way, fault("error"))
    assert given == "faulted"
    assert {step.action for step in trace.steps} == {"api"}
    assert trace.faults[0].delivery is Delivery.MET
    assert way() == "clean"


def test_a_pool_of_the_outside_carries_only_what_is_submitted_inside() -> None:
    """Its worker threads belong to nobody afterwards."""
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(outcome).result(5) == "clean"
        given, _ = run(lambda: pool.submit(outcome).result(5), fault("error"))
        assert given == "faulted"
        assert pool.submit(outcome).result(5) == "clean"
        assert pool.submit(current_recorder).result(5) is None


def test_a_worker_thread_born_inside_does_not_stay_inside() -> None:
    """A pool made in one recording serves another, and nobody, with nothing mixed."""
    pool = ThreadPoolExecutor(1)
    first = recorder(fault("error"))
    with recording(first):
        assert pool.submit(outcome).result(5) == "faulted"
        elsewhere: Future[str] = Future()
        threading_outside(lambda: elsewhere.set_result(pool.submit(outcome).result(5)))
        assert elsewhere.result(5) == "clean"
    given, trace = run(lambda: pool.submit(outcome).result(5))
    pool.shutdown()
    assert given == "clean"
    assert len(trace.steps) == len(finished(first).steps) == 1


def threading_outside(work: Callable[[], Any]) -> threading.Thread:
    """A thread that belongs to no recording, started while one is active."""
    thread = threading.Thread(target=work)
    Context().run(thread.start)
    return thread


def test_two_recordings_side_by_side_never_mix() -> None:
    """Sixteen agents, each with pools and tasks of its own."""

    def agent(number: int) -> tuple[int, Any]:
        named = tool(lambda: number, f"tool-{number}")

        def body() -> None:
            with ThreadPoolExecutor(3) as pool:
                for each in as_completed([pool.submit(named) for _ in range(10)]):
                    each.result()
            threads = [threading.Thread(target=named) for _ in range(3)]
            for each in threads:
                each.start()
            for each in threads:
                each.join(5)

        return number, run(body)[1]

    with ThreadPoolExecutor(16) as pool:
        for number, trace in pool.map(agent, range(16)):
            assert [step.action for step in trace.steps] == [f"tool-{number}"] * 13
            assert {step.result for step in trace.steps} == {number}


def test_tasks_of_two_recordings_in_one_loop_never_mix() -> None:
    """Context belongs to the task."""

    async def agent(number: int) -> Any:
        made = recorder(*([fault("error")] if number % 2 else []))
        with recording(made):
            found = []
            for _ in range(5):
                await asyncio.sleep(0)
                found.append(await asyncio.to_thread(outcome))
        return found, finished(made)

    async def body() -> list[Any]:
        return list(await asyncio.gather(*(agent(number) for number in range(8))))

    for number, (found, trace) in enumerate(asyncio.run(body())):
        assert found == ["faulted" if number % 2 else "clean"] * 5
        assert len(trace.steps) == 5


def test_only_our_scope_travels_not_the_callers_context() -> None:
    """Other context variables behave in a recording as they do without."""
    ELSEWHERE.set(5)
    found: list[int] = []

    def body() -> None:
        thread = threading.Thread(target=lambda: found.append(ELSEWHERE.get()))
        thread.start()
        thread.join(5)
        with ThreadPoolExecutor(1) as pool:
            found.append(pool.submit(ELSEWHERE.get).result(5))

    body()
    run(body)
    ELSEWHERE.set(0)
    assert found[:2] == found[2:]


def test_work_that_outlives_its_recording_is_neither_recorded_nor_faulted() -> None:
    """The thread goes on; the record is closed."""
    go, found = threading.Event(), []
    made = recorder(fault("error"))

    def later() -> None:
        go.wait(5)
        found.append(outcome())

    with recording(made):
        thread = threading.Thread(target=later)
        thread.start()
    go.set()
    thread.join(5)
    assert found == ["clean"]
    assert finished(made).steps == ()


def test_a_thread_that_cannot_start_keeps_its_run_method() -> None:
    """A second start fails as it always does."""
    thread = threading.Thread(target=lambda: None)

    def body() -> None:
        thread.start()
        thread.join(5)
        thread.start()

    error, _ = run(body)
    assert isinstance(error, RuntimeError)
    assert "run" not in vars(thread)


def test_exceptions_of_pooled_work_reach_whoever_waits() -> None:
    """Also when the work cannot be called at all."""

    def body() -> list[str]:
        found = []
        with ThreadPoolExecutor(1) as pool:
            for work in ({}.popitem, 5):
                try:
                    pool.submit(work).result(5)  # type: ignore[arg-type]
                except Exception as error:
                    found.append(type(error).__name__)
        return found

    assert run(body)[0] == ["KeyError", "TypeError"]


def test_the_originals_come_back_with_the_last_recording() -> None:
    """Whatever the order of ends."""
    one, two = recorder(), recorder()
    first, second = recording(one), recording(two)
    first.__enter__()
    second.__enter__()
    assert vars(threading.Thread)["start"] is not START
    one.close()
    assert vars(threading.Thread)["start"] is not START
    second.__exit__(None, None, None)
    assert vars(threading.Thread)["start"] is START
    first.__exit__(None, None, None)


def test_finishing_a_run_that_hangs_gives_the_originals_back() -> None:
    """The abandoned thread may never leave its recording."""
    made = recorder()
    go, inside = threading.Event(), threading.Event()

    def hang() -> None:
        with recording(made):
            inside.set()
            go.wait(5)

    thread = threading.Thread(target=hang)
    thread.start()
    assert inside.wait(5)
    finished(made)
    assert vars(threading.Thread)["start"] is START
    go.set()
    thread.join(5)


def test_somebody_elses_patch_on_top_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It calls what it replaced; we come back under or over it without losing a thread."""
    carrier = Carrier()
    carrier.hold()
    ours = vars(threading.Thread)["start"]
    calls: list[str] = []

    def theirs(self: threading.Thread) -> None:
        calls.append("theirs")
        ours(self)

    threading.Thread.start = theirs  # type: ignore[method-assign]
    carrier.release()
    assert vars(threading.Thread)["start"] is theirs
    assert run(by_thread, fault("error"))[0] == "faulted"
    assert by_thread() == "clean"
    assert calls == ["theirs", "theirs"]
    threading.Thread.start = START  # type: ignore[method-assign]
