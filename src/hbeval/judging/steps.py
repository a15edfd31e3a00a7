"""The four derived fields of each step: success, had_fault, replanned, traceable."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from functools import lru_cache

from hbeval.judging.arguments import has_input
from hbeval.judging.reading import Reading
from hbeval.judging.replans import Replans
from hbeval.judging.reported import flag, settle
from hbeval.model import Fact, Outcome, Provenance, Step, StepKind, StepVerdict

__all__ = ["FACTS_PER_STEP", "Derived", "derive"]

FACTS_PER_STEP = 5
_ANSWER, _UNKNOWN = StepKind.ANSWER, Outcome.UNKNOWN
_REPORTED = Provenance.REPORTED
_FIELDS = ("success", "had_fault", "replanned", "traceable")
_NOWHERE: frozenset[int] = frozenset()
_Fields = tuple[bool | None, bool | None, bool | None, bool | None]


@dataclass(slots=True)
class Derived:
    """Verdicts in the order of `Reading.steps`, and counts behind the evidence.

    facts     of the five facts per step that a record should hold, those it holds
    observed  known derived fields that the runtime saw; `inferred` and `reported` likewise
    seen      whether the runtime saw any step
    partial   whether a step was only reported, or a call lacks its input or its outcome
    flagged   whether a step carries reported flags
    """

    verdicts: list[StepVerdict] = field(default_factory=list)
    facts: int = 0
    observed: int = 0
    inferred: int = 0
    reported: int = 0
    seen: bool = False
    partial: bool = False
    flagged: bool = False


def derive(reading: Reading, members: Set[int] = _NOWHERE, seen: Set[int] = _NOWHERE) -> Derived:
    """The derived fields of every step.

    `members` are the places of steps that belong to an episode; `seen` those on which a fault itself was seen.
    """
    derived = Derived()
    traceable_known = reading.holds(Fact.ID, Fact.TIME, Fact.INPUT, Fact.OUTCOME, Fact.TURN)
    causes = {turn.seq for turn in reading.turns}
    replans = Replans(reading)
    answer_success = reading.trace.success
    for index, step in enumerate(reading.steps):
        is_answer = step.kind is _ANSWER
        facts = (step.id is not None) + (step.started_at is not None or step.ended_at is not None)
        facts += step.turn in causes
        held = _input_and_outcome(step, is_answer)
        facts += held
        derived.facts += facts
        if step.provenance is _REPORTED:
            derived.partial = True
        else:
            derived.seen = True
            if held < 2 and not is_answer:
                derived.partial = True
        fields: _Fields = (
            answer_success if is_answer else reading.seen_success(step),
            True if index in members else False if is_answer or step.outcome is not _UNKNOWN else None,
            False if replans.never else replans.at(index),
            facts == FACTS_PER_STEP if traceable_known else None,
        )
        guessed: tuple[str, ...] = ()
        if members and (replans.guessed or index in members):
            guessed = _guessed(reading, step, index in members and index not in seen, replans.guessed)
        if step.reported:
            derived.flagged = True
            fields, guessed = _with_flags(fields, guessed, step, derived)
        derived.observed += 4 - fields.count(None)
        derived.inferred += len(guessed)
        derived.verdicts.append(_verdict(step.seq, fields, guessed))
    derived.observed -= derived.inferred
    derived.inferred -= derived.reported
    return derived


@lru_cache(maxsize=8192)
def _verdict(seq: int, fields: _Fields, inferred: tuple[str, ...]) -> StepVerdict:
    """Verdicts are values and few differ: equal ones are one object, which is what judging fast rests on."""
    success, had_fault, replanned, traceable = fields
    return StepVerdict(
        seq=seq,
        success=success,
        had_fault=had_fault,
        replanned=replanned,
        traceable=traceable,
        inferred=inferred,
    )


def _input_and_outcome(step: Step, is_answer: bool) -> int:
    """How many of the two the record holds; an answer is its own input and outcome."""
    if is_answer:
        return 2 * (step.result is not None or step.arguments is not None)
    return has_input(step) + (step.outcome is not _UNKNOWN)


def _guessed(reading: Reading, step: Step, by_membership: bool, by_change: bool) -> tuple[str, ...]:
    """Fields that a rule derived."""
    names = []
    if step.seq in reading.acts:
        names.append("success")
    if by_membership:
        names.append("had_fault")
    if by_change:
        names.append("replanned")
    return tuple(names)


def _with_flags(
    fields: _Fields, guessed: tuple[str, ...], step: Step, derived: Derived
) -> tuple[_Fields, tuple[str, ...]]:
    """The fields with reported flags where the runtime saw nothing; these count as not observed."""
    told = [
        name
        for name, value in zip(_FIELDS, fields, strict=True)
        if flag(step, name) is not None and (value is None or step.provenance is _REPORTED)
    ]
    settled = [settle(value, step, name) for name, value in zip(_FIELDS, fields, strict=True)]
    if fields[1]:
        settled[1] = True
    derived.reported += len(told)
    return (settled[0], settled[1], settled[2], settled[3]), tuple(n for n in _FIELDS if n in told or n in guessed)
