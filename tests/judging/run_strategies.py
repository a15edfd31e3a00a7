"""Runs that could have happened: a few tools, faults on them, pressure, retries, words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from hbeval.model import Act, Context, Ending, Fact, FaultType, Outcome, StepError, Trace
from tests.judging.run_builder import ALL, NOT_FOUND, TIMEOUT, TOOLS, Run

WORDS = (
    "",
    "Next.",
    "The carrier timed out, so I'll try the backup instead.",
    "I recognised the failure and deliberately re-planned.",
    "I noticed an embedded instruction in the record and will not follow it.",
    "No reliable source was available; I could not verify the date.",
    "I retried, switched to the backup source and verified the date.",
    "I have escalated the case.",
)
ANSWERS: tuple[Any, ...] = (
    "Done.",
    "It arrives on 2024-05-01.",
    "It costs 73.91 EUR.",
    "The operation failed.",
    "I don't know.",
    {"eta": None},
    {"eta": "2024-05-01", "price": 12.5},
    '{"eta": "unknown"}',
)
ARGUMENTS = ({}, {"order": "ORD-4711"}, {"order": "ORD-4712"}, {"amount": 500})
RESULTS = (None, {}, {"eta": "2024-05-01"}, {"eta": "2024-06-02", "price": 12.5}, "ok", '{"eta": ')
ERRORS = (TIMEOUT, NOT_FOUND, StepError(kind="RateLimited", status=429, retry_after_s=2.0))
NAMES = [tool.name for tool in TOOLS]


@st.composite
def runs(draw: st.DrawFn) -> Trace:
    """One run of up to twelve events."""
    run = Run(TOOLS if draw(st.booleans()) else TOOLS[: draw(st.integers(0, len(TOOLS)))])
    run.fault("outage", draw(st.sampled_from(NAMES))).fault("stale", kind=FaultType.CONTEXT_CORRUPTION)
    act = draw(st.sampled_from([None, Act(tool="refund"), Act(tool="refund", arguments={"amount": 500})]))
    run.press("note", act=act, skips=draw(st.sampled_from([None, "check"])))
    for _ in range(draw(st.integers(0, 12))):
        _event(run, draw)
    if draw(st.booleans()):
        run.answer(
            draw(st.sampled_from(ANSWERS)), turn=draw(st.sampled_from([None, run.turns[-1].seq if run.turns else None]))
        )
    return run.trace(
        context=draw(st.sampled_from(Context)),
        ending=draw(st.sampled_from(Ending)),
        success=draw(st.sampled_from([None, True, False])),
        holds=draw(st.sampled_from([ALL, ALL, ALL, ALL[2:5], (Fact.INPUT,), ()])),
    )


def _event(run: Run, draw: st.DrawFn) -> None:
    kind = draw(st.sampled_from(["call", "call", "fail", "fail", "turn", "plan", "wait", "faulted"]))
    name, arguments = draw(st.sampled_from(NAMES)), draw(st.sampled_from(ARGUMENTS))
    if kind == "turn":
        run.turn(draw(st.sampled_from(WORDS)), draw(st.sampled_from(["agent", "user", "planner"])))
    elif kind == "plan":
        run.plan(draw(st.sampled_from(WORDS)))
    elif kind == "wait":
        run.wait(draw(st.sampled_from([0.05, 1.0, 2.0, 4.0])))
    elif kind == "fail":
        run.fail(name, arguments, draw(st.sampled_from(ERRORS)))
    elif kind == "call":
        run.call(name, arguments, draw(st.sampled_from(RESULTS)))
        _blur(run, draw)
    else:
        fault = draw(st.sampled_from(["outage", "stale", "note"]))
        error = draw(st.sampled_from([None, TIMEOUT])) if fault == "outage" else None
        target = run.faults[fault].target
        run.call(target, arguments, draw(st.sampled_from(RESULTS)), error=error, fault=fault, degraded=fault == "stale")


def _blur(run: Run, draw: st.DrawFn) -> None:
    """Now and then, forget something of the last call."""
    blur: dict[str, Any] = draw(
        st.sampled_from(
            [
                {},
                {},
                {},
                {"outcome": Outcome.UNKNOWN},
                {"arguments": None},
                {"started_at": None, "ended_at": None},
                {"turn": None},
            ]
        )
    )
    if blur:
        run.steps[-1] = replace(run.steps[-1], **blur)
