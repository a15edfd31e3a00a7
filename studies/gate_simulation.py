"""Samples of a baseline and a candidate, judged by the gate's decision: the simulation of `gate_characteristic.py`."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from interval_coverage import Runs, one_sample, run_sampler

from hbeval.stats import RatioSums, against_floor, noninferiority

RUNS = (20, 50, 200)
BASES = (0.5, 0.8, 0.9, 0.95, 0.99)
MARGINS = (0.05, 0.10)
LAWS = (((1, 1), 0.0), ((3, 10), 0.0), ((3, 10), 0.3), ((5, 30), 0.0), ((5, 30), 0.3))
FIXED_DROP = 0.05
REQUIRED, SHORT = 0.90, 0.85
FLOOR_RUNS = (10, *RUNS)
# Runs of the baseline and of the candidate, and the correlation within a run of each: nothing is promised here.
UNLIKE = ((20, 100, 0.3, 0.3), (100, 20, 0.3, 0.3), (20, 20, 0.1, 0.5), (50, 50, 0.0, 0.3))
ALLOWED_ERRORS = 3.0
RULINGS = ("pass", "fail", "inconclusive")

Rulings = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Shares of rulings in one setting, for a candidate worse by the margin and for an equal one.

    `samples` are the first few draws as texts, one digit a run, where every run has one trial.
    """

    trials: tuple[int, int]
    correlation: float
    runs: int
    base: float
    margin: float
    replicates: int
    worse: Rulings
    equal: Rulings
    fixed_worse: Rulings
    fixed_equal: Rulings
    samples: Mapping[str, list[str]] = field(default_factory=dict, repr=False)

    @property
    def bar(self) -> float:
        """The most that PASS if worse and FAIL if equal may be."""
        return 0.055 if self.base <= 0.95 and self.trials[1] <= 10 else 0.08

    @property
    def missed(self) -> bool:
        """Whether an error is more frequent than its bar by more than the simulation's own error explains."""
        most = self.bar + ALLOWED_ERRORS * math.sqrt(self.bar * (1.0 - self.bar) / self.replicates)
        return max(self.worse["pass"], self.equal["fail"]) > most


def cells(
    replicates: int,
    seed: int,
    *,
    laws: Iterable[tuple[tuple[int, int], float]] = LAWS,
    runs: Sequence[int] = RUNS,
    bases: Sequence[float] = BASES,
    kept: int = 0,
) -> Iterator[Cell]:
    """The grid, one cell per margin; every setting has its own stream of the seed. `kept` samples go along."""
    for (trials, correlation), number, base in itertools.product(laws, runs, bases):
        rng = random.Random(f"{seed} {trials} {correlation} {number} {base}")
        at_base = run_sampler(base, correlation, trials)
        baseline = [at_base(rng, number) for _ in range(replicates)]
        equal = [at_base(rng, number) for _ in range(replicates)]
        for margin in MARGINS:
            below = run_sampler(base - margin, correlation, trials)
            worse = [below(rng, number) for _ in range(replicates)]
            drawn = {"baseline": baseline, "worse": worse, "equal": equal}
            yield Cell(
                trials=trials,
                correlation=correlation,
                runs=number,
                base=base,
                margin=margin,
                replicates=replicates,
                worse=judged(baseline, worse, tested(margin)),
                equal=judged(baseline, equal, tested(margin)),
                fixed_worse=judged(baseline, worse, dropped),
                fixed_equal=judged(baseline, equal, dropped),
                samples={name: [as_text(each) for each in runs[:kept]] for name, runs in drawn.items()},
            )


def tested(margin: float) -> Callable[[RatioSums, RatioSums], str]:
    """The gate's decision at its default level."""
    return lambda a, b: noninferiority(a, b, margin).ruling


def dropped(a: RatioSums, b: RatioSums) -> str:
    """A fixed rule without a test: fail if the value fell by more than 0.05."""
    return "fail" if a.x / a.m - b.x / b.m > FIXED_DROP else "pass"


def judged(baseline: Sequence[Runs], candidate: Sequence[Runs], rule: Callable[[RatioSums, RatioSums], str]) -> Rulings:
    """The share of each ruling."""
    given = [rule(one_sample(a), one_sample(b)) for a, b in zip(baseline, candidate, strict=True)]
    return {each: given.count(each) / len(given) for each in RULINGS}


def as_text(runs: Runs) -> str:
    """Runs of one trial as digits."""
    return "".join(str(x) for x, _ in runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlike:
    """Two sides of unlike size or correlation, 3–10 trials a run, margin .10."""

    runs: tuple[int, int]
    correlations: tuple[float, float]
    base: float
    worse: Rulings
    equal: Rulings


def unlike(replicates: int, seed: int, margin: float = 0.10) -> Iterator[Unlike]:
    """Beyond what is promised: how the errors are where the sides differ in more than their rate."""
    for (first, second, one, two), base in itertools.product(UNLIKE, (0.8, 0.95)):
        rng = random.Random(f"{seed} unlike {first} {second} {one} {two} {base}")
        draws = (
            run_sampler(base, one, (3, 10)),
            run_sampler(base - margin, two, (3, 10)),
            run_sampler(base, two, (3, 10)),
        )
        baseline, worse, equal = (
            [draw(rng, number) for _ in range(replicates)]
            for draw, number in zip(draws, (first, second, second), strict=True)
        )
        yield Unlike(
            runs=(first, second),
            correlations=(one, two),
            base=base,
            worse=judged(baseline, worse, tested(margin)),
            equal=judged(baseline, equal, tested(margin)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """Shares of rulings about a required rate of one trial a run, for an agent at `true`."""

    runs: int
    true: float
    required: float
    rulings: Rulings
    samples: list[str] = field(default_factory=list, repr=False)


def floors(replicates: int, seed: int) -> Iterator[Floor]:
    """An agent at 0.85 and one at exactly the 0.90 required."""
    for number, true in itertools.product(FLOOR_RUNS, (SHORT, REQUIRED)):
        rng = random.Random(f"{seed} floor {number} {true}")
        draw = run_sampler(true, 0.0, (1, 1))
        drawn = [draw(rng, number) for _ in range(replicates)]
        given = [against_floor(one_sample(each), REQUIRED).ruling for each in drawn]
        shares = {each: given.count(each) / replicates for each in RULINGS}
        samples = [as_text(each) for each in drawn]
        yield Floor(runs=number, true=true, required=REQUIRED, rulings=shares, samples=samples)
