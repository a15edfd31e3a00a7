"""The record: order, turns, plans, errors, bounds, and what a finished trace is."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from hbeval.errors import UsageError
from hbeval.model import (
    Context,
    Ending,
    FaultType,
    Outcome,
    Provenance,
    StepKind,
    Task,
    ToolDeclaration,
    Trace,
    canonical_bytes,
    decode,
    dumps,
    loads,
)
from hbeval.observe import Recorder, VirtualClock, attempt, current_recorder, disabled, permit_faults, recording, tool
from hbeval.observe import plan as say_plan
from hbeval.observe import turn as say_turn
from hbeval.observe.session import _say_disabled
from tests.observe.boundary_kit import fault, finished, only_step, plan, recorder, run


@tool("api")
def look(order: str = "A-1") -> dict[str, Any]:
    """Looks an order up."""
    return {"order": order}


def test_steps_turns_and_plans_share_one_order() -> None:
    """And a step names the turn that caused it."""

    def body() -> None:
        look("before")
        say_turn("I will look.")
        look()
        look()
        say_turn("user speaks", speaker="user")
        say_plan("another way")
        look()

    _, trace = run(body)
    assert [step.seq for step in trace.steps] == [0, 2, 3, 6]
    assert [(each.seq, each.speaker, each.text, each.id) for each in trace.turns] == [
        (1, "agent", "I will look.", "turn-1"),
        (4, "user", "user speaks", "turn-4"),
    ]
    assert [(each.seq, each.text) for each in trace.plans] == [(5, "another way")]
    assert [step.turn for step in trace.steps] == [None, 1, 1, 1]
    assert {each.provenance for each in (*trace.steps, *trace.turns, *trace.plans)} == {Provenance.OBSERVED}


def test_words_outside_a_recording_go_nowhere() -> None:
    """Agents may call these anywhere."""
    say_turn("x")
    say_plan("x")
    attempt("x", error="UnknownTool")
    assert current_recorder() is None


def test_a_call_that_reached_no_tool_is_a_reported_step() -> None:
    """The raw text is kept; arguments that are no JSON are never taken for none."""

    def body() -> None:
        say_turn("calling")
        attempt("book_flihgt", {"to": "ROM"}, error="UnknownTool", message="no such tool")
        attempt("api", '{"order": ', error="MalformedArguments", malformed=True)
        look()

    _, trace = run(body)
    unknown, malformed, real = trace.steps
    assert (unknown.provenance, unknown.outcome, unknown.turn) == (Provenance.REPORTED, Outcome.ERROR, 0)
    assert unknown.error is not None
    assert (unknown.error.kind, unknown.error.message) == ("UnknownTool", "no such tool")
    assert (malformed.malformed, malformed.arguments) == (True, '{"order": ')
    assert real.seq == 3


def test_the_answer_is_the_last_step() -> None:
    """With its value as the result and the last turn as its cause."""
    made = recorder()
    with recording(made):
        look()
        say_turn("done")
    trace = finished(made, answered=True, answer={"eta": 4})
    answer = trace.steps[-1]
    assert (answer.kind, answer.action, answer.result, answer.turn) == (StepKind.ANSWER, "answer", {"eta": 4}, 1)
    assert answer.seq == 2
    assert finished(recorder()).steps == ()


def test_a_finished_trace_holds_what_it_was_told() -> None:
    """And survives the wire."""
    declared = ToolDeclaration(name="unused", writes=True)
    made = recorder(fault("timeout", target="never"), tools=(declared,))
    with recording(made):
        look()
    trace = made.finish(
        id="s-1",
        source="s-1",
        ending=Ending.LIMIT,
        ending_detail="deadline",
        success=False,
        oracle="o@1",
        context=Context.LIVE,
        agent={"id": "a"},
        repeat=2,
        seed=9,
        condition=FaultType.CASCADE,
        labels={"x": 1},
        extra={"y": 2},
    )
    assert (trace.ending, trace.ending_detail, trace.success, trace.oracle) == (Ending.LIMIT, "deadline", False, "o@1")
    assert (trace.context, trace.repeat, trace.seed, trace.condition) == (Context.LIVE, 2, 9, FaultType.CASCADE)
    assert [each.name for each in trace.tools] == ["unused", "api"]
    assert (trace.agent, trace.labels, trace.started_at) == ({"id": "a"}, {"x": 1}, 1000.0)
    assert trace.extra == {"y": 2, "plan_fingerprint": plan(fault("timeout", target="never")).fingerprint}
    assert decode(Trace, loads(dumps(trace))) == trace


def test_later_changes_by_the_agent_do_not_reach_the_record() -> None:
    """Neither of arguments nor of results."""
    change = tool(lambda given: given, "api")

    def body() -> None:
        given = {"items": [1]}
        result = change(given)
        given["items"].append(2)
        result["more"] = 3

    _, trace = run(body)
    assert only_step(trace).arguments == {"given": {"items": [1]}}
    assert only_step(trace).result == {"items": [1]}


def test_a_tool_that_changes_its_arguments_does_not_change_the_record() -> None:
    """They are copied before the call."""

    @tool
    def greedy(given: list[int]) -> None:
        given.clear()

    _, trace = run(lambda: greedy([1, 2]))
    assert only_step(trace).arguments == {"given": [1, 2]}


def test_nested_tools_are_recorded_once_each() -> None:
    """Also across threads; siblings are not nested in one another."""

    @tool
    def outer() -> None:
        look("a")
        thread = threading.Thread(target=look, args=("b",))
        thread.start()
        thread.join(5)

    def body() -> None:
        outer()
        look("c")

    _, trace = run(body)
    assert [(step.action, step.extra.get("within")) for step in trace.steps] == [
        ("outer", None),
        ("api", 0),
        ("api", 0),
        ("api", None),
    ]


class _Response:
    status_code = 503
    headers = {"Retry-After": "7"}  # noqa: RUF012


class _ClientError(Exception):
    response = _Response()


class _Hostile(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")

    @property
    def status(self) -> int:
        raise RuntimeError("no status")


class _Dated(Exception):
    retry_after = "Wed, 21 Oct 2026 07:28:00 GMT"
    status = True


class _Endless(Exception):
    retry_after = float("inf")


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (KeyError("x"), ("KeyError", "'x'", None, None)),
        (_ClientError("busy"), ("_ClientError", "busy", 503, 7.0)),
        (_Hostile(), ("_Hostile", "(RuntimeError while reading the message)", None, None)),
        (_Dated("x"), ("_Dated", "x", None, None)),
        (_Endless("x"), ("_Endless", "x", None, None)),
        (ValueError("y" * 5000), ("ValueError", "y" * 2000 + "…", None, None)),
    ],
)
def test_an_error_says_what_its_exception_says(error: Exception, found: tuple[Any, ...]) -> None:
    """Kind, message, status and Retry-After where it carries them, and nothing that raises."""

    @tool
    def failing() -> None:
        raise error

    given, trace = run(failing)
    assert given is error
    step = only_step(trace)
    assert step.error is not None
    assert (step.error.kind, step.error.message, step.error.status, step.error.retry_after_s) == found


def test_words_of_any_kind_and_length_are_taken() -> None:
    """Bounded, and never an exception into the agent."""

    def body() -> None:
        say_turn("x" * 100_005)
        say_turn(7)  # type: ignore[arg-type]
        say_plan("\ud83d")

    _, trace = run(body)
    assert trace.turns[0].text.endswith("x…[5 characters cut]")
    assert trace.turns[1].text == "7"
    assert decode(Trace, loads(dumps(trace))) == trace


class Mute:
    """Shows itself to nobody."""

    def __repr__(self) -> str:
        raise RuntimeError("no")

    __str__ = __repr__


def test_words_that_cannot_be_read_are_marked_and_nobody_is_disturbed() -> None:
    """Whatever an agent leaves, it gets no exception and the trace stays writable."""

    def body() -> None:
        say_turn(Mute(), speaker=Mute())  # type: ignore[arg-type]
        say_plan(Mute())  # type: ignore[arg-type]
        attempt(Mute(), Mute(), error=None, message=Mute(), malformed=Mute())  # type: ignore[arg-type]

    _, trace = run(body)
    mark = "(RuntimeError while reading a Mute)"
    assert (trace.turns[0].text, trace.turns[0].speaker, trace.plans[0].text) == (mark, mark, mark)
    step = trace.steps[0]
    assert step.error is not None
    assert (step.action, step.error.kind, step.error.message, step.malformed) == (mark, "None", mark, True)
    assert decode(Trace, loads(dumps(trace))) == trace


def test_steps_beyond_the_bound_are_counted_and_still_faulted() -> None:
    """A long run never grows without limit, and says what is missing."""

    def body() -> int:
        failed = 0
        for _ in range(10):
            try:
                look()
            except TimeoutError:
                failed += 1
        return failed

    failed, trace = run(body, fault("timeout"), max_steps=3)
    assert failed == 10
    assert len(trace.steps) == 3
    assert trace.extra["steps_dropped"] == 7
    assert trace.faults[0].fired == 10


def test_words_beyond_the_bound_are_counted_too() -> None:
    """Turns, plans and attempts together."""

    def body() -> None:
        for _ in range(3):
            say_turn("x")
            say_plan("y")
            attempt("z", error="Unknown")

    _, trace = run(body, max_steps=4)
    assert (len(trace.turns), len(trace.plans), len(trace.steps)) == (2, 1, 1)
    assert trace.extra == {"words_dropped": 5}


def test_calls_and_words_after_the_end_are_not_recorded() -> None:
    """Nor faulted."""
    made = recorder(fault("error", limit=5))
    with recording(made):
        with pytest.raises(Exception, match="replied 503"):
            look()
        trace = finished(made)
        assert look() == {"order": "A-1"}
        assert current_recorder() is None
        made.turn("late")
        made.plan("late")
        made.attempt("late", error="x")
    assert finished(made).steps == trace.steps
    assert (finished(made).turns, finished(made).plans) == ((), ())


def test_an_async_tool_of_a_closed_recording_passes_through() -> None:
    """Every kind of wrapper checks it."""
    import asyncio

    @tool("api")
    async def alook() -> int:
        return 1

    made = recorder(fault("error"))
    with recording(made):
        made.close()
        assert asyncio.run(alook()) == 1


def test_a_closed_recorder_cannot_record_again() -> None:
    """One recorder for one run."""
    made = recorder()
    with recording(made):
        pass
    with pytest.raises(UsageError, match="make a new one for each run"), recording(made):
        pass


def test_a_recording_inside_a_recording_has_its_own_record() -> None:
    """And the outer one goes on after it."""
    outer, inner = recorder(), recorder()
    with recording(outer):
        look("1")
        with recording(inner):
            look("2")
        look("3")
    assert [step.arguments["order"] for step in finished(outer).steps] == ["1", "3"]
    assert [step.arguments["order"] for step in finished(inner).steps] == ["2"]


def test_the_agents_own_exception_leaves_the_recording_untouched() -> None:
    """Even one that means something to generators."""
    for raised in (KeyError("x"), StopIteration("y")):
        made = recorder()
        with pytest.raises(type(raised)) as seen, recording(made):
            raise raised
        assert seen.value is raised
        assert made.closed


def test_a_recording_takes_real_time_by_default() -> None:
    """Seconds since the epoch."""
    made = Recorder(Task(id="t"))
    with recording(made):
        look()
    step = only_step(finished(made))
    assert step.started_at is not None
    assert abs(step.started_at - time.time()) < 5


def test_virtual_time_passes_only_by_waiting() -> None:
    """And waits add up across threads."""
    clock = VirtualClock(5.0)
    threads = [threading.Thread(target=clock.sleep, args=(1.0,)) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(5)
    assert clock() == 13.0


@pytest.fixture
def said_once() -> Any:
    """The process has not said yet that it is switched off."""
    _say_disabled.cache_clear()
    yield
    _say_disabled.cache_clear()


@pytest.mark.parametrize("begin", [lambda: recording(recorder(fault("error"))), lambda: permit_faults(plan(fault()))])
def test_the_switch_turns_everything_off(
    begin: Callable[[], Any], said_once: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Pass-through, nothing recorded, said once in the log."""
    monkeypatch.setenv("HBEVAL_DISABLE", "1")
    start = vars(threading.Thread)["start"]
    with caplog.at_level(logging.WARNING, "hbeval"):
        for _ in range(3):
            with begin() as made:
                assert look() == {"order": "A-1"}
                assert vars(threading.Thread)["start"] is start
            assert finished(made).steps == ()
    assert [record.message for record in caplog.records] == [
        "HBEVAL_DISABLE is set: tools pass through, nothing is recorded or injected"
    ]


@pytest.mark.parametrize(("value", "off"), [("", False), ("0", False), ("1", True)])
def test_the_switch_has_two_positions(value: str, off: bool, said_once: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty and 0 leave everything on."""
    monkeypatch.setenv("HBEVAL_DISABLE", value)
    assert disabled() is off


def test_a_trace_of_foreign_values_has_a_canonical_form() -> None:
    """Whatever tools hand around, records can be written and digested."""

    class Handle:
        pass

    _, trace = run(lambda: tool(lambda handle: {"h": handle, "n": float("nan")}, "api")(Handle()))
    assert only_step(trace).arguments["handle"]["$repr"].endswith("Handle object>")
    canonical_bytes(loads(dumps(trace)))
