"""Judged traces in few words, for checking instruments: written out, or drawn at random from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hbeval.errors import InputError
from hbeval.model import (
    Context,
    Ending,
    Evidence,
    EvidenceLevel,
    Fault,
    FaultType,
    Handling,
    Injection,
    IntendedFault,
    JudgedTrace,
    Observation,
    Step,
    StepVerdict,
    Task,
    Trace,
    Trial,
)

__all__ = ["judged_trace", "random_traces"]

_TRUTH = {"1": True, "0": False, "?": None}
_EVIDENCE = Evidence(level=EvidenceLevel.E2, known=0, required=0)


def judged_trace(
    steps: str = "",
    trials: Sequence[str] = (),
    *,
    id: str = "run",  # noqa: A002 - the model's word
    task: str = "task",
    domain: str | None = None,
    repeat: int = 0,
    success: bool | None = None,
    condition: str | None = None,
    landed: bool = True,
    ending: str = "completed",
    context: str = "battery",
    started_at: float | None = None,
) -> JudgedTrace:
    """A judged trace.

    `steps` has one word a step, of the four derived fields success, had_fault, replanned, traceable as 1, 0 or ?
    ("11?0 1001"). `trials` are words of `Handling`. Under a `condition`, one planned fault of that type is in the
    trace: met if `landed`, else not exposed. Raises InputError on a step that is not such a word.
    """
    verdicts = tuple(_verdict(seq, word) for seq, word in enumerate(steps.split()))
    fault_type = None if condition is None else FaultType(condition)
    trace = Trace(
        id=id,
        source=id,
        context=Context(context),
        task=Task(id=task, domain=domain),
        repeat=repeat,
        condition=fault_type,
        steps=tuple(Step(seq=each.seq, action="tool") for each in verdicts),
        faults=() if fault_type is None else (_fault(fault_type, landed),),
        ending=Ending(ending),
        success=success,
        started_at=started_at,
    )
    return JudgedTrace(
        rules="sample@1",
        trace=trace,
        steps=verdicts,
        trials=tuple(_trial(fault_type or FaultType.TOOL_FAILURE, word) for word in trials),
        claims=(),
        evidence=_EVIDENCE,
    )


def random_traces(seed: int, count: int, *, tasks: int = 3) -> list[JudgedTrace]:
    """`count` runs over at most `tasks` tasks, with every field taking every value now and then."""
    rng = random.Random(seed)
    return [_random_trace(rng, f"run {number:04d}", tasks, number) for number in range(count)]


def _random_trace(rng: random.Random, name: str, tasks: int, number: int) -> JudgedTrace:
    return judged_trace(
        " ".join("".join(rng.choices("110?", k=4)) for _ in range(rng.randrange(8))),
        rng.choices([each.value for each in Handling], k=rng.randrange(4)),
        id=name,
        task=f"task {rng.randrange(tasks)}",
        repeat=number // tasks,
        success=rng.choice([True, True, False, None]),
        condition=rng.choice([None, *(each.value for each in FaultType)]),
        landed=rng.random() < 0.8,
        ending=rng.choice([*(["completed"] * 9), *(each.value for each in Ending)]),
    )


def _verdict(seq: int, word: str) -> StepVerdict:
    if len(word) != 4 or set(word) - set(_TRUTH):
        raise InputError("not a step", value=word, right="four of 1, 0 and ?, such as 11?0")
    success, had_fault, replanned, traceable = (_TRUTH[letter] for letter in word)
    return StepVerdict(seq=seq, success=success, had_fault=had_fault, replanned=replanned, traceable=traceable)


def _trial(fault: FaultType, word: str) -> Trial:
    handling = Handling(word)
    reason = "sample" if handling is Handling.NOT_JUDGED else None
    return Trial(fault=fault, target="tool", handling=handling, reason=reason)


def _fault(fault_type: FaultType, landed: bool) -> Fault:
    return Fault(
        id="fault",
        type=fault_type,
        target="tool",
        intended=IntendedFault(effect="error"),
        injected=(Injection(call=0, step=0, effect="error"),) if landed else (),
        observed=(Observation(step=0, what="raised Error"),) if landed else (),
    )
