"""Student's t distribution."""

from __future__ import annotations

import math
from functools import lru_cache

from hbeval.errors import UsageError
from hbeval.stats.beta import incomplete_beta, log_beta
from hbeval.stats.normal import normal_quantile

__all__ = ["student_cdf", "student_quantile"]

_LEAST_TAIL = 1e-100
# Beyond, four terms of the expansion are closer than the cumulative probability can be computed.
_EXPANSION_FROM = 1e5


def student_cdf(t: float, df: float) -> float:
    """P(T ≤ t) with `df` > 0 degrees of freedom; absolute error below 1e-10 for df up to 1e7."""
    upper = _upper(abs(t), df)
    return upper if t < 0.0 else 1.0 - upper


@lru_cache(maxsize=4096)
def student_quantile(p: float, df: float) -> float:
    """The t with P(T ≤ t) = p. Raises UsageError unless 1e-100 < p < 1 and df ≥ 1."""
    if not _LEAST_TAIL < p < 1.0:
        raise UsageError(f"a quantile needs a probability between 0 and 1, got {p!r}")
    if not df >= 1.0:
        raise UsageError(f"Student's t needs at least 1 degree of freedom, got {df!r}")
    if p == 0.5:
        return 0.0
    size = _solve(min(p, 1.0 - p), df)
    return size if p > 0.5 else -size


def _upper(t: float, df: float) -> float:
    """P(T > t) for t ≥ 0."""
    square = t * t
    return 0.5 * incomplete_beta(df / 2.0, 0.5, df / (df + square), square / (df + square))


def _solve(q: float, df: float) -> float:
    """The t > 0 with P(T > t) = q, 0 < q < 1/2: Newton on the logarithm of the tail, kept inside a bracket."""
    start = _expansion(-normal_quantile(q), df)
    if df >= _EXPANSION_FROM:
        return start
    low, high = 0.0, start
    while _upper(high, df) > q:
        low, high = high, 2.0 * high
    t = start
    for _ in range(200):
        upper = _upper(t, df)
        low, high = (t, high) if upper > q else (low, t)
        density = _density(t, df)
        following = t + math.log(upper / q) * (upper / density if density else t / df)
        if not low <= following <= high:
            following = 0.5 * (low + high)
        if abs(following - t) <= 1e-14 * t:
            break
        t = following
    return following


def _expansion(z: float, df: float) -> float:
    """Student's quantile from the normal one in powers of 1/df (Abramowitz and Stegun 26.7.5)."""
    square = z * z
    first = (square + 1.0) / 4.0
    second = ((5.0 * square + 16.0) * square + 3.0) / 96.0
    third = (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0
    return z * (1.0 + (first + (second + third / df) / df) / df)


def _density(t: float, df: float) -> float:
    log_kernel = -0.5 * (df + 1.0) * math.log1p(t * t / df)
    return math.exp(log_kernel - log_beta(df / 2.0, 0.5) - 0.5 * math.log(df))
