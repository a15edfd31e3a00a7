"""The difference of two ratios over the same tasks or scenarios."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hbeval.errors import UsageError
from hbeval.stats import Pair, pair_sums, paired_interval, ratio_difference, ratio_difference_interval

scipy_stats = pytest.importorskip("scipy.stats")
counts = st.integers(0, 6).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m)))
pairs_of = st.lists(st.tuples(counts, counts).map(lambda two: Pair(*two[0], *two[1])), max_size=15)


@given(pairs_of)
def test_is_never_a_point_and_mirrors_when_the_sides_change_places(pairs: list[Pair]) -> None:
    """None exactly where a side has fewer than two pairs with a trial."""
    a, b = pair_sums(pairs)
    interval = paired_interval(pairs)
    assert (interval is None) is (min(a.n, b.n) < 2)
    if interval is not None:
        assert interval.high - interval.low > 1e-3
        assert interval.low - 1e-12 <= ratio_difference(a, b) <= interval.high + 1e-12
        back = paired_interval([Pair(each.xb, each.mb, each.xa, each.ma) for each in pairs])
        assert back is not None
        assert (interval.low, interval.high) == pytest.approx((-back.high, -back.low), abs=1e-9)


def test_agreement_narrows_and_disagreement_widens() -> None:
    """The same values of both sides, put together in three ways."""
    outcomes = [1] * 40 + [0] * 20
    together = [Pair(x, 1, x, 1) for x in outcomes]
    apart = [Pair(x, 1, y, 1) for x, y in zip(outcomes, reversed(outcomes), strict=True)]
    mixed = [Pair(x, 1, y, 1) for x, y in zip(outcomes, random.Random(4).sample(outcomes, 60), strict=True)]
    widths = []
    for pairs in (together, mixed, apart):
        interval = paired_interval(pairs)
        assert interval is not None
        widths.append(interval.high - interval.low)
    assert widths == sorted(widths)
    assert widths[0] < 0.3 * widths[1]


def test_agrees_with_the_paired_variance_of_many_pairs() -> None:
    """The variance of the differences themselves, with its t interval."""
    rng = random.Random(11)
    pairs = []
    for _ in range(3000):
        shared = rng.random()
        pairs.append(Pair(int(shared < 0.7), 1, int(shared < 0.6 if rng.random() < 0.8 else rng.random() < 0.6), 1))
    gaps = [each.xb - each.xa for each in pairs]
    mean = sum(gaps) / len(gaps)
    error = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1) / len(gaps))
    reach = float(scipy_stats.t.ppf(0.975, len(gaps) - 1)) * error
    interval = paired_interval(pairs)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((mean - reach, mean + reach), abs=1e-3)


def test_two_pairs_say_nothing_of_a_correlation() -> None:
    """Any two points lie on a line; the interval is then no narrower than that of unpaired runs."""
    pairs = [Pair(1, 4, 2, 4), Pair(3, 4, 4, 4)]
    interval = paired_interval(pairs)
    unpaired = ratio_difference_interval(*pair_sums(pairs))
    assert interval is not None
    assert unpaired is not None
    assert interval.high - interval.low >= unpaired.high - unpaired.low


def test_what_clusters_is_named_and_a_level_in_per_cent_is_refused() -> None:
    """The method tells whether scenarios or tasks were paired."""
    interval = paired_interval([Pair(1, 2, 2, 2)] * 3, clusters="tasks")
    assert interval is not None
    assert interval.method == "mover, paired, tasks as clusters"
    with pytest.raises(UsageError, match=r"write 0\.95"):
        paired_interval([], 95)


@pytest.mark.parametrize("number", [3, 6, 12, 40])
def test_holds_the_true_difference(number: int) -> None:
    """Nominal 95 %; a shared difficulty decides most of each pair. 1,000 samples: three standard errors are .02."""
    rng = random.Random(number)
    held = 0
    for _ in range(1000):
        pairs = []
        for _ in range(number):
            ease = rng.betavariate(2.0, 1.0)
            ma, mb = rng.randint(3, 10), rng.randint(3, 10)
            xa = sum(rng.random() < ease for _ in range(ma))
            xb = sum(rng.random() < 0.8 * ease for _ in range(mb))
            pairs.append(Pair(xa, ma, xb, mb))
        interval = paired_interval(pairs)
        held += interval is not None and interval.low <= -0.2 * 2 / 3 <= interval.high
    assert held >= 930
