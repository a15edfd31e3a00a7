"""The decision that the gate stands on."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hbeval.errors import UsageError
from hbeval.stats import (
    RatioSums,
    against_floor,
    noninferiority,
    p_below_floor,
    p_within_margin,
    p_worse,
    ratio_interval,
    runs_to_clear_floor,
    runs_to_decide,
)

Runs = list[tuple[int, int]]
runs_of = st.lists(
    st.integers(1, 6).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m))), min_size=2, max_size=20
)


def sums_of(runs: Runs) -> RatioSums:
    sums = RatioSums()
    for x, m in runs:
        sums.add(x, m)
    return sums


def single(successes: int, runs: int) -> RatioSums:
    return sums_of([(1, 1)] * successes + [(0, 1)] * (runs - successes))


def test_a_large_loss_fails_and_its_opposite_passes() -> None:
    """80 % against 50 % of 60 runs, both ways round."""
    good, bad = single(48, 60), single(30, 60)
    assert noninferiority(good, bad, 0.05).ruling == "fail"
    assert noninferiority(bad, good, 0.05).ruling == "pass"


def test_too_few_runs_are_inconclusive_however_equal() -> None:
    """Eight of ten against eight of ten says nothing about five points."""
    decision = noninferiority(single(8, 10), single(8, 10), 0.05)
    assert decision.ruling == "inconclusive"
    assert decision.difference == 0.0
    assert decision.low is not None
    assert decision.low < -0.05
    assert decision.reason is None


def test_a_shown_loss_smaller_than_the_margin_passes() -> None:
    """Worse, but not by the margin: pass comes first."""
    decision = noninferiority(single(9000, 10_000), single(8850, 10_000), 0.05)
    assert decision.high is not None
    assert decision.high < 0.0
    assert decision.ruling == "pass"


def test_one_run_a_side_decides_nothing_and_says_why() -> None:
    """However large the difference."""
    decision = noninferiority(single(50, 50), sums_of([(0, 40)]), 0.05)
    assert (decision.ruling, decision.low, decision.high) == ("inconclusive", None, None)
    assert "at least 2" in (decision.reason or "")
    floor = against_floor(sums_of([(40, 40)]), 0.5)
    assert (floor.ruling, floor.low) == ("inconclusive", None)
    assert p_worse(single(50, 50), sums_of([(0, 40)])) == 1.0
    assert p_below_floor(sums_of([(0, 40)]), 0.5) == 1.0


def test_identical_results_never_collapse_into_a_pass() -> None:
    """Three equal runs a side have no spread, and still leave doubt."""
    assert noninferiority(sums_of([(3, 3)] * 3), sums_of([(3, 3)] * 3), 0.10).ruling == "inconclusive"


@given(runs_of, runs_of, st.sampled_from([0.02, 0.1, 0.3]))
def test_a_ruling_follows_from_its_bounds(one: Runs, two: Runs, margin: float) -> None:
    """Pass = the lower bound is above −margin, else fail = the upper one is below 0."""
    decision = noninferiority(sums_of(one), sums_of(two), margin)
    assert decision.low is not None
    assert decision.high is not None
    assert decision.low <= decision.difference <= decision.high
    expected = "pass" if decision.low > -margin else "fail" if decision.high < 0 else "inconclusive"
    assert decision.ruling == expected


@given(runs_of, runs_of)
def test_the_p_value_is_where_fail_begins(one: Runs, two: Runs) -> None:
    """A level just above it fails, one just below does not, taking a margin too small to pass."""
    a, b = sums_of(one), sums_of(two)
    p = p_worse(a, b)
    assume(1e-6 < p < 0.45)
    assert noninferiority(a, b, 1e-9, p * 1.001).ruling == "fail"
    assert noninferiority(a, b, 1e-9, p * 0.999).ruling != "fail"


@given(runs_of, runs_of, st.sampled_from([0.05, 0.2]))
def test_the_other_p_value_is_where_pass_begins(one: Runs, two: Runs, margin: float) -> None:
    """Likewise for worse by the margin."""
    a, b = sums_of(one), sums_of(two)
    p = p_within_margin(a, b, margin)
    assume(1e-6 < p < 0.45)
    assert noninferiority(a, b, margin, p * 1.001).ruling == "pass"
    assert noninferiority(a, b, margin, p * 0.999).ruling != "pass"


def test_p_values_without_a_loss_are_one() -> None:
    """Nothing speaks for worse where the candidate is better; nothing for the margin where it is lost."""
    assert p_worse(single(30, 60), single(48, 60)) == 1.0
    assert p_within_margin(single(48, 60), single(30, 60), 0.05) == 1.0
    assert p_below_floor(single(48, 60), 0.5) == 1.0
    assert p_worse(single(900, 900), single(0, 900)) < 1e-12


def test_floors_are_one_sided_bounds_of_the_interval() -> None:
    """At level .9 two-sided the ends are those of the one-sided .95."""
    sums = sums_of([(4, 5), (5, 5), (3, 5), (5, 5), (4, 5), (5, 5)] * 3)
    interval = ratio_interval(sums, 0.9)
    assert interval is not None
    for floor, ruling in ((interval.low - 1e-6, "pass"), (interval.low + 1e-6, "inconclusive")):
        assert against_floor(sums, floor).ruling == ruling
    for floor, ruling in ((interval.high + 1e-6, "fail"), (interval.high - 1e-6, "inconclusive")):
        assert against_floor(sums, floor).ruling == ruling
    p = p_below_floor(sums, interval.high + 0.01)
    assert 0.0 < p < 0.05


def test_a_floor_of_nought_is_met_and_one_of_one_cannot_be_shown() -> None:
    """A hundred successes leave doubt about 1; one failure in few shows nothing; many failures fail."""
    assert against_floor(single(0, 20), 0.0).ruling == "pass"
    assert against_floor(single(100, 100), 1.0).ruling == "inconclusive"
    assert against_floor(single(50, 100), 1.0).ruling == "fail"


@pytest.mark.parametrize("margin", [0.0, 1.0, -0.05, 5, float("nan")])
def test_a_margin_outside_the_scale_is_refused(margin: float) -> None:
    """5 is five points written as per cent."""
    with pytest.raises(UsageError, match=r"margin must lie between 0 and 1.*write 0\.05"):
        noninferiority(single(5, 10), single(5, 10), margin)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 5, float("nan")])
def test_an_error_rate_that_is_none_is_refused(alpha: float) -> None:
    """A rate of a half or more decides by coin."""
    with pytest.raises(UsageError, match="alpha"):
        noninferiority(single(5, 10), single(5, 10), 0.05, alpha)
    with pytest.raises(UsageError, match="alpha"):
        against_floor(single(5, 10), 0.5, alpha)


@pytest.mark.parametrize("floor", [-0.1, 1.1, 70, float("nan")])
def test_a_floor_outside_the_scale_is_refused(floor: float) -> None:
    """70 is a per cent."""
    with pytest.raises(UsageError, match=r"write 0\.70 for 70 %"):
        against_floor(single(5, 10), floor)


def test_a_side_without_a_trial_is_refused_not_passed() -> None:
    """What is not measured has no share; the caller must say so."""
    with pytest.raises(UsageError, match="not measured"):
        noninferiority(RatioSums(), single(5, 10), 0.05)
    with pytest.raises(UsageError, match="not measured"):
        against_floor(RatioSums(), 0.5)


def test_the_runs_named_would_decide() -> None:
    """Equal shares: so many runs like these pass, far fewer do not."""
    a, b = sums_of([(4, 5), (5, 5), (3, 5), (4, 5)] * 5), sums_of([(5, 5), (4, 5), (3, 5), (4, 5)] * 5)
    needed = runs_to_decide(a, b, 0.05)
    assert needed is not None
    assert needed > 20
    many = sums_of([(4, 5), (5, 5), (3, 5), (4, 5)] * (needed // 4 + 1))
    assert noninferiority(many, many, 0.05).ruling == "pass"
    few = sums_of([(4, 5), (5, 5), (3, 5), (4, 5)] * (needed // 16))
    assert noninferiority(few, few, 0.05).ruling == "inconclusive"


def test_more_power_and_a_smaller_margin_need_more_runs() -> None:
    """And a baseline that stays as it is needs more of the candidate, or cannot be helped."""
    a, b = single(80, 100), single(78, 100)
    needed = [runs_to_decide(a, b, margin, power=power) for margin, power in ((0.2, 0.8), (0.1, 0.8), (0.1, 0.95))]
    assert all(each is not None for each in needed)
    assert needed == sorted(needed, key=lambda each: each or 0)
    assert len(set(needed)) == 3
    fixed = runs_to_decide(a, b, 0.15, fixed_baseline=True)
    both = runs_to_decide(a, b, 0.15)
    assert both is not None
    assert fixed is None or fixed >= both
    assert runs_to_decide(single(8, 10), single(8, 10), 0.01, fixed_baseline=True) is None


def test_runs_for_a_floor_grow_as_the_share_comes_near_it() -> None:
    """A share exactly on the floor is never decided."""
    near, far = runs_to_clear_floor(single(72, 100), 0.70), runs_to_clear_floor(single(85, 100), 0.70)
    assert near is not None
    assert far is not None
    assert near > 1000 > far >= 100
    assert runs_to_clear_floor(single(70, 100), 0.70) is None
