"""Student's t distribution, against scipy."""

import pytest

from hbeval.errors import UsageError
from hbeval.stats import student_cdf, student_quantile

t = pytest.importorskip("scipy.stats").t

DEGREES = (1, 2, 3, 4, 7, 10, 19.5, 30, 100, 999, 99_999, 100_000, 1_000_000, 10_000_000)


@pytest.mark.parametrize("df", DEGREES)
def test_quantile_agrees_with_scipy(df: float) -> None:
    """Within 1e-10 of its size, on both sides of the switch to the expansion for many degrees of freedom."""
    for p in (1e-12, 1e-6, 0.001, 0.005, 0.025, 0.05, 0.3, 0.45, 0.51, 0.9, 0.975, 0.995, 0.99999):
        assert student_quantile(p, df) == pytest.approx(t.ppf(p, df), rel=1e-10)


@pytest.mark.parametrize("df", DEGREES)
def test_cdf_agrees_with_scipy(df: float) -> None:
    """Within 1e-10, from the far tail to the middle."""
    for value in (-50.0, -7.0, -1.96, -1e-3, 0.0, 0.4, 2.1, 12.0):
        assert student_cdf(value, df) == pytest.approx(t.cdf(value, df), abs=1e-10)


@pytest.mark.parametrize("p", [1e-99, 1e-30, 0.4999, 0.5 + 1e-9, 0.5])
@pytest.mark.parametrize("df", [1, 3, 40])
def test_quantile_and_cdf_are_inverse(p: float, df: float) -> None:
    """Also where the quantile is tiny or astronomically large."""
    assert student_cdf(student_quantile(p, df), df) == pytest.approx(p, rel=1e-10)


def test_the_median_is_zero() -> None:
    """Exactly."""
    assert student_quantile(0.5, 3) == 0.0


@pytest.mark.parametrize(("p", "df"), [(0.0, 3), (1.0, 3), (95.0, 3), (float("nan"), 3), (0.9, 0), (0.9, float("nan"))])
def test_quantile_refuses_what_has_none(p: float, df: float) -> None:
    """A probability outside 0–1, or no degree of freedom."""
    with pytest.raises(UsageError, match="got"):
        student_quantile(p, df)
