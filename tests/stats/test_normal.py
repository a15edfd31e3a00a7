"""The standard normal distribution, against scipy."""

import pytest

from hbeval.errors import UsageError
from hbeval.stats import normal_cdf, normal_quantile

norm = pytest.importorskip("scipy.stats").norm


@pytest.mark.parametrize("p", [1e-300, 1e-100, 1e-20, 1e-5, 0.01, 0.2, 0.4, 0.5, 0.6, 0.9, 0.975, 0.99, 1 - 1e-10])
def test_quantile_agrees_with_scipy(p: float) -> None:
    """Within 1e-12, far out in the tail too."""
    assert normal_quantile(p) == pytest.approx(norm.ppf(p), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("z", [-37.0, -8.0, -1.96, 0.0, 0.3, 2.5, 9.0])
def test_cdf_agrees_with_scipy(z: float) -> None:
    """Relative accuracy in the lower tail."""
    assert normal_cdf(z) == pytest.approx(norm.cdf(z), rel=1e-12)


@pytest.mark.parametrize("p", [0.0, 1.0, -0.1, 95.0, float("nan")])
def test_quantile_refuses_what_is_no_probability(p: float) -> None:
    """The value stands in the message."""
    with pytest.raises(UsageError, match=str(p)):
        normal_quantile(p)
