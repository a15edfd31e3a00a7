"""CSI in both versions, against implementations written out from their definitions."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest

from hbeval.errors import UsageError
from hbeval.instruments import find
from hbeval.instruments.samples import judged_trace
from hbeval.instruments.tasks import OverRepeats
from hbeval.model import JudgedTrace, Measured, NotMeasured
from hbeval.stats import spread_interval

numpy = pytest.importorskip("numpy")


def measured(name: str, runs: list[JudgedTrace]) -> Measured | NotMeasured:
    accumulator = find(name).start()
    for judged in runs:
        accumulator.update(judged)
    return accumulator.measure()


def stream(seed: int, count: int, tasks: int, failing: float = 0.3) -> list[JudgedTrace]:
    """Runs of several tasks in order, some without steps, trials or an oracle."""
    rng = random.Random(seed)
    return [
        judged_trace(
            " ".join(rng.choice(["1000", "1010", "10?0"]) for _ in range(rng.randrange(6))),
            [rng.choice(["recovery", "abstention", "reflex", "not_judged"]) for _ in range(rng.randrange(4))],
            id=f"run {number:04d}",
            task=f"task {number % tasks}",
            repeat=number // tasks,
            success=None if rng.random() < 0.05 else rng.random() >= failing,
        )
        for number in range(count)
    ]


def trials_of(run: JudgedTrace) -> tuple[list[bool], list[bool]]:
    steps = [not step.replanned for step in run.steps if step.replanned is not None]
    handled = [trial.handling.deliberate for trial in run.trials if trial.handling.value != "not_judged"]
    return steps, handled


def by_task(runs: list[JudgedTrace]) -> dict[str, list[JudgedTrace]]:
    tasks: dict[str, list[JudgedTrace]] = {}
    for run in runs:
        tasks.setdefault(run.trace.task.id, []).append(run)
    return tasks


def published(runs: list[JudgedTrace]) -> float | None:
    """csi@1.0-provisional, straight from the formula, with numpy."""
    values = []
    for of_task in by_task(runs).values():
        complete = [run for run in of_task if run.trace.success is not None and all(trials_of(run))]
        if len(complete) < 2:
            continue
        inputs = [[numpy.mean(part) for part in trials_of(run)] for run in complete[-100:]]
        pei, irs = numpy.std(inputs, axis=0, ddof=1)
        failures = [0.0 if run.trace.success else 1.0 for run in complete[-20:]]
        beta = numpy.polyfit(range(len(failures)), failures, 1)[0]
        beta = 0.0 if abs(beta) < 1e-12 else beta
        rho = min(1.0, max(0.0, beta / max(abs(beta), 1e-6)))
        values.append((1 - min(1, 2 * pei / 0.5)) * (1 - min(1, 2 * irs / 0.5)) * (1 - rho))
    return sum(values) / len(values) if values else None


def disagreement(tasks: list[list[list[bool]]]) -> float | None:
    """ICC by looking at every pair of trials of one task."""
    within, between = [], []
    for runs in tasks:
        trials = [(number, trial) for number, run in enumerate(runs) for trial in run]
        for (run, trial), (other_run, other) in combinations(trials, 2):
            (within if run == other_run else between).append(trial != other)
    if not between or (any(between) and not within):
        return None
    if not any(between):
        return 0.0
    return min(1.0, max(0.0, 1 - (sum(within) / len(within)) / (sum(between) / len(between))))


def candidate(runs: list[JudgedTrace]) -> float | None:
    """csi@2.0-candidate, straight from the formula, pairs enumerated."""
    known = [[run for run in of_task if run.trace.success is not None] for of_task in by_task(runs).values()]
    tasks = [of_task[-100:] for of_task in known if len(of_task) >= 20]
    if not tasks:
        return None
    pei = disagreement([[trials_of(run)[0] for run in of_task] for of_task in tasks])
    irs = disagreement([[trials_of(run)[1] for run in of_task] for of_task in tasks])
    if pei is None or irs is None:
        return None
    trends = []
    for of_task in tasks:
        failures = [0.0 if run.trace.success else 1.0 for run in of_task]
        m, rate = len(failures), (sum(failures) + 1) / (len(failures) + 2)
        rise = numpy.polyfit(range(m), failures, 1)[0] * (m - 1)
        error = (m - 1) * math.sqrt(12 * rate * (1 - rate) / (m * (m**2 - 1)))
        trends.append(1 - (min(1.0, rise * (1 - (error / rise) ** 2)) if rise > error else 0.0))
    return (1 - pei) * (1 - irs) * sum(trends) / len(trends)


@pytest.mark.parametrize(
    ("name", "oracle", "seeds"),
    [("csi@1.0-provisional", published, (1, 2, 3)), ("csi@2.0-candidate", candidate, (1, 2))],
)
@pytest.mark.parametrize("tasks", [1, 3])
def test_agrees_with_the_formula_at_every_prefix(name: str, oracle, seeds: tuple[int, ...], tasks: int) -> None:
    """Of streams that outgrow the windows of 20 and of 100 runs."""
    for seed in seeds:
        runs = stream(seed, 135 if tasks == 1 else 100, tasks, failing=0.1 * seed)
        accumulator = find(name).start()
        for length, judged in enumerate(runs, start=1):
            accumulator.update(judged)
            if length > 40 and length % 7:
                continue
            expected, result = oracle(runs[:length]), accumulator.measure()
            if expected is None:
                assert isinstance(result, NotMeasured)
            else:
                assert result.value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", ["csi@1.0-provisional", "csi@2.0-candidate"])
def test_live_runs_are_ordered_by_their_start(name: str) -> None:
    """Unknown starts come first; repeat numbers, which a live session has not, do not matter."""

    def run(number: int, failed: bool, started_at: float | None) -> JudgedTrace:
        return judged_trace(
            "1000 1000",
            ["recovery", "recovery"],
            id=f"{number:02d}",
            success=not failed,
            context="live",
            started_at=started_at,
        )

    rising = [run(99 - number, number > 9, None if not number else 1000.0 + number) for number in range(20)]
    falling = [run(number, number > 9, 1000.0 - number) for number in range(20)]
    assert measured(name, rising).value == 0.0
    assert measured(name, falling).value == 1.0


def test_domains_keep_tasks_of_one_name_apart() -> None:
    """Task 1 of one domain is not a repeat of task 1 of another."""
    runs = [
        judged_trace("1000", ["recovery"], id=domain, task="1", domain=domain, success=True) for domain in ("a", "b")
    ]
    result = measured("csi@1.0-provisional", runs)
    assert isinstance(result, NotMeasured)
    assert result.n_total == 2


def test_an_interval_that_rests_on_one_task_is_not_given() -> None:
    """Where leaving one task out leaves nothing to compare, the spread between tasks is not known."""
    runs = [
        judged_trace("1000 1010", trials, id=f"{task}{number}", task=task, repeat=number, success=True)
        for task, pattern in (("pairs", [["recovery", "reflex"]] * 20), ("single", [["recovery"], ["reflex"]] * 10))
        for number, trials in enumerate(pattern)
    ]
    result = measured("csi@2.0-candidate", runs)
    assert isinstance(result, Measured)
    assert result.interval is None
    assert result.no_interval == "its spread rests on one task"


def test_the_candidates_interval_follows_the_jackknife() -> None:
    """Its spread is that of the pseudo-values from leaving out one task at a time, each measured anew."""
    runs = stream(8, 160, 4)
    tasks = by_task(runs)
    whole = measured("csi@2.0-candidate", runs)
    assert isinstance(whole, Measured)
    without = [
        measured("csi@2.0-candidate", [run for run in runs if run.trace.task.id != task]).value for task in tasks
    ]
    pseudo = [4 * whole.value - 3 * value for value in without]
    expected = spread_interval(whole.value, numpy.var(pseudo, ddof=1), 4)
    assert whole.interval == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_missing_steps_are_named_as_such() -> None:
    """The reason says which of the two inputs lacks pairs."""
    runs = [judged_trace("", ["recovery", "reflex"], id=f"{number:02d}", success=True) for number in range(25)]
    result = measured("csi@2.0-candidate", runs)
    assert isinstance(result, NotMeasured)
    assert "steps" in result.reason


def test_accumulators_of_different_instruments_do_not_merge() -> None:
    """Not even two versions of one."""
    first, second = find("csi@1.0-provisional").start(), find("csi@2.0-candidate").start()
    with pytest.raises(UsageError, match=r"cannot merge csi@2\.0-candidate into csi@1\.0-provisional"):
        first.merge(second)


def test_a_metric_over_repeats_must_say_what_it_makes_of_them() -> None:
    """The shared form alone is no instrument."""
    form = OverRepeats()
    for unsaid in (lambda: form.keep, lambda: form.accepts(None), lambda: form.of_tasks([], 0.95)):
        with pytest.raises(NotImplementedError):
            unsaid()
