"""The runs behind a report as counts per metric, so that differences can be tested, paired and pooled again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hbeval.errors import InputError, UsageError
from hbeval.instruments.catalogue import find
from hbeval.instruments.ratio import PooledRatio
from hbeval.model import Context, Measured, Measurement, Report, RunResult
from hbeval.stats import RatioSums

__all__ = ["RunSample", "is_pooled_ratio", "pooled", "samples_of", "sums_of", "top_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSample:
    """One run's counts of one metric: `x` of `m` trials, whatever the top of the metric's scale.

    `scenario` is what was asked, the repeat included: runs of two reports with one scenario are a pair. It is the
    battery's id of the run; elsewhere task, condition and repeat. A run in which the metric is not defined has m = 0.
    """

    scenario: str
    task: str
    domain: str | None
    condition: str | None
    repeat: int
    x: int
    m: int


def samples_of(report: Report) -> dict[str, tuple[RunSample, ...]]:
    """The measured runs of a report as counts, for every metric that is a ratio pooled over runs, in their order.

    value = `top_of(metric)` · Σx ÷ Σm. Invalid and cancelled runs are in no sample; the report's coverage counts them.
    Raises InputError if the report does not list its runs, or a run's counts are not whole numbers.
    """
    if report.runs is None:
        raise InputError(
            "the report does not list its runs, so its differences cannot be tested",
            right="a run directory, or a result document written with --runs",
        )
    measured = [run for run in report.runs if run.status == "measured"]
    asked_by_id = report.context is Context.BATTERY
    pooled = [key for key, result in report.metrics.items() if is_pooled_ratio(result)]
    return {key: tuple(_sample(run, key, asked_by_id=asked_by_id) for run in measured) for key in pooled}


def sums_of(samples: Iterable[RunSample]) -> RatioSums:
    """The sums over runs that intervals and tests are made from."""
    sums = RatioSums()
    for each in samples:
        sums.add(each.x, each.m)
    return sums


def is_pooled_ratio(result: Measurement) -> bool:
    """Whether the metric is x ÷ m pooled over runs (pei, frr, irs, ti, success rate; not csi, pass^k)."""
    try:
        return isinstance(find(result.instrument), PooledRatio)
    except InputError:
        return False


def top_of(result: Measurement) -> float:
    """The top of the scale of a metric: 5 for TI, 1 for the others. Raises InputError for an unknown instrument."""
    return float(find(result.instrument).scale[1])


def pooled(whole: Measurement, samples: Iterable[RunSample], level: float = 0.95) -> Measurement:
    """The metric over a part of its runs, as its instrument measures it; trials of unknown outcome are not counted.

    Raises UsageError if the metric is no pooled ratio.
    """
    instrument = find(whole.instrument)
    if not isinstance(instrument, PooledRatio):
        raise UsageError(f"{whole.instrument} is no ratio pooled over runs")
    part = instrument.start()
    for each in samples:
        part.total += each.m
        part.sums.add(each.x, each.m)
    return part.measure(level)


def _sample(run: RunResult, key: str, *, asked_by_id: bool) -> RunSample:
    result = run.metrics.get(key)
    x, m = (result.k, result.n) if isinstance(result, Measured) else (0, 0)
    if x != int(x) or not 0 <= x <= m:
        raise InputError(
            f"k of {key} is not a count within n", where=f"run {run.id}", value=x, right=f"a whole number from 0 to {m}"
        )
    return RunSample(
        scenario=run.source if asked_by_id else f"{run.task}/{run.condition or 'nominal'}/r{run.repeat}",
        task=run.task,
        domain=run.domain,
        condition=run.condition,
        repeat=run.repeat,
        x=int(x),
        m=m,
    )
