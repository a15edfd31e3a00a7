"""The difference of two pooled ratios whose runs are clusters, by combining the intervals of its parts (MOVER)."""

from __future__ import annotations

import math

from hbeval.stats.interval import Interval, tail
from hbeval.stats.ratio import RatioSums, pooled_correlation, ratio_ends
from hbeval.stats.student import student_quantile

__all__ = ["difference_df", "difference_ends", "ratio_difference", "ratio_difference_interval"]


def ratio_difference(a: RatioSums, b: RatioSums) -> float:
    """The share of `b` less the share of `a`, on −1 to 1; both need a trial."""
    return (b.x * a.m - a.x * b.m) / (a.m * b.m)


def difference_df(a: RatioSums, b: RatioSums) -> int:
    """Degrees of freedom of a difference: 2n − 2, n the runs of the smaller side; 0 where a side has one run."""
    return max(0, 2 * min(a.n, b.n) - 2)


def difference_ends(a: RatioSums, b: RatioSums, quantile: float, correlation: float = 0.0) -> tuple[float, float]:
    """Lower and upper bound of the share of `b` less the share of `a`, for a quantile of the caller's choice.

    Newcombe 1998, with the ends of `ratio_ends` in place of Wilson's, each side's intra-run correlation at least the
    pooled one; `correlation` is that of the two estimates (Zou and Donner 2008), 0 for independent sides. Both sides
    need a trial.
    """
    share_a, share_b = a.x / a.m, b.x / b.m
    pooled = pooled_correlation((a, b))
    low_a, high_a = ratio_ends(a, quantile, pooled)
    low_b, high_b = ratio_ends(b, quantile, pooled)
    difference = ratio_difference(a, b)
    down = _reach(share_b - low_b, high_a - share_a, correlation)
    up = _reach(high_b - share_b, share_a - low_a, correlation)
    return difference - down, difference + up


def ratio_difference_interval(a: RatioSums, b: RatioSums, level: float = 0.95) -> Interval | None:
    """Interval for the share of `b` less the share of `a` of independent runs; None where a side has under two runs."""
    upper = tail(level)
    df = difference_df(a, b)
    if not df:
        return None
    low, high = difference_ends(a, b, student_quantile(upper, df))
    return Interval(low=low, high=high, method="mover, runs as clusters")


def _reach(first: float, second: float, correlation: float) -> float:
    if not correlation:
        return math.hypot(first, second)
    return math.sqrt(max(0.0, first * first + second * second - 2.0 * correlation * first * second))
