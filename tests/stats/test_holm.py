"""Several tests at one error rate."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.stats import holm

multitest = pytest.importorskip("statsmodels.stats.multitest")


@settings(max_examples=40)
@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=12))
def test_agrees_with_statsmodels(p_values: list[float]) -> None:
    """Adjusted p-values, in the order given."""
    expected = multitest.multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(tuple(expected), abs=1e-12)


def test_none_is_none() -> None:
    """No test, no adjustment."""
    assert holm([]) == ()
