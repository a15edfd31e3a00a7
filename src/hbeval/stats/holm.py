"""Several tests at one error rate."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["holm"]


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p-values in the order given: those at most alpha are the rejections of Holm's procedure (1979).

    The probability of any false rejection is then at most alpha, however the tests depend on one another.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [1.0] * len(p_values)
    largest = 0.0
    for place, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[index]))
        adjusted[index] = largest
    return tuple(adjusted)
