"""Intervals for a difference."""

import pytest

from hbeval.stats import RatioSums, difference_interval, newcombe, ratio_interval

proportion = pytest.importorskip("statsmodels.stats.proportion")


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [((56, 70, 48, 80), 0.0524, 0.3339), ((9, 10, 3, 10), 0.1705, 0.8090), ((10, 10, 0, 10), 0.6075, 1.0)],
)
def test_newcombes_own_examples(counts: tuple[int, int, int, int], low: float, high: float) -> None:
    """Method 10 of the paper, to its four digits."""
    interval = newcombe(*counts)
    assert interval is not None
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


@pytest.mark.parametrize("counts", [(1, 4, 3, 9), (0, 5, 5, 5), (120, 200, 410, 800), (2, 2, 0, 3)])
def test_agrees_with_statsmodels(counts: tuple[int, int, int, int]) -> None:
    """At two levels."""
    for level in (0.9, 0.95):
        interval = newcombe(*counts, level=level)
        expected = proportion.confint_proportions_2indep(*counts, method="newcomb", compare="diff", alpha=1 - level)
        assert interval is not None
        assert (interval.low, interval.high) == pytest.approx(expected, abs=1e-12)


def test_one_side_without_trials_has_no_interval() -> None:
    """A difference needs both."""
    assert newcombe(1, 2, 0, 0) is None
    assert newcombe(0, 0, 1, 2) is None


def test_clustered_intervals_combine_the_same_way() -> None:
    """The reach is the root of the summed squares of the parts' own reaches."""
    first, second = RatioSums(), RatioSums()
    for x, m in ((3, 4), (2, 4), (4, 4)):
        first.add(x, m)
        second.add(4 - x, m)
    one, two = ratio_interval(first), ratio_interval(second)
    assert one is not None
    assert two is not None
    both = difference_interval(0.75, one, 0.25, two)
    assert both.low == pytest.approx(0.5 - ((0.75 - one.low) ** 2 + (two.high - 0.25) ** 2) ** 0.5)
    assert both.high == pytest.approx(0.5 + ((one.high - 0.75) ** 2 + (0.25 - two.low) ** 2) ** 0.5)
    assert both.method == "mover"
