"""The shared form of metrics that compare the runs of one task with each other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hbeval.instruments.base import UNMEASURED, Instrument, require_same
from hbeval.instruments.entries import Described
from hbeval.instruments.irs import DeliberateHandling
from hbeval.instruments.pei import PlanningEfficiency
from hbeval.model import Context, JudgedTrace, Measured, Measurement, NotMeasured, Trace
from hbeval.stats import Interval

__all__ = [
    "HistoryAccumulator",
    "OverRepeats",
    "RunCounts",
    "RunHistory",
    "TaskKey",
    "measured_over_tasks",
    "no_task",
    "task_key",
]

TaskKey = tuple[str, ...]

_pei_counts, _irs_counts = PlanningEfficiency().counts, DeliberateHandling().counts


class RunCounts(NamedTuple):
    """One run: its place in order, then PEI's and IRS's count behind the value and known trials, and its failure."""

    order: float
    id: str
    pei: int
    pei_n: int
    irs: int
    irs_n: int
    failed: bool


def task_key(trace: Trace) -> TaskKey:
    """What makes two runs repeats of one task: the same agent, the same task, the same condition."""
    task = trace.task
    labels = (f"{name}={value}" for name, value in sorted(trace.agent.items()))
    return trace.format, task.domain or "", task.id, trace.condition or "", *labels


def _order(trace: Trace) -> float:
    """Repeat number; in a live context the start time, with unknown times first. The run's id breaks ties."""
    if trace.context is not Context.LIVE:
        return trace.repeat
    return -math.inf if trace.started_at is None else trace.started_at


class RunHistory:
    """The last `keep` runs of every task, whatever the order and sharding in which they came."""

    __slots__ = ("keep", "tasks")

    def __init__(self, keep: int) -> None:
        self.keep = keep
        self.tasks: dict[TaskKey, list[RunCounts]] = {}

    def add(self, key: TaskKey, new: Iterable[RunCounts]) -> None:
        """Add runs of a task, perhaps none; runs that can no longer be among the last are dropped now and then."""
        runs = self.tasks.get(key)
        if runs is None:
            runs = self.tasks[key] = []
        runs.extend(new)
        if len(runs) > 2 * self.keep:
            runs.sort()
            del runs[: -self.keep]

    def merge(self, other: RunHistory) -> None:
        """Add the runs of `other`."""
        for key, runs in other.tasks.items():
            self.add(key, runs)

    def ordered(self) -> Iterator[list[RunCounts]]:
        """The last runs of each task in order, tasks in order of their key."""
        for key in sorted(self.tasks):
            yield sorted(self.tasks[key])[-self.keep :]


class OverRepeats(Described):
    """A metric over the repeated runs of each task. `keep` is how many last runs of a task it looks at."""

    __slots__ = ()

    @property
    def keep(self) -> int:
        """How many last runs of a task count."""
        raise NotImplementedError

    def accepts(self, run: RunCounts) -> bool:
        """Whether a run whose success is known can take part."""
        raise NotImplementedError

    def of_tasks(self, tasks: Sequence[Sequence[RunCounts]], level: float) -> Measurement:
        """The measurement from the runs of all tasks, each in order; a task may have none."""
        raise NotImplementedError

    def start(self) -> HistoryAccumulator:
        """A fresh accumulator."""
        return HistoryAccumulator(self)


class HistoryAccumulator:
    """Keyed runs by task."""

    __slots__ = ("history", "instrument")

    def __init__(self, instrument: OverRepeats) -> None:
        self.instrument = instrument
        self.history = RunHistory(instrument.keep)

    def update(self, judged: JudgedTrace) -> None:
        """Take in one run."""
        trace = judged.trace
        if trace.ending in UNMEASURED:
            return
        success = trace.success
        if success is not None:
            pei, pei_n, _ = _pei_counts(judged)
            irs, irs_n, _ = _irs_counts(judged)
            run = RunCounts(_order(trace), trace.id, pei, pei_n, irs, irs_n, not success)
            if self.instrument.accepts(run):
                self.history.add(task_key(trace), (run,))
                return
        self.history.add(task_key(trace), ())

    def merge(self, other: HistoryAccumulator) -> None:
        """Take in the runs of `other`."""
        require_same(self.instrument, other.instrument)
        self.history.merge(other.history)

    def measure(self, level: float = 0.95) -> Measurement:
        """What the instrument makes of the runs."""
        return self.instrument.of_tasks(list(self.history.ordered()), level)


def measured_over_tasks(
    instrument: Instrument, values: Sequence[float], n_total: int, interval: Interval | None, level: float
) -> Measurement:
    """The mean of one value per task, at least one. n counts those tasks, k is the sum of their values."""
    total = math.fsum(values)
    return Measured(
        value=total / len(values),
        n=len(values),
        n_total=n_total,
        k=total,
        interval=(interval.low, interval.high) if interval else None,
        level=level,
        method=interval.method if interval else "none",
        instrument=instrument.name,
        no_interval=None if interval else "one task" if len(values) == 1 else "its spread rests on one task",
    )


def no_task(instrument: Instrument, n_total: int, reason: str) -> NotMeasured:
    """Not measured on any of `n_total` tasks."""
    return NotMeasured(reason=reason if n_total else "no run", n=0, n_total=n_total, instrument=instrument.name)
