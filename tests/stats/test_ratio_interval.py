"""The clustered ratio interval."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hbeval.errors import UsageError
from hbeval.stats import RatioSums, ratio_interval

scipy_stats = pytest.importorskip("scipy.stats")

runs_of = st.lists(st.integers(0, 12).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m))), max_size=25)


def sums_of(runs: list[tuple[int, int]]) -> RatioSums:
    sums = RatioSums()
    for x, m in runs:
        sums.add(x, m)
    return sums


def from_the_definition(runs: list[tuple[int, int]], level: float) -> tuple[float, float]:
    """The interval written out over the runs themselves, with scipy's quantiles."""
    runs = [run for run in runs if run[1]]
    n, successes, trials = len(runs), sum(x for x, _ in runs), sum(m for _, m in runs)
    share, size = successes / trials, sum(m * m for _, m in runs) / trials
    t = scipy_stats.t.ppf(0.5 + level / 2, n - 1)
    if share in (0.0, 1.0):
        effective = trials / size
        low, high = (share + t * t / (2 * effective), share + t * t / (2 * effective))
        reach = t * math.sqrt(t * t / (4 * effective**2))
        scale = 1 + t * t / effective
        return (low - reach) / scale, (high + reach) / scale
    variance = n / (n - 1) * sum((x - share * m) ** 2 for x, m in runs) / trials**2
    effect = variance / (share * (1 - share) / trials)
    correlation = min(1.0, max(0.0, (effect - 1) / (size - 1))) if size > 1 else 0.3
    rarer = min(successes, trials - successes)
    effect = 1 + (rarer * correlation + 0.3) / (rarer + 1) * (size - 1)
    reach = t * math.sqrt(effect / (trials * share * (1 - share)))
    centre = math.log(share / (1 - share))
    return tuple(1 / (1 + math.exp(-min(700, max(-700, end)))) for end in (centre - reach, centre + reach))


@given(runs_of, st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_agrees_with_the_definition_written_out(runs: list[tuple[int, int]], level: float) -> None:
    """For any runs, from six integers alone."""
    interval = ratio_interval(sums_of(runs), level)
    if sum(1 for _, m in runs if m) < 2:
        assert interval is None
    else:
        assert interval is not None
        assert (interval.low, interval.high) == pytest.approx(from_the_definition(runs, level), abs=1e-9)


@given(runs_of)
def test_is_never_a_point_and_holds_the_share(runs: list[tuple[int, int]]) -> None:
    """Whatever the runs were."""
    sums = sums_of(runs)
    interval = ratio_interval(sums)
    if interval is not None:
        assert 0.0 <= interval.low < interval.high <= 1.0
        assert interval.low <= sums.x / sums.m <= interval.high


@given(runs_of, runs_of)
def test_merging_is_adding_the_runs(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> None:
    """Exactly, in both orders, and the merged-in sums stay as they are."""
    one, two, both = sums_of(first), sums_of(second), sums_of(first + second)
    two.merge(one)
    assert one == sums_of(first)
    assert two == both


def test_a_run_without_a_trial_is_no_run() -> None:
    """It neither widens nor narrows."""
    assert sums_of([(1, 2), (0, 0), (2, 2)]) == sums_of([(1, 2), (2, 2)])


@pytest.mark.parametrize("runs", [[], [(3, 4)]])
def test_one_run_or_none_has_no_interval(runs: list[tuple[int, int]]) -> None:
    """Nothing is known of the spread between runs."""
    assert ratio_interval(sums_of(runs)) is None


def test_many_steps_in_few_runs_are_not_many_trials() -> None:
    """The same counts in fewer, whole-or-nothing runs give a wider interval."""
    spread = ratio_interval(sums_of([(1, 2)] * 30))
    lumped = ratio_interval(sums_of([(10, 10)] * 3 + [(0, 10)] * 3))
    assert spread is not None
    assert lumped is not None
    assert lumped.high - lumped.low > 2 * (spread.high - spread.low)


def test_an_extreme_interval_stays_within_the_scale() -> None:
    """Two runs, one failure in a million trials: no overflow."""
    interval = ratio_interval(sums_of([(0, 1), (10**6, 10**6)]), 0.9999)
    assert interval is not None
    assert 0.0 <= interval.low < interval.high <= 1.0


def test_a_bad_level_is_refused_even_without_runs() -> None:
    """A typing error does not hide behind missing data."""
    with pytest.raises(UsageError):
        ratio_interval(RatioSums(), 95)
