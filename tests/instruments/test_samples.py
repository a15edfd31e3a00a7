"""Judged traces in few words."""

import pytest

from hbeval.errors import InputError
from hbeval.instruments.samples import judged_trace, random_traces
from hbeval.model import Delivery, Ending, Handling


def test_a_step_word_holds_the_four_derived_fields() -> None:
    """Success, had_fault, replanned, traceable."""
    (verdict,) = judged_trace("10?1").steps
    assert (verdict.success, verdict.had_fault, verdict.replanned, verdict.traceable) == (True, False, None, True)


@pytest.mark.parametrize("word", ["101", "1012", "10101"])
def test_a_word_that_is_no_step_is_refused(word: str) -> None:
    """The message shows the word and a right one."""
    with pytest.raises(InputError, match=word):
        judged_trace(word)


def test_a_condition_puts_a_planned_fault_into_the_trace() -> None:
    """Met, or not exposed."""
    (met,) = judged_trace("0100", condition="cascade").trace.faults
    (missed,) = judged_trace("1000", condition="cascade", landed=False).trace.faults
    assert (met.delivery, missed.delivery) == (Delivery.MET, Delivery.NOT_EXPOSED)


def test_the_same_seed_draws_the_same_runs() -> None:
    """And another one others."""
    assert random_traces(3, 20) == random_traces(3, 20)
    assert random_traces(3, 20) != random_traces(4, 20)


def test_random_runs_hold_everything_now_and_then() -> None:
    """Every ending, every handling, every verdict."""
    runs = random_traces(0, 600)
    assert {run.trace.ending for run in runs} == set(Ending)
    assert {trial.handling for run in runs for trial in run.trials} == set(Handling)
    assert {step.replanned for run in runs for step in run.steps} == {True, False, None}
