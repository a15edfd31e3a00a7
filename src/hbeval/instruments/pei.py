"""Planning efficiency (PEI): how seldom the plan had to change, or how well changes match faults."""

from __future__ import annotations

from typing import ClassVar

from hbeval.instruments.ratio import PooledRatio
from hbeval.model import JudgedTrace

__all__ = ["PeiCandidate", "PlanningEfficiency"]


class PlanningEfficiency(PooledRatio):
    """pei@1.0: max(0, 1 − re-plans ÷ steps)."""

    __slots__ = ()
    key: ClassVar[str] = "pei@1.0"
    nothing: ClassVar[str] = "no steps"
    unknown: ClassVar[str] = "re-planning is not known for any of {total} steps"

    def counts(self, judged: JudgedTrace) -> tuple[int, int, int]:
        """Steps without a re-plan, steps of which that is known, all steps."""
        known = replans = 0
        for step in judged.steps:
            replanned = step.replanned
            if replanned is not None:
                known += 1
                if replanned:
                    replans += 1
        return max(0, known - replans), known, len(judged.steps)


class PeiCandidate(PooledRatio):
    """pei@2.0-candidate: max(0, 1 − |fault episodes − plan transitions| ÷ steps)."""

    __slots__ = ()
    key: ClassVar[str] = "pei@2.0-candidate"
    nothing: ClassVar[str] = "no steps"
    unknown: ClassVar[str] = "no run in which re-planning is known for every step ({total} steps)"

    def counts(self, judged: JudgedTrace) -> tuple[int, int, int]:
        """Steps less the run's |episodes − transitions|; a run with an unknown transition counts in the total only."""
        steps, transitions = len(judged.steps), 0
        for step in judged.steps:
            if step.replanned is None:
                return 0, 0, steps
            transitions += step.replanned
        return max(0, steps - abs(len(judged.trials) - transitions)), steps, steps
