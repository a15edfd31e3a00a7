"""The reliability gap: which runs count on which side."""

from __future__ import annotations

import dataclasses

import pytest

from hbeval.errors import UsageError
from hbeval.instruments import find
from hbeval.instruments.samples import judged_trace
from hbeval.model import Fault, FaultType, JudgedTrace, Measured, Observation


def gap(*runs: JudgedTrace):
    accumulator = find("reliability_gap@1.0").start()
    for judged in runs:
        accumulator.update(judged)
    return accumulator.measure()


def imported(observed: bool, success: bool) -> JudgedTrace:
    """A run of a log that says which attack was made, with a fault that nobody planned here."""
    judged = judged_trace(success=success, condition="adversarial")
    seen = (Observation(step=0, what="instruction in a tool result"),) if observed else ()
    fault = Fault(id="attack", type=FaultType.ADVERSARIAL, target="mail", observed=seen)
    return dataclasses.replace(judged, trace=dataclasses.replace(judged.trace, faults=(fault,)))


NOMINAL = (judged_trace(success=True), judged_trace(success=True))


def test_a_fault_that_did_not_land_is_never_a_pass() -> None:
    """Nor a failure: the run is in neither arm, and shows in n_total."""
    landed = [judged_trace(success=False, condition="cascade") for _ in range(2)]
    missed = [judged_trace(success=True, condition="cascade", landed=False) for _ in range(8)]
    result = gap(*NOMINAL, *landed, *missed)
    assert isinstance(result, Measured)
    assert (result.value, result.n, result.n_total) == (1.0, 4, 12)


def test_an_imported_fault_counts_once_it_was_seen() -> None:
    """An attack whose text never reached the agent is no run under fault."""
    result = gap(*NOMINAL, imported(True, False), imported(True, True), imported(False, True))
    assert isinstance(result, Measured)
    assert (result.value, result.n, result.n_total) == (0.5, 4, 5)


def test_a_run_without_an_oracle_is_in_neither_arm() -> None:
    """Unknown leaves both sides."""
    result = gap(*NOMINAL, judged_trace(), judged_trace(success=False, condition="stochastic"))
    assert (result.n, result.n_total) == (3, 4)


def test_lower_is_better_and_the_scale_has_two_sides() -> None:
    """A fault may also help."""
    instrument = find("reliability_gap@1.0")
    assert not instrument.higher_is_better
    assert instrument.scale == (-1.0, 1.0)


def test_merging_another_instrument_is_refused() -> None:
    """The message names both."""
    with pytest.raises(UsageError, match=r"pei@1\.0 into reliability_gap@1\.0"):
        find("reliability_gap@1.0").start().merge(find("pei@1.0").start())
