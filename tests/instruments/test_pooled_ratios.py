"""The five ratios: what each counts and what leaves it."""

from __future__ import annotations

import pytest

from hbeval.errors import UsageError
from hbeval.instruments import find
from hbeval.instruments.ratio import PooledRatio
from hbeval.instruments.samples import judged_trace
from hbeval.model import Measured


@pytest.mark.parametrize(
    ("name", "steps", "trials", "counts"),
    [
        ("pei@1.0", "1010 1000 10?0", (), (1, 2, 3)),
        ("pei@2.0-candidate", "1010 1000 1000", ("reflex",), (3, 3, 3)),
        ("pei@2.0-candidate", "1010 10?0", (), (0, 0, 2)),
        ("frr@1.0", "1100 0100 ?100 1000 1?00", (), (1, 2, 4)),
        ("irs@2.0", "0100", ("recovery", "abstention", "reflex", "not_judged"), (2, 3, 4)),
        ("irs@1.0", "0100", ("recovery", "abstention", "reflex", "not_judged"), (1, 3, 4)),
        ("ti@1.0", "1001 1000 100?", (), (1, 2, 3)),
    ],
)
def test_counts_of_one_run(name: str, steps: str, trials: tuple[str, ...], counts: tuple[int, int, int]) -> None:
    """The count behind the value, what is known, and all."""
    instrument = find(name)
    assert isinstance(instrument, PooledRatio)
    assert instrument.counts(judged_trace(steps, trials)) == counts


@pytest.mark.parametrize("name", ["pei@1.0", "frr@1.0", "irs@2.0", "ti@1.0"])
def test_the_level_sets_the_width(name: str) -> None:
    """And is in the result."""
    accumulator = find(name).start()
    for number in range(12):
        accumulator.update(judged_trace("1101 0110", ["recovery" if number % 2 else "reflex"], id=str(number)))
    narrow, wide = accumulator.measure(0.8), accumulator.measure(0.99)
    assert isinstance(narrow, Measured)
    assert isinstance(wide, Measured)
    assert narrow.interval is not None
    assert wide.interval is not None
    assert wide.interval[0] < narrow.interval[0] < narrow.interval[1] < wide.interval[1]
    assert (narrow.level, wide.level) == (0.8, 0.99)


def test_rewording_changes_nothing_that_is_counted() -> None:
    """Instruments read verdicts and handlings, never text."""
    plain, boasting = judged_trace("0100", ["reflex"]), judged_trace("0100", ["reflex"], id="I deliberately re-planned")
    for name in ("pei@1.0", "frr@1.0", "irs@2.0", "ti@1.0"):
        first, second = find(name).start(), find(name).start()
        first.update(plain)
        second.update(boasting)
        assert first.measure() == second.measure()


def test_two_versions_do_not_merge() -> None:
    """They denote different quantities."""
    with pytest.raises(UsageError, match=r"irs@1\.0 into irs@2\.0"):
        find("irs@2.0").start().merge(find("irs@1.0").start())


def test_a_ratio_must_say_what_it_counts() -> None:
    """The shared form alone is no instrument."""
    with pytest.raises(NotImplementedError):
        PooledRatio().counts(judged_trace())
