"""The difference of two pooled ratios measured on the same tasks, or in the same scenarios."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from hbeval.stats.interval import Interval, tail
from hbeval.stats.mover import difference_ends
from hbeval.stats.ratio import RatioSums
from hbeval.stats.student import student_quantile

__all__ = ["Pair", "pair_sums", "paired_interval"]


class Pair(NamedTuple):
    """What both sides did with the same thing: successes and trials of `a`, and of `b`."""

    xa: int
    ma: int
    xb: int
    mb: int


def pair_sums(pairs: Sequence[Pair]) -> tuple[RatioSums, RatioSums]:
    """The sums of each side."""
    a, b = RatioSums(), RatioSums()
    for pair in pairs:
        a.add(pair.xa, pair.ma)
        b.add(pair.xb, pair.mb)
    return a, b


def paired_interval(pairs: Sequence[Pair], level: float = 0.95, *, clusters: str = "pairs") -> Interval | None:
    """Interval for the pooled share of `b` less that of `a`, with the pairs as clusters; never a point.

    `difference_ends` with the correlation of the two shares over the pairs and Student's t with n − 1 degrees of
    freedom, n the pairs of the side that has fewer with a trial. None for fewer than two.
    """
    upper = tail(level)
    a, b = pair_sums(pairs)
    n = min(a.n, b.n)
    if n < 2:
        return None
    low, high = difference_ends(a, b, student_quantile(upper, n - 1), _correlation(pairs, a, b))
    return Interval(low=low, high=high, method=f"mover, paired, {clusters} as clusters")


def _correlation(pairs: Sequence[Pair], a: RatioSums, b: RatioSums) -> float:
    """Of the deviations of both sides from their shares; shrunk towards 0 while successes, failures or pairs are few.

    Without the shrinking two sides that never differ would leave no doubt at all.
    """
    products, squares_a, squares_b = 0, 0, 0
    for xa, ma, xb, mb in pairs:
        first, second = xa * a.m - ma * a.x, xb * b.m - mb * b.x
        products += first * second
        squares_a += first * first
        squares_b += second * second
    if not squares_a or not squares_b:
        return 0.0
    weight = min(a.x, a.m - a.x, b.x, b.m - b.x, min(a.n, b.n) - 2)
    return products / math.sqrt(squares_a * squares_b) * weight / (weight + 1)
