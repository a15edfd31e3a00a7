"""Pooled ratios over runs, with the runs as clusters."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from hbeval.stats.interval import Interval, tail
from hbeval.stats.student import student_quantile
from hbeval.stats.wilson import score_ends

__all__ = ["RatioSums", "pooled_correlation", "ratio_ends", "ratio_interval"]

# The correlation assumed before any is seen, and where none can be seen.
_PRIOR_CORRELATION = 0.3


@dataclass(slots=True, kw_only=True)
class RatioSums:
    """All that an interval needs of runs with x successes in m trials each; integers, so merging is exact.

    n runs with at least one trial; sums over them of x, m, x², x·m and m². A run without a trial says nothing about
    the ratio and is not counted.
    """

    n: int = 0
    x: int = 0
    m: int = 0
    xx: int = 0
    xm: int = 0
    mm: int = 0

    def add(self, x: int, m: int) -> None:
        """Count one run with x successes in m trials."""
        if m:
            self.n += 1
            self.x += x
            self.m += m
            self.xx += x * x
            self.xm += x * m
            self.mm += m * m

    def merge(self, other: RatioSums) -> None:
        """Count the runs that `other` counted."""
        self.n += other.n
        self.x += other.x
        self.m += other.m
        self.xx += other.xx
        self.xm += other.xm
        self.mm += other.mm


def ratio_interval(sums: RatioSums, level: float = 0.95) -> Interval | None:
    """Interval for Σx ÷ Σm on 0–1, never a point; None for one run or none.

    logit-t: Student's t with n − 1 degrees of freedom on the logit, with the design effect 1 + r (m̃ − 1), where r is
    the intra-run correlation, shrunk towards 0.3 while there are few successes or few failures. At a share of 0 or 1:
    Wilson's interval with the t quantile on the effective number of trials (Σm)² ÷ Σm².
    """
    upper = tail(level)
    if sums.n < 2:
        return None
    low, high = ratio_ends(sums, student_quantile(upper, sums.n - 1))
    if sums.x in (0, sums.m):
        return Interval(low=low, high=high, method="wilson-t, runs as clusters")
    return Interval(low=low, high=high, method="logit-t, runs as clusters")


def ratio_ends(sums: RatioSums, quantile: float, least_correlation: float = 0.0) -> tuple[float, float]:
    """Both ends of `ratio_interval` for a quantile of the caller's choice; needs at least one trial.

    `least_correlation` is an intra-run correlation known from elsewhere; the sums' own counts where it is larger.
    """
    share = sums.x / sums.m
    if sums.x in (0, sums.m):
        return score_ends(share, sums.m * sums.m / sums.mm, quantile)
    correlation = max(least_correlation, _shrunk(_rarer(sums) * _clipped(_seen(sums)), _rarer(sums)))
    effect = 1.0 + correlation * _excess(sums)
    reach = quantile * math.sqrt(effect / (sums.m * share * (1.0 - share)))
    centre = math.log(sums.x / (sums.m - sums.x))
    return _logistic(centre - reach), _logistic(centre + reach)


def pooled_correlation(sides: Iterable[RatioSums]) -> float:
    """The intra-run correlation that several agents' runs show together, shrunk towards 0.3, on 0–1.

    Each side weighs by its successes or failures, whichever are fewer. One side alone sees its correlation too low
    where one of the two is rare.
    """
    weight, total = 0, 0.0
    for sums in sides:
        if sums.n > 1 and _rarer(sums) and _excess(sums):
            weight += _rarer(sums)
            total += _rarer(sums) * _seen(sums)
    return _shrunk(weight * _clipped(total / weight) if weight else 0.0, weight)


def _shrunk(weighted: float, weight: int) -> float:
    """Towards the prior correlation, which weighs as one success or failure."""
    return (weighted + _PRIOR_CORRELATION) / (weight + 1)


def _seen(sums: RatioSums) -> float:
    """The intra-run correlation of the sample, from the design effect; 0 where every run has one trial."""
    excess = _excess(sums)
    return (_linearised_effect(sums) - 1.0) / excess if excess else 0.0


def _clipped(correlation: float) -> float:
    return min(1.0, max(0.0, correlation))


def _excess(sums: RatioSums) -> float:
    """By how much the size of a run, seen from a trial, exceeds 1."""
    return (sums.mm - sums.m) / sums.m


def _rarer(sums: RatioSums) -> int:
    return min(sums.x, sums.m - sums.x)


def _linearised_effect(sums: RatioSums) -> float:
    """Variance of the ratio by linearisation ÷ p (1 − p) / Σm, from integers until the last division."""
    residuals = sums.xx * sums.m**2 - 2 * sums.x * sums.m * sums.xm + sums.x**2 * sums.mm
    return sums.n * residuals / ((sums.n - 1) * sums.m * sums.x * (sums.m - sums.x))


def _logistic(z: float) -> float:
    return 1.0 / (1.0 + math.exp(-z)) if z > -700.0 else 0.0
