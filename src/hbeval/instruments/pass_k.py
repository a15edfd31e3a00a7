"""pass^k: the probability that k attempts at one task all succeed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from hbeval.errors import UsageError
from hbeval.instruments.base import UNMEASURED, require_same
from hbeval.instruments.entries import Described
from hbeval.instruments.tasks import TaskKey, measured_over_tasks, no_task, task_key
from hbeval.model import JudgedTrace, Measurement
from hbeval.stats import mean_interval

__all__ = ["PassAccumulator", "PassK"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassK(Described):
    """pass_k@1.0 for one k ≥ 1, with the id pass_1, pass_2, …: the mean over tasks of C(c, k) ÷ C(n, k).

    n is a task's trials whose success is known, c those that succeeded. A task without any is left out; if any other
    task has fewer than k, pass^k is not measured, so that every k of a report speaks of the same tasks.
    """

    key: ClassVar[str] = "pass_k@1.0"
    k: int = 1

    def __post_init__(self) -> None:
        if self.k < 1:
            raise UsageError(f"pass^k needs k of at least 1, got {self.k!r}")

    @property
    def id(self) -> str:
        """pass_1, pass_2, …: one id for each k."""
        return f"pass_{self.k}"

    @property
    def parameters(self) -> dict[str, float]:
        """The k."""
        return {"k": self.k}

    def start(self) -> PassAccumulator:
        """A fresh accumulator."""
        return PassAccumulator(self)


class PassAccumulator:
    """Successes and trials of each task. The counts serve every k: `series` reads them all from one accumulator."""

    __slots__ = ("instrument", "tasks")

    def __init__(self, instrument: PassK) -> None:
        self.instrument = instrument
        self.tasks: dict[TaskKey, tuple[int, int]] = {}

    def update(self, judged: JudgedTrace) -> None:
        """Take in one run."""
        trace = judged.trace
        if trace.ending not in UNMEASURED:
            success = trace.success
            self._add(task_key(trace), (0, 0) if success is None else (int(success), 1))

    def merge(self, other: PassAccumulator) -> None:
        """Take in the runs of `other`."""
        require_same(self.instrument, other.instrument)
        for key, counts in other.tasks.items():
            self._add(key, counts)

    def measure(self, level: float = 0.95) -> Measurement:
        """The mean over tasks; the tasks are the clusters of the interval."""
        k, counted = self.instrument.k, [counts for counts in self.tasks.values() if counts[1]]
        if not counted:
            return no_task(self.instrument, len(self.tasks), "success is not known for any run")
        if k > self.most():
            short = sum(n < k for _, n in counted)
            reason = f"{short} of {len(counted)} tasks have fewer than {k} trials whose success is known"
            return no_task(self.instrument, len(self.tasks), reason)
        values = [math.comb(c, k) / math.comb(n, k) for c, n in counted]
        return measured_over_tasks(self.instrument, values, len(self.tasks), mean_interval(values, level), level)

    def most(self) -> int:
        """The largest k that can be measured: the fewest known trials of a task that has any; 0 if none has."""
        return min((n for _, n in self.tasks.values() if n), default=0)

    def series(self, level: float = 0.95) -> dict[str, Measurement]:
        """pass_1, pass_2, … up to the largest k that can be measured, by id."""
        measured: dict[str, Measurement] = {}
        for k in range(1, self.most() + 1):
            of_k = PassAccumulator(PassK(k=k))
            of_k.tasks = self.tasks
            measured[of_k.instrument.id] = of_k.measure(level)
        return measured

    def _add(self, key: TaskKey, counts: tuple[int, int]) -> None:
        c, n = self.tasks.get(key, (0, 0))
        self.tasks[key] = (c + counts[0], n + counts[1])
