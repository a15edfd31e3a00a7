"""All the tests of one gate, and which failures stand when there are many of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hbeval.gate.assessment import Assessment, tested_on_task
from hbeval.gate.composition import adjusted, fails
from hbeval.gate.requirement import Floor, Requirement, Single, singles
from hbeval.gate.sides import Side
from hbeval.stats import holm

__all__ = ["Family", "TaskKey", "family_of", "task_assessments"]

TaskKey = tuple[Single, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Adjusted p-values of failing: of each requirement, and of each test of one task that may fail the gate.

    `seen` holds those of tasks below a floor that is asked of all runs together: shown, and without consequence.
    """

    whole: Mapping[Requirement, float]
    tasks: Mapping[TaskKey, float]
    seen: Mapping[TaskKey, float]
    task_tests: int

    def failed(self, alpha: float) -> bool:
        """Whether any failure stands at this error rate."""
        return any(p <= alpha for p in (*self.whole.values(), *self.tasks.values()))


def task_assessments(
    assessments: Mapping[Single, Assessment], side: Side, baseline: Side | None, alpha: float
) -> dict[TaskKey, Assessment]:
    """Every requirement tested on every task that has two runs on each side."""
    found = {}
    for task in side.tasks():
        for single in assessments:
            assessed = tested_on_task(single, side, baseline, alpha, task)
            if assessed is not None:
                found[single, task] = assessed
    return found


def family_of(
    asked: Sequence[Requirement], assessments: Mapping[Single, Assessment], tasks: Mapping[TaskKey, Assessment]
) -> Family:
    """The adjusted p-values of everything that is asked and has a test."""
    parts = {each: p for each in asked if (p := fails(each, assessments)) is not None}
    by_task: dict[tuple[Requirement, str], float] = {}
    for task in dict.fromkeys(task for _, task in tasks):
        there = {single: assessed for (single, at), assessed in tasks.items() if at == task and _may_fail(single)}
        for each in asked:
            p = fails(each, there)
            if p is not None:
                by_task[each, task] = p
    whole, of_tasks = adjusted(tuple(parts.values()), tuple(by_task.values()))
    standing = dict(zip(by_task, of_tasks, strict=True))
    seen = [key for key in tasks if not _may_fail(key[0])]
    return Family(
        whole=dict(zip(parts, whole, strict=True)),
        tasks={
            (single, task): p
            for (part, task), p in standing.items()
            for single in singles(part)
            if (single, task) in tasks
        },
        seen=dict(zip(seen, holm([tasks[each].p_fail for each in seen]), strict=True)),
        task_tests=len(by_task),
    )


def _may_fail(single: Single) -> bool:
    """A floor speaks of all runs together unless it says otherwise: one hard task does not break it."""
    return not isinstance(single, Floor) or single.every_task
