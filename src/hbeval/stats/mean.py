"""Means over tasks of values between 0 and 1."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hbeval.stats.interval import Interval, tail
from hbeval.stats.spread import sample_variance
from hbeval.stats.student import student_quantile
from hbeval.stats.wilson import score_ends

__all__ = ["mean_interval", "spread_interval"]

# Two imagined values with the largest variance the mean allows: equal values still leave doubt.
_IMAGINED = 2


def mean_interval(values: Sequence[float], level: float = 0.95) -> Interval | None:
    """Interval for the mean of one value per task, each in 0–1; never a point; None for fewer than two values.

    Tasks are the clusters: a value exists per task only, and repeats of one task say little about another. The tasks
    count as a sample of those that might have been asked, which on a fixed set of tasks is the cautious reading.
    """
    spread = sample_variance(values)
    if spread is None:
        return None
    return spread_interval(math.fsum(values) / len(values), spread, len(values), level)


def spread_interval(mean: float, spread: float, n: int, level: float = 0.95) -> Interval:
    """Interval for a mean in 0–1 of `n` ≥ 2 tasks whose values (or jackknife pseudo-values) have variance `spread`.

    Wilson's interval with the t quantile (n − 1 degrees of freedom) on n·v/s² effective tasks, v = mean·(1 − mean),
    s² = the spread shrunk towards v by two imagined tasks; on n tasks where the mean is 0 or 1.
    """
    largest = mean * (1.0 - mean)
    shrunk = ((n - 1) * spread + _IMAGINED * largest) / (n - 1 + _IMAGINED)
    effective = n * largest / shrunk if largest > 0.0 and shrunk > 0.0 else n
    low, high = score_ends(mean, effective, student_quantile(tail(level), n - 1))
    return Interval(low=low, high=high, method="wilson-t, tasks as clusters")
