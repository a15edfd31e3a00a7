"""Reports that list their runs, from a few words a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from hbeval.instruments.samples import judged_trace
from hbeval.model import Context, Report
from hbeval.report import Assembly

GOOD, POOR = "1101 1101", "0101 1101"


def battery_report(
    runs: Iterable[tuple[str, str, bool]],
    *,
    name: str = "agent",
    repeats: int = 3,
    trials: tuple[str, ...] = ("recovery",),
    listed: bool = True,
    labels: Mapping[str, Any] | None = None,
) -> Report:
    """One run per (task, steps, success) and repeat, in one domain a task's first letter; faulted by a tool failure."""
    assembly = Assembly(
        Context.BATTERY,
        agent={"id": name, **(labels or {})},
        battery={"id": "sample@1", "seed": 7, "repeats": repeats, "scenario_set_digest": "d" * 64},
        fault_spec_fingerprint="f" * 16,
        keep_runs=listed,
        group_by=(("fault",), ("domain",), ("task",)),
    )
    for task, steps, success in runs:
        for repeat in range(repeats):
            judged = judged_trace(
                steps,
                trials,
                id=f"{task}/tool_failure/r{repeat}",
                task=task,
                domain=task[0],
                repeat=repeat,
                success=success,
                condition="tool_failure",
            )
            assembly.add(judged)
    return assembly.report()


def two_reports(**changed: Any) -> tuple[Report, Report]:
    """A good and a poorer agent on the same 24 scenarios of eight tasks."""
    tasks = [f"{'ab'[place % 2]}{place}" for place in range(8)]
    good = battery_report([(task, GOOD, True) for task in tasks], name="good")
    poor = battery_report(
        [(task, POOR if place < 6 else GOOD, place > 3) for place, task in enumerate(tasks)], name="poor"
    )
    return good, replace(poor, **changed)
