"""Intra-run correlation from pairs."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hbeval.stats import PairSums

task = st.lists(st.lists(st.booleans(), max_size=5), max_size=8)


def enumerated(runs: list[list[bool]]) -> PairSums:
    """Every pair, looked at one by one."""
    trials = [(number, outcome) for number, run in enumerate(runs) for outcome in run]
    sums = PairSums()
    for (run, outcome), (other_run, other_outcome) in combinations(trials, 2):
        disagrees = outcome != other_outcome
        if run == other_run:
            sums.within += 1
            sums.within_disagreeing += disagrees
        else:
            sums.between += 1
            sums.between_disagreeing += disagrees
    return sums


def counted(runs: list[list[bool]]) -> PairSums:
    return PairSums.of_task((sum(run), len(run)) for run in runs)


@given(task)
def test_counts_are_those_of_enumeration(runs: list[list[bool]]) -> None:
    """From successes and trials alone."""
    assert counted(runs) == enumerated(runs)


@given(task, task)
def test_tasks_pool_and_come_out_again(first: list[list[bool]], second: list[list[bool]]) -> None:
    """Runs of different tasks form no pairs."""
    pooled = counted(first).plus(counted(second))
    assert pooled.plus(counted(second), sign=-1) == counted(first)


@given(task)
def test_correlation_is_the_definition_clipped(runs: list[list[bool]]) -> None:
    """1 − D_w ÷ D_b within 0 and 1, where both shares exist."""
    sums = enumerated(runs)
    if sums.within and sums.between and sums.between_disagreeing:
        shares = (sums.within_disagreeing / sums.within) / (sums.between_disagreeing / sums.between)
        assert counted(runs).correlation() == pytest.approx(min(1.0, max(0.0, 1.0 - shares)), abs=1e-12)


def test_no_disagreement_between_runs_is_no_correlation() -> None:
    """All alike: 0, also where no run has two trials."""
    assert counted([[True], [True]]).correlation() == 0.0


def test_without_pairs_there_is_no_correlation_to_speak_of() -> None:
    """One run, or one trial a run while runs disagree."""
    assert counted([[True, False]]).correlation() is None
    assert counted([[True], [False]]).correlation() is None
