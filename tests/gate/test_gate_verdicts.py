"""PASS, FAIL and INCONCLUSIVE, over all runs and per task, alone and combined."""

from __future__ import annotations

from typing import Any

import pytest

from hbeval.errors import UsageError
from hbeval.gate import (
    All,
    AnyOf,
    Floor,
    GateResult,
    Requirements,
    Verdict,
    default_requirements,
    exit_code,
    interrupted,
    parse_requirement,
    run_gate,
)
from hbeval.gate.composition import adjusted
from tests.gate.arms import arm, drawn

PASS, FAIL, INCONCLUSIVE, ERROR = Verdict


def asked(*texts: str, **settings: Any) -> Requirements:
    """Requirements in words."""
    return Requirements(all=tuple(map(parse_requirement, texts)), **settings)


def verdicts(result: GateResult) -> list[Verdict]:
    """Of the requirements, in order."""
    return [each.verdict for each in result.requirements]


def test_much_worse_fails_with_both_bounds_shown() -> None:
    """Bounds on the metric's scale, difference in words."""
    result = run_gate(drawn(0.5, 40), drawn(0.9, 40, seed=2), asked("frr not worse by 0.05"))
    row = result.requirements[0]
    assert (result.verdict, row.verdict, row.limit, row.margin) == (FAIL, FAIL, -0.05, 0.05)
    assert row.value is not None
    assert row.baseline is not None
    assert row.bound is not None
    assert row.upper is not None
    assert row.bound < row.value - row.baseline < row.upper < 0
    assert (row.n, row.trials, row.baseline_n) == (40, 200, 40)
    assert row.words.endswith(": worse")


def test_equal_with_many_runs_passes() -> None:
    """Worse by the margin or more is rejected."""
    result = run_gate(drawn(0.9, 400), drawn(0.9, 400, seed=2), asked("frr not worse by 0.10"))
    assert (result.verdict, verdicts(result)) == (PASS, [PASS])
    assert result.more_runs is None
    assert result.requirements[0].more_runs is None


def test_equal_with_few_runs_is_inconclusive_and_says_how_many_would_do() -> None:
    """In runs, in repeats of the scenarios, and as an estimate."""
    result = run_gate(drawn(0.8, 20), drawn(0.8, 20, seed=1), asked("frr not worse by 0.05"))
    row = result.requirements[0]
    assert (result.verdict, row.verdict) == (INCONCLUSIVE, INCONCLUSIVE)
    assert row.more_runs is not None
    assert result.more_runs == row.more_runs > 100
    assert f"about {row.more_runs} more runs on each side" in row.words
    assert f"({-(-row.more_runs // 4)} more repeats of each scenario)" in row.words
    assert "an estimate" in row.words


def test_the_estimate_of_more_runs_decides_four_times_in_five() -> None:
    """Fresh runs of that number, with the shares as they were, are decided at about that rate."""
    seen = arm([3, 4, 4, 5] * 5)
    more = run_gate(seen, seen, asked("frr not worse by 0.08")).requirements[0].more_runs
    assert more is not None
    runs = 20 + more - more % 4
    pairs = [(drawn(0.8, runs, seed=2 * each), drawn(0.8, runs, seed=2 * each + 1)) for each in range(40)]
    decided = sum(run_gate(one, two, asked("frr not worse by 0.08")).verdict is not INCONCLUSIVE for one, two in pairs)
    assert decided >= 26


def test_one_run_says_nothing_about_the_spread() -> None:
    """Not a point interval that always passes."""
    result = run_gate(arm([5], tasks=1), None, asked("frr >= 0.5"))
    assert (result.verdict, result.requirements[0].more_runs) == (INCONCLUSIVE, 2)
    assert "one run says nothing about the spread" in result.requirements[0].words


def test_three_identical_runs_do_not_collapse_the_bound() -> None:
    """Zero variance seen is not zero variance."""
    result = run_gate(arm([5, 5, 5], tasks=1), arm([5, 5, 5], tasks=1), asked("frr not worse by 0.05"))
    assert result.verdict is INCONCLUSIVE


@pytest.mark.parametrize(("share", "verdict"), [(0.9, PASS), (0.5, FAIL), (0.72, INCONCLUSIVE)])
def test_a_floor_is_tested_on_its_own(share: float, verdict: Verdict) -> None:
    """Without a baseline, in the same form."""
    result = run_gate(drawn(share, 40), None, asked("frr >= 0.70"))
    row = result.requirements[0]
    assert (result.verdict, row.limit, row.margin, row.baseline) == (verdict, 0.7, None, None)
    assert row.bound is not None
    assert row.upper is not None
    assert row.bound < row.value < row.upper  # type: ignore[operator]


def test_the_scale_of_ti_is_its_own() -> None:
    """0.05 of the scale is 0.25 of 5, and values are shown on it."""
    row = run_gate(drawn(0.9, 40), drawn(0.9, 40), asked("ti not worse by 0.05 of the scale")).requirements[0]
    assert (row.value, row.margin, row.limit) == (5.0, 0.25, -0.25)
    assert row.bound is not None
    assert -0.5 < row.bound < 0


def test_overall_pass_needs_every_requirement() -> None:
    """One that cannot tell keeps the whole from passing."""
    result = run_gate(drawn(0.9, 40), None, asked("frr >= 0.5", "irs >= 0.9"))
    assert verdicts(result) == [PASS, INCONCLUSIVE]
    assert result.verdict is INCONCLUSIVE


def test_any_passes_by_one_and_fails_by_all() -> None:
    """A floor that fails beside one that passes is no failure."""
    report = drawn(0.9, 60)
    assert run_gate(report, None, asked("frr >= 0.98 or irs >= 0.5")).verdict is PASS
    assert run_gate(report, None, asked("frr >= 0.98 or irs >= 0.98")).verdict is FAIL
    assert run_gate(report, None, asked("frr >= 0.98 and irs >= 0.5")).verdict is FAIL


def test_an_all_inside_an_any_passes_with_every_part() -> None:
    """As the file form writes it."""
    report = drawn(0.9, 60)
    for least, verdict in ((0.5, PASS), (0.98, FAIL)):
        both = All(parts=(Floor(metric="frr", least=0.5), Floor(metric="irs", least=least)))
        whole = AnyOf(parts=(both, Floor(metric="frr", least=0.98)))
        assert run_gate(report, None, Requirements(all=(whole,))).verdict is verdict


def test_any_shares_the_error_rate_of_passing() -> None:
    """What passes alone only just does not pass as one of many tries."""
    report = drawn(0.9, 40, seed=3)
    floors = [f"frr >= {least / 1000}" for least in range(700, 900)]
    just = [each for each in floors if run_gate(report, None, asked(each)).verdict is PASS][-1]
    assert run_gate(report, None, asked(" or ".join([just, *["irs >= 0.999"] * 9]))).verdict is not PASS


def test_a_metric_in_an_any_does_not_fail_alone_through_a_task() -> None:
    """A task fails an alternative when it fails every part of it."""
    worse = arm([5, 5, 5, 0] * 12)
    before = arm([5] * 48)
    both = run_gate(worse, before, asked("frr not worse by 0.9 or irs not worse by 0.9"))
    assert [each.task for each in both.failed_tasks()] == ["task 3", "task 3"]
    one = run_gate(worse, before, asked("frr not worse by 0.9 or pei not worse by 0.9"))
    assert one.failed_tasks() == ()


def test_one_task_failing_ten_of_ten_fails_the_gate_behind_a_good_average() -> None:
    """Twenty tasks, one of which breaks: the whole stays within the margin, the gate does not pass."""
    before, after = arm([1] * 200, 1, tasks=20), arm(([1] * 19 + [0]) * 10, 1, tasks=20)
    result = run_gate(after, before, asked("frr not worse by 0.15"))
    assert verdicts(result) == [PASS]
    assert result.verdict is FAIL
    assert [each.task for each in result.failed_tasks()] == ["task 19"]


def test_a_task_alone_cannot_pass_a_gate() -> None:
    """Tasks that got better do not make up for the whole."""
    result = run_gate(arm([5, 5, 5, 0] * 10), arm([4, 4, 4, 4] * 10), asked("frr not worse by 0.10"))
    assert any(each.verdict is PASS for each in result.tasks)
    assert result.verdict is not PASS


def test_a_floor_speaks_of_all_runs_unless_it_says_every_task() -> None:
    """One hard task is shown below it, and fails the gate only where that is asked."""
    report = arm([5, 5, 5, 1] * 12)
    whole = run_gate(report, None, asked("frr >= 0.60"))
    assert whole.verdict is PASS
    assert [(each.task, each.decides) for each in whole.tasks if each.verdict is FAIL] == [("task 3", False)]
    assert whole.failed_tasks() == ()
    each = run_gate(report, None, asked("frr >= 0.60 in every task"))
    assert each.verdict is FAIL
    assert [row.task for row in each.failed_tasks()] == ["task 3"]


def test_a_task_with_one_run_is_no_test() -> None:
    """Nothing can fail by what was done once."""
    result = run_gate(arm([5, 5, 5, 0]), arm([5] * 4), asked("frr not worse by 0.9"))
    assert result.tasks == ()


def test_many_tasks_do_not_drown_a_requirement() -> None:
    """Half of the error rate stays with what is asked of all runs."""
    whole, tasks = adjusted((0.02,), (0.9,) * 100)
    assert whole == (0.04,)
    assert tasks == (1.0,) * 100
    assert adjusted((0.03, 0.01), ()) == ((0.03, 0.02), ())


def test_a_failure_that_does_not_stand_among_many_is_said_so() -> None:
    """FAIL on its own, INCONCLUSIVE for the gate, and an estimate of what would decide."""
    before = arm([4] * 40)
    shares = [arm([4] * (40 - worse) + [3] * worse) for worse in range(40)]
    results = [run_gate(each, before, Requirements(all=default_requirements())) for each in shares]
    between = [each for each in results if FAIL in verdicts(each) and each.verdict is INCONCLUSIVE]
    assert between
    row = next(each for each in between[0].requirements if each.verdict is FAIL)
    assert "on its own that is a FAIL" in row.words
    assert row.p_fail is not None
    assert row.p_adjusted is not None
    assert row.p_fail <= 0.05 < row.p_adjusted


def test_within_the_margin_is_not_worse_however_many_runs_show_a_difference() -> None:
    """A loss that was allowed beforehand is a pass, also where it is certain."""
    result = run_gate(drawn(0.87, 2000, seed=3), drawn(0.9, 2000, seed=4), asked("frr not worse by 0.10"))
    assert result.verdict is PASS


def test_with_a_baseline_alone_the_four_are_asked() -> None:
    """PEI, FRR, IRS and TI, not worse by 0.05 of the scale."""
    result = run_gate(drawn(0.9, 400), drawn(0.9, 400))
    assert [(each.metric, each.requirement) for each in result.requirements] == [
        ("pei", "pei not worse by 0.05"),
        ("frr", "frr not worse by 0.05"),
        ("irs", "irs not worse by 0.05"),
        ("ti", "ti not worse by 0.25 of 5"),
    ]


def test_nothing_to_ask_is_a_usage_error() -> None:
    """A gate that cannot fail is a mistake of its caller."""
    with pytest.raises(UsageError, match="cannot fail"):
        run_gate(drawn(0.9, 40))
    with pytest.raises(UsageError, match="cannot fail"):
        Requirements(all=())


def test_a_metric_that_nothing_requires_and_that_got_worse_is_mentioned() -> None:
    """It does not decide, and it is not hidden."""
    result = run_gate(drawn(0.5, 40), drawn(0.95, 40), asked("ti not worse by 5%"))
    assert result.verdict is not FAIL
    assert any(each.startswith("frr is not required, and is worse") for each in result.notes)


def test_population_and_multiplicity_are_said() -> None:
    """What the verdict speaks of, and how its errors add up."""
    result = run_gate(drawn(0.9, 40), drawn(0.9, 40), asked("frr not worse by 0.05", "irs not worse by 0.05"))
    assert "the 4 scenarios of battery b@1 under seed 7, 10 repeats each; 40 runs against 40" in result.population
    assert "Nothing is said about other tasks" in result.population
    assert "Holm over 2 requirements and Holm over 8 results of single tasks" in result.multiplicity


def test_exit_codes_are_those_that_scripts_rely_on() -> None:
    """Report mode lets all but ERROR pass; with enforce each verdict counts."""
    results = [GateResult(verdict=each, required="", alpha=0.05) for each in (PASS, FAIL, INCONCLUSIVE, ERROR)]
    assert [exit_code(each, enforce=False) for each in results] == [0, 0, 0, 4]
    assert [exit_code(each, enforce=True) for each in results] == [0, 1, 3, 4]


def test_an_interrupted_gate_is_partial_and_no_pass() -> None:
    """Whoever reads its document sees both."""
    result = interrupted(asked("frr >= 0.5"))
    assert (result.verdict, result.partial, result.required) == (ERROR, True, "frr >= 0.5")


def test_tasks_decide_where_that_is_asked_and_there_are_twenty() -> None:
    """Tasks that differ much from each other and little between the sides: paired they tell more."""
    hard = [[0, 1, 3, 5][task % 4] for task in range(24)]
    before, after = arm(hard * 3, tasks=24), arm(hard * 3, tasks=24)
    by_runs, by_tasks = (
        run_gate(after, before, asked("frr not worse by 0.08", by_task=each)) for each in (False, True)
    )
    assert (by_runs.verdict, by_tasks.verdict) == (INCONCLUSIVE, PASS)
    assert by_runs.requirements[0].paired == by_tasks.requirements[0].paired
    assert by_tasks.requirements[0].paired == (by_tasks.requirements[0].bound, by_tasks.requirements[0].upper)
    assert "margins decided by the tasks, paired" in by_tasks.population


def test_tasks_that_all_got_worse_fail_paired() -> None:
    """With a p-value that goes to the smallest error rate at which it would."""
    before, after = arm([4] * 72, tasks=24), arm([2] * 72, tasks=24)
    result = run_gate(after, before, asked("frr not worse by 0.05", by_task=True))
    assert result.verdict is FAIL
    p = result.requirements[0].p_fail
    assert p is not None
    assert 0 < p < 1e-4
    for alpha, verdict in ((p * 1.01, FAIL), (p * 0.99, INCONCLUSIVE)):
        again = run_gate(after, before, asked("frr not worse by 0.05", by_task=True, alpha=alpha))
        assert again.requirements[0].verdict is verdict


def test_tasks_that_leave_it_open_say_that_repeats_would_not_help() -> None:
    """More tasks would."""
    before, after = arm([4] * 48, tasks=24), arm([3, 5] * 24, tasks=24)
    row = run_gate(after, before, asked("frr not worse by 0.02", by_task=True)).requirements[0]
    assert (row.verdict, row.more_runs) == (INCONCLUSIVE, None)
    assert "more tasks would tell more, more repeats hardly" in row.words


def test_fewer_than_twenty_tasks_do_not_decide() -> None:
    """Their interval is shown; asked to decide, they are an error."""
    report = drawn(0.9, 40)
    assert run_gate(report, report, asked("frr not worse by 0.05")).requirements[0].paired is not None
    result = run_gate(report, report, asked("frr not worse by 0.05", by_task=True))
    assert result.errors == (
        "frr not worse by 0.05: to decide by tasks takes 20 that both sides measured, there are 4",
    )


def test_tasks_that_fall_short_on_their_own_are_named_first_to_look_at() -> None:
    """One task of thirty falls to a third in five runs: no FAIL among so many tests, and not hidden by the PASS."""
    before = arm([1] * 150, 1, tasks=30)
    after = arm([int(run % 30 != 7 or run >= 90) for run in range(150)], 1, tasks=30)
    result = run_gate(after, before, asked("success_rate not worse by 0.15"))
    assert result.verdict is PASS
    (note,) = (each for each in result.notes if "on their own" in each)
    assert "1 of 30 results of single tasks fall short at 0.05, where up to about 1.5 would by chance" in note
    assert "success_rate in task 7 (p = " in note


def test_a_result_held_against_itself_is_said() -> None:
    """It may be a mistake in a pipeline; it may be an agent in which nothing changed."""
    report = drawn(0.9, 40)
    assert any("held against itself" in each for each in run_gate(report, report).notes)
    assert not any("held against itself" in each for each in run_gate(report, drawn(0.9, 40, seed=2)).notes)
