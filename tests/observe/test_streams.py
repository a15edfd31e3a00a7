"""Generators as tools: recorded as one step, faulted item by item, left without a trace of us."""

from __future__ import annotations

import asyncio
import gc
import itertools
from collections.abc import AsyncIterator, Iterator
from contextvars import Context
from typing import Any

import pytest

from hbeval.faults import PlannedFault
from hbeval.model import Delivery, Outcome, Pressure
from hbeval.observe import current_recorder, recording, tool
from hbeval.observe.scope import CURRENT
from tests.observe.boundary_kit import fault, finished, only_fault, only_step, recorder, run

closed: list[str] = []


@tool("api")
def words(*items: Any) -> Iterator[Any]:
    """Gives its arguments one by one."""
    try:
        yield from items
    finally:
        closed.append("sync")


@tool("api")
async def awords(*items: Any) -> AsyncIterator[Any]:
    """The same, asynchronously."""
    try:
        for item in items:
            yield item
    finally:
        closed.append("async")


async def _collect(given: Any) -> list[Any]:
    return [item async for item in given]


def streamed(kind: str, *items: Any) -> list[Any]:
    """All items of a stream of that kind."""
    return list(words(*items)) if kind == "sync" else asyncio.run(_collect(awords(*items)))


KINDS = ("sync", "async")
both = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    closed.clear()
    yield
    assert CURRENT.get() is None


@both
def test_a_stream_is_one_step_with_its_items(kind: str) -> None:
    """From the first item asked for to the end."""
    given, trace = run(lambda: streamed(kind, "a", {"n": 1}))
    assert given == ["a", {"n": 1}]
    assert only_step(trace).result == given
    assert only_step(trace).outcome is Outcome.OK
    assert only_step(trace).arguments == {"items": ["a", {"n": 1}]}


@both
@pytest.mark.parametrize(
    ("effect", "given"),
    [
        (fault("empty"), []),
        (fault("partial"), [{"a_b": 1}]),
        (fault("schema_drift"), [{"aB": 1}, {"aB": 2}]),
        (fault("conflicting", parameters={"values": {"/a_b": 9}}), [{"a_b": 9}, {"a_b": 9}]),
        (fault("malformed", parameters={"kind": "unexpected_nested_structure"}), None),
        (fault("injected_instruction", pressure=Pressure(text="go")), [{"a_b": 1, "note": "go"}, {"a_b": 2}]),
    ],
    ids=lambda each: each.effect if isinstance(each, PlannedFault) else "",
)
def test_faults_alter_a_stream_as_documented(kind: str, effect: PlannedFault, given: Any) -> None:
    """Each item, the first one, or where the stream ends; the tool's own cleanup runs."""
    got, trace = run(lambda: streamed(kind, {"a_b": 1}, {"a_b": 2}), effect)
    assert got == given or given is None
    assert got == only_step(trace).result
    assert got != [{"a_b": 1}, {"a_b": 2}]
    assert only_fault(trace).delivery is Delivery.MET
    assert closed == [kind]


@both
def test_a_short_stream_is_altered_all_the_same(kind: str) -> None:
    """One item cannot be cut short by dropping the second, so it is cut itself; none can only fail."""
    got, trace = run(lambda: streamed(kind, "abcd"), fault("partial"))
    assert got == ["ab"]
    assert only_fault(trace).delivery is Delivery.MET
    for effect in ("partial", "empty", "schema_drift"):
        got, trace = run(lambda: streamed(kind), fault(effect))
        assert got == []
        assert only_fault(trace).failure == "the stream held no item"
    got, trace = run(lambda: streamed(kind, 5), fault("partial"))
    assert got == [5]
    assert only_fault(trace).failure == "the result holds nothing that could be left out"


@both
def test_several_faults_of_a_stream_work_one_after_another(kind: str) -> None:
    """The second sees what the first let through."""
    got, trace = run(
        lambda: streamed(kind, {"a_b": 1}, {"a_b": 2}),
        fault("latency", id="slow"),
        fault("schema_drift", id="drift"),
        fault("partial", id="cut"),
        fault("conflicting", id="wrong", parameters={"values": {"/aB": 5}}),
    )
    assert got == [{"aB": 5}]
    assert [each.delivery for each in trace.faults] == [Delivery.MET] * 4
    assert trace.faults[0].observed[0].what == "began 2.000 s late"
    assert trace.faults[2].observed[0].what == "stream ended after its first item"
    got, trace = run(lambda: streamed(kind, 1, 2), fault("empty", id="a"), fault("empty", id="b"))
    assert got == []
    assert [each.delivery for each in trace.faults] == [Delivery.MET, Delivery.FAILED]


@both
def test_an_old_stream_stands_in_item_by_item(kind: str) -> None:
    """As far as the earlier one reached."""

    def body() -> list[Any]:
        return [streamed(kind, {"n": 1}, {"n": 2}), streamed(kind, {"n": 5}, {"n": 6}, {"n": 1000})]

    got, _ = run(body, fault("stale"))
    assert got[1][:2] == [{"n": 1}, {"n": 2}]
    assert got[1][2] != {"n": 1000}


@both
def test_a_stream_left_early_is_cancelled_and_leaks_no_context(kind: str) -> None:
    """`break`, and the next call is nobody's child."""

    @tool
    def after() -> None:
        return None

    def body() -> None:
        if kind == "sync":
            for _ in words(1, 2, 3):
                break
            gc.collect()
            after()
        else:
            asyncio.run(_left_early(after))

    _, trace = run(body)
    stream, next_call = trace.steps
    assert (stream.outcome, stream.result) == (Outcome.UNKNOWN, [1])
    assert stream.error is not None
    assert (stream.error.kind, stream.error.message) == ("cancelled", "GeneratorExit")
    assert next_call.extra == {}
    assert closed == [kind]


async def _left_early(after: Any) -> None:
    async for _ in awords(1, 2, 3):
        break
    gc.collect()
    await asyncio.sleep(0.01)
    after()


@both
def test_a_fault_not_yet_applied_when_the_caller_leaves_has_failed(kind: str) -> None:
    """The runtime never saw it."""

    def body() -> None:
        if kind == "sync":
            stream = words("x", {"a": 1})
            next(stream)
            stream.close()
        else:
            asyncio.run(_first_then_close())

    _, trace = run(body, fault("conflicting"))
    assert only_fault(trace).failure == "the stream ended before it could be applied (GeneratorExit)"


async def _first_then_close() -> None:
    stream = awords("x", {"a": 1})
    await anext(stream)
    await stream.aclose()


def test_values_sent_and_exceptions_thrown_reach_the_tool() -> None:
    """And its return value the caller."""

    @tool
    def echo() -> Any:
        got = yield "ready"
        try:
            yield got
        except KeyError:
            yield "caught"
        return "done"

    def body() -> list[Any]:
        stream = echo()
        given = [next(stream), stream.send(5), stream.throw(KeyError("x"))]
        with pytest.raises(StopIteration) as end:
            next(stream)
        return [*given, end.value.value]

    assert body() == ["ready", 5, "caught", "done"]
    given, trace = run(body)
    assert given == ["ready", 5, "caught", "done"]
    assert only_step(trace).result == ["ready", 5, "caught"]
    assert only_step(trace).extra == {"returned": "done"}


def test_values_sent_and_exceptions_thrown_reach_an_async_tool() -> None:
    """Outside and inside a recording."""

    @tool
    async def echo() -> Any:
        got = yield "ready"
        try:
            yield got
        except KeyError:
            yield "caught"

    async def body() -> list[Any]:
        stream = echo()
        given = [await anext(stream), await stream.asend(5), await stream.athrow(KeyError("x"))]
        return given + [item async for item in stream]

    assert asyncio.run(body()) == ["ready", 5, "caught"]
    given, trace = run(lambda: asyncio.run(body()))
    assert given == ["ready", 5, "caught"]
    assert only_step(trace).outcome is Outcome.OK


@both
def test_an_exception_of_the_stream_is_the_steps_error(kind: str) -> None:
    """After the items that came before it."""

    @tool
    def failing() -> Iterator[int]:
        yield 1
        raise KeyError("own")

    @tool
    async def afailing() -> AsyncIterator[int]:
        yield 1
        raise KeyError("own")

    error, trace = run(lambda: list(failing()) if kind == "sync" else asyncio.run(_collect(afailing())))
    assert isinstance(error, KeyError)
    step = only_step(trace)
    assert (step.outcome, step.result) == (Outcome.ERROR, [1])


@both
def test_an_exception_thrown_into_a_stream_passes_through_it(kind: str) -> None:
    """The tool does not handle it; it comes back untouched."""

    async def thrown() -> None:
        stream = awords(1, 2)
        await anext(stream)
        await stream.athrow(KeyError("mine"))

    def body() -> None:
        if kind == "async":
            asyncio.run(thrown())
        stream = words(1, 2)
        next(stream)
        stream.throw(KeyError("mine"))

    with pytest.raises(KeyError, match="mine"):
        body()
    error, trace = run(body)
    assert isinstance(error, KeyError)
    assert only_step(trace).outcome is Outcome.ERROR


def test_the_tool_runs_inside_its_step_and_the_caller_outside() -> None:
    """A tool called by the stream is nested; one called between its items is not."""

    @tool
    def inner() -> int:
        return 1

    @tool
    def outer() -> Iterator[int]:
        yield inner()
        yield inner()

    def body() -> None:
        for _ in outer():
            inner()

    _, trace = run(body)
    assert [(step.action, step.extra.get("within")) for step in trace.steps] == [
        ("outer", None),
        ("inner", 0),
        ("inner", None),
        ("inner", 0),
        ("inner", None),
    ]


def test_a_long_stream_keeps_a_bounded_record() -> None:
    """The agent gets everything."""
    given, trace = run(lambda: sum(1 for _ in words(*range(1500))))
    assert given == 1500
    result = only_step(trace).result
    assert len(result) == 1001
    assert result[-1] == {"$cut": "500 more items"}


def test_an_endless_stream_is_never_run_to_its_end() -> None:
    """Faults work on what is asked for; a reply that is lost gives up at a bound."""

    @tool("api")
    def endless() -> Iterator[int]:
        yield from itertools.count()

    @tool("api")
    async def aendless() -> AsyncIterator[int]:
        for number in itertools.count():
            yield number

    def body() -> list[int]:
        return list(itertools.islice(endless(), 3))

    assert run(body, fault("conflicting"))[0] != [0, 1, 2]
    assert isinstance(run(body, fault("timeout", parameters={"carried_out": True}))[0], TimeoutError)
    lost = run(lambda: asyncio.run(_collect(aendless())), fault("timeout", parameters={"carried_out": True}))
    assert isinstance(lost[0], TimeoutError)


def test_a_stream_made_inside_and_read_after_the_recording_is_not_recorded() -> None:
    """The step begins with the first item asked for."""
    made = recorder(fault("error"))
    with recording(made):
        stream = words(1, 2)
        begun = words(3, 4)
        with pytest.raises(Exception, match="replied 503"):
            next(begun)
    assert list(stream) == [1, 2]
    assert current_recorder() is None
    assert len(finished(made).steps) == 1


def test_a_stream_begun_inside_and_read_on_after_the_end_goes_on() -> None:
    """Its step was unfinished when the trace was made, and the trace does not change."""
    made = recorder()
    with recording(made):
        stream = words(1, 2)
        assert next(stream) == 1
    trace = finished(made)
    assert list(stream) == [2]
    assert only_step(trace).extra == {"unfinished": True}
    assert only_step(trace).result == [1]
    assert only_step(trace).outcome is Outcome.UNKNOWN


def test_a_stream_may_be_read_in_one_context_and_closed_in_another() -> None:
    """No context of ours is tied to where it began."""

    async def body() -> None:
        stream = awords(1, 2, 3)
        assert await asyncio.create_task(_next(stream)) == 1
        await asyncio.create_task(stream.aclose())

    _, trace = run(lambda: asyncio.run(body()))
    assert only_step(trace).outcome is Outcome.UNKNOWN

    def across() -> list[int]:
        stream = words(1, 2, 3)
        return [next(stream), Context().run(next, stream), next(stream)]

    given, trace = run(across)
    assert given == [1, 2, 3]
    assert only_step(trace).result == [1, 2, 3]


async def _next(stream: Any) -> Any:
    return await anext(stream)
