"""Reports made from counts, so that a gate can be asked about any result there could be."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from hbeval.instruments.samples import judged_trace
from hbeval.model import Context, Report
from hbeval.report import Assembly

TASKS = 4


def arm(
    successes: Sequence[int],
    trials: int = 5,
    *,
    tasks: int = TASKS,
    endings: Sequence[str] = (),
    unknown: int = 0,
    seed: int = 7,
    specification: str = "5bec",
    **battery: Any,
) -> Report:
    """One run per entry, with so many of its `trials` faulted steps survived; a run without a failure met its task.

    Runs go round over the tasks, so the repeats of a task are every `tasks`-th entry. `endings` are those of the first
    runs, completed for the others. `unknown` further steps a run have no known outcome.
    """
    repeats = len(successes) // tasks
    settings = {"id": "b@1", "scenarios": tasks, "repeats": repeats, "seed": seed}
    digest = f"{seed} {tasks} {repeats} {specification}"
    assembly = Assembly(
        Context.BATTERY,
        agent={"id": "agent"},
        battery={**settings, "scenario_set_digest": digest, **battery},
        fault_spec_fingerprint=specification,
        keep_runs=True,
    )
    for number, good in enumerate(successes):
        bad = trials - good
        name = f"task {number % tasks}"
        assembly.add(
            judged_trace(
                " ".join(["1101"] * good + ["0101"] * bad + ["?101"] * unknown),
                ["recovery"] * good + ["reflex"] * bad,
                id=f"d/{name}/tool_failure/r{number // tasks}",
                task=name,
                domain="d",
                repeat=number // tasks,
                success=bad == 0 if trials else None,
                condition="tool_failure",
                ending=endings[number] if number < len(endings) else "completed",
            )
        )
    return assembly.report()


def drawn(share: float, runs: int, trials: int = 5, *, seed: int = 1, tasks: int = TASKS, **changes: Any) -> Report:
    """Runs whose trials succeed independently with probability `share`; the scenario set is the same for any `seed`."""
    rng = random.Random(seed)
    successes = [sum(rng.random() < share for _ in range(trials)) for _ in range(runs)]
    return arm(successes, trials, tasks=tasks, **changes)
