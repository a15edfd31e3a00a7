"""Runs of a report as counts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hbeval.errors import InputError, UsageError
from hbeval.instruments.samples import judged_trace, random_traces
from hbeval.model import Context, Measured, NotMeasured
from hbeval.report import Assembly
from hbeval.report.samples import is_pooled_ratio, pooled, samples_of, sums_of, top_of


def assembled(seed: int, count: int, context: Context = Context.BATTERY) -> Assembly:
    assembly = Assembly(context, keep_runs=True)
    for judged in random_traces(seed, count):
        assembly.add(judged)
    return assembly


@given(st.integers(0, 10_000), st.integers(1, 25))
def test_counts_of_the_runs_pool_to_the_report(seed: int, count: int) -> None:
    """Value, k, n and interval of every pooled metric come out as the report has them."""
    report = assembled(seed, count).report()
    samples = samples_of(report)
    assert set(samples) >= {"pei", "frr", "irs", "ti"}
    assert not set(samples) & {"csi", "pass_1"}
    for key, runs in samples.items():
        whole = report.metrics[key]
        assert len(runs) == report.coverage.measured
        again = pooled(whole, runs)
        sums = sums_of(runs)
        assert sums.m == whole.n
        if isinstance(whole, Measured):
            assert isinstance(again, Measured)
            assert (again.value, again.k, again.n, again.interval) == (whole.value, whole.k, whole.n, whole.interval)
            assert whole.value == top_of(whole) * sums.x / sums.m
        else:
            assert isinstance(again, NotMeasured)


def test_invalid_and_cancelled_runs_are_in_no_sample() -> None:
    """They measured nothing; a run without a trial is there with none."""
    assembly = Assembly(Context.BATTERY, keep_runs=True)
    for ending in ("completed", "infrastructure", "cancelled", "empty"):
        assembly.add(judged_trace("1001", id=ending, ending=ending))
    samples = samples_of(assembly.report())
    assert [each.scenario for each in samples["pei"]] == ["completed"]
    assert [(each.x, each.m) for each in samples["frr"]] == [(0, 0)]


def test_scenarios_of_imports_are_task_condition_and_repeat() -> None:
    """Their source is a file, which is another in another folder."""
    assembly = Assembly(Context.IMPORT, keep_runs=True)
    assembly.add(judged_trace("1001", id="here/run.json", task="book", repeat=2, condition="cascade", context="import"))
    assembly.add(judged_trace("1001", id="here/else.json", task="book", context="import"))
    found = [each.scenario for each in samples_of(assembly.report())["pei"]]
    assert sorted(found) == ["book/cascade/r2", "book/nominal/r0"]


def test_a_report_without_its_runs_says_what_to_give() -> None:
    """The run directory, or a document with the runs."""
    with pytest.raises(InputError, match="--runs"):
        samples_of(replace(assembled(1, 3).report(), runs=None))


def test_counts_that_are_none_are_refused() -> None:
    """A document may hold anything."""
    report = assembled(1, 3).report()
    assert report.runs is not None
    run = report.runs[0]
    for k in (0.5, 99.0, -1.0):
        whole = Measured(
            value=1.0,
            n=4,
            n_total=4,
            k=k,
            interval=None,
            level=0.95,
            method="",
            instrument="pei@1.0",
            no_interval="one run",
        )
        broken = replace(report, runs=(replace(run, status="measured", metrics={"pei": whole}),))
        with pytest.raises(InputError, match="k of pei is not a count"):
            samples_of(broken)


def test_only_known_pooled_ratios_are_pooled() -> None:
    """CSI is a mean over tasks; an instrument of another version is left alone."""
    csi = NotMeasured(reason="x", n=0, n_total=0, instrument="csi@1.0-provisional")
    unknown = NotMeasured(reason="x", n=0, n_total=0, instrument="pei@99")
    assert not is_pooled_ratio(csi)
    assert not is_pooled_ratio(unknown)
    with pytest.raises(UsageError, match="no ratio pooled over runs"):
        pooled(csi, ())
    assert top_of(NotMeasured(reason="x", n=0, n_total=0, instrument="ti@1.0")) == 5.0
