"""Coverage of the intervals of differences: `python studies/difference_coverage.py --replicates 1000 --seed 1`.

Pairs of runs (or of tasks) of two agents; each pair shares some of its difficulty. A pair's shares are drawn from two
beta laws through one common normal variable, its numbers of trials evenly from a range. `unpaired` takes the runs as
independent, `paired` knows the pairs. Exit code 1 if coverage at a nominal 95 % falls short of 93 % by more than three
standard errors of the simulation.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hbeval.stats import Interval, Pair, normal_cdf, pair_sums, paired_interval, ratio_difference_interval

BAR = 0.93
ALLOWED_ERRORS = 3.0
NUMBERS = (5, 10, 20, 50)
SIZES = {"one trial": (1, 1), "3–10 trials": (3, 10), "tasks of 15–60": (15, 60)}
SHARES = ((0.5, 0.5), (0.8, 0.7), (0.95, 0.95), (0.95, 0.6))
SHARED = (0.0, 0.6, 0.95)
CORRELATION = 0.3
KNOTS = 200

WAYS: dict[str, Callable[[Sequence[Pair]], Interval | None]] = {
    "unpaired": lambda pairs: ratio_difference_interval(*pair_sums(pairs)),
    "paired": paired_interval,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One setting, and per way of taking the runs the coverage and the mean width."""

    size: str
    number: int
    shares: tuple[float, float]
    shared: float
    replicates: int
    coverage: dict[str, float]
    width: dict[str, float]

    def missed(self, way: str) -> bool:
        """Whether coverage is below the bar by more than the simulation's own error explains."""
        return self.coverage[way] < BAR - ALLOWED_ERRORS * math.sqrt(BAR * (1.0 - BAR) / self.replicates)


def cells(
    replicates: int,
    seed: int,
    sizes: Sequence[str] = tuple(SIZES),
    numbers: Sequence[int] = NUMBERS,
    shares: Sequence[tuple[float, float]] = SHARES,
) -> Iterator[Cell]:
    """The grid; every cell has its own stream of the seed."""
    for size, number, (a, b), shared in itertools.product(sizes, numbers, shares, SHARED):
        rng = random.Random(f"{seed} {size} {number} {a} {b} {shared}")
        draw = pair_sampler(SIZES[size], a, b, shared)
        held, widths = dict.fromkeys(WAYS, 0), dict.fromkeys(WAYS, 0.0)
        for _ in range(replicates):
            pairs = [draw(rng) for _ in range(number)]
            for way, interval_of in WAYS.items():
                interval = interval_of(pairs)
                assert interval is not None
                held[way] += interval.low <= b - a <= interval.high
                widths[way] += interval.high - interval.low
        yield Cell(
            size=size,
            number=number,
            shares=(a, b),
            shared=shared,
            replicates=replicates,
            coverage={way: count / replicates for way, count in held.items()},
            width={way: total / replicates for way, total in widths.items()},
        )


def pair_sampler(size: tuple[int, int], a: float, b: float, shared: float) -> Callable[[random.Random], Pair]:
    """A function that draws one pair; `shared` is the correlation of the normal variables behind both difficulties."""
    first, second = quantiles(a), quantiles(b)
    common, own = math.sqrt(shared), math.sqrt(1.0 - shared)

    def draw(rng: random.Random) -> Pair:
        z = rng.gauss(0.0, 1.0)
        counts = []
        for table in (first, second):
            place = normal_cdf(common * z + own * rng.gauss(0.0, 1.0))
            ease = table[min(KNOTS - 1, int(place * KNOTS))]
            m = rng.randint(*size)
            counts += [sum(rng.random() < ease for _ in range(m)), m]
        return Pair(*counts)

    return draw


def quantiles(share: float) -> list[float]:
    """Equally likely values of a beta law with the study's correlation, moved to have exactly this mean."""
    rng = random.Random(7)
    size = 1.0 / CORRELATION - 1.0
    drawn = sorted(rng.betavariate(share * size, (1.0 - share) * size) for _ in range(KNOTS * 50))
    values = [sum(drawn[50 * place : 50 * (place + 1)]) / 50 for place in range(KNOTS)]
    excess = share - sum(values) / KNOTS
    return [min(1.0, max(0.0, value + excess)) for value in values]


def told_of(cell: Cell, way: str) -> str:
    """Coverage, marked where it misses, and width."""
    return f"{way} {cell.coverage[way]:.3f}{'!' if cell.missed(way) else ' '}(width {cell.width[way]:.2f})"


def lines(seen: Sequence[Cell]) -> Iterator[str]:
    """One line a cell."""
    for cell in seen:
        told = "   ".join(told_of(cell, way) for way in WAYS)
        a, b = cell.shares
        yield f"{cell.size:<14} {cell.number:>3} pairs, {a:.2f} and {b:.2f}, shared {cell.shared:.2f}   {told}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if a cell misses its bar."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--replicates", type=int, default=400, help="samples a cell, 100 to 100000 (default 400)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if not 100 <= options.replicates <= 100_000:
        parser.error(f"--replicates must lie between 100 and 100000, got {options.replicates}")
    print(f"nominal 0.95, bar {BAR}, seed {options.seed}, {options.replicates} replicates a cell")
    seen = list(cells(options.replicates, options.seed))
    for line in lines(seen):
        print(line)
    missed = sum(cell.missed(way) for cell in seen for way in WAYS)
    lowest = {way: min(cell.coverage[way] for cell in seen) for way in WAYS}
    print("lowest: " + ", ".join(f"{way} {value:.3f}" for way, value in lowest.items()))
    print(f"{missed} cells miss their bar" if missed else "every cell keeps its bar")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
