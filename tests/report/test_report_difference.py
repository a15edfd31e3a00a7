"""What separates two reports, in numbers and in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hbeval.instruments.samples import judged_trace
from hbeval.model import Context, Measured, Report
from hbeval.report import Assembly
from hbeval.report.difference import Difference, difference_of, differences, sampled
from hbeval.report.effect import contrast_words, count_words, effect_words, signed, verdict_word
from hbeval.report.samples import sums_of
from hbeval.stats import Pair, paired_interval, ratio_difference_interval
from tests.report.comparison_builder import GOOD, POOR, battery_report, two_reports


def of(metric: str, a: Report, b: Report) -> Difference:
    return difference_of(metric, sampled(a), sampled(b))


def test_the_difference_is_b_less_a_on_the_metric_s_scale() -> None:
    """TI is on 0 to 5; its interval with it."""
    a = battery_report([("t", "1101 1101", True)], repeats=30)
    b = battery_report([("t", "1100 1101", True)], repeats=30)
    ti = of("ti", a, b)
    assert ti.runs is not None
    assert (ti.runs.a, ti.runs.b, ti.runs.value) == (5.0, 2.5, -2.5)
    interval = ti.runs.interval
    assert interval is not None
    assert -5.0 <= interval[0] < -2.5 < interval[1] < 0.0


def test_runs_scenarios_and_tasks_are_each_an_estimate() -> None:
    """The same difference, its interval from what is taken as independent."""
    a, b = two_reports()
    frr = of("frr", a, b)
    one, two = sampled(a).samples["frr"], sampled(b).samples["frr"]
    assert frr.runs is not None
    assert frr.scenarios is not None
    assert frr.tasks is not None
    assert (frr.runs.n_a, frr.runs.n_b, frr.runs.pairs) == (24, 24, None)
    assert (frr.scenarios.pairs, frr.tasks.pairs) == (24, 8)
    assert frr.runs.value == pytest.approx(-0.375)
    pairs = [Pair(x.x, x.m, y.x, y.m) for x, y in zip(one, two, strict=True)]
    expected = paired_interval(pairs, clusters="scenarios")
    assert expected is not None
    assert frr.scenarios.interval == (expected.low, expected.high)
    assert frr.scenarios.method == "mover, paired, scenarios as clusters"
    assert frr.leading is frr.scenarios
    assert frr.counts is not None
    assert (frr.counts.higher, frr.counts.equal, frr.counts.lower, frr.counts.one_sided) == (0, 6, 18, 0)


def test_runs_that_only_one_side_has_leave_the_runs_leading() -> None:
    """What is shared is still shown as paired; a scenario that stands for several runs is no pair."""
    a, b = two_reports()
    assert b.runs is not None
    fewer = replace(b, runs=b.runs[3:])
    frr = of("frr", a, fewer)
    assert not frr.all_paired
    assert frr.leading is frr.runs
    assert frr.scenarios is not None
    assert frr.scenarios.pairs == 21
    doubled = replace(b, runs=(*b.runs, b.runs[0]))
    twice = of("frr", a, doubled)
    assert twice.scenarios is not None
    assert (twice.scenarios.pairs, twice.all_paired) == (23, False)


def test_no_scenario_in_common_leaves_nothing_to_pair() -> None:
    """Other tasks: the runs alone tell."""
    a = battery_report([("x", GOOD, True)])
    b = battery_report([("y", POOR, True)])
    frr = of("frr", a, b)
    assert (frr.scenarios, frr.tasks, frr.counts) == (None, None, None)
    assert frr.runs is not None
    assert frr.leading is frr.runs


def test_a_pair_defined_on_one_side_is_counted_apart() -> None:
    """No trial on the other side: in no sign, and in the estimate of the side that has it."""
    a = battery_report([("x", GOOD, True), ("y", GOOD, True)])
    b = battery_report([("x", GOOD, True), ("y", "1001 1001", True)])
    frr = of("frr", a, b)
    assert frr.counts is not None
    assert (frr.counts.equal, frr.counts.one_sided) == (3, 3)
    assert frr.scenarios is not None
    assert (frr.scenarios.n_a, frr.scenarios.n_b, frr.scenarios.pairs) == (6, 3, 6)


def test_without_lists_of_runs_the_two_intervals_are_combined() -> None:
    """Wider than from the runs, because each interval has its own t; nothing is paired."""
    a, b = two_reports()
    bare = of("frr", replace(a, runs=None), replace(b, runs=None))
    assert bare.runs is not None
    assert (bare.runs.clusters, bare.scenarios, bare.tasks) == ("measurements", None, None)
    assert bare.leading is bare.runs
    assert bare.runs.interval is not None
    low, high = bare.runs.interval
    assert low < bare.runs.value < high
    plain = of("frr", a, b).runs
    assert plain is not None
    assert plain.interval is not None
    assert low == pytest.approx(plain.interval[0], abs=0.1)


def test_metrics_that_are_not_pooled_are_taken_from_their_intervals() -> None:
    """pass^k is a mean over tasks; different levels give no interval, with the reason."""
    a, b = two_reports()
    pass_1 = of("pass_1", a, b)
    assert pass_1.runs is not None
    assert pass_1.runs.clusters == "measurements"
    assert pass_1.runs.interval is not None
    assert verdict_word(pass_1) == "not shown"
    held = b.metrics["pass_1"]
    assert isinstance(held, Measured)
    other = replace(b, metrics={**b.metrics, "pass_1": replace(held, level=0.9)})
    apart = of("pass_1", a, other)
    assert apart.runs is not None
    assert apart.runs.interval is None
    assert effect_words(apart) == "Worse by 0.500; no interval (intervals at 0.95 and 0.9)."


def test_what_a_side_did_not_measure_is_not_subtracted() -> None:
    """Never as zero: the reason, and on which side; an absent metric likewise."""
    a = battery_report([("x", GOOD, True)])
    b = battery_report([("x", "1001 1001", True)])
    frr = of("frr", a, b)
    assert (frr.leading, frr.better) == (None, 0)
    assert effect_words(frr) == "not measured in the second report: no faulted step."
    assert (verdict_word(frr), count_words(frr), contrast_words(frr.runs)) == ("not measured", "–", "–")
    absent = of("frr", replace(a, metrics={k: v for k, v in a.metrics.items() if k != "frr"}), b)
    assert effect_words(absent) == "not measured in the first report: not in this report."
    assert [each.metric for each in differences(sampled(a), sampled(b))] == list(
        dict.fromkeys((*a.metrics, *b.metrics))
    )


def test_one_run_has_a_difference_without_an_interval() -> None:
    """And says why."""
    a = battery_report([("x", GOOD, True)], repeats=1)
    b = battery_report([("x", POOR, True)], repeats=1)
    frr = of("frr", a, b)
    assert frr.runs is not None
    assert frr.scenarios is not None
    assert (frr.runs.interval, frr.runs.no_interval, frr.scenarios.no_interval) == (None, "one run", "one pair")
    assert effect_words(frr) == "Worse by 0.500; no interval (one pair)."
    assert contrast_words(frr.runs) == "−0.500 (no interval: one run)"
    same = of("pei", a, a)
    assert effect_words(same) == "Equal; no interval (one pair)."


def test_words_follow_the_interval_and_the_metric_s_direction() -> None:
    """Worse, better, or between how much of each; a higher reliability gap is worse."""
    a, b = two_reports()
    assert effect_words(of("frr", a, b)).startswith("Worse by 0.375 (95 % interval 0.")
    assert effect_words(of("frr", b, a)).startswith("Better by 0.375 (95 % interval 0.")
    same = effect_words(of("frr", a, a))
    assert same.startswith("No difference shown: between 0.")
    assert " worse and 0." in same
    assert (verdict_word(of("frr", b, a)), verdict_word(of("frr", a, a))) == ("better", "not shown")
    gap = of("frr", a, b)
    lower = replace(gap, facts=replace(gap.facts, higher_is_better=False))
    assert (lower.better, verdict_word(lower)) == (1, "better")
    assert effect_words(lower).startswith("Better by 0.375")
    even = of("frr", a, a)
    assert " better and 0." in effect_words(replace(even, facts=replace(even.facts, higher_is_better=False)))


def test_counts_behind_an_estimate_are_named() -> None:
    """Pairs, runs or what two intervals rest on."""
    a, b = two_reports()
    assert count_words(of("frr", a, b)) == "24 scenarios"
    assert count_words(of("pass_1", a, b)) == "8 and 8"
    one = battery_report([("x", GOOD, True)], repeats=1)
    assert count_words(of("frr", one, one)) == "1 scenario"
    assert b.runs is not None
    assert count_words(of("frr", a, replace(b, runs=b.runs[1:]))) == "24 and 23 runs"


@pytest.mark.parametrize(("value", "words"), [(0.25, "+0.250"), (-0.25, "−0.250"), (0.0, "0.000"), (-0.0, "0.000")])
def test_signs_are_written(value: float, words: str) -> None:
    """Nought has none."""
    assert signed(value) == words


def test_parts_pool_again() -> None:
    """The values of each domain are those of the report's own groups; an empty part is not measured."""
    a, _ = two_reports()
    groups = {each.by["domain"]: each for each in a.groups if "domain" in each.by}
    parts = sampled(a).split(lambda each: each.domain)
    assert set(parts) == set(groups) == {"a", "b"}
    for value, part in parts.items():
        for key, result in part.metrics.items():
            assert result == groups[value].metrics[key]
    assert not any(isinstance(each, Measured) for each in sampled(a).empty().metrics.values())


def test_runs_without_a_key_are_in_no_part() -> None:
    """Imports may have no domain."""
    assembly = Assembly(Context.IMPORT, keep_runs=True)
    assembly.add(judged_trace("1101", context="import"))
    assert sampled(assembly.report()).split(lambda each: each.domain) == {}


def test_the_interval_of_runs_is_that_of_the_gate_s_bounds() -> None:
    """The same construction at the two-sided level."""
    a, b = two_reports()
    one, two = (sampled(each).samples["frr"] for each in (a, b))
    interval = ratio_difference_interval(sums_of(one), sums_of(two))
    frr = of("frr", a, b)
    assert interval is not None
    assert frr.runs is not None
    assert frr.runs.interval == (interval.low, interval.high)
