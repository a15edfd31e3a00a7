"""What separates two comparable reports, metric by metric: the difference, its interval, and what it was paired by.

Always the second report less the first, on the metric's scale. Population: the tasks and conditions of these runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from hbeval.model import Measured, Measurement, NotMeasured, Report
from hbeval.report.facts import MetricFacts, facts
from hbeval.report.samples import RunSample, pooled, samples_of, sums_of, top_of
from hbeval.stats import Interval, Pair, difference_interval, pair_sums, paired_interval, ratio_difference_interval

__all__ = [
    "DECIDING_TASKS",
    "Contrast",
    "Difference",
    "PairCounts",
    "Sampled",
    "difference_of",
    "differences",
    "sampled",
]

DECIDING_TASKS = 20
"""Fewer tasks than this are shown with their interval, but nothing is concluded from it."""

Clusters = Literal["runs", "scenarios", "tasks", "measurements"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """One estimate of a difference.

    a, b      the values it is the difference of, pooled over what takes part
    clusters  what counts as one independent observation; scenarios and tasks are paired; measurements = made from the
              two intervals, whose own clusters hold
    n_a, n_b  how many of them each side has with a trial; for measurements, the n of each
    pairs     how many are paired; None for runs and measurements
    """

    value: float
    a: float
    b: float
    interval: tuple[float, float] | None
    level: float
    method: str
    clusters: Clusters
    n_a: int
    n_b: int
    pairs: int | None = None
    no_interval: str | None = None

    @property
    def side_of_zero(self) -> int:
        """1 or −1 where the whole interval lies above or below 0, else 0."""
        if self.interval is None:
            return 0
        return 1 if self.interval[0] > 0.0 else -1 if self.interval[1] < 0.0 else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts:
    """Pairs of scenarios by which side has the higher share; `one_sided` are those defined on one side only."""

    higher: int = 0
    equal: int = 0
    lower: int = 0
    one_sided: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One metric of both reports, and how they differ.

    runs       the runs of both sides as independent clusters: what the gate tests; for a metric that is not pooled over
               runs, or reports that do not list theirs, from the two intervals
    scenarios  over the scenarios both have, paired
    tasks      over the tasks both have, paired, with the tasks as clusters
    counts     the pairs of scenarios, counted by the sign of their difference
    all_paired every measured run is in a pair of scenarios
    reason     why there is no difference, else None
    """

    metric: str
    facts: MetricFacts
    a: Measurement
    b: Measurement
    runs: Contrast | None = None
    scenarios: Contrast | None = None
    tasks: Contrast | None = None
    counts: PairCounts | None = None
    all_paired: bool = False
    reason: str | None = None

    @property
    def leading(self) -> Contrast | None:
        """The estimate that words are about: paired by scenario where every run is, else the runs as they are."""
        return self.scenarios if self.scenarios is not None and self.all_paired else self.runs

    @property
    def better(self) -> int:
        """1 if the second report is shown to be better, −1 if worse, 0 if neither is shown."""
        leading = self.leading
        side = 0 if leading is None else leading.side_of_zero
        return side if self.facts.higher_is_better else -side


@dataclass(frozen=True, slots=True)
class Sampled:
    """A report's metrics with the runs behind those that are pooled over runs; none where it does not list them."""

    metrics: Mapping[str, Measurement]
    samples: Mapping[str, Sequence[RunSample]] = field(default_factory=dict)

    def split(self, key: Callable[[RunSample], str | None]) -> dict[str, Sampled]:
        """The pooled metrics over the runs that share a key, by key; runs without one are in no part."""
        grouped = {metric: _grouped(runs, key) for metric, runs in self.samples.items()}
        values = {value for runs in grouped.values() for value in runs}
        return {
            value: self._part({metric: runs.get(value, []) for metric, runs in grouped.items()}) for value in values
        }

    def empty(self) -> Sampled:
        """The pooled metrics over no run at all."""
        return self._part(dict.fromkeys(self.samples, ()))

    def _part(self, samples: Mapping[str, Sequence[RunSample]]) -> Sampled:
        return Sampled({metric: pooled(self.metrics[metric], runs) for metric, runs in samples.items()}, samples)


def sampled(report: Report) -> Sampled:
    """The metrics of a report, with samples if it lists its runs."""
    return Sampled(report.metrics, {} if report.runs is None else samples_of(report))


def differences(a: Sampled, b: Sampled, level: float = 0.95) -> tuple[Difference, ...]:
    """Every metric of either side, those of `a` first."""
    return tuple(difference_of(key, a, b, level) for key in dict.fromkeys((*a.metrics, *b.metrics)))


def difference_of(metric: str, a: Sampled, b: Sampled, level: float = 0.95) -> Difference:
    """How one metric differs. At least one side must hold it; both must have measured it by the same instrument."""
    first, second = _held(a, metric, b), _held(b, metric, a)
    known = facts(metric, first)
    for words, result in (("first", first), ("second", second)):
        if isinstance(result, NotMeasured):
            why = f"not measured in the {words} report: {result.reason}"
            return Difference(metric=metric, facts=known, a=first, b=second, reason=why)
    assert isinstance(first, Measured)
    assert isinstance(second, Measured)
    if metric not in a.samples or metric not in b.samples:
        between = _between(first, second)
        return Difference(metric=metric, facts=known, a=first, b=second, runs=between)
    return _paired(metric, known, (first, second), (a.samples[metric], b.samples[metric]), level)


def _paired(
    metric: str,
    known: MetricFacts,
    results: tuple[Measured, Measured],
    samples: tuple[Sequence[RunSample], Sequence[RunSample]],
    level: float,
) -> Difference:
    top = top_of(results[0])
    runs = _independent(samples, top, level)
    scenarios, left = _pairs(samples, lambda each: each.scenario)
    tasks, _ = _pairs(samples, lambda each: each.task, several=True)
    return Difference(
        metric=metric,
        facts=known,
        a=results[0],
        b=results[1],
        runs=runs,
        scenarios=_contrast(scenarios, top, level, "scenarios"),
        tasks=_contrast(tasks, top, level, "tasks"),
        counts=_counted(scenarios) if scenarios else None,
        all_paired=not left,
    )


def _independent(samples: tuple[Sequence[RunSample], Sequence[RunSample]], top: float, level: float) -> Contrast:
    a, b = (sums_of(each) for each in samples)
    interval = ratio_difference_interval(a, b, level)
    value_a, value_b = top * a.x / a.m, top * b.x / b.m
    return Contrast(
        value=value_b - value_a,
        a=value_a,
        b=value_b,
        interval=_scaled(interval, top),
        level=level,
        method=interval.method if interval else "none",
        clusters="runs",
        n_a=a.n,
        n_b=b.n,
        no_interval=None if interval else "one run",
    )


def _contrast(pairs: Sequence[Pair], top: float, level: float, clusters: Clusters) -> Contrast | None:
    """None where the pairs leave a side without a trial."""
    a, b = pair_sums(pairs)
    if not a.m or not b.m:
        return None
    interval = paired_interval(pairs, level, clusters=clusters)
    value_a, value_b = top * a.x / a.m, top * b.x / b.m
    return Contrast(
        value=value_b - value_a,
        a=value_a,
        b=value_b,
        interval=_scaled(interval, top),
        level=level,
        method=interval.method if interval else "none",
        clusters=clusters,
        n_a=a.n,
        n_b=b.n,
        pairs=sum(1 for each in pairs if each.ma or each.mb),
        no_interval=None if interval else "one pair",
    )


def _pairs(
    samples: tuple[Sequence[RunSample], Sequence[RunSample]], key: Callable[[RunSample], str], *, several: bool = False
) -> tuple[list[Pair], int]:
    """What both sides have under one key, summed, in the order of the keys; and how many runs are in no pair.

    A key that stands for several runs of a side is no pair unless that is meant.
    """
    first, second = (_grouped(each, key) for each in samples)
    pairs, taken = [], 0
    for name in sorted(first.keys() & second.keys()):
        one, two = first[name], second[name]
        if several or len(one) == len(two) == 1:
            pairs.append(Pair(_sum(one, "x"), _sum(one, "m"), _sum(two, "x"), _sum(two, "m")))
            taken += len(one) + len(two)
    return pairs, len(samples[0]) + len(samples[1]) - taken


def _counted(pairs: Iterable[Pair]) -> PairCounts:
    signs = {1: 0, 0: 0, -1: 0}
    one_sided = 0
    for xa, ma, xb, mb in pairs:
        if ma and mb:
            cross = xb * ma - xa * mb
            signs[(cross > 0) - (cross < 0)] += 1
        elif ma or mb:
            one_sided += 1
    return PairCounts(higher=signs[1], equal=signs[0], lower=signs[-1], one_sided=one_sided)


def _grouped(samples: Iterable[RunSample], key: Callable[[RunSample], str | None]) -> dict[str, list[RunSample]]:
    grouped: dict[str, list[RunSample]] = {}
    for each in samples:
        value = key(each)
        if value is not None:
            grouped.setdefault(value, []).append(each)
    return grouped


def _sum(samples: Iterable[RunSample], what: Literal["x", "m"]) -> int:
    return sum(each.x if what == "x" else each.m for each in samples)


def _between(a: Measured, b: Measured) -> Contrast:
    """From two measurements with an interval each, as if independent; cautious where the same tasks lie behind both."""
    interval = None
    if a.interval is not None and b.interval is not None and a.level == b.level:
        ends = (Interval(low=low, high=high, method="") for low, high in (b.interval, a.interval))
        interval = difference_interval(b.value, next(ends), a.value, next(ends), "mover, from the two intervals")
    missing = a.no_interval or b.no_interval or f"intervals at {a.level:g} and {b.level:g}"
    return Contrast(
        value=b.value - a.value,
        a=a.value,
        b=b.value,
        interval=_scaled(interval, 1.0),
        level=a.level,
        method=interval.method if interval else "none",
        clusters="measurements",
        n_a=a.n,
        n_b=b.n,
        no_interval=None if interval else missing,
    )


def _scaled(interval: Interval | None, top: float) -> tuple[float, float] | None:
    return None if interval is None else (top * interval.low, top * interval.high)


def _held(side: Sampled, metric: str, other: Sampled) -> Measurement:
    held = side.metrics.get(metric)
    if held is not None:
        return held
    return NotMeasured(reason="not in this report", n=0, n_total=0, instrument=other.metrics[metric].instrument)
