"""The difference between two sides paired by task: shown beside every margin, and decisive where that is asked."""

from __future__ import annotations

import math

from hbeval.gate.sides import Side
from hbeval.stats import Decision, Interval, Pair, pair_sums, paired_interval, ratio_difference
from hbeval.stats.noninferiority import Ruling

__all__ = ["decided_by_tasks", "p_worse_by_tasks", "paired_bounds", "task_pairs"]

_LEAST_P = 1e-12
_HALVINGS = 50


def task_pairs(metric: str, side: Side, baseline: Side) -> tuple[Pair, ...]:
    """What both sides did with each task that each has a trial of, the baseline first."""
    pairs = []
    for task in side.tasks():
        before, now = baseline.sums(metric, task), side.sums(metric, task)
        if before.m and now.m:
            pairs.append(Pair(before.x, before.m, now.x, now.m))
    return tuple(pairs)


def paired_bounds(pairs: tuple[Pair, ...], alpha: float) -> Interval | None:
    """One-sided bounds of the difference, each at `alpha`, with the tasks as clusters; None for fewer than two."""
    return paired_interval(pairs, 1.0 - 2.0 * alpha, clusters="tasks")


def decided_by_tasks(pairs: tuple[Pair, ...], margin: float, alpha: float) -> Decision:
    """Whether the result is worse by `margin` or more, as `noninferiority` decides it; needs two pairs."""
    bounds = paired_bounds(pairs, alpha)
    assert bounds is not None
    ruling: Ruling = "pass" if bounds.low > -margin else "fail" if bounds.high < 0.0 else "inconclusive"
    return Decision(
        ruling=ruling,
        difference=ratio_difference(*pair_sums(pairs)),
        low=bounds.low,
        high=bounds.high,
        margin=margin,
        alpha=alpha,
        df=len(pairs) - 1,
    )


def p_worse_by_tasks(pairs: tuple[Pair, ...]) -> float:
    """p-value of "not worse": the smallest error rate at which the upper bound is below 0; 1 if there is none."""

    def rejects(alpha: float) -> bool:
        bounds = paired_bounds(pairs, alpha)
        return bounds is not None and bounds.high < 0.0

    low, high = math.log(_LEAST_P), math.log(0.499)
    if not rejects(math.exp(high)):
        return 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if rejects(math.exp(middle)) else (middle, high)
    return math.exp(high)
