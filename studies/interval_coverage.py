"""Coverage of the intervals by simulation: `python studies/interval_coverage.py --replicates 4000 --seed 1`.

First table: pooled ratios with runs as clusters. Runs draw their number of trials evenly from a range and their
successes from a beta-binomial law with the given correlation within a run. Second table: means over tasks. Exit code 1
if coverage at a nominal 95 % misses its bar by more than three standard errors of the simulation.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from hbeval.stats import Interval, RatioSums, log_beta, mean_interval, ratio_interval

SHARES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99)
CORRELATIONS = (0.0, 0.3)
TRIALS = ((1, 1), (1, 3), (3, 10), (5, 30))
RUNS = (5, 10, 19, 20, 50, 100)
TASKS = (5, 10, 20, 50)
ALLOWED_ERRORS = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One setting and the share of its replicates whose interval held the truth; `bar` is [least, most]."""

    row: str
    column: str
    coverage: float
    replicates: int
    bar: tuple[float, float]

    def missed(self) -> bool:
        """Whether coverage lies outside the bar by more than the simulation's own error explains."""
        low, high = (ALLOWED_ERRORS * math.sqrt(end * (1.0 - end) / self.replicates) for end in self.bar)
        return not self.bar[0] - low <= self.coverage <= self.bar[1] + high


def bar(trials: tuple[int, int], runs: int) -> tuple[float, float]:
    """What is promised: tight at 3–10 trials a run, a floor elsewhere."""
    if trials == (3, 10):
        return (0.92, 0.99) if runs >= 20 else (0.93, 1.0)
    return (0.89, 1.0)


def ratio_cells(
    replicates: int,
    seed: int,
    shares: Iterable[float] = SHARES,
    trials: Iterable[tuple[int, int]] = TRIALS,
    runs: Sequence[int] = RUNS,
) -> Iterator[Cell]:
    """Coverage of the clustered ratio interval over the grid; every cell has its own stream of the seed."""
    for size, correlation, number, share in itertools.product(trials, CORRELATIONS, runs, shares):
        if size == (1, 1) and correlation:
            continue
        rng = random.Random(f"{seed} {size} {correlation} {number} {share}")
        draw = run_sampler(share, correlation, size)
        held = sum(holds(ratio_interval(one_sample(draw(rng, number))), share) for _ in range(replicates))
        yield Cell(
            row=f"{span(size):>5} trials, correlation {correlation:.1f}, {number:>3} runs",
            column=f"{share:.2f}",
            coverage=held / replicates,
            replicates=replicates,
            bar=bar(size, number),
        )


def mean_cells(replicates: int, seed: int, tasks: Sequence[int] = TASKS) -> Iterator[Cell]:
    """Coverage of the interval for means over tasks, for values that such means are taken of."""
    for number, (name, draw, truth) in itertools.product(tasks, value_laws()):
        rng = random.Random(f"{seed} {name} {number}")
        held = sum(holds(mean_interval([draw(rng) for _ in range(number)]), truth) for _ in range(replicates))
        yield Cell(
            row=f"{number:>3} tasks",
            column=name,
            coverage=held / replicates,
            replicates=replicates,
            bar=(0.92, 1.0),
        )


Runs = list[tuple[int, int]]


def run_sampler(share: float, correlation: float, trials: tuple[int, int]) -> Callable[[random.Random, int], Runs]:
    """A function that draws runs as (successes, trials), by inverting their joint law."""
    outcomes: Runs = []
    weights: list[float] = []
    for m in range(trials[0], trials[1] + 1):
        for x in range(m + 1):
            outcomes.append((x, m))
            weights.append(success_law(x, m, share, correlation))
    cumulative = list(itertools.accumulate(weights))
    return lambda rng, number: rng.choices(outcomes, cum_weights=cumulative, k=number)


def success_law(x: int, m: int, share: float, correlation: float) -> float:
    """Probability of x successes in m trials: binomial, or beta-binomial with the given intra-run correlation."""
    if not correlation:
        return math.comb(m, x) * share**x * (1.0 - share) ** (m - x)
    size = 1.0 / correlation - 1.0
    a, b = share * size, (1.0 - share) * size
    return math.comb(m, x) * math.exp(log_beta(a + x, b + m - x) - log_beta(a, b))


def one_sample(runs: Runs) -> RatioSums:
    """The sums that an accumulator would hold."""
    sums = RatioSums()
    for x, m in runs:
        sums.add(x, m)
    return sums


def value_laws() -> list[tuple[str, Callable[[random.Random], float], float]]:
    """Laws of one task's value: its name, a draw, and its mean."""
    return [
        ("pass^1 of 4", lambda rng: attempts(rng, 1.0, 1.0, 1), 0.5),
        ("pass^4 of 4", lambda rng: attempts(rng, 1.0, 1.0, 4), 0.2),
        ("pass^4, hard", lambda rng: attempts(rng, 0.5, 2.0, 4), rising(0.5, 4) / rising(2.5, 4)),
        ("beta(2, 2)", lambda rng: rng.betavariate(2.0, 2.0), 0.5),
        ("beta(20, 1)", lambda rng: rng.betavariate(20.0, 1.0), 20.0 / 21.0),
        ("0 or 1", lambda rng: float(rng.random() < 0.9), 0.9),
    ]


def attempts(rng: random.Random, a: float, b: float, k: int, n: int = 4) -> float:
    """C(c, k) ÷ C(n, k) of a task whose probability of success is drawn from Beta(a, b)."""
    share = rng.betavariate(a, b)
    return math.comb(sum(rng.random() < share for _ in range(n)), k) / math.comb(n, k)


def rising(start: float, factors: int) -> float:
    """The product start · (start + 1) · … of so many factors."""
    return math.prod(start + step for step in range(factors))


def holds(interval: Interval | None, truth: float) -> bool:
    """Whether an interval was given and holds the truth."""
    return interval is not None and interval.low <= truth <= interval.high


def span(size: tuple[int, int]) -> str:
    """A range in words."""
    return f"{size[0]}–{size[1]}" if size[0] < size[1] else f"{size[0]}"


def table(cells: Iterable[Cell]) -> Iterator[str]:
    """Lines of a table, one row at a time; a cell that misses its bar is marked."""
    for row, group in itertools.groupby(cells, key=lambda cell: cell.row):
        row_cells = list(group)
        shown = " ".join(f"{cell.column} {cell.coverage:.3f}{'!' if cell.missed() else ' '}" for cell in row_cells)
        yield f"{row}  bar {row_cells[0].bar[0]:.2f}–{row_cells[0].bar[1]:.2f}   {shown}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both tables; 1 if a cell misses its bar."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--replicates", type=int, default=4000, help="samples per cell, 100 to 100000")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if not 100 <= options.replicates <= 100_000:
        parser.error(f"--replicates must lie between 100 and 100000, got {options.replicates}")
    print(f"nominal 0.95, seed {options.seed}, {options.replicates} replicates a cell")
    missed = 0
    for title, cells in (
        ("Pooled ratios, runs as clusters: true share and coverage", ratio_cells(options.replicates, options.seed)),
        ("Means over tasks, tasks as clusters: law and coverage", mean_cells(options.replicates, options.seed)),
    ):
        seen = list(cells)
        print(f"\n{title}")
        for line in table(seen):
            print(line)
        missed += sum(cell.missed() for cell in seen)
        print(f"lowest {min(cell.coverage for cell in seen):.3f}, highest {max(cell.coverage for cell in seen):.3f}")
    print(f"\n{missed} cells miss their bar" if missed else "\nevery cell meets its bar")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
