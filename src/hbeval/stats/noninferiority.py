"""Is one pooled ratio worse than another, or than a floor? A decision with a stated error rate.

Population: the tasks and conditions the runs were drawn under; the runs are the clusters. Shares are on 0–1 (a metric
on 0–5 divides its margin by 5), and higher is better.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from hbeval.errors import UsageError
from hbeval.stats.mover import difference_df, difference_ends, ratio_difference
from hbeval.stats.normal import normal_quantile
from hbeval.stats.ratio import RatioSums, ratio_ends
from hbeval.stats.student import student_cdf, student_quantile

__all__ = [
    "Decision",
    "Ruling",
    "against_floor",
    "noninferiority",
    "p_below_floor",
    "p_within_margin",
    "p_worse",
    "runs_to_clear_floor",
    "runs_to_decide",
]

Ruling = Literal["pass", "fail", "inconclusive"]

_MOST_RUNS = 1_000_000
_LARGEST_QUANTILE = 1e6
_HALVINGS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided and from which bounds.

    difference  share of the candidate less that of the baseline (or less the floor)
    low, high   one-sided 1 − alpha bounds of the difference; None where a side has fewer than two runs
    margin      the loss that would be too much, on 0–1; 0 for a floor
    df          degrees of freedom of the bounds
    reason      why no bound could be given, else None
    """

    ruling: Ruling
    difference: float
    low: float | None
    high: float | None
    margin: float
    alpha: float
    df: int
    reason: str | None = None


def noninferiority(a: RatioSums, b: RatioSums, margin: float, alpha: float = 0.05) -> Decision:
    """Is the candidate `b` worse than the baseline `a` by `margin` or more?

    pass = that is rejected at `alpha`; else fail = "not worse" is rejected at `alpha`; else inconclusive. Each on the
    one-sided bound of the difference (`difference_ends`, Student's t with `difference_df` degrees of freedom).
    Raises UsageError unless 0 < margin < 1 and 0 < alpha < 0.5 and each side has a trial.
    """
    if not 0.0 < margin < 1.0:
        raise UsageError(f"margin must lie between 0 and 1, got {margin!r}; write 0.05 for five points of a 0–1 scale")
    _check(alpha, a, b)
    difference, df = ratio_difference(a, b), difference_df(a, b)
    if not df:
        return _open(difference, margin, alpha)
    low, high = difference_ends(a, b, student_quantile(1.0 - alpha, df))
    ruling: Ruling = "pass" if low > -margin else "fail" if high < 0.0 else "inconclusive"
    return Decision(ruling=ruling, difference=difference, low=low, high=high, margin=margin, alpha=alpha, df=df)


def against_floor(sums: RatioSums, floor: float, alpha: float = 0.05) -> Decision:
    """Is the share at least `floor`? pass = "below" is rejected at `alpha`; else fail = "at least" is rejected.

    A floor of 0 is always met, and a floor of 1 is met only by what cannot be shown: inconclusive unless failed.
    Raises UsageError unless 0 ≤ floor ≤ 1 and 0 < alpha < 0.5 and there is a trial.
    """
    if not 0.0 <= floor <= 1.0:
        raise UsageError(f"a floor must lie between 0 and 1, got {floor!r}; write 0.70 for 70 %")
    _check(alpha, sums)
    difference, df = sums.x / sums.m - floor, sums.n - 1
    if not df:
        return _open(difference, 0.0, alpha)
    low, high = (end - floor for end in ratio_ends(sums, student_quantile(1.0 - alpha, df)))
    ruling: Ruling = "pass" if low >= 0.0 else "fail" if high < 0.0 else "inconclusive"
    return Decision(ruling=ruling, difference=difference, low=low, high=high, margin=0.0, alpha=alpha, df=df)


def p_worse(a: RatioSums, b: RatioSums) -> float:
    """p-value of "the candidate `b` is not worse": the smallest alpha at which `noninferiority` could say fail.

    At most 0.5 where the candidate is worse in the sample, else 1; 1 where a side has fewer than two runs.
    """
    df = difference_df(a, b)
    return _p_value(lambda quantile: difference_ends(a, b, quantile)[1] < 0.0, df)


def p_within_margin(a: RatioSums, b: RatioSums, margin: float) -> float:
    """p-value of "the candidate `b` is worse by the margin or more": the smallest alpha that gives pass."""
    df = difference_df(a, b)
    return _p_value(lambda quantile: difference_ends(a, b, quantile)[0] > -margin, df)


def p_below_floor(sums: RatioSums, floor: float) -> float:
    """p-value of "at least `floor`": the smallest alpha at which `against_floor` could say fail."""
    return _p_value(lambda quantile: ratio_ends(sums, quantile)[1] < floor, sums.n - 1)


def runs_to_decide(
    a: RatioSums, b: RatioSums, margin: float, alpha: float = 0.05, power: float = 0.8, *, fixed_baseline: bool = False
) -> int | None:
    """How many runs a side would give pass or fail with probability about `power`, if both shares are as seen.

    Both sides grow to the same number, or the candidate alone with `fixed_baseline`. At least the runs of the larger
    side (of the candidate). None where no number up to a million would do. Both sides need two runs.
    """
    needed = max(2, b.n) if fixed_baseline else max(2, a.n, b.n)

    def decides(n: int) -> bool:
        one, two = a if fixed_baseline else _grown(a, n), _grown(b, n)
        quantile = student_quantile(1.0 - alpha, max(1, difference_df(one, two))) + normal_quantile(power)
        low, high = difference_ends(one, two, quantile)
        return low > -margin or high < 0.0

    return _least(needed, decides)


def runs_to_clear_floor(sums: RatioSums, floor: float, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """How many runs would decide about a floor with probability about `power`, if the share is as seen."""

    def decides(n: int) -> bool:
        low, high = ratio_ends(_grown(sums, n), student_quantile(1.0 - alpha, n - 1) + normal_quantile(power))
        return low >= floor or high < floor

    return _least(max(2, sums.n), decides)


def _check(alpha: float, *sides: RatioSums) -> None:
    if not 0.0 < alpha < 0.5:
        raise UsageError(f"alpha must lie between 0 and 0.5, got {alpha!r}; write 0.05 for 5 %")
    if not all(each.m for each in sides):
        raise UsageError("a side without a trial has no share to test; treat it as not measured")


def _open(difference: float, margin: float, alpha: float) -> Decision:
    return Decision(
        ruling="inconclusive",
        difference=difference,
        low=None,
        high=None,
        margin=margin,
        alpha=alpha,
        df=0,
        reason="one run says nothing about the spread between runs; at least 2 are needed",
    )


def _p_value(rejects: Callable[[float], bool], df: int) -> float:
    """The tail beyond the largest quantile that still rejects; rejecting becomes harder as the quantile grows."""
    if df < 1 or not rejects(0.0):
        return 1.0
    low, high = 0.0, 1.0
    while high < _LARGEST_QUANTILE and rejects(high):
        low, high = high, 2.0 * high
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if rejects(middle) else (low, middle)
    return student_cdf(-low, df)


def _grown(sums: RatioSums, n: int) -> RatioSums:
    """The sums that `n` runs like these would have, to the nearest whole number."""

    def scaled(value: int) -> int:
        return (2 * value * n + sums.n) // (2 * sums.n)

    return RatioSums(
        n=n, x=scaled(sums.x), m=scaled(sums.m), xx=scaled(sums.xx), xm=scaled(sums.xm), mm=scaled(sums.mm)
    )


def _least(start: int, decides: Callable[[int], bool]) -> int | None:
    """The least number of runs from `start` on that decides, taking it that more never decides less."""
    low, high = start - 1, start
    while not decides(high):
        if high >= _MOST_RUNS:
            return None
        low, high = high, min(2 * high, _MOST_RUNS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return high
