"""Sample variance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hbeval.stats import sample_variance

numpy = pytest.importorskip("numpy")


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50))
def test_agrees_with_numpy(values: list[float]) -> None:
    """With n − 1 in the denominator."""
    assert sample_variance(values) == pytest.approx(numpy.var(values, ddof=1), rel=1e-9, abs=1e-9)


def test_fewer_than_two_values_have_none() -> None:
    """Not 0: unknown."""
    assert sample_variance([]) is None
    assert sample_variance([3.0]) is None
