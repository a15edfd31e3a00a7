"""The least-squares slope."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hbeval.stats import slope

numpy = pytest.importorskip("numpy")
linregress = pytest.importorskip("scipy.stats").linregress


@given(st.lists(st.booleans(), min_size=2, max_size=120))
def test_agrees_with_scipy_on_failure_indicators(values: list[bool]) -> None:
    """For any series of zeros and ones."""
    expected = linregress(range(len(values)), numpy.array(values, dtype=float)).slope
    assert slope(values) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50))
def test_agrees_with_scipy_on_numbers(values: list[float]) -> None:
    """For any finite series."""
    assert slope(values) == pytest.approx(linregress(range(len(values)), values).slope, rel=1e-9, abs=1e-6)


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_a_symmetric_series_is_exactly_flat(half: list[bool]) -> None:
    """No rounding makes a trend of none."""
    assert slope([*half, *reversed(half)]) == 0.0


def test_fewer_than_two_values_have_none() -> None:
    """A point has no direction."""
    assert slope([]) is None
    assert slope([1.0]) is None
