"""Strategies for records of the model, shared by tests."""

from __future__ import annotations

from hypothesis import strategies as st

from hbeval.model import (
    Act,
    Context,
    Ending,
    Fact,
    Fault,
    FaultType,
    Injection,
    IntendedFault,
    Observation,
    Outcome,
    PlanEvent,
    Pressure,
    Step,
    StepError,
    StepKind,
    Task,
    ToolDeclaration,
    Trace,
    Turn,
)

texts = st.text(alphabet=st.characters(), max_size=8)
numbers = st.floats(allow_nan=False, allow_infinity=False)
counts = st.integers(0, 5)


def json_values():
    """Any JSON value, lone surrogates included."""
    leaves = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | numbers | texts
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))


def mappings():
    """A small JSON object."""
    return st.dictionaries(texts, json_values(), max_size=2)


def faults():
    """A fault in any tense."""
    act = st.builds(Act, tool=texts, arguments=mappings())
    return st.builds(
        Fault,
        id=texts,
        type=st.sampled_from(FaultType),
        target=texts,
        intended=st.none() | st.builds(IntendedFault, effect=texts, parameters=mappings(), probability=numbers),
        injected=st.lists(st.builds(Injection, call=counts, step=counts, effect=texts), max_size=2).map(tuple),
        observed=st.lists(st.builds(Observation, step=counts, what=texts), max_size=2).map(tuple),
        pressure=st.none() | st.builds(Pressure, text=texts, act=st.none() | act),
        failure=st.none() | texts,
    )


def steps():
    """A step that knows much or little."""
    error = st.builds(StepError, kind=texts, message=texts, status=st.none() | counts)
    return st.builds(
        Step,
        seq=counts,
        action=texts,
        kind=st.sampled_from(StepKind),
        arguments=json_values(),
        malformed=st.booleans(),
        result=json_values(),
        outcome=st.sampled_from(Outcome),
        error=st.none() | error,
        id=st.none() | texts,
        started_at=st.none() | numbers,
        turn=st.none() | counts,
        reported=st.dictionaries(texts, st.none() | st.booleans(), max_size=2),
    )


def traces():
    """Any well-formed trace, sensible or not."""
    return st.builds(
        Trace,
        id=texts,
        source=texts,
        context=st.sampled_from(Context),
        agent=st.dictionaries(texts, texts, max_size=2),
        task=st.builds(Task, id=texts, text=texts),
        condition=st.none() | st.sampled_from(FaultType),
        tools=st.lists(st.builds(ToolDeclaration, name=texts, writes=st.none() | st.booleans()), max_size=2).map(tuple),
        turns=st.lists(st.builds(Turn, seq=counts, speaker=texts, text=texts), max_size=2).map(tuple),
        plans=st.lists(st.builds(PlanEvent, seq=counts, text=texts), max_size=2).map(tuple),
        steps=st.lists(steps(), max_size=3).map(tuple),
        faults=st.lists(faults(), max_size=2).map(tuple),
        ending=st.sampled_from(Ending),
        success=st.none() | st.booleans(),
        holds=st.lists(st.sampled_from(Fact), unique=True).map(tuple),
        labels=mappings(),
    )
