"""Signals that a fault was recovered from deliberately, and those that contradict it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hbeval.judging.handling.signals import Fact, Finding, finding
from hbeval.judging.moments import Conduct, Moment
from hbeval.judging.parameters import PARAMETERS
from hbeval.judging.reading import Reading
from hbeval.judging.said import words_between
from hbeval.judging.text.rules import text_rules
from hbeval.model import PlanEvent, Turn

__all__ = ["recovery_findings"]


def recovery_findings(reading: Reading, conduct: Conduct) -> list[Finding]:
    """What the record says for and against a deliberate recovery."""
    moments, patient, blind = conduct.moments, conduct.patient, conduct.blind
    found = [*_changed_approach(reading, moments), *_second_looks(reading, moments)]
    if reading.turns or reading.plans:
        found += _thought_between(reading, moments)
    if patient:
        found.append(finding("backoff", ("time", patient[0]), *patient))
    if len(blind) >= PARAMETERS.blind_retries:
        found.append(finding("blind_retries", ("call", blind[0]), *blind))
    return found


def _changed_approach(reading: Reading, moments: Sequence[Moment]) -> Iterator[Finding]:
    """Another tool, or other arguments: both tell of one fact, that the approach changed."""
    fact: Fact | None = None
    seen = set()
    for moment in moments:
        if moment.response is None or moment.change is not True or moment.response == moment.verified:
            continue
        step, failed = reading.steps[moment.response], reading.steps[moment.failed]
        name = "changed_arguments" if step.action == failed.action else "other_tool"
        fact = fact or ("call", step.seq)
        if name not in seen:
            seen.add(name)
            yield finding(name, fact, failed.seq, step.seq)


def _second_looks(reading: Reading, moments: Sequence[Moment]) -> Iterator[Finding]:
    """Wrong data verified elsewhere, or read again with another result; each rests on its own call."""
    seen = set()
    for moment in moments:
        for name, place in (("verified", moment.verified), ("reread", moment.reread)):
            if place is not None and name not in seen:
                seen.add(name)
                seq = reading.steps[place].seq
                yield finding(name, ("call", seq), reading.steps[moment.failed].seq, seq)


def _thought_between(reading: Reading, moments: Sequence[Moment]) -> Iterator[Finding]:
    """A turn or a plan event before what was done next. Where the approach changed at all, it must lie before a change.

    A plan event that is followed by a repetition changed nothing and is no signal.
    """
    acted = [moment for moment in moments if moment.active] or [each for each in moments if each.response is not None]
    turned = planned = reasoned = False
    for moment in acted:
        low, high = _gap(reading, moment)
        turns, plans = words_between(reading, low, high), list(reading.plans_between(low, high))
        if turns and not turned:
            turned = True
            yield finding("turn_between", ("turn", turns[0].seq), low, high)
        if not moment.active:
            continue
        if plans and not planned:
            planned = True
            yield finding("explicit_replan", _fact_of(plans[0], turns), low, high)
        reason = None if reasoned else _reason(turns)
        if reason is not None:
            reasoned = True
            yield finding("names_change_before", ("turn", reason.seq), low, high)


def _reason(turns: Sequence[Turn]) -> Turn | None:
    return next((turn for turn in turns if turn.text and text_rules().tells("names_change", turn.text)), None)


def _gap(reading: Reading, moment: Moment) -> tuple[int, int]:
    """`seq` of the failed call and of what was done about it."""
    places = (moment.response, moment.verified, moment.reread)
    done = min(place for place in places if place is not None)
    return reading.steps[moment.failed].seq, reading.steps[done].seq


def _fact_of(plan: PlanEvent, turns: Sequence[Turn]) -> Fact:
    """A plan event that only repeats a turn is the same fact as the turn."""
    for turn in turns:
        if turn.seq == plan.seq or (plan.text.strip() and plan.text.strip() in turn.text):
            return "turn", turn.seq
    return "plan", plan.seq
