"""The difference of two clustered ratios, unpaired."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hbeval.errors import UsageError
from hbeval.stats import RatioSums, ratio_difference, ratio_difference_interval
from hbeval.stats.mover import difference_df, difference_ends
from hbeval.stats.ratio import pooled_correlation, ratio_ends

proportion = pytest.importorskip("statsmodels.stats.proportion")
scipy_stats = pytest.importorskip("scipy.stats")

Runs = list[tuple[int, int]]
runs_of = st.lists(
    st.integers(1, 9).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m))), min_size=2, max_size=25
)


def sums_of(runs: Runs) -> RatioSums:
    sums = RatioSums()
    for x, m in runs:
        sums.add(x, m)
    return sums


def single(successes: int, runs: int) -> RatioSums:
    """Runs of one trial."""
    return sums_of([(1, 1)] * successes + [(0, 1)] * (runs - successes))


def seen_correlation(runs: Runs) -> tuple[float, int]:
    """Unclipped, over the runs themselves, and its weight."""
    n, successes, trials = len(runs), sum(x for x, _ in runs), sum(m for _, m in runs)
    share, size = successes / trials, sum(m * m for _, m in runs) / trials
    rarer = min(successes, trials - successes)
    if not rarer or size == 1:
        return 0.0, 0
    variance = n / (n - 1) * sum((x - share * m) ** 2 for x, m in runs) / trials**2
    return (variance / (share * (1 - share) / trials) - 1) / (size - 1), rarer


@given(runs_of, runs_of)
def test_the_pooled_correlation_weighs_each_side_by_its_rarer_outcome(one: Runs, two: Runs) -> None:
    """As written out over the runs; shrunk towards 0.3 by one imagined outcome."""
    (first, w1), (second, w2) = seen_correlation(one), seen_correlation(two)
    seen = min(1.0, max(0.0, (w1 * first + w2 * second) / (w1 + w2))) if w1 + w2 else 0.0
    expected = ((w1 + w2) * seen + 0.3) / (w1 + w2 + 1)
    assert pooled_correlation((sums_of(one), sums_of(two))) == pytest.approx(expected, abs=1e-9)


@given(runs_of, runs_of, st.sampled_from([0.8, 0.95, 0.99]))
def test_the_interval_is_newcombe_s_combination_of_the_sides(one: Runs, two: Runs, level: float) -> None:
    """Method 10, each side with at least the pooled correlation and t of 2n − 2 degrees of freedom."""
    a, b = sums_of(one), sums_of(two)
    t = float(scipy_stats.t.ppf(0.5 + level / 2, 2 * min(len(one), len(two)) - 2))
    pooled = pooled_correlation((a, b))
    (low_a, high_a), (low_b, high_b) = ratio_ends(a, t, pooled), ratio_ends(b, t, pooled)
    p, q = a.x / a.m, b.x / b.m
    interval = ratio_difference_interval(a, b, level)
    assert interval is not None
    assert interval.low == pytest.approx(q - p - math.hypot(q - low_b, high_a - p), abs=1e-9)
    assert interval.high == pytest.approx(q - p + math.hypot(high_b - q, p - low_a), abs=1e-9)


@given(runs_of, runs_of)
def test_is_never_a_point_and_mirrors_when_the_sides_change_places(one: Runs, two: Runs) -> None:
    """Whatever the runs were, identical sides included."""
    a, b = sums_of(one), sums_of(two)
    there, back = ratio_difference_interval(a, b), ratio_difference_interval(b, a)
    assert there is not None
    assert back is not None
    assert -1 <= there.low <= ratio_difference(a, b) <= there.high <= 1
    assert there.high - there.low > 1e-3
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low), abs=1e-12)


def test_approaches_newcombe_for_many_runs_of_one_trial() -> None:
    """Statsmodels' Newcombe interval, from which logit and t differ less the more runs there are."""
    for runs, within in ((200, 4e-3), (20_000, 1e-4)):
        low, high = proportion.confint_proportions_2indep(
            int(0.7 * runs), runs, int(0.8 * runs), runs, method="newcomb", compare="diff"
        )
        interval = ratio_difference_interval(single(int(0.8 * runs), runs), single(int(0.7 * runs), runs))
        assert interval is not None
        assert (interval.low, interval.high) == pytest.approx((low, high), abs=within)


def test_equals_newcombe_where_neither_side_ever_fails() -> None:
    """At a share of 1 both sides are Wilson's; only t stands where z does, so at many runs they agree."""
    low, high = proportion.confint_proportions_2indep(4000, 4000, 4000, 4000, method="newcomb", compare="diff")
    interval = ratio_difference_interval(single(4000, 4000), single(4000, 4000))
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-3)


def test_one_run_has_no_interval() -> None:
    """Nothing is known of the spread between runs; a level in per cent is refused first."""
    assert ratio_difference_interval(sums_of([(3, 4)]), sums_of([(1, 2)] * 30)) is None
    assert difference_df(sums_of([(3, 4)]), sums_of([(1, 2)] * 30)) == 0
    assert difference_df(sums_of([(3, 4)] * 4), sums_of([(1, 2)] * 30)) == 6
    with pytest.raises(UsageError, match=r"write 0\.95"):
        ratio_difference_interval(sums_of([(3, 4)]), sums_of([(1, 2)]), 95)


def test_a_known_correlation_narrows_and_a_negative_one_widens() -> None:
    """Of the two estimates; at 1 and equal reaches nothing would be left."""
    a, b = single(40, 50), single(35, 50)
    widths = [high - low for low, high in (difference_ends(a, b, 2.0, r) for r in (-0.5, 0.0, 0.5, 1.0))]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] >= 0.0


def test_a_side_is_never_taken_for_less_correlated_than_it_is() -> None:
    """Where the other side shows none, its own correlation stays; that is what keeps unequal sides honest."""
    clustered, spread = sums_of([(5, 5)] * 8 + [(0, 5)] * 8), sums_of([(3, 5), (2, 5)] * 100)
    low, high = difference_ends(spread, clustered, 2.0)
    alone_low, alone_high = ratio_ends(clustered, 2.0)
    assert low <= ratio_difference(spread, clustered) - (0.5 - alone_low)
    assert high >= ratio_difference(spread, clustered) + (alone_high - 0.5)
