"""18 scenarios whose agent takes 50 ms each, at concurrency 18: threads and tasks, beside one after another.

    python bench/concurrency.py [--json] [--check]

The agents really wait. `--check` fails unless both finish in less than 0.1 s.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Callable

from hbeval.battery import Battery, run, standard

RUNS, WAIT_S, TARGET_S = 18, 0.05, 0.1


def waiting(task: str) -> str:
    """A synchronous agent that takes its time."""
    time.sleep(WAIT_S)
    return "unknown"


async def awaiting(task: str) -> str:
    """An asynchronous one."""
    await asyncio.sleep(WAIT_S)
    return "unknown"


def seconds(battery: Battery, agent: Callable[[str], object], concurrency: int) -> float:
    """From the call to the report."""
    begun = time.perf_counter()
    report = run(agent, battery=battery, scenarios=RUNS, concurrency=concurrency)
    took = time.perf_counter() - begun
    assert report.coverage.measured == RUNS, report.coverage
    return took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    battery = standard()
    took = {
        f"threads, concurrency {RUNS}": min(seconds(battery, waiting, RUNS) for _ in range(3)),
        f"tasks, concurrency {RUNS}": min(seconds(battery, awaiting, RUNS) for _ in range(3)),
        "threads, one after another": seconds(battery, waiting, 1),
    }
    if asked.json:
        print(json.dumps({name: round(each, 4) for name, each in took.items()}))
    else:
        for name, each in took.items():
            print(f"{RUNS} scenarios of {WAIT_S * 1000:.0f} ms: {name:28} {each * 1000:7.1f} ms")
    return int(asked.check and max(list(took.values())[:2]) >= TARGET_S)


if __name__ == "__main__":
    sys.exit(main())
