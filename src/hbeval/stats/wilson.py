"""Wilson's score interval for one proportion."""

from __future__ import annotations

import math

from hbeval.errors import UsageError
from hbeval.stats.interval import Interval, tail
from hbeval.stats.normal import normal_quantile

__all__ = ["score_ends", "wilson"]


def wilson(k: int, n: int, level: float = 0.95) -> Interval | None:
    """Interval for k successes in n independent trials, on 0–1; None without a trial (Wilson 1927).

    Raises UsageError unless 0 ≤ k ≤ n.
    """
    if not 0 <= k <= n:
        raise UsageError(f"successes must lie between 0 and the trials, got {k!r} of {n!r}")
    if n == 0:
        return None
    low, high = score_ends(k / n, n, normal_quantile(tail(level)))
    return Interval(low=low, high=high, method="wilson")


def score_ends(share: float, n: float, quantile: float) -> tuple[float, float]:
    """Both ends of the score interval for an observed share of `n` > 0 trials, which need not be a whole number."""
    square = quantile * quantile
    centre = share + square / (2.0 * n)
    reach = quantile * math.sqrt(share * (1.0 - share) / n + square / (4.0 * n * n))
    scale = 1.0 + square / n
    low = 0.0 if share == 0.0 else max(0.0, (centre - reach) / scale)
    high = 1.0 if share == 1.0 else min(1.0, (centre + reach) / scale)
    return low, high
