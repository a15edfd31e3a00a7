"""The laws of an instrument, for ours and for anybody's: `check(instrument, traces)`.

Each law is a function that raises AssertionError with what was found. `hbeval.instruments.samples.random_traces` draws
traces that reach every branch of the bundled instruments.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Iterable, Sequence
from types import MappingProxyType

from hbeval.instruments.base import UNMEASURED, Accumulator, Instrument
from hbeval.model import JudgedTrace, Measured, Measurement, NotMeasured

__all__ = [
    "LAWS",
    "check",
    "count_agrees_with_value",
    "empty_run_sets_change_nothing",
    "interval_is_no_point",
    "measuring_changes_nothing",
    "merge_commutes_and_associates",
    "one_run_has_no_interval",
    "order_and_sharding_do_not_matter",
    "undefined_is_not_a_number",
    "unmeasured_runs_change_nothing",
    "value_lies_in_scale",
]

_SHUFFLES = 5
_TOLERANCE = 1e-9


def check(instrument: Instrument, traces: Sequence[JudgedTrace]) -> None:
    """Hold an instrument against every law, over these traces. Raises AssertionError at the first it breaks."""
    for law in LAWS.values():
        law(instrument, traces)


def empty_run_sets_change_nothing(instrument: Instrument, traces: Sequence[JudgedTrace]) -> None:
    """A fresh accumulator is the identity of `merge`, from either side."""
    seen = _seen(instrument, traces)
    expected = seen.measure()
    seen.merge(instrument.start())
    _equal(instrument, "after merging an empty accumulator", seen.measure(), expected)
    empty = instrument.start()
    empty.merge(_seen(instrument, traces))
    _equal(instrument, "merged into an empty accumulator", empty.measure(), expected)


def merge_commutes_and_associates(instrument: Instrument, traces: Sequence[JudgedTrace]) -> None:
    """(a·b)·c, a·(b·c) and c·b·a are one and the same."""
    shards = [traces[start::3] for start in range(3)]
    a, b, c = (_seen(instrument, shard) for shard in shards)
    a.merge(b)
    a.merge(c)
    expected = a.measure()
    a, b, c = (_seen(instrument, shard) for shard in shards)
    b.merge(c)
    a.merge(b)
    _equal(instrument, "a·(b·c) differs from (a·b)·c", a.measure(), expected)
    a, b, c = (_seen(instrument, shard) for shard in shards)
    c.merge(b)
    c.merge(a)
    _equal(instrument, "c·b·a differs from a·b·c", c.measure(), expected)


def order_and_sharding_do_not_matter(instrument: Instrument, traces: Sequence[JudgedTrace]) -> None:
    """Any order of the runs, in any number of shards merged in any order, gives the identical measurement."""
    expected = _seen(instrument, traces).measure()
    rng = random.Random(len(traces))
    for _ in range(_SHUFFLES):
        shards: list[Accumulator] = [instrument.start() for _ in range(rng.randint(1, 5))]
        for judged in rng.sample(traces, len(traces)):
            rng.choice(shards).update(judged)
        whole = shards.pop(rng.randrange(len(shards)))
        for shard in rng.sample(shards, len(shards)):
            before = shard.measure()
            whole.merge(shard)
            _equal(instrument, "an accumulator that was merged into another", shard.measure(), before)
        _equal(instrument, "another order and sharding", whole.measure(), expected)


def unmeasured_runs_change_nothing(instrument: Instrument, traces: Sequence[JudgedTrace]) -> None:
    """Invalid and cancelled runs leave a measurement as it is, and alone give none."""
    expected = _seen(instrument, traces).measure()
    endings = sorted(UNMEASURED)
    lost = [
        dataclasses.replace(judged, trace=dataclasses.replace(judged.trace, ending=endings[number % len(endings)]))
        for number, judged in enumerate(traces)
    ]
    _equal(instrument, "with invalid and cancelled runs", _seen(instrument, [*lost, *traces]).measure(), expected)
    alone = _seen(instrument, lost).measure()
    _equal(instrument, "invalid and cancelled runs alone", alone, instrument.start().measure())


def undefined_is_not_a_number(instrument: Instrument, traces: Sequence[JudgedTrace]) -> None:
    """Without a run there is no value but a reason; a value always has something counted behind it."""
    nothing = instrument.start().measure()
    _hold(isinstance(nothing, NotMeasured), instrument, "no run at all must be NotMeasured", nothing)
    for result in (nothing, *_results(instrument, traces)):
        _hold(0 <= result.n <= result.n_total, instrument, "0 ≤ n ≤ n_total", result)
        if isinstance(result, NotMeasured):
            _hold(bool(result.reason.strip()), instrument, "NotMeasured needs a reason", result)
        else:
            _hold(result.n > 0, instrument, "a value needs something counted", result)


def interval_is_no_point(instrument: Instrument, traces: Sequence[JudgedTrace]) -> None:
    """An interval has two different ends within the scale and holds the value; without one there is a reason."""
    low, high = instrument.scale
    for result in _measured(instrument, traces):
        if result.interval is None:
            _hold(bool(result.no_interval), instrument, "a missing interval needs a reason", result)
            continue
        start, end = result.interval
        _hold(start < end, instrument, "an interval is not a point", result)
        _hold(low <= start and end <= high, instrument, "an interval lies within the scale", result)
        inside = start - _TOLERANCE <= result.value <= end + _TOLERANCE
        _hold(inside, instrument, "an interval holds the value", result)


def one_run_has_no_interval(instrument: Instrument, traces: Sequence[JudgedTrace]) -> None:
    """One run says nothing about the spread between runs."""
    for judged in traces:
        result = _seen(instrument, (judged,)).measure()
        lone = isinstance(result, NotMeasured) or result.interval is None
        _hold(lone, instrument, "one run has no interval", result)


def value_lies_in_scale(instrument: Instrument, traces: Sequence[JudgedTrace]) -> None:
    """Every value is a finite number of the scale."""
    low, high = instrument.scale
    for result in _measured(instrument, traces):
        fits = math.isfinite(result.value) and low <= result.value <= high
        _hold(fits, instrument, "a value lies in the scale", result)


def count_agrees_with_value(instrument: Instrument, traces: Sequence[JudgedTrace]) -> None:
    """The value is k ÷ n times the top of the scale, and the measurement names its instrument and level."""
    for result in _measured(instrument, traces):
        expected = instrument.scale[1] * result.k / result.n
        _hold(math.isclose(result.value, expected, abs_tol=_TOLERANCE), instrument, "value = top · k ÷ n", result)
        _hold(result.instrument == instrument.name, instrument, "a measurement names its instrument", result)


def measuring_changes_nothing(instrument: Instrument, traces: Sequence[JudgedTrace]) -> None:
    """Measuring in between, at whatever level, leaves later results as they are."""
    watched = instrument.start()
    for judged in traces:
        watched.update(judged)
        watched.measure(0.9)
    expected = _seen(instrument, traces).measure()
    _equal(instrument, "after measuring at every run", watched.measure(), expected)
    _equal(instrument, "measured twice", watched.measure(), expected)


LAWS = MappingProxyType(
    {
        law.__name__: law
        for law in (
            empty_run_sets_change_nothing,
            merge_commutes_and_associates,
            order_and_sharding_do_not_matter,
            unmeasured_runs_change_nothing,
            undefined_is_not_a_number,
            interval_is_no_point,
            one_run_has_no_interval,
            value_lies_in_scale,
            count_agrees_with_value,
            measuring_changes_nothing,
        )
    }
)


def _seen(instrument: Instrument, traces: Iterable[JudgedTrace]) -> Accumulator:
    accumulator = instrument.start()
    for judged in traces:
        accumulator.update(judged)
    return accumulator


def _results(instrument: Instrument, traces: Sequence[JudgedTrace]) -> list[Measurement]:
    """The measurement at every prefix."""
    accumulator, results = instrument.start(), []
    for judged in traces:
        accumulator.update(judged)
        results.append(accumulator.measure())
    return results


def _measured(instrument: Instrument, traces: Sequence[JudgedTrace]) -> list[Measured]:
    return [result for result in _results(instrument, traces) if isinstance(result, Measured)]


def _equal(instrument: Instrument, when: str, found: Measurement, expected: Measurement) -> None:
    # repr tells 0.0 from -0.0 and shows every bit.
    _hold(repr(found) == repr(expected), instrument, f"{when}: expected {expected}", found)


def _hold(claim: bool, instrument: Instrument, law: str, found: Measurement) -> None:
    if not claim:
        raise AssertionError(f"{instrument.name} breaks the law: {law}; found {found}")
