"""What `hbeval.tool` costs: the bare call, the wrapped call outside a recording, and a step inside one.

    PYTHONPATH=src python bench/tool_passthrough.py [--rounds 25] [--calls 20000]

Bars: at most 150 ns over the bare call outside a recording, sync and async; at most 8 µs a step inside one without a
fault. Every figure is the best of several rounds, bare and wrapped taken alternately in one process.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter

from hbeval.faults import FaultPlan, PlannedFault
from hbeval.model import FaultType, Task
from hbeval.observe import Recorder, VirtualClock, recording, tool

PASS_NS, STEP_NS = 150.0, 8000.0


def bare(order: str, hours: int = 3) -> dict[str, object]:
    """A tool that does next to nothing."""
    return {"order": order, "hours": hours}


async def bare_async(order: str, hours: int = 3) -> dict[str, object]:
    """The same, asynchronous."""
    return {"order": order, "hours": hours}


def sync_ns(call: Callable[..., object], calls: int) -> float:
    """Nanoseconds a call."""
    began = perf_counter()
    for _ in range(calls):
        call("A-1", hours=4)
    return (perf_counter() - began) / calls * 1e9


def async_ns(call: Callable[..., object], calls: int) -> float:
    """Nanoseconds a call, awaited one after another; the awaits never suspend, so no loop is in the figure."""

    async def run() -> None:
        for _ in range(calls):
            await call("A-1", hours=4)  # type: ignore[misc]

    work = run()
    began = perf_counter()
    with suppress(StopIteration):
        work.send(None)
    return (perf_counter() - began) / calls * 1e9


def best(rounds: int, *measures: Callable[[], float]) -> list[float]:
    """The best of the rounds for each measure, taken in turns."""
    figures = [[measure() for measure in measures] for _ in range(rounds)]
    return [min(column) for column in zip(*figures, strict=True)]


def inside(measure: Callable[[Callable[..., object], int], float], wrapped: Callable[..., object], calls: int) -> float:
    """Nanoseconds a step inside a recording whose plan aims at another tool."""
    other = PlannedFault(id="f", type=FaultType.TOOL_FAILURE, target="other", effect="error")
    clock = VirtualClock()
    plan = FaultPlan(id="bench", seed=1, faults=(other,))
    with recording(Recorder(Task(id="bench"), plan=plan, clock=clock, sleep=clock.sleep)):
        return measure(wrapped, calls)


def main() -> int:
    """Print the table; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--calls", type=int, default=20_000)
    asked = parser.parse_args()
    missed = False
    print(f"{'':6}{'bare ns':>10}{'wrapped ns':>12}{'difference':>12}{'ratio':>8}{'bar':>8}   a step inside, ns")
    for kind, measure, function in (("sync", sync_ns, bare), ("async", async_ns, bare_async)):
        wrapped = tool(function, "bench")
        plain, passed, step = best(
            asked.rounds,
            lambda measure=measure, function=function: measure(function, asked.calls),
            lambda measure=measure, wrapped=wrapped: measure(wrapped, asked.calls),
            lambda measure=measure, wrapped=wrapped: inside(measure, wrapped, asked.calls // 20),
        )
        cost = passed - plain
        missed |= cost > PASS_NS or step - plain > STEP_NS
        print(f"{kind:6}{plain:10.0f}{passed:12.0f}{cost:12.0f}{passed / plain:8.2f}{PASS_NS:8.0f}{step:20.0f}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
