"""Which scenarios of a comparison to show step by step: those in which the two reports differ most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hbeval.model import Measured, Measurement, RunResult
from hbeval.report.comparison import Comparison

__all__ = ["telling_scenarios"]

_BY = ("success_rate", "irs", "frr", "pei")


def telling_scenarios(comparison: Comparison, limit: int = 3) -> tuple[str, ...]:
    """The sources of at most `limit` runs that both reports hold once, one a task, the largest differences first.

    Differences of success, IRS, FRR and PEI add up; runs that do not differ are not shown. None where the reports do
    not list their runs.
    """
    first, second = (_once(report.runs or ()) for report in (comparison.a, comparison.b))
    shared = (
        (_apart(first[source].metrics, second[source].metrics), source) for source in first.keys() & second.keys()
    )
    chosen: dict[str, str] = {}
    for apart, source in sorted(shared, key=lambda item: (-item[0], item[1])):
        if apart > 0.0 and len(chosen) < limit:
            chosen.setdefault(first[source].task, source)
    return tuple(chosen.values())


def _once(runs: tuple[RunResult, ...]) -> dict[str, RunResult]:
    """Measured runs by source, without sources that stand for several."""
    found: dict[str, list[RunResult]] = {}
    for run in runs:
        found.setdefault(run.source, []).append(run)
    return {source: each[0] for source, each in found.items() if len(each) == 1 and each[0].status == "measured"}


def _apart(a: Mapping[str, Measurement], b: Mapping[str, Measurement]) -> float:
    return sum(_values(a, b), start=0.0)


def _values(a: Mapping[str, Measurement], b: Mapping[str, Measurement]) -> Iterator[float]:
    for key in _BY:
        one, two = a.get(key), b.get(key)
        if isinstance(one, Measured) and isinstance(two, Measured):
            yield abs(one.value - two.value)
