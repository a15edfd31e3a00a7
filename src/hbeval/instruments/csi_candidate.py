"""Consistency (CSI), candidate: intra-run correlation of PEI and IRS, and a rise of failures beyond its error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from hbeval.instruments.tasks import OverRepeats, RunCounts, measured_over_tasks, no_task
from hbeval.model import Measurement
from hbeval.stats import Interval, PairSums, sample_variance, slope, spread_interval

__all__ = ["ConsistencyCandidate"]


class ConsistencyCandidate(OverRepeats):
    """csi@2.0-candidate: (1 − ICC_PEI)(1 − ICC_IRS)(1 − ρ); ICC from pairs pooled over tasks, ρ per task."""

    __slots__ = ()
    key: ClassVar[str] = "csi@2.0-candidate"

    @property
    def keep(self) -> int:
        """The last runs that count."""
        return int(self.parameters["runs"])

    def accepts(self, run: RunCounts) -> bool:
        """Every run whose success is known: one without a step or a trial adds no pair."""
        return True

    def of_tasks(self, tasks: Sequence[Sequence[RunCounts]], level: float) -> Measurement:
        """Mean over the tasks with enough runs."""
        least = int(self.parameters["least_runs"])
        parts = [_Part.of(runs) for runs in tasks if len(runs) >= least]
        if not parts:
            return no_task(self, len(tasks), f"no task has {least} runs whose success is known")
        whole = _Part.total(parts)
        steadiness = whole.steadiness()
        if steadiness is None:
            return no_task(self, len(tasks), whole.lacks())
        values = [steadiness * part.evenness for part in parts]
        return measured_over_tasks(self, values, len(tasks), _interval(parts, whole, level), level)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """What tasks give to the whole: their pairs, and 1 − ρ (of several tasks: its sum)."""

    pei: PairSums
    irs: PairSums
    evenness: float

    @classmethod
    def of(cls, runs: Sequence[RunCounts]) -> Self:
        return cls(
            pei=PairSums.of_task((run.pei, run.pei_n) for run in runs),
            irs=PairSums.of_task((run.irs, run.irs_n) for run in runs),
            evenness=1.0 - _rise([run.failed for run in runs]),
        )

    @classmethod
    def total(cls, parts: Sequence[Self]) -> Self:
        pei, irs = PairSums(), PairSums()
        for part in parts:
            pei, irs = pei.plus(part.pei), irs.plus(part.irs)
        return cls(pei=pei, irs=irs, evenness=math.fsum(part.evenness for part in parts))

    def less(self, part: Self) -> Self:
        return type(self)(
            pei=self.pei.plus(part.pei, sign=-1),
            irs=self.irs.plus(part.irs, sign=-1),
            evenness=self.evenness - part.evenness,
        )

    def steadiness(self) -> float | None:
        """(1 − ICC_PEI)(1 − ICC_IRS), None if one of them has no pairs to tell from."""
        pei, irs = self.pei.correlation(), self.irs.correlation()
        return None if pei is None or irs is None else (1.0 - pei) * (1.0 - irs)

    def lacks(self) -> str:
        what = "steps whose re-planning is known" if self.pei.correlation() is None else "fault trials judged"
        return f"too few {what}: the correlation within runs needs pairs within one run and between runs"


def _rise(failures: Sequence[bool]) -> float:
    """ρ: the fitted rise of the failure rate over these runs, discounted by its squared relative standard error."""
    m = len(failures)
    rate = (sum(failures) + 1) / (m + 2)
    rise = (slope(failures) or 0.0) * (m - 1)
    error = (m - 1) * math.sqrt(12.0 * rate * (1.0 - rate) / (m * (m * m - 1)))
    return min(1.0, rise * (1.0 - (error / rise) ** 2)) if rise > error else 0.0


def _interval(parts: Sequence[_Part], whole: _Part, level: float) -> Interval | None:
    """From jackknife pseudo-values, one task left out at a time, since the pooled pairs tie the tasks together."""
    n = len(parts)
    if n < 2:
        return None
    value = (whole.steadiness() or 0.0) * whole.evenness / n
    pseudo = []
    for part in parts:
        rest = whole.less(part)
        steadiness = rest.steadiness()
        if steadiness is None:
            return None
        pseudo.append(n * value - steadiness * rest.evenness)
    return spread_interval(value, sample_variance(pseudo) or 0.0, n, level)
