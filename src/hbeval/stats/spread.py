"""Spread of a sample."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["sample_variance"]


def sample_variance(values: Sequence[float]) -> float | None:
    """Variance with n − 1 in the denominator; None for fewer than two values. Independent of their order."""
    n = len(values)
    if n < 2:
        return None
    mean = math.fsum(values) / n
    return math.fsum((value - mean) ** 2 for value in values) / (n - 1)
