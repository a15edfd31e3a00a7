"""The text of judged traces: what the model's codec would write, faster."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.errors import InputError
from hbeval.model import (
    Act,
    Claim,
    Compliance,
    Delivery,
    Fact,
    Fault,
    FaultType,
    Form,
    Handling,
    Injection,
    IntendedFault,
    JudgedTrace,
    Observation,
    Outcome,
    PlanEvent,
    Pressure,
    Provenance,
    Signal,
    Step,
    StepError,
    ToolDeclaration,
    Trial,
    Turn,
    decode,
    dumps,
    loads,
)
from hbeval.store.wire import Wire

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
TOOL = ToolDeclaration(
    name="look",
    description="é \ud83d",
    parameters={"q": {"type": "string"}},
    writes=False,
    substitutes=("peek",),
    forbidden_when={"q": {"gt": 1}},
    handover=True,
    extra={"later": 1},
)
TOOLS = (TOOL, ToolDeclaration(name="peek", writes=None, forbidden_when="always"))


def filled(judged: JudgedTrace, value: Any, text: str, number: float) -> JudgedTrace:
    """A judged trace in which every field is set."""
    step = Step(
        seq=3,
        action=text,
        arguments=value,
        malformed=True,
        result=value,
        outcome=Outcome.ERROR,
        error=StepError(kind=text, message=text, status=503, retry_after_s=number),
        id="s",
        started_at=number,
        ended_at=number,
        turn=1,
        origin="/a",
        provenance=Provenance.REPORTED,
        reported={"success": True, "had_fault": None},
        extra={"later": value},
    )
    fault = Fault(
        id="f/0",
        type=FaultType.ADVERSARIAL,
        target="look",
        intended=IntendedFault(effect="stale", parameters={"x": value}, probability=number, stage=1),
        injected=(Injection(call=0, step=3, effect="stale", degraded=True),),
        observed=(Observation(step=3, what=text),),
        pressure=Pressure(text=text, act=Act(tool="look", arguments={"a": value}), skips="peek"),
        calls=2,
        fired=1,
        failure=text,
        extra={"limit": 1},
    )
    trace = replace(
        judged.trace,
        agent={"id": text},
        repeat=2,
        seed=5,
        condition=FaultType.CASCADE,
        tools=TOOLS,
        turns=(Turn(seq=1, speaker="agent", text=text, id="t", at=number, extra={"later": value}),),
        plans=(PlanEvent(seq=2, text=text, at=number, provenance=Provenance.INFERRED),),
        steps=(step, *judged.trace.steps),
        faults=(fault,),
        ending_detail=text,
        success=None,
        oracle=None,
        holds=(Fact.ID,),
        started_at=number,
        ended_at=number,
        labels={"x": value},
        redacted={"email": 2},
        extra={"later": value, "id": "not ours to overwrite"},
    )
    trial = Trial(
        fault=FaultType.STOCHASTIC,
        target="look",
        handling=Handling.REFLEX,
        steps=(3,),
        signals=(Signal(name="n", form=Form.TEXT, provenance=Provenance.OBSERVED, steps=(3,), against=True),),
        complied=Compliance.PARTIAL,
        fabricated=False,
        blind_retries=3,
        handed_over=True,
        closed="acted",
        reason=text,
        fault_ids=("f/0",),
    )
    return replace(
        judged,
        trace=trace,
        trials=(trial,),
        claims=(Claim(kind="k", text=text, turn=None, supported=False),),
        missing=("writes",),
        final=True,
        extra={"later": value},
    )


@settings(max_examples=80, deadline=None)
@given(value=VALUES, text=st.text(), number=st.floats(allow_nan=False, allow_infinity=False))
def test_the_text_is_that_of_the_codec(judged, value, text, number):
    """The same JSON value, for a trace in which every field is set and for a bare one; it reads back as the record."""
    wire = Wire()
    for run in (judged("r0", text), filled(judged("r0", text), value, text, number)):
        written = wire.text(run)
        assert written.isascii()
        assert "\n" not in written
        assert loads(written) == loads(dumps(run))
        if "id" not in run.trace.extra:
            assert decode(JudgedTrace, loads(written)) == run


def test_the_filled_sample_leaves_no_field_at_its_default(judged):
    """So that a new field of the model cannot slip past the test above."""
    trace = filled(judged("r0", "x"), 1, "x", 1.5).trace
    plain = judged("r0", "x").trace
    same = {each.name for each in fields(trace) if getattr(trace, each.name) == getattr(plain, each.name)}
    assert same == {"schema", "id", "source", "context", "format", "task", "ending"}
    assert trace.faults[0].delivery is Delivery.FAILED


@pytest.mark.parametrize("value", [float("nan"), {"x": float("inf")}, b"bytes", {("a",): 1}, object()])
def test_what_json_cannot_hold_is_refused_with_the_run(judged, value):
    """As the codec refuses it."""
    run = judged("r0")
    step = replace(run.trace.steps[0], arguments=value)
    with pytest.raises(InputError, match="r0: not writable as JSON"):
        Wire().text(replace(run, trace=replace(run.trace, steps=(step,))))
    if isinstance(value, float):
        with pytest.raises(InputError, match="nan is not finite"):
            Wire().text(replace(run, trace=replace(run.trace, started_at=value)))


def test_a_circle_is_refused(judged):
    """Not followed for ever."""
    circle: list[Any] = []
    circle.append(circle)
    run = judged("r0")
    step = replace(run.trace.steps[0], result=circle)
    with pytest.raises(InputError, match="not writable as JSON"):
        Wire().text(replace(run, trace=replace(run.trace, steps=(step,))))


def test_declarations_that_are_kept_are_the_right_ones(judged):
    """Many lists of tools, more than are kept, some of them made and dropped in between."""
    wire, run = Wire(), judged("r0")
    for number in range(600):
        tools = (ToolDeclaration(name=f"tool-{number}"), TOOL) if number % 3 else TOOLS
        written = loads(wire.text(replace(run, trace=replace(run.trace, tools=tools))))
        assert [each["name"] for each in written["trace"]["tools"]] == [each.name for each in tools]


def test_a_type_without_a_wire_form_is_our_mistake():
    """Said when the journal is opened, not at the first run."""
    with pytest.raises(TypeError, match="no wire form"):
        Wire()._writer(complex)
