"""Wilson's interval."""

import pytest

from hbeval.errors import UsageError
from hbeval.stats import wilson

proportion = pytest.importorskip("statsmodels.stats.proportion")


@pytest.mark.parametrize(
    ("k", "low", "high"), [(422, 0.3917, 0.4529), (795, 0.7689, 0.8189), (459, 0.4283, 0.4900), (730, 0.7016, 0.7566)]
)
def test_published_figures_of_a_thousand_trials(k: int, low: float, high: float) -> None:
    """To the four digits that were published."""
    interval = wilson(k, 1000)
    assert interval is not None
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


@pytest.mark.parametrize("n", [1, 2, 7, 50, 1000])
def test_agrees_with_statsmodels_for_every_count(n: int) -> None:
    """At three levels, the ends included."""
    for level in (0.8, 0.95, 0.999):
        for k in {0, 1, n // 2, n - 1, n}:
            interval = wilson(k, n, level)
            assert interval is not None
            expected = proportion.proportion_confint(k, n, alpha=1 - level, method="wilson")
            assert (interval.low, interval.high) == pytest.approx(expected, abs=1e-12)


def test_no_success_starts_at_zero_and_is_no_point() -> None:
    """The lower end is exactly 0, the upper is above it."""
    interval = wilson(0, 9)
    assert interval is not None
    assert interval.low == 0.0 < interval.high


def test_no_trial_has_no_interval() -> None:
    """Not the whole scale: none."""
    assert wilson(0, 0) is None


@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 2)])
def test_impossible_counts_are_refused(k: int, n: int) -> None:
    """The message holds both."""
    with pytest.raises(UsageError, match=f"got {k} of {n}"):
        wilson(k, n)


@pytest.mark.parametrize("level", [0.0, 1.0, 95, -0.5, float("nan")])
def test_a_level_that_is_no_fraction_is_refused(level: float) -> None:
    """Percent typed for a fraction too."""
    with pytest.raises(UsageError, match=r"write 0\.95"):
        wilson(1, 2, level)
