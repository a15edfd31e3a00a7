"""What an agent would meet under a plan, without running anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hbeval.faults.base import BoundaryError, CannotApply
from hbeval.faults.exceptions import exception_for
from hbeval.faults.plan import FaultPlan
from hbeval.faults.schedule import Hit, Schedule
from hbeval.model import FaultType

__all__ = ["SAMPLE", "Meeting", "preview"]

SAMPLE: Mapping[str, Any] = {
    "id": "A-17",
    "status": "in_transit",
    "updated": "2026-03-14",
    "weight_kg": 12.5,
    "stops": [{"place": "north depot", "hour": 9}, {"place": "harbour", "hour": 13}],
    "signed": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """One call of one target, as the agent would meet it. Waits in seconds.

    `fires` is false where the call passes untouched. `raises` is the exception's text, with its type. `result` is
    what comes back in place of `true_result`; both are None if an error does. `failure` says why a fault that fired
    could not be applied to this result.
    """

    fault: str
    type: FaultType
    target: str
    effect: str
    call: int
    stage: int | None
    fires: bool
    wait_s: float = 0.0
    raises: str | None = None
    error: BoundaryError | None = None
    true_result: Any = None
    result: Any = None
    failure: str | None = None


def preview(plan: FaultPlan, *, calls: int = 3, samples: Mapping[str, Any] | None = None) -> Iterator[Meeting]:
    """The first `calls` calls of each target, stage by stage: one meeting per fault and call it is considered at.

    `samples` gives a true result (JSON) per tool, SAMPLE where it has none. Decisions, waits, errors and altered data
    are those of a run with this plan, for these results.
    """
    schedule = Schedule(plan)
    for target in dict.fromkeys(fault.target for fault in plan.faults):
        sample = (samples or {}).get(target, dict(SAMPLE))
        for call in range(calls):
            before = {record.prepared.planned.id: record.calls for record in schedule.records}
            hits = {hit.record.prepared.planned.id: hit for hit in schedule.enter(target)}
            value = sample
            for record in schedule.records:
                planned = record.prepared.planned
                if record.calls > before[planned.id]:
                    meeting = _meeting(record.prepared.planned.id, schedule, hits.get(planned.id), call, value)
                    value = meeting.result if meeting.fires and meeting.failure is None else value
                    yield meeting
            schedule.remember(target, sample)


def _meeting(fault: str, schedule: Schedule, hit: Hit | None, call: int, value: Any) -> Meeting:
    planned = next(each for each in schedule.plan.faults if each.id == fault)
    facts: dict[str, Any] = {
        "fault": fault,
        "type": planned.type,
        "target": planned.target,
        "effect": planned.effect,
        "call": call,
        "stage": planned.stage,
        "fires": hit is not None,
    }
    if hit is None:
        return Meeting(**facts, true_result=value, result=value)
    outcome = _interrupted(hit, value) if hit.interruption else _altered(hit, value)
    if "failure" not in outcome:
        hit.injected(call)
        hit.observed(call, "previewed")
    return Meeting(**facts, **outcome)


def _interrupted(hit: Hit, value: Any) -> dict[str, Any]:
    assert hit.interruption is not None
    wait_s, error = hit.interruption.wait_s, hit.interruption.error
    if error is None:
        return {"wait_s": wait_s, "true_result": value, "result": value}
    raised = exception_for(error, {})
    return {"wait_s": wait_s, "raises": f"{type(raised).__name__}: {raised}", "error": error}


def _altered(hit: Hit, value: Any) -> dict[str, Any]:
    try:
        return {"true_result": value, "result": hit.altered(value)}
    except CannotApply as failure:
        return {"true_result": value, "result": value, "failure": str(failure)}
