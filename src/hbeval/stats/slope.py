"""The least-squares slope of a series."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["slope"]


def slope(values: Sequence[float]) -> float | None:
    """Least-squares slope over the positions 0, 1, 2, …, per position; None for fewer than two values.

    For whole numbers the sum behind it is exact, so a flat or symmetric series gives exactly 0.
    """
    n = len(values)
    if n < 2:
        return None
    weighted = math.fsum((2 * position - (n - 1)) * value for position, value in enumerate(values))
    return 6.0 * weighted / (n * (n * n - 1))
