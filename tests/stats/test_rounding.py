"""Numbers as documents write them."""

import math

import pytest

from hbeval.stats import significant


@pytest.mark.parametrize(
    ("value", "written"),
    [(1 / 3, 0.333333333333), (2e10 / 3, 6666666666.67), (1.0, 1.0), (0.1 + 0.2, 0.3), (1e-20 / 3, 3.33333333333e-21)],
)
def test_keeps_twelve_digits(value: float, written: float) -> None:
    """Wherever the point stands."""
    assert significant(value) == written


def test_a_negative_zero_is_zero() -> None:
    """Documents know one zero."""
    assert math.copysign(1.0, significant(-0.0)) == 1.0


def test_the_last_bit_does_not_show() -> None:
    """Two platforms that differ by it write the same."""
    assert significant(0.7) == significant(math.nextafter(0.7, 1.0))
