"""CSI as published beside the candidate, on the same simulated agents: `python studies/csi_on_stationary_agents.py`.

An agent runs one task 100 times. A run has 3–10 steps, each re-planned with probability 0.1, and 1–3 fault trials, each
handled deliberately with probability 0.7; it fails with the probability of the case. Only the last three cases hold
anything that a metric of consistency should find. Printed: median and 5 % point of both metrics over the replicates,
and the share of replicates in which the published trend term alone makes the metric 0.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hbeval.instruments import find
from hbeval.instruments.samples import judged_trace
from hbeval.model import JudgedTrace, Measured
from hbeval.stats import slope

RUNS = 100
TREND_RUNS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An agent: its failure rate at run 0 … 99, and the correlation within a run of re-plans and of handlings."""

    name: str
    failure: Callable[[int], float]
    correlation: float = 0.0


CASES = (
    Case(name="stationary, fails 5 %", failure=lambda run: 0.05),
    Case(name="stationary, fails 10 %", failure=lambda run: 0.10),
    Case(name="stationary, fails 36 %", failure=lambda run: 0.36),
    Case(name="failures rise .05 to .95", failure=lambda run: 0.05 + 0.90 * run / (RUNS - 1)),
    Case(name="last 20 runs .05 to .55", failure=lambda run: 0.05 + 0.5 * max(0, run - 80) / 19),
    Case(name="correlation .3 in both", failure=lambda run: 0.10, correlation=0.3),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What both metrics gave in each replicate of one case, and in how many the published trend term was 1."""

    published: list[float]
    candidate: list[float]
    trend_alone: float


def simulate(case: Case, replicates: int, seed: int) -> Outcome:
    """Both metrics on the same runs, replicate by replicate."""
    rng = random.Random(f"{seed} {case.name}")
    published, candidate, trends = [], [], 0
    for _ in range(replicates):
        runs = list(agent(case, rng))
        published.append(measured("csi@1.0-provisional", runs))
        candidate.append(measured("csi@2.0-candidate", runs))
        failures = [not judged.trace.success for judged in runs[-TREND_RUNS:]]
        trends += (slope(failures) or 0.0) > 0.0
    return Outcome(published=published, candidate=candidate, trend_alone=trends / replicates)


def agent(case: Case, rng: random.Random) -> Iterator[JudgedTrace]:
    """The runs of one agent at one task."""
    for run in range(RUNS):
        replans, deliberate = drift(rng, 0.1, case.correlation), drift(rng, 0.7, case.correlation)
        steps = ("101?" if rng.random() < replans else "100?" for _ in range(rng.randint(3, 10)))
        trials = ["recovery" if rng.random() < deliberate else "reflex" for _ in range(rng.randint(1, 3))]
        success = rng.random() >= case.failure(run)
        yield judged_trace(" ".join(steps), trials, id=f"run {run:03d}", repeat=run, success=success)


def drift(rng: random.Random, share: float, correlation: float) -> float:
    """This run's probability: constant, or beta-distributed so that outcomes of one run have the correlation."""
    if not correlation:
        return share
    size = 1.0 / correlation - 1.0
    return rng.betavariate(share * size, (1.0 - share) * size)


def measured(name: str, runs: Sequence[JudgedTrace]) -> float:
    """The value of an instrument that must be measurable on these runs."""
    accumulator = find(name).start()
    for judged in runs:
        accumulator.update(judged)
    result = accumulator.measure()
    if not isinstance(result, Measured):
        raise TypeError(f"{name} is not measured: {result.reason}")
    return result.value


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which the share of the values lies."""
    return sorted(values)[int(share * (len(values) - 1))]


def line(case: Case, outcome: Outcome) -> str:
    """One row of the table."""
    ends = [
        f"{quantile(values, share):5.2f}" for values in (outcome.published, outcome.candidate) for share in (0.5, 0.05)
    ]
    return f"{case.name:<26} {ends[0]} {ends[1]}      {ends[2]} {ends[3]}      {outcome.trend_alone:6.1%}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--replicates", type=int, default=400, help="agents per case, 1 to 10000")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if not 1 <= options.replicates <= 10_000:
        parser.error(f"--replicates must lie between 1 and 10000, got {options.replicates}")
    print(f"{RUNS} runs of one task, seed {options.seed}, {options.replicates} replicates a case")
    print(f"{'':<26} 1.0-provisional   2.0-candidate    1.0: trend alone")
    print(f"{'':<26} median  5 %       median  5 %      makes it 0")
    for case in CASES:
        print(line(case, simulate(case, options.replicates, options.seed)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
