"""The runs of a result, and of a baseline, as each test takes them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from hbeval.model import Report, RunResult
from hbeval.report.samples import RunSample, samples_of, sums_of
from hbeval.stats import RatioSums

__all__ = ["Side", "cell_of", "side_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One report's measured runs: counts per metric, and how many trials of a metric there were, known or not."""

    report: Report
    samples: Mapping[str, tuple[RunSample, ...]]

    def sums(self, metric: str, task: str | None = None) -> RatioSums:
        """The sums of one metric, over all runs or over those of a task."""
        return sums_of(each for each in self.samples.get(metric, ()) if task is None or each.task == task)

    def tasks(self) -> tuple[str, ...]:
        """The tasks that were measured, in order."""
        return tuple(sorted({each.task for each in self._any()}))

    def runs(self) -> int:
        """How many runs take part."""
        return len(self._any())

    def cells(self) -> Mapping[str, list[RunSample]]:
        """Success of the repeats of each scenario, the repeat left out of its name."""
        grouped: dict[str, list[RunSample]] = {}
        for each in self.samples.get("success_rate", ()):
            grouped.setdefault(cell_of(each), []).append(each)
        return grouped

    def known(self, metric: str) -> RatioSums:
        """Of the trials of one metric, those whose outcome is known, run by run."""
        sums = RatioSums()
        for run in self._measured():
            result = run.metrics.get(metric)
            n, n_total = (result.n, result.n_total) if result is not None else (0, 1)
            sums.add(n, n_total)
        return sums

    def without(self, cells: Collection[str]) -> Side:
        """The side without the runs of these scenarios."""
        if not cells:
            return self
        kept = {name: tuple(x for x in each if cell_of(x) not in cells) for name, each in self.samples.items()}
        return Side(report=self.report, samples=kept)

    def _any(self) -> tuple[RunSample, ...]:
        return next(iter(self.samples.values()), ())

    def _measured(self) -> Iterator[RunResult]:
        return (each for each in self.report.runs or () if each.status == "measured")


def side_of(report: Report) -> Side:
    """The side of a report that lists its runs. Raises InputError if it does not."""
    return Side(report=report, samples=samples_of(report))


def cell_of(sample: RunSample) -> str:
    """The scenario of a run without its repeat: what is repeated."""
    return sample.scenario.removesuffix(f"/r{sample.repeat}")
