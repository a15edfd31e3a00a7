"""What could not be measured or compared is an ERROR with its reason, and never a pass."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hbeval.errors import InputError
from hbeval.gate import GateResult, Requirements, Verdict, exit_code, parse_requirement, run_gate
from hbeval.model import Context, Evidence, EvidenceLevel, FaultCounts, LeftOut, Measured, NotMeasured, Report
from tests.gate.arms import arm, drawn

GOOD = drawn(0.95, 400)


def required(*texts: str, **settings: Any) -> Requirements:
    """Requirements in words."""
    return Requirements(all=tuple(map(parse_requirement, texts)), **settings)


def the_error(result: GateResult) -> str:
    """All errors of a result that must be one, with nothing passed and both exit codes not 0."""
    assert result.verdict is Verdict.ERROR
    assert exit_code(result, enforce=False) == exit_code(result, enforce=True) == 4
    return "\n".join(result.errors)


def floor(report: Report, **settings: Any) -> str:
    """The error of a floor that the good report passes by far."""
    assert run_gate(GOOD, None, required("frr >= 0.5")).verdict is Verdict.PASS
    return the_error(run_gate(report, None, required("frr >= 0.5", **settings)))


def margin(report: Report, baseline: Report) -> str:
    """The error of the default requirements, which the good report passes against itself."""
    return the_error(run_gate(report, baseline))


def test_the_good_report_passes_against_itself() -> None:
    """Or the errors below would show nothing."""
    assert run_gate(GOOD, GOOD).verdict is Verdict.PASS


def test_an_empty_report() -> None:
    """No runs at all."""
    assert "holds no runs" in floor(arm([], tasks=1, repeats=0))


def test_everything_rate_limited() -> None:
    """All cases errored: in neither side of the ratio, and no green job."""
    words = floor(arm([5] * 40, endings=["infrastructure"] * 40))
    assert "none of 40 runs could be measured (40 infrastructure)" in words


def test_coverage_below_the_minimum_names_what_was_lost() -> None:
    """With the stated minimum and the endings."""
    report = arm([5] * 40, endings=["infrastructure", "empty", "cancelled"])
    assert "coverage 37 of 40 runs is below the minimum of 0.95 (1 infrastructure, 1 empty, 1 cancelled)" in floor(
        report
    )
    assert run_gate(report, None, required("frr >= 0.5", min_coverage=0.9)).verdict is Verdict.PASS


def test_inputs_that_were_left_out_count_as_coverage() -> None:
    """An unreadable log is a run that was not measured."""
    imported = replace(GOOD, left_out=tuple(LeftOut(source=f"log {each}", reason="cut short") for each in range(30)))
    words = floor(imported)
    assert "coverage 400 of 400 runs and 30 inputs left out is below" in words
    assert "left out first: log 0, cut short" in words


def test_an_interrupted_run() -> None:
    """A partial report is refused, on both sides."""
    assert "the result: is partial" in floor(replace(GOOD, partial=True))
    assert "the baseline: is partial" in margin(GOOD, replace(GOOD, partial=True))


def test_dropped_scenarios() -> None:
    """Fewer runs than were asked for, whoever dropped them."""
    some = replace(GOOD, runs=GOOD.runs[:-5])  # type: ignore[index]
    assert "lists 395 runs, its coverage counts 400" in floor(some)
    coverage = replace(GOOD.coverage, runs=395, measured=395)
    assert "395 runs of 400 that were asked for (4 scenarios × 100)" in floor(replace(some, coverage=coverage))


def test_a_smaller_scenario_set_is_not_held_against_the_whole() -> None:
    """Both what differs and which scenarios are missing."""
    words = margin(drawn(0.95, 300, tasks=3), GOOD)
    assert "battery scenarios: 4 against 3" in words
    assert "scenario set digest" in words
    assert "100 scenarios not in the result: d/task 3/tool_failure/r0" in words


def test_a_task_that_was_never_measured() -> None:
    """All its repeats lost, coverage still above the minimum: one task has vanished."""
    report = arm(
        [5] * 200, tasks=100, endings=["completed"] * 3 + ["infrastructure"] + ["completed"] * 99 + ["infrastructure"]
    )
    assert "tasks none of whose runs could be measured: task 3" in floor(report)


def test_a_run_that_is_there_twice() -> None:
    """One record a slot."""
    assert GOOD.runs is not None
    twice = replace(GOOD, runs=(*GOOD.runs[:-1], GOOD.runs[0]))
    assert "runs that are there twice: d/task 0/tool_failure/r0" in floor(twice)


def test_runs_that_do_not_add_up_to_the_report() -> None:
    """A document that was edited."""
    frr = GOOD.metrics["frr"]
    assert isinstance(frr, Measured)
    raised = replace(frr, k=frr.k + 1, value=(frr.k + 1) / frr.n)
    assert "frr: the runs listed give" in floor(replace(GOOD, metrics={**GOOD.metrics, "frr": raised}))


@pytest.mark.parametrize("value", [math.nan, math.inf, -0.1, 1.2])
def test_a_value_that_is_none(value: float) -> None:
    """NaN compares false with everything, so it passes where nobody looks."""
    frr = GOOD.metrics["frr"]
    assert isinstance(frr, Measured)
    report = replace(GOOD, metrics={**GOOD.metrics, "frr": replace(frr, value=value)})
    assert "which is no value of it" in floor(report)
    assert "which is no value of it" in margin(report, GOOD)
    assert "the baseline: frr is" in margin(GOOD, report)


def test_a_count_that_is_none_inside_a_run() -> None:
    """Not only the report's own numbers are looked at."""
    assert GOOD.runs is not None
    first = GOOD.runs[0]
    frr = first.metrics["frr"]
    assert isinstance(frr, Measured)
    bad = replace(first, metrics={**first.metrics, "frr": replace(frr, k=math.nan)})
    assert f"frr of run {first.id} is" in floor(replace(GOOD, runs=(bad, *GOOD.runs[1:])))


def test_a_floor_on_an_undefined_metric() -> None:
    """Nothing broke, so nothing is known of how faults are met."""
    words = the_error(run_gate(arm([0] * 40, 0), None, required("frr >= 0.5")))
    assert words == "frr >= 0.5: frr is not measured in the result (no faulted step), so it is no pass"


def test_an_undefined_metric_is_an_error_beside_one_that_passes() -> None:
    """Also as one of several alternatives: what was not measured is not shown to be met, and not shown to fail."""
    words = the_error(run_gate(_unjudged(GOOD), None, required("frr >= 0.5 or irs >= 0.5")))
    assert "irs is not measured in the result (no trial judged)" in words


def _unjudged(report: Report) -> Report:
    """The report as it would be if no trial had been judged."""
    lost = NotMeasured(reason="no trial judged", n=0, n_total=9, instrument="irs@2.0")
    runs = tuple(replace(each, metrics={**each.metrics, "irs": lost}) for each in report.runs or ())
    return replace(report, runs=runs, metrics={**report.metrics, "irs": lost})


def test_a_metric_that_vanished_since_the_baseline() -> None:
    """Whether or not it is required."""
    lost = _unjudged(GOOD)
    line = "irs was measured in the baseline and is not any more: no trial judged"
    assert line in margin(lost, GOOD)
    assert line in the_error(run_gate(lost, GOOD, required("frr >= 0.5")))
    gone = replace(GOOD, metrics={key: each for key, each in GOOD.metrics.items() if key != "irs"})
    assert "irs was measured in the baseline and is not any more: not in the result" in margin(gone, GOOD)


def test_a_metric_that_nobody_measured_is_listed() -> None:
    """Undefined on both sides and named by no requirement: no error, and not silent."""
    lost = _unjudged(GOOD)
    result = run_gate(lost, lost)
    assert result.verdict is Verdict.PASS
    assert result.unmeasured == ("irs: not measured in the result and the baseline, and not required",)
    assert [each.metric for each in result.requirements] == ["pei", "frr", "ti"]


def test_a_margin_without_a_baseline() -> None:
    """There is nothing to be not worse than."""
    assert "there is no baseline to hold it against" in the_error(
        run_gate(GOOD, None, required("frr not worse by 0.05"))
    )


@pytest.mark.parametrize(
    ("other", "line"),
    [
        (lambda: drawn(0.95, 400, specification="0ther"), "fault specification fingerprint: 0ther against 5bec"),
        (lambda: arm([5] * 400, seed=8), "battery seed: 8 against 7"),
        (lambda: replace(GOOD, scoring_fingerprint="0ther"), "scoring fingerprint: 0ther against"),
        (lambda: replace(GOOD, scoring_version="1.0"), "scoring version: 1.0 against 2.0"),
        (lambda: _versions(GOOD, "frr@0.9"), "the baseline: frr was measured by frr@0.9, this version tests frr@1.0"),
        (lambda: drawn(0.95, 200), "battery repeats: 50 against 100"),
        (lambda: drawn(0.95, 400, task_set_digest="x"), "task set digest: x against None"),
    ],
)
def test_a_baseline_of_another_kind_is_refused_naming_what_differs(other: Callable[[], Report], line: str) -> None:
    """Specification, scoring, instruments, seed, scenario set."""
    baseline = other()
    if "task set" in line:
        baseline = replace(baseline, battery={**(baseline.battery or {}), "scenario_set_digest": "other"})
    assert line in margin(GOOD, baseline)


def _versions(report: Report, name: str) -> Report:
    metrics = {k: replace(v, instrument=name) if k == "frr" else v for k, v in report.metrics.items()}
    return replace(report, metrics=metrics)


def test_every_difference_is_named_not_only_the_first() -> None:
    """Whoever has to act sees all of it."""
    other = replace(GOOD, scoring_fingerprint="x", fault_spec_fingerprint="y", scoring_version="1.0")
    assert (
        sum(word in margin(GOOD, other) for word in ("scoring fingerprint", "fault specification", "scoring version"))
        == 3
    )


def test_text_alone_is_no_evidence() -> None:
    """E0 is refused unless it is accepted."""
    told = replace(GOOD, evidence=Evidence(level=EvidenceLevel.E0, known=0, required=9))
    assert "evidence at E0 (weakest run), accepted are E1, E2" in floor(told)
    assert run_gate(told, None, required("frr >= 0.5", accept_evidence=("E0", "E1", "E2"))).verdict is Verdict.PASS


def test_faults_that_could_not_be_injected() -> None:
    """A battery that did not break anything has not asked the question."""
    calm = replace(GOOD, faults=FaultCounts(intended=100, met=90, failed=10))
    assert "10 of 100 intended faults failed to be injected" in floor(calm)


def test_faults_met_less_often_are_said() -> None:
    """An agent that never calls the broken tool survives everything it meets."""
    before = replace(GOOD, faults=FaultCounts(intended=100, met=95, not_exposed=5))
    after = replace(GOOD, faults=FaultCounts(intended=100, met=40, not_exposed=60))
    assert any("fell from 95 of 100 to 40 of 100" in each for each in run_gate(after, before).notes)


def test_outcomes_that_are_mostly_unknown() -> None:
    """Two of three trials without a known outcome: what is known may be the better part."""
    report = arm([5] * 40, unknown=10)
    assert "of 600 trials in the result, 200 have a known outcome, fewer than the share of 0.5" in floor(report)
    assert run_gate(report, None, required("frr >= 0.5", min_known=0.3)).verdict is Verdict.PASS


def test_outcomes_less_known_than_before_cannot_pass() -> None:
    """No failure, and no pass: failures may have become unknowns."""
    result = run_gate(arm([5] * 400, unknown=2), arm([5] * 400), required("frr not worse by 0.05"))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "what is not known cannot pass" in result.requirements[0].words
    worse = run_gate(arm([2] * 400, unknown=2), arm([5] * 400), required("frr not worse by 0.05"))
    assert worse.verdict is Verdict.FAIL


def test_a_report_without_its_runs_says_how_to_get_them() -> None:
    """Neither side can be tested without."""
    with pytest.raises(InputError, match=r"the result does not list its runs.*--runs"):
        run_gate(replace(GOOD, runs=None), None, required("frr >= 0.5"))
    with pytest.raises(InputError, match=r"the baseline does not list its runs"):
        run_gate(GOOD, replace(GOOD, runs=None))


def imported(report: Report) -> Report:
    """The report as logs would give it: no battery, a digest of the tasks."""
    return replace(report, context=Context.IMPORT, battery=None, fault_spec_fingerprint=None, task_set_digest="d1")


def test_logs_are_gated_by_task_and_condition() -> None:
    """Their runs have no names in common, so other files of the same tasks may be held against each other."""
    before, after = imported(arm([4, 5] * 100)), imported(arm([4, 5] * 120))
    result = run_gate(after, before)
    assert result.verdict is Verdict.PASS
    assert result.population.startswith("Population: the 4 tasks of these logs; 240 runs against 200")
    few = run_gate(imported(arm([4, 5] * 10)), imported(arm([4, 5] * 10)), required("frr not worse by 0.05"))
    assert "more runs on each side would decide" in few.requirements[0].words


def test_logs_of_other_tasks_are_not_held_against_each_other() -> None:
    """The digest differs, and the missing ones are named, five of them and how many more."""
    before = imported(arm([5] * 40, tasks=10))
    after = replace(imported(arm([5] * 40, tasks=4)), task_set_digest="d2")
    words = margin(after, before)
    assert "task set digest: d1 against d2" in words
    named = ", ".join(f"task {each}/tool_failure" for each in range(4, 9))
    assert f"6 scenarios not in the result: {named} and 1 more" in words


def test_both_sides_must_have_measured_what_a_margin_asks_about() -> None:
    """Measured now and not before: there is nothing to hold it against."""
    words = the_error(run_gate(GOOD, _unjudged(GOOD), required("irs not worse by 0.05")))
    assert "irs is not measured in the baseline (no trial judged)" in words


def test_more_known_trials_than_there_are() -> None:
    """A count that says both is none."""
    frr = GOOD.metrics["frr"]
    assert isinstance(frr, Measured)
    report = replace(GOOD, metrics={**GOOD.metrics, "frr": replace(frr, n_total=frr.n - 1)})
    assert "which is no value of it" in floor(report)
