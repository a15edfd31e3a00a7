"""Each shipped law catches an instrument that breaks it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from hbeval.instruments.checks import LAWS, check
from hbeval.instruments.samples import judged_trace, random_traces
from hbeval.instruments.ti import Traceability
from hbeval.model import Measured, Measurement, NotMeasured


class Broken:
    """A sound accumulator with one method replaced."""

    def __init__(self, **replaced: Callable[..., Any]) -> None:
        self.inner = Traceability().start()
        self.replaced = replaced
        self.memory: list[Any] = []

    def update(self, judged: Any) -> None:
        """The sound one unless replaced."""
        self.replaced.get("update", lambda me, each: me.inner.update(each))(self, judged)

    def merge(self, other: Broken) -> None:
        """The sound one unless replaced."""
        self.replaced.get("merge", lambda me, each: me.inner.merge(each.inner))(self, other)

    def measure(self, level: float = 0.95) -> Measurement:
        """The sound one unless replaced."""
        return self.replaced.get("measure", lambda me, at: me.inner.measure(at))(self, level)


def broken(**replaced: Callable[..., Any]) -> Any:
    """An instrument like ti@1.0 that starts such accumulators."""
    return SimpleNamespace(name="ti@1.0", scale=(0.0, 5.0), start=lambda: Broken(**replaced))


def changed(**fields: Any) -> Callable[..., Measurement]:
    """A `measure` whose results have some fields replaced."""

    def measure(me: Broken, level: float) -> Measurement:
        result = me.inner.measure(level)
        return dataclasses.replace(result, **fields) if isinstance(result, Measured) else result

    return measure


def zero_for_undefined(me: Broken, level: float) -> Measurement:
    result = me.inner.measure(level)
    if isinstance(result, Measured):
        return result
    return Measured(value=0.0, n=0, n_total=0, k=0, interval=None, level=level, method="none", instrument="ti@1.0")


def no_reason(me: Broken, level: float) -> Measurement:
    result = me.inner.measure(level)
    return dataclasses.replace(result, reason=" ") if isinstance(result, NotMeasured) else result


def merge_forgets_other_of_one(me: Broken, other: Broken) -> None:
    if me.inner.sums.n:
        me.inner.merge(other.inner)


def merge_drains_other(me: Broken, other: Broken) -> None:
    me.inner.merge(other.inner)
    other.inner = Traceability().start()


def mean_of_ratios(me: Broken, level: float) -> Measurement:
    result = me.inner.measure(level)
    if isinstance(result, Measured) and me.memory:
        return dataclasses.replace(result, value=me.memory[-1])
    return result


def remember_last(me: Broken, judged: Any) -> None:
    me.inner.update(judged)
    me.memory.append(len(judged.steps) / 10)


def invalid_as_failure(me: Broken, judged: Any) -> None:
    me.inner.update(judged)
    if judged.trace.invalid:
        me.inner.sums.add(0, 1)
        me.inner.total += 1


def measuring_counts(me: Broken, level: float) -> Measurement:
    me.inner.total += 1
    return me.inner.measure(level)


def point(me: Broken, level: float) -> Measurement:
    result = me.inner.measure(level)
    if isinstance(result, Measured) and result.interval:
        return dataclasses.replace(result, interval=(result.value, result.value))
    return result


def always_an_interval(me: Broken, level: float) -> Measurement:
    return changed(interval=(0.0, 5.0))(me, level)


@pytest.mark.parametrize(
    ("law", "instrument"),
    [
        ("empty_run_sets_change_nothing", broken(merge=merge_forgets_other_of_one)),
        ("merge_commutes_and_associates", broken(update=remember_last, measure=mean_of_ratios)),
        ("order_and_sharding_do_not_matter", broken(update=remember_last, measure=mean_of_ratios)),
        ("order_and_sharding_do_not_matter", broken(merge=merge_drains_other)),
        ("unmeasured_runs_change_nothing", broken(update=invalid_as_failure)),
        ("undefined_is_not_a_number", broken(measure=zero_for_undefined)),
        ("undefined_is_not_a_number", broken(measure=no_reason)),
        ("undefined_is_not_a_number", broken(measure=changed(n_total=0))),
        ("interval_is_no_point", broken(measure=point)),
        ("interval_is_no_point", broken(measure=changed(interval=None, no_interval=None))),
        ("interval_is_no_point", broken(measure=changed(interval=(0.0, 5.1)))),
        ("interval_is_no_point", broken(measure=changed(interval=(0.0, 0.001)))),
        ("one_run_has_no_interval", broken(measure=always_an_interval)),
        ("value_lies_in_scale", broken(measure=changed(value=5.5))),
        ("value_lies_in_scale", broken(measure=changed(value=float("nan")))),
        ("count_agrees_with_value", broken(measure=changed(k=1))),
        ("count_agrees_with_value", broken(measure=changed(instrument="ti"))),
        ("measuring_changes_nothing", broken(measure=measuring_counts)),
    ],
)
def test_a_broken_instrument_is_caught_by_its_law(law: str, instrument: Any) -> None:
    """And the message names the instrument."""
    with pytest.raises(AssertionError, match=r"ti@1\.0 breaks the law"):
        LAWS[law](instrument, random_traces(4, 40))


def test_a_sound_instrument_passes_every_law() -> None:
    """The same scaffolding, with nothing replaced."""
    check(broken(), random_traces(4, 40))


def test_check_runs_every_law() -> None:
    """A broken instrument fails the whole as well."""
    with pytest.raises(AssertionError):
        check(broken(measure=point), [judged_trace("1001"), judged_trace("1000")])
