"""pass^k and success rate."""

from __future__ import annotations

import json
import os
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hbeval.errors import UsageError
from hbeval.instruments import PassK, find
from hbeval.instruments.samples import judged_trace
from hbeval.model import Measured, NotMeasured

DATA = Path(os.environ.get("HBEVAL_DATA", Path(__file__).parents[2].parent / "shared" / "data"))


def seen(tasks: list[list[bool | None]], k: int = 1):
    accumulator = PassK(k=k).start()
    for number, outcomes in enumerate(tasks):
        for repeat, success in enumerate(outcomes):
            name = f"{number}/{repeat}"
            accumulator.update(judged_trace(id=name, task=str(number), repeat=repeat, success=success))
    return accumulator


def enumerated(tasks: list[list[bool]], k: int) -> float:
    """The share of all choices of k trials that succeed throughout, task by task."""
    shares = []
    for outcomes in tasks:
        chosen = [all(choice) for choice in combinations(outcomes, k)]
        shares.append(sum(chosen) / len(chosen))
    return sum(shares) / len(shares)


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=8), min_size=1, max_size=6), st.integers(1, 4))
def test_agrees_with_enumeration(tasks: list[list[bool]], k: int) -> None:
    """Every choice of k trials, for equal and unequal n."""
    result = seen(tasks, k).measure()
    assert isinstance(result, Measured)
    assert result.value == pytest.approx(enumerated(tasks, k), abs=1e-12)
    assert (result.n, result.n_total) == (len(tasks), len(tasks))


@given(st.lists(st.lists(st.sampled_from([True, False, None]), max_size=6), max_size=5))
def test_series_holds_every_k_that_every_task_has(tasks: list[list[bool | None]]) -> None:
    """And the same results as one accumulator for each k."""
    known = [[each for each in outcomes if each is not None] for outcomes in tasks]
    most = min((len(outcomes) for outcomes in known if outcomes), default=0)
    series = seen(tasks).series()
    assert list(series) == [f"pass_{k}" for k in range(1, most + 1)]
    for k in range(1, most + 1):
        assert series[f"pass_{k}"] == seen(tasks, k).measure()
    assert isinstance(seen(tasks, most + 1).measure(), NotMeasured)


def test_one_surviving_trial_of_four_gives_no_pass_2() -> None:
    """Infrastructure failures neither succeed nor make a k reachable."""
    accumulator = PassK(k=2).start()
    for repeat, ending in enumerate(["completed", "infrastructure", "infrastructure", "infrastructure"]):
        accumulator.update(judged_trace(id=str(repeat), repeat=repeat, success=True, ending=ending))
    result = accumulator.measure()
    assert isinstance(result, NotMeasured)
    assert result.reason == "1 of 1 tasks have fewer than 2 trials whose success is known"
    assert list(accumulator.series()) == ["pass_1"]


def test_pass_1_with_equal_n_is_the_success_rate() -> None:
    """The mean of equal shares is the share of all."""
    tasks = [[True, False, True], [False, False, True]]
    rate = find("success_rate@1.0").start()
    for number, outcomes in enumerate(tasks):
        for repeat, success in enumerate(outcomes):
            rate.update(judged_trace(id=f"{number}/{repeat}", task=str(number), success=success))
    assert rate.measure().value == pytest.approx(seen(tasks).measure().value)


@pytest.mark.parametrize("k", [0, -1])
def test_k_starts_at_one(k: int) -> None:
    """pass^0 would be 1 for everybody."""
    with pytest.raises(UsageError, match=str(k)):
        PassK(k=k)


@pytest.mark.data
def test_the_published_tau_bench_figures_from_its_log() -> None:
    """Tasks 0–34 of the airline domain: .3071, .1714, .1286, .1143."""
    path = DATA / "tau_bench" / "gpt-4o-airline-tasks-0-34.json"
    if not path.exists():
        pytest.skip(f"{path} is not there; set HBEVAL_DATA to the folder of real traces")
    tasks: dict[int, list[bool]] = {}
    for run in json.loads(path.read_text(encoding="utf-8")):
        tasks.setdefault(run["task_id"], []).append(run["reward"] == 1.0)
    series = seen(list(tasks.values())).series()
    assert [round(each.value, 4) for each in series.values()] == [0.3071, 0.1714, 0.1286, 0.1143]
