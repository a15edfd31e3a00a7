"""Records: what holds text is looked at, what holds them together is left alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings

from hbeval.judging import judge
from hbeval.model import JudgedTrace, Report, decode, encode
from hbeval.redaction import LOOSE, redact
from tests.model.records import traces

KEPT = {
    "Trace": {"schema", "id", "source", "format", "oracle", "plan_fingerprint", "redacted"},
    "Task": {"id", "domain"},
    "ToolDeclaration": {"name", "substitutes", "verifies", "safeguard"},
    "Turn": {"speaker", "id"},
    "Step": {"action", "id", "origin", "reported"},
    "Fault": {"id", "target"},
    "IntendedFault": {"effect"},
    "Injection": {"effect"},
    "Pressure": {"skips"},
    "Act": {"tool"},
    "JudgedTrace": {"schema", "rules", "missing"},
    "StepVerdict": {"inferred"},
    "Trial": {"target", "closed", "fault_ids"},
    "Signal": {"name"},
    "Claim": {"kind"},
    "Evidence": {"provenance", "claims_unsupported"},
    "Report": {
        *("schema", "scoring_version", "metric_versions", "scoring_fingerprint", "fault_spec_fingerprint"),
        *("weakest", "task_set_digest", "redacted", "metrics"),
    },
    "Coverage": {"invalid", "endings"},
    "Group": {"metrics"},
    "RunResult": {"source", "id", "task", "domain", "condition", "status", "metrics"},
    "LeftOut": {"source"},
    "Measured": {"instrument", "method", "no_interval"},
    "NotMeasured": {"reason", "instrument"},
}
"""Fields with text that stay as they are: ids, names, closed words and words of our own."""


def _records(kind, seen):
    """The record types that a type leads to."""
    for each in (kind, *get_args(kind)):
        if is_dataclass(each) and each not in seen:
            seen.add(each)
            for hint in get_type_hints(each).values():
                _records(hint, seen)
        elif each is not kind:
            _records(each, seen)
    return seen


def _holds_text(hint):
    if hint in (Any, str) or get_origin(hint) is Mapping:
        return True
    return any(_holds_text(each) for each in get_args(hint) if not is_dataclass(each))


@pytest.mark.parametrize("kind", sorted(_records(JudgedTrace, set()) | _records(Report, set()), key=str))
def test_every_field_with_text_is_either_looked_at_or_kept_on_purpose(kind):
    """A field added later has to be put in one of the two lists."""
    hints = get_type_hints(kind)
    with_text = {each.name for each in fields(kind) if _holds_text(hints[each.name])}
    assert LOOSE[kind].isdisjoint(KEPT.get(kind.__name__, set()))
    assert with_text - LOOSE[kind] - KEPT.get(kind.__name__, set()) == set()


@settings(max_examples=100, deadline=None)
@given(trace=traces())
def test_any_record_comes_back_as_a_record(trace):
    """Of the same type, which can be written and read, with its ids and its verdicts."""
    judged = judge(trace)
    left = redact(judged).value
    assert decode(JudgedTrace, encode(left), where="test") == left
    assert left.trace.id == judged.trace.id
    assert [step.id for step in left.trace.steps] == [step.id for step in judged.trace.steps]
    assert left.steps == judged.steps
