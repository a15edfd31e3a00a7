"""Intervals for a difference, from the intervals of its two parts."""

from __future__ import annotations

import math

from hbeval.stats.interval import Interval
from hbeval.stats.wilson import wilson

__all__ = ["difference_interval", "newcombe"]


def newcombe(k1: int, n1: int, k2: int, n2: int, level: float = 0.95) -> Interval | None:
    """Interval for k1/n1 − k2/n2 from independent trials, on −1 to 1; None if either side has no trial.

    Newcombe 1998, method 10: the two Wilson intervals combined.
    """
    first, second = wilson(k1, n1, level), wilson(k2, n2, level)
    if first is None or second is None:
        return None
    return difference_interval(k1 / n1, first, k2 / n2, second, method="newcombe")


def difference_interval(
    value1: float, interval1: Interval, value2: float, interval2: Interval, method: str = "mover"
) -> Interval:
    """Interval for value1 − value2 of two independent estimates, each with its own interval (MOVER).

    The intervals may be of any kind, clustered ones included; they must share one level.
    """
    difference = value1 - value2
    down = math.hypot(value1 - interval1.low, interval2.high - value2)
    up = math.hypot(interval1.high - value1, value2 - interval2.low)
    return Interval(low=difference - down, high=difference + up, method=method)
