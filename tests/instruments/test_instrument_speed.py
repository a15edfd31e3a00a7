"""Instruments are cheap enough to run on every trace."""

import time

from hbeval.instruments import CURRENT
from hbeval.instruments.samples import judged_trace


def test_the_five_take_in_a_run_within_the_budget() -> None:
    """At most 50 µs for a run of five steps, best of several rounds; measured is a tenth of that."""
    run = judged_trace("1001 0101 1111 1001 1001", ["recovery"], success=True)
    best = float("inf")
    for _ in range(7):
        updates = [each.start().update for each in CURRENT]
        begin = time.perf_counter()
        for _ in range(300):
            for update in updates:
                update(run)
        best = min(best, (time.perf_counter() - begin) / 300)
    assert best < 50e-6
