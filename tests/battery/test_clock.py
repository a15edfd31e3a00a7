"""What time it is inside a run."""

from __future__ import annotations

import time

import pytest

from hbeval.battery.clock import EPOCH, clock_maker
from hbeval.errors import UsageError


def test_the_elapsed_clock_runs_with_real_time_and_jumps_over_injected_waits():
    """So that waits of the agent's own are seen, and those of faults cost nothing."""
    clock, sleep = clock_maker("elapsed")()
    assert sleep is not None
    begun = time.monotonic()
    first = clock()
    assert EPOCH <= first < EPOCH + 0.1
    sleep(100.0)
    assert 100.0 <= clock() - first < 100.1
    time.sleep(0.02)
    assert clock() - first >= 100.02
    assert time.monotonic() - begun < 1


def test_the_virtual_clock_moves_by_injected_waits_alone():
    """Two runs of a deterministic agent have the same times."""
    clock, sleep = clock_maker("virtual")()
    assert sleep is not None
    assert clock() == EPOCH
    time.sleep(0.01)
    assert clock() == EPOCH
    sleep(2.5)
    assert clock() == EPOCH + 2.5


def test_the_real_clock_is_the_wall_clock():
    """And leaves waiting to whoever waits."""
    clock, sleep = clock_maker("real")()
    assert abs(clock() - time.time()) < 1
    assert sleep is None


def test_every_run_has_a_clock_of_its_own():
    """One run's waits are not another's."""
    make = clock_maker("virtual")
    (one, sleep), (other, _) = make(), make()
    assert sleep is not None
    sleep(5.0)
    assert (one(), other()) == (EPOCH + 5.0, EPOCH)


def test_an_unknown_clock_is_refused():
    """With those there are."""
    with pytest.raises(UsageError, match="clock is 'sun'; it can be elapsed, virtual, real"):
        clock_maker("sun")
