"""Plans, recorders and tools that tests of the boundary share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hbeval.faults import FaultPlan, PlannedFault
from hbeval.model import Ending, Fault, FaultType, Step, Task, Trace
from hbeval.observe import Recorder, VirtualClock, recording

__all__ = ["fault", "finished", "only_fault", "only_step", "plan", "recorder", "run"]


def fault(effect: str = "error", target: str = "api", **fields: Any) -> PlannedFault:
    """A fault of the tool `api`."""
    return PlannedFault(**{"id": "f", "type": FaultType.TOOL_FAILURE, "target": target, "effect": effect, **fields})


def plan(*faults: PlannedFault, seed: int = 7) -> FaultPlan:
    """A plan of these faults."""
    return FaultPlan(id="p", seed=seed, task="t", faults=faults)


def recorder(*faults: PlannedFault, **more: Any) -> Recorder:
    """A recorder in virtual time."""
    clock = VirtualClock(1000.0)
    given = {"plan": plan(*faults) if faults else None, "clock": clock, "sleep": clock.sleep, **more}
    return Recorder(Task(id="t"), **given)


def finished(of: Recorder, **more: Any) -> Trace:
    """Its trace."""
    return of.finish(**{"id": "r", "source": "s", "ending": Ending.COMPLETED, **more})


def run(body: Callable[[], Any], *faults: PlannedFault, **more: Any) -> tuple[Any, Trace]:
    """What the body gave (an exception if it raised one), and the trace."""
    made = recorder(*faults, **more)
    try:
        with recording(made):
            given = body()
    except Exception as error:
        given = error
    return given, finished(made)


def only_step(trace: Trace) -> Step:
    """The one step."""
    (step,) = trace.steps
    return step


def only_fault(trace: Trace) -> Fault:
    """The one fault."""
    (found,) = trace.faults
    return found
