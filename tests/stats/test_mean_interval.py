"""The interval for means over tasks."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hbeval.stats import mean_interval, spread_interval

scipy_stats = pytest.importorskip("scipy.stats")
numpy = pytest.importorskip("numpy")

values_of = st.lists(st.floats(0, 1), min_size=2, max_size=30)


@given(values_of)
def test_is_never_a_point_and_holds_the_mean(values: list[float]) -> None:
    """Also for equal values, where a t-interval would have no width."""
    interval = mean_interval(values)
    assert interval is not None
    assert 0.0 <= interval.low < interval.high <= 1.0
    assert interval.low - 1e-12 <= math.fsum(values) / len(values) <= interval.high + 1e-12


@given(values_of, st.randoms(use_true_random=False))
def test_does_not_depend_on_the_order(values: list[float], rng) -> None:
    """To the last bit."""
    shuffled = rng.sample(values, len(values))
    assert repr(mean_interval(shuffled)) == repr(mean_interval(values))


def test_agrees_with_the_definition_written_out() -> None:
    """Wilson on n·v/s² tasks, s² shrunk towards v by two imagined tasks."""
    values = [0.2, 0.9, 1.0, 0.75, 0.6]
    mean, spread = numpy.mean(values), numpy.var(values, ddof=1)
    largest = mean * (1 - mean)
    effective = 5 * largest / ((4 * spread + 2 * largest) / 6)
    t = scipy_stats.t.ppf(0.95, 4)
    reach = t * math.sqrt(largest / effective + t * t / (4 * effective**2))
    ends = [(mean + t * t / (2 * effective) + sign * reach) / (1 + t * t / effective) for sign in (-1, 1)]
    interval = mean_interval(values, 0.9)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(ends, abs=1e-12)


def test_fewer_than_two_tasks_have_none() -> None:
    """One task says nothing about the spread between tasks."""
    assert mean_interval([0.5]) is None
    assert mean_interval([]) is None


def test_a_wide_spread_of_pseudo_values_widens_it() -> None:
    """Jackknife pseudo-values may vary more than values in 0–1 can."""
    narrow, wide = spread_interval(0.5, 0.05, 10), spread_interval(0.5, 2.0, 10)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_a_mean_close_to_the_edge_keeps_a_useful_interval() -> None:
    """One tiny value among fifty zeros does not open the interval to the whole scale."""
    interval = mean_interval([1e-4] + [0.0] * 49)
    assert interval is not None
    assert interval.high < 0.15
