"""Callers that give up: recorded as such, passed on untouched, never taken for an error or a success."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hbeval.model import Delivery, Outcome
from hbeval.observe import current_recorder, recording, tool
from hbeval.observe.scope import CURRENT
from tests.observe.boundary_kit import fault, finished, only_fault, only_step, plan, recorder, run


@tool("api")
async def slow() -> str:
    """Takes an hour."""
    await asyncio.sleep(3600)
    return "late"


def real_time(*faults: Any) -> Any:
    """A recorder whose waits are real."""
    return recorder(plan=plan(*faults) if faults else None, sleep=None)


def test_a_cancelled_task_leaves_a_step_of_unknown_outcome() -> None:
    """And the cancellation goes on."""

    async def body() -> None:
        task = asyncio.create_task(slow())
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    made = real_time()
    with recording(made):
        asyncio.run(body())
    step = only_step(finished(made))
    assert step.outcome is Outcome.UNKNOWN
    assert step.error is not None
    assert (step.error.kind, step.error.message) == ("cancelled", "CancelledError")
    assert step.ended_at is not None


def test_a_caller_that_gives_up_during_an_injected_delay_has_met_it() -> None:
    """Its own timeout fired because of the fault; the outcome of the call is unknown."""

    async def body() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(slow(), 0.02)

    for effect in ("timeout", "latency"):
        made = real_time(fault(effect, id="a"), fault("noop", id="b", target="other"))
        with recording(made):
            asyncio.run(body())
        trace = finished(made)
        assert only_step(trace).outcome is Outcome.UNKNOWN
        assert trace.faults[0].delivery is Delivery.MET
        assert trace.faults[0].observed[0].what.startswith("raised CancelledError after 0.0")


def test_altering_faults_of_a_cancelled_call_were_not_applied() -> None:
    """There was no result to alter."""

    async def body() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(slow(), 0.02)

    made = real_time(fault("empty"))
    with recording(made):
        asyncio.run(body())
    assert only_fault(finished(made)).failure == "the call ended before it could be applied (CancelledError)"


@pytest.mark.parametrize("error", [KeyboardInterrupt, asyncio.CancelledError, GeneratorExit])
def test_interruptions_of_sync_tools_pass_untouched(error: type[BaseException]) -> None:
    """Ctrl-C inside a tool is the caller's, not the tool's."""
    raised = error("stop")

    @tool
    def interrupted() -> None:
        raise raised

    made = recorder()
    with pytest.raises(error) as seen, recording(made):
        interrupted()
    assert seen.value is raised
    assert only_step(finished(made)).outcome is Outcome.UNKNOWN
    assert CURRENT.get() is None


def test_an_exit_of_the_program_is_an_error_of_the_tool() -> None:
    """SystemExit is what the tool did, not what its caller decided."""

    @tool
    def exiting() -> None:
        raise SystemExit(3)

    made = recorder()
    with pytest.raises(SystemExit), recording(made):
        exiting()
    step = only_step(finished(made))
    assert step.outcome is Outcome.ERROR
    assert step.error is not None
    assert step.error.kind == "SystemExit"


def test_exceptions_of_tools_reach_the_agent_as_they_are() -> None:
    """The same object, with no wrapper around it and no cause added."""
    raised = StopIteration("odd")

    @tool
    def odd() -> None:
        raise raised

    error, trace = run(odd)
    assert error is raised
    assert error.__cause__ is None
    assert only_step(trace).outcome is Outcome.ERROR


def test_a_hidden_coroutine_is_recorded_when_it_is_awaited() -> None:
    """A plain function that gives a coroutine: result, failure, cancellation, altered data."""
    hidden = tool(lambda fail=False: _later(fail), "api")

    async def body(fail: bool) -> Any:
        return await hidden(fail)

    given, trace = run(lambda: asyncio.run(body(False)))
    assert (given, only_step(trace).result) == ({"n": 1}, {"n": 1})
    error, trace = run(lambda: asyncio.run(body(True)))
    assert isinstance(error, KeyError)
    assert only_step(trace).outcome is Outcome.ERROR
    given, trace = run(lambda: asyncio.run(body(False)), fault("empty"))
    assert given is None
    assert only_fault(trace).delivery is Delivery.MET
    error, trace = run(lambda: asyncio.run(body(True)), fault("empty"))
    assert only_fault(trace).delivery is Delivery.FAILED


async def _later(fail: bool) -> dict[str, int]:
    await asyncio.sleep(0)
    assert current_recorder() is not None
    if fail:
        raise KeyError("own")
    return {"n": 1}


def test_a_hidden_coroutine_awaited_after_the_end_stays_unfinished() -> None:
    """Neither success nor error, and the agent gets its result all the same."""
    hidden = tool(lambda: asyncio.sleep(0, "late"), "api")
    made = recorder()
    with recording(made):
        coroutine = hidden()
    trace = finished(made)
    assert asyncio.run(_wait_for(coroutine)) == "late"
    assert only_step(trace).extra == {"unfinished": True}


async def _wait_for(given: Any) -> Any:
    return await given
