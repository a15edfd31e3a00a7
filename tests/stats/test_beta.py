"""The incomplete beta function, against scipy."""

import math

import pytest

from hbeval.stats import incomplete_beta, log_beta

special = pytest.importorskip("scipy.special")

SIZES = (0.1, 0.5, 1.0, 3.0, 9.9, 10.0, 50.0, 1000.0, 1e5)


@pytest.mark.parametrize("a", SIZES)
@pytest.mark.parametrize("b", SIZES)
def test_incomplete_beta_agrees_with_scipy(a: float, b: float) -> None:
    """Within 1e-10 over small and large arguments, at the tails and at the mean."""
    for x in (1e-9, 0.01, 0.2, 0.5, 0.77, 0.99, 1 - 1e-7, a / (a + b)):
        assert incomplete_beta(a, b, x) == pytest.approx(special.betainc(a, b, x), abs=1e-10)


def test_the_ends_are_exact() -> None:
    """Nothing lies below 0 and everything below 1."""
    assert incomplete_beta(2.0, 3.0, 0.0) == 0.0
    assert incomplete_beta(2.0, 3.0, 1.0) == 1.0


@pytest.mark.parametrize("b", [1e3, 1e6, 1e9])
def test_log_beta_keeps_its_digits_for_a_large_argument(b: float) -> None:
    """B(1, b) = 1/b and B(2, b) = 1/(b (b + 1)), where three log-gammas lose up to nine digits."""
    assert log_beta(1.0, b) == pytest.approx(-math.log(b), abs=1e-13)
    assert log_beta(b, 2.0) == pytest.approx(-math.log(b) - math.log1p(b), abs=1e-13)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (3.0, 4.0), (20.0, 30.0), (12.0, 5.0)])
def test_log_beta_agrees_with_scipy(a: float, b: float) -> None:
    """On both sides of the switch to Stirling's series."""
    assert log_beta(a, b) == pytest.approx(special.betaln(a, b), abs=1e-12)


def test_a_fraction_that_does_not_converge_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A result that was cut short is never handed out."""
    monkeypatch.setattr("hbeval.stats.beta._MOST_TERMS", 2)
    with pytest.raises(ArithmeticError, match="did not converge"):
        incomplete_beta(50.0, 50.0, 0.4)
