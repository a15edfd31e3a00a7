"""The standard normal distribution."""

from __future__ import annotations

import math

from hbeval.errors import UsageError

__all__ = ["normal_cdf", "normal_quantile"]

_ROOT_TWO = math.sqrt(2.0)
_ROOT_TWO_PI = math.sqrt(2.0 * math.pi)


def normal_cdf(z: float) -> float:
    """P(Z ≤ z); relative accuracy also far out in the lower tail."""
    return 0.5 * math.erfc(-z / _ROOT_TWO)


def normal_quantile(p: float) -> float:
    """The z with P(Z ≤ z) = p. Raises UsageError unless 0 < p < 1.

    Start: Abramowitz and Stegun 26.2.22 (error below 3e-3); then Halley steps on the cumulative probability.
    """
    if not 0.0 < p < 1.0:
        raise UsageError(f"a quantile needs a probability between 0 and 1, got {p!r}")
    if p > 0.5:
        return -normal_quantile(1.0 - p)
    t = math.sqrt(-2.0 * math.log(p))
    z = (2.30753 + 0.27061 * t) / (1.0 + t * (0.99229 + 0.04481 * t)) - t
    for _ in range(3):
        newton = (normal_cdf(z) - p) * _ROOT_TWO_PI * math.exp(0.5 * z * z)
        z -= newton / (1.0 + 0.5 * z * newton)
    return z
