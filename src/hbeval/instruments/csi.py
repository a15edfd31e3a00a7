"""Consistency (CSI) as published: spread of PEI and IRS over repeated runs, and whether failures rise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from hbeval.instruments.tasks import OverRepeats, RunCounts, measured_over_tasks, no_task
from hbeval.model import Measurement
from hbeval.stats import mean_interval, sample_variance, slope

__all__ = ["Consistency"]


class Consistency(OverRepeats):
    """csi@1.0-provisional: (1 − min(1, 2σ_PEI/c)) (1 − min(1, 2σ_IRS/c)) (1 − ρ) per task, averaged over tasks."""

    __slots__ = ()
    key: ClassVar[str] = "csi@1.0-provisional"

    @property
    def keep(self) -> int:
        """The last N runs."""
        return int(self.parameters["spread_runs"])

    def accepts(self, run: RunCounts) -> bool:
        """Runs in which each input is defined."""
        return bool(run.pei_n and run.irs_n)

    def of_tasks(self, tasks: Sequence[Sequence[RunCounts]], level: float) -> Measurement:
        """Mean over the tasks with two runs or more."""
        values = [self._of_task(runs) for runs in tasks if len(runs) > 1]
        if not values:
            return no_task(self, len(tasks), "no task has two runs in which PEI, IRS and success are all known")
        return measured_over_tasks(self, values, len(tasks), mean_interval(values, level), level)

    def _of_task(self, runs: Sequence[RunCounts]) -> float:
        pei = self._steadiness([run.pei / run.pei_n for run in runs])
        irs = self._steadiness([run.irs / run.irs_n for run in runs])
        return pei * irs * (1.0 - self._rise([run.failed for run in runs]))

    def _steadiness(self, values: Sequence[float]) -> float:
        deviation = math.sqrt(sample_variance(values) or 0.0)
        return 1.0 - min(1.0, 2.0 * deviation / self.parameters["c"])

    def _rise(self, failures: Sequence[bool]) -> float:
        beta = slope(failures[-int(self.parameters["slope_runs"]) :]) or 0.0
        return min(1.0, max(0.0, beta / max(abs(beta), self.parameters["least_slope"])))
