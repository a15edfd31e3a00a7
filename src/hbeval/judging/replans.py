"""Changes of plan: recorded ones, and those that show in what was called after a failure."""

from __future__ import annotations

from hbeval.judging.reading import Reading
from hbeval.model import Fact, Outcome, Step, StepKind

__all__ = ["Replans"]


class Replans:
    """Whether each step follows from a changed plan.

    A plan event between the step before and this one is a re-plan, once execution has begun. Without one, a step
    re-plans if the round of calls before it had a failure and it is not a repetition of a failed call of that round.
    Of calls issued together the first stands for the change; another one counts only if it puts right a failed call of
    its own tool. A source that holds neither plans nor both inputs and outcomes leaves the field unknown. `never` says
    at once that no step was re-planned.
    """

    __slots__ = ("_after_failure", "_knows", "_may_hide_failure", "_reading", "guessed", "never")

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        knows_plans = reading.holds(Fact.PLAN)
        self._knows = knows_plans or reading.holds(Fact.INPUT, Fact.OUTCOME)
        self._may_hide_failure = not knows_plans and Outcome.UNKNOWN in [step.outcome for step in reading.steps]
        self._after_failure = self._places_after_failure() if reading.troubles or reading.degraded else ()
        self.guessed = False
        self.never = self._knows and not (reading.plans or self._after_failure or self._may_hide_failure)

    def at(self, index: int) -> bool | None:
        """Whether the step at this place was re-planned; `guessed` then says whether a rule derived it."""
        self.guessed = False
        if not self._knows:
            return None
        if index == 0:
            return False
        reading = self._reading
        if reading.plans and any(reading.plans_between(reading.steps[index - 1].seq, reading.steps[index].seq)):
            return True
        if index in self._after_failure:
            replanned = self._by_change(index)
            self.guessed = bool(replanned)
            return replanned
        return self._unless_unknown(index) if self._may_hide_failure else False

    def _by_change(self, index: int) -> bool | None:
        step = self._reading.steps[index]
        if step.kind is StepKind.ANSWER or index in self._reading.roots:
            return False
        failures = [earlier for earlier in self._round_before(index) if self._calls_for_change(earlier, step)]
        if failures and self._has_earlier_sibling(index):
            failures = [earlier for earlier in failures if earlier.action == step.action]
        if not failures:
            return False
        changes = [self._reading.differs(step, earlier) for earlier in failures]
        if False in changes:
            return False
        return None if None in changes else True

    def _unless_unknown(self, index: int) -> bool | None:
        """False, unless an outcome of the round before is unknown: it may have been a failure."""
        if self._reading.steps[index].kind is StepKind.ANSWER or index in self._reading.roots:
            return False
        return None if any(each.outcome is Outcome.UNKNOWN for each in self._round_before(index)) else False

    def _calls_for_change(self, earlier: Step, step: Step) -> bool:
        """Whether going elsewhere than to `earlier` again is a change of plan.

        Who is handed wrong data without a sign of it, and goes on to a tool of another purpose, follows the old plan.
        """
        reading, target = self._reading, earlier.action
        if not reading.failed(earlier):
            return False
        if reading.evident(earlier):
            return True
        return step.action in reading.tools.substitutes(target) or step.action in reading.tools.verifiers(target)

    def _has_earlier_sibling(self, index: int) -> bool:
        reading = self._reading
        before = next((place for place in range(index - 1, -1, -1) if place not in reading.roots), None)
        return before is not None and not reading.follows(reading.steps[index], reading.steps[before])

    def _places_after_failure(self) -> set[int]:
        """Places whose round before may hold a failure: up to the end of the first round that could know of it."""
        reading, steps = self._reading, self._reading.steps
        places: set[int] = set()
        for failure, failed in enumerate(steps):
            if not reading.failed(failed):
                continue
            first: Step | None = None
            for place in range(failure + 1, len(steps)):
                if place in reading.roots:
                    continue
                if first is None:
                    first = steps[place] if reading.follows(steps[place], failed) else None
                elif reading.follows(steps[place], first):
                    break
                places.add(place)
        return places

    def _round_before(self, index: int) -> list[Step]:
        """The calls issued together, last before this step, whose outcomes it could know; those of tools left out."""
        reading, step = self._reading, self._reading.steps[index]
        found: list[Step] = []
        for place in range(index - 1, -1, -1):
            earlier = reading.steps[place]
            if place in reading.roots or (not found and not reading.follows(step, earlier)):
                continue
            if found and reading.follows(found[0], earlier):
                break
            found.append(earlier)
        return found
