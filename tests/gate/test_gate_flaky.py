"""Flaky scenarios are shown, and left out only on evidence that the result under test cannot give itself."""

from __future__ import annotations

import math
from typing import Any

import pytest

from hbeval.gate import Requirements, Verdict, parse_requirement, run_gate
from hbeval.gate.flaky import flakiness
from tests.gate.arms import arm

FLAKY = "d/task 3/tool_failure"


def required(quarantine: tuple[str, ...] = (), **settings: Any) -> Requirements:
    """A margin on the success rate, which one flaky scenario of twenty decides."""
    return Requirements(all=(parse_requirement("success_rate not worse by 0.10"),), quarantine=quarantine, **settings)


def twenty(flaky: int, repeats: int = 12) -> list[int]:
    """Runs of twenty tasks that always succeed, but for task 3, which succeeds in the first `flaky` repeats."""
    return [int(task != 3 or repeat < flaky) for repeat in range(repeats) for task in range(20)]


BASELINE = arm(twenty(6), 1, tasks=20)


@pytest.mark.parametrize(("successes", "runs"), [(0, 10), (10, 10), (0, 0), (3, 10), (5, 10), (9, 12), (1, 2)])
def test_flakiness_is_the_binomial_tail_of_the_rarer_outcome(successes: int, runs: int) -> None:
    """At most one repeat in ten strays, summed by hand."""
    rarer = min(successes, runs - successes)
    tail = sum(math.comb(runs, k) * 0.1**k * 0.9 ** (runs - k) for k in range(rarer, runs + 1))
    assert flakiness(successes, runs) == pytest.approx(tail if rarer else 1.0)


def test_scenarios_whose_repeats_disagree_are_listed_and_count() -> None:
    """Measured over repeats on both sides; nothing is left out by itself."""
    result = run_gate(arm(twenty(4), 1, tasks=20), BASELINE, required())
    (found,) = result.flaky
    assert (found.scenario, found.quarantined) == (FLAKY, False)
    assert (found.baseline_successes, found.baseline_runs, found.successes, found.runs) == (6, 12, 4, 12)
    assert result.requirements[0].n == 240


def test_a_flaky_scenario_is_left_out_on_both_sides_and_in_the_open() -> None:
    """With its evidence, and with what it does now."""
    result = run_gate(arm(twenty(0), 1, tasks=20), BASELINE, required((FLAKY,)))
    assert result.verdict is Verdict.PASS
    assert (result.requirements[0].n, result.requirements[0].baseline_n) == (228, 228)
    assert [each.scenario for each in result.quarantined] == [FLAKY]
    (note,) = (each for each in result.notes if "quarantine" in each)
    assert "succeeded in 6 of 12 repeats of the baseline, p = 0.00054" in note
    assert "now 0 of 12; it never succeeds any more" in note


def test_the_result_under_test_is_no_evidence() -> None:
    """A scenario that became flaky got worse, and must not excuse itself."""
    steady = arm(twenty(12), 1, tasks=20)
    result = run_gate(arm(twenty(6), 1, tasks=20), steady, required((FLAKY,)))
    assert result.verdict is Verdict.ERROR
    assert "succeeded in 12 of 12 repeats of the baseline, which does not show that it is flaky" in result.errors[0]


def test_two_repeats_are_no_evidence() -> None:
    """One of two happens often to a scenario that hardly ever strays."""
    result = run_gate(arm(twenty(1, 2), 1, tasks=20), arm(twenty(1, 2), 1, tasks=20), required((FLAKY,)))
    assert "1 of 2 repeats of the baseline, which does not show" in result.errors[0]
    assert "(p = 0.19 against 0.05)" in result.errors[0]


def test_a_scenario_that_nobody_knows_is_an_error() -> None:
    """Misspelt, it would leave out nothing."""
    result = run_gate(BASELINE, BASELINE, required(("d/task 99/tool_failure",)))
    assert result.errors == (
        "quarantine: d/task 99/tool_failure is no scenario of the baseline whose success is known",
    )


def test_without_a_baseline_there_is_no_quarantine() -> None:
    """Nothing else can show that a scenario is flaky."""
    floor = Requirements(all=(parse_requirement("success_rate >= 0.5"),), quarantine=(FLAKY,))
    assert "there is no baseline" in run_gate(BASELINE, None, floor).errors[0]


def test_too_many_left_out_is_another_scenario_set() -> None:
    """More than one in ten."""
    shaky = arm([int(task > 3 or repeat % 2 == 0) for repeat in range(12) for task in range(20)], 1, tasks=20)
    names = tuple(f"d/task {each}/tool_failure" for each in range(3))
    result = run_gate(shaky, shaky, required(names))
    assert result.errors == ("quarantine: 3 of 20 scenarios, more than the share of 0.1",)
    assert run_gate(shaky, shaky, required(names[:2])).errors == ()


def test_several_in_quarantine_share_the_error_rate() -> None:
    """4 of 12 is evidence for one scenario asked about, and not for one of many."""
    runs = [int(task > 1 or repeat >= 4) for repeat in range(12) for task in range(20)]
    shaky = arm(runs, 1, tasks=20)
    first, second = (f"d/task {each}/tool_failure" for each in range(2))
    assert flakiness(4, 12) == pytest.approx(0.0256, abs=1e-4)
    assert run_gate(shaky, shaky, required((first,))).errors == ()
    assert len(run_gate(shaky, shaky, required((first, second))).errors) == 2
