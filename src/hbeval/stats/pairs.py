"""Intra-run correlation from counts of disagreeing pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["PairSums"]


@dataclass(slots=True, kw_only=True)
class PairSums:
    """Pairs of trials of one task, within a run and between its runs, and how many of them disagree; integers.

    Sums over tasks, so that tasks pool and one task can be taken out again.
    """

    within: int = 0
    within_disagreeing: int = 0
    between: int = 0
    between_disagreeing: int = 0

    @classmethod
    def of_task(cls, runs: Iterable[tuple[int, int]]) -> PairSums:
        """The pairs of one task from its runs, each x successes in m trials."""
        successes = trials = within = within_disagreeing = 0
        for x, m in runs:
            successes += x
            trials += m
            within += m * (m - 1) // 2
            within_disagreeing += x * (m - x)
        return cls(
            within=within,
            within_disagreeing=within_disagreeing,
            between=trials * (trials - 1) // 2 - within,
            between_disagreeing=successes * (trials - successes) - within_disagreeing,
        )

    def plus(self, other: PairSums, sign: int = 1) -> PairSums:
        """These pairs and those of `other`; `sign` −1 takes them out."""
        return PairSums(
            within=self.within + sign * other.within,
            within_disagreeing=self.within_disagreeing + sign * other.within_disagreeing,
            between=self.between + sign * other.between,
            between_disagreeing=self.between_disagreeing + sign * other.between_disagreeing,
        )

    def correlation(self) -> float | None:
        """clip(1 − D_w ÷ D_b, 0, 1), D the shares of pairs that disagree within and between runs.

        0 where no pair between runs disagrees; None without a pair between runs, or without one within a run to hold
        against disagreement between them.
        """
        if not self.between:
            return None
        if not self.between_disagreeing:
            return 0.0
        if not self.within:
            return None
        across = self.between_disagreeing * self.within
        return max(0, across - self.within_disagreeing * self.between) / across
