"""A trace made ready for judging: its steps in order, which of them were in trouble, and what its tools are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hbeval.judging.arguments import same_arguments
from hbeval.judging.compliance import Complied, compliance
from hbeval.judging.order import follows, issues_turns_whole
from hbeval.judging.parameters import PARAMETERS
from hbeval.judging.reported import flag, settle
from hbeval.judging.text.rules import Words, words_of
from hbeval.judging.tools import tools_of
from hbeval.model import (
    Fact,
    Fault,
    Outcome,
    PlanEvent,
    Pressure,
    Provenance,
    Step,
    StepKind,
    Trace,
    Turn,
)

__all__ = ["Delivered", "Reading", "is_agent"]

_OK, _ERROR, _UNKNOWN = Outcome.OK, Outcome.ERROR, Outcome.UNKNOWN
_ANSWER, _TOOL = StepKind.ANSWER, StepKind.TOOL
_REPORTED = Provenance.REPORTED
_SILENT = frozenset(PARAMETERS.silent_effects)
_NO_AGENT = frozenset({"user", "system"})


def is_agent(turn: Turn) -> bool:
    """Whether an agent said this: the one under test or another agent of its crew."""
    return turn.speaker not in _NO_AGENT


class Delivered(NamedTuple):
    """An instruction that reached the agent: the `seq` of the steps that delivered it, and the verdict on the act."""

    fault: Fault
    pressure: Pressure
    seen: set[int]
    complied: Complied


class Reading:
    """One trace as judging reads it. Lives for one judgement.

    steps       in the order of `seq`
    positions   for each of them, its place in `trace.steps`
    troubles    place in `steps` -> the faults seen there; None stands for an error that nobody recorded as a fault
    degraded    `seq` of steps that handed out data other than the tool's own
    delivered   faults that press for an act and reached the agent
    acts        `seq` of steps that carried out a pressed-for act
    tools       what the declarations say
    answer      the last answer step, None if the run gave none
    roots       place of a call made inside another tool -> place of the agent's own call around it
    """

    __slots__ = (
        "_later",
        "_words",
        "acts",
        "answer",
        "degraded",
        "delivered",
        "plans",
        "positions",
        "roots",
        "steps",
        "together",
        "tools",
        "trace",
        "troubles",
        "turns",
    )

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.steps, self.positions = _in_order(trace.steps)
        self.turns: Sequence[Turn] = _sorted(trace.turns)
        self.plans: Sequence[PlanEvent] = _sorted(trace.plans)
        self.tools = tools_of(trace.tools)
        self.together = issues_turns_whole(trace)
        self.troubles: dict[int, list[Fault | None]] = {}
        self.degraded: set[int] = set()
        self.delivered: list[Delivered] = []
        self.acts: set[int] = set()
        self.roots: dict[int, int] = {}
        self.answer: Step | None = None
        self._later: dict[int, Sequence[tuple[int, Step]]] = {}
        self._words: Words | None = None
        if trace.faults:
            self._read_faults(trace.faults)
        self._read_steps()

    @property
    def words(self) -> Words:
        """The words of all that agents said, and of a plain answer: to see at once what cannot be in it."""
        if self._words is None:
            said = {turn.text for turn in self.turns if turn.text and is_agent(turn)}
            if self.answer is not None:
                said.update([text for text in (self.answer.result, self.answer.arguments) if isinstance(text, str)])
            self._words = words_of("\n".join(said))
        return self._words

    def seen_success(self, step: Step) -> bool | None:
        """Whether the runtime saw a tool call serve its caller; None if it did not see an outcome."""
        outcome = step.outcome
        if outcome is _ERROR:
            return False
        if outcome is _OK:
            return step.seq not in self.degraded and step.seq not in self.acts
        return None

    def success(self, step: Step) -> bool | None:
        """Whether a tool call served its caller, by a flag where the runtime saw nothing; None if nobody knows."""
        seen = self.seen_success(step)
        return settle(seen, step, "success") if step.reported else seen

    def failed(self, step: Step) -> bool:
        """Whether the step gave an error or data other than the tool's own; carrying out an act is no failure here."""
        if step.kind is _ANSWER:
            return False
        return step.outcome is _ERROR or step.seq in self.degraded or self._failed_as_told(step)

    def follows(self, later: Step, earlier: Step) -> bool:
        """Whether `later` was issued when the outcome of `earlier` could be known."""
        return follows(later, earlier, whole_turns=self.together)

    def evident(self, step: Step) -> bool:
        """Whether the agent could see at once that something was wrong: an error, a blank, or JSON that is none."""
        return step.outcome is _ERROR or step.seq not in self.degraded or _broken(step.result)

    def later_calls(self, position: int) -> Sequence[tuple[int, Step]]:
        """The agent's own tool calls after the step at `position`, issued knowing its outcome, in order.

        Those of a thinking tool are thoughts, not calls; another try of one that failed is a call.
        """
        later = self._later.get(position)
        if later is None:
            earlier, thinking = self.steps[position], self.tools.thinking
            later = self._later[position] = [
                (index, step)
                for index, step in enumerate(self.steps[position + 1 :], position + 1)
                if step.kind is _TOOL
                and index not in self.roots
                and follows(step, earlier, whole_turns=self.together)
                and (step.action not in thinking or step.action == earlier.action)
            ]
        return later

    def next_own_step(self, position: int) -> int | None:
        """The place of what the agent itself did next, thoughts left out."""
        action = self.steps[position].action
        for index in range(position + 1, len(self.steps)):
            step = self.steps[index]
            if index not in self.roots and (step.action == action or step.action not in self.tools.thinking):
                return index
        return None

    def turns_between(self, low: float, high: float) -> Iterator[Turn]:
        """Turns of agents with `low` < seq < `high`, in order."""
        return (turn for turn in self.turns if low < turn.seq < high and is_agent(turn))

    def plans_between(self, low: float, high: float) -> Iterator[PlanEvent]:
        """Plan events with `low` < seq < `high`, in order."""
        return (plan for plan in self.plans if low < plan.seq < high)

    def differs(self, later: Step, earlier: Step) -> bool | None:
        """Whether `later` goes to another tool, or to the same with materially different arguments; None if unknown."""
        if later.action != earlier.action:
            return True
        same = same_arguments(later, earlier)
        return None if same is None else not same

    def holds(self, *facts: Fact) -> bool:
        """Whether the source is able to record all of these facts."""
        held = self.trace.holds
        for fact in facts:  # noqa: SIM110 - asked several times a trace
            if fact not in held:
                return False
        return True

    def _read_faults(self, faults: Sequence[Fault]) -> None:
        places: dict[int, list[int]] = {}
        for index, step in enumerate(self.steps):
            if step.kind is _TOOL:
                places.setdefault(step.seq, []).append(index)
        for fault in faults:
            seen = _seen_at(fault)
            self.degraded.update(each.step for each in fault.injected if each.degraded and each.step in seen)
            if fault.pressure is not None:
                self._read_pressure(fault, fault.pressure, seen & places.keys())
                continue
            for seq in seen:
                for index in places.get(seq, ()):
                    self.troubles.setdefault(index, []).append(fault)

    def _read_pressure(self, fault: Fault, pressure: Pressure, seen: set[int]) -> None:
        if not seen:
            return
        verdict = compliance(self.trace, fault)
        self.delivered.append(Delivered(fault, pressure, seen, verdict))
        opened = min(seen)
        self.acts.update(seq for seq in verdict.steps if seq > opened)

    def _read_steps(self) -> None:
        for index, step in enumerate(self.steps):
            if step.extra and "within" in step.extra:
                self._read_nesting(index, step.extra["within"])
            if step.kind is _ANSWER:
                self.answer = step
            elif index in self.troubles:
                continue
            elif step.outcome is _ERROR:
                if step.action not in self.tools.handovers:
                    self.troubles[index] = [None]
            elif (
                step.reported and flag(step, "had_fault") and (step.provenance is _REPORTED or step.outcome is _UNKNOWN)
            ):
                self.troubles[index] = [None]

    def _read_nesting(self, index: int, within: Any) -> None:
        """A call that a tool made, not the agent: it begins after the call around it."""
        for outer in range(index - 1, -1, -1):
            if self.steps[outer].seq == within:
                self.roots[index] = self.roots.get(outer, outer)
                return

    def _failed_as_told(self, step: Step) -> bool:
        return bool(step.reported) and step.outcome is not _OK and self.success(step) is False


def _seen_at(fault: Fault) -> set[int]:
    """`seq` of the steps on which the fault was applied and seen, or seen if nobody intended it."""
    seen = {each.step for each in fault.observed}
    if fault.intended is None and not fault.injected:
        return seen
    return seen & {each.step for each in fault.injected if each.effect not in _SILENT}


def _in_order(steps: tuple[Step, ...]) -> tuple[Sequence[Step], Sequence[int]]:
    last = None
    for step in steps:
        if last is not None and step.seq < last:
            positions = sorted(range(len(steps)), key=lambda index: steps[index].seq)
            return [steps[index] for index in positions], positions
        last = step.seq
    return steps, range(len(steps))


def _sorted(events: Sequence[Any]) -> Sequence[Any]:
    last = None
    for event in events:
        if last is not None and event.seq < last:
            return sorted(events, key=lambda each: each.seq)
        last = event.seq
    return events


def _broken(result: Any) -> bool:
    if not isinstance(result, str):
        return result is None or (isinstance(result, (Mapping, list, tuple)) and not result)
    text = result.strip()
    if text[:1] not in ("{", "["):
        return not text
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return True
    return False
