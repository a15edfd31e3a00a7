"""How often a whole gate is wrong, by simulation: `python studies/gate_multiplicity.py --replicates 1000 --seed 1`.

Four metrics over some tasks, each asked to be not worse by the margin, as `hbeval gate` asks them: the requirements
over all runs, and each of them on each task, which can only fail. Metrics are independent here, which is the worst
case for a wrong FAIL. Four candidates: equal; one metric worse by the margin everywhere; all four; one task broken in
one metric. Three ways to keep many tests honest are set side by side: none, Holm over all tests at once, and Holm
within requirements and within tasks at half of the error rate each, which is the gate's. Exit code 1 if an equal
candidate FAILs, or one that is worse by the margin PASSes, in more than the bar by three standard errors of the
simulation.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from interval_coverage import one_sample, run_sampler

from hbeval.gate.composition import adjusted
from hbeval.stats import RatioSums, holm, noninferiority, p_worse

ALPHA, MARGIN, BASE, BROKEN, METRICS = 0.05, 0.10, 0.85, 0.10, 4
TRIALS, CORRELATION = (1, 5), 0.1
BAR, ALLOWED_ERRORS = 0.055, 3.0
SETTINGS = ((4, 10), (14, 4), (14, 16), (30, 10))
"""Tasks, and runs of each on a side."""

CANDIDATES: Mapping[str, Callable[[int, int], float]] = {
    "equal": lambda metric, task: BASE,
    "one metric worse": lambda metric, task: BASE - MARGIN * (metric == 0),
    "all worse": lambda metric, task: BASE - MARGIN,
    "one task broken": lambda metric, task: BROKEN if (metric, task) == (0, 0) else BASE,
}
WAYS = ("no correction", "Holm over all", "Holm in two halves")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Shares of verdicts for one candidate: PASS, and FAIL under each way."""

    tasks: int
    runs: int
    candidate: str
    passed: float
    failed: Mapping[str, float]
    replicates: int

    @property
    def missed(self) -> bool:
        """Whether an error that is promised to be rare is not."""
        if self.candidate == "equal":
            wrong = self.failed[WAYS[2]]
        elif self.candidate in ("one metric worse", "all worse"):
            wrong = self.passed
        else:
            return False
        return wrong > BAR + ALLOWED_ERRORS * math.sqrt(BAR * (1.0 - BAR) / self.replicates)


def rows(replicates: int, seed: int, settings: Sequence[tuple[int, int]] = SETTINGS) -> Iterator[Row]:
    """One row a setting and candidate; each has its own stream of the seed."""
    for tasks, runs in settings:
        for name, share in CANDIDATES.items():
            rng = random.Random(f"{seed} {tasks} {runs} {name}")
            given = [judged(rng, tasks, runs, share) for _ in range(replicates)]
            yield Row(
                tasks=tasks,
                runs=runs,
                candidate=name,
                passed=sum(passed and WAYS[2] not in failed for passed, failed in given) / replicates,
                failed={way: sum(way in failed for _, failed in given) / replicates for way in WAYS},
                replicates=replicates,
            )


def judged(
    rng: random.Random, tasks: int, runs: int, share: Callable[[int, int], float]
) -> tuple[bool, frozenset[str]]:
    """Whether every requirement passes, and under which ways something fails."""
    whole, parts, passed = [], [], True
    for metric in range(METRICS):
        before, now = RatioSums(), RatioSums()
        for task in range(tasks):
            old, new = (one_sample(drawn(rng, at, runs)) for at in (BASE, share(metric, task)))
            before.merge(old)
            now.merge(new)
            parts.append(p_fail(old, new))
        passed = passed and noninferiority(before, now, MARGIN, ALPHA).ruling == "pass"
        whole.append(p_fail(before, now))
    return passed, frozenset(failing(whole, parts))


def failing(whole: Sequence[float], tasks: Sequence[float]) -> Iterator[str]:
    """The ways under which at least one failure stands."""
    everything = (*whole, *tasks)
    if min(everything) <= ALPHA:
        yield WAYS[0]
    if min(holm(everything)) <= ALPHA:
        yield WAYS[1]
    if min(map(min, adjusted(whole, tasks))) <= ALPHA:
        yield WAYS[2]


def p_fail(before: RatioSums, now: RatioSums) -> float:
    """As the gate takes it: what passes cannot fail."""
    return 1.0 if noninferiority(before, now, MARGIN, ALPHA).ruling == "pass" else p_worse(before, now)


def drawn(rng: random.Random, share: float, runs: int) -> list[tuple[int, int]]:
    """Runs of one task."""
    return sampler(share)(rng, runs)


@cache
def sampler(share: float) -> Callable[[random.Random, int], list[tuple[int, int]]]:
    """The law of a run at this share."""
    return run_sampler(share, CORRELATION, TRIALS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--replicates", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    print(
        f"seed {options.seed}, {options.replicates} replicates a row; {METRICS} metrics at {BASE}, margin {MARGIN}, "
        f"error rate {ALPHA}"
    )
    print("tasks runs each | candidate        |  PASS | FAIL: no correction  Holm over all  Holm in two halves")
    missed = 0
    for row in rows(options.replicates, options.seed):
        shares = "           ".join(f"{100 * row.failed[way]:5.1f}" for way in WAYS)
        mark = "!" if row.missed else " "
        print(
            f"{row.tasks:>5} {row.runs:>9} | {row.candidate:<16} | {100 * row.passed:5.1f}{mark}|       {shares}",
            flush=True,
        )
        missed += row.missed
    print(f"{missed} rows miss their bar" if missed else "every row keeps its bar")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
