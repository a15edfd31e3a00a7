"""Scenarios whose repeats do not all end alike, and which of them may be left out."""

from __future__ import annotations

from collections.abc import Sequence

from hbeval.gate.sides import Side
from hbeval.gate.verdict import FlakyScenario
from hbeval.report.samples import RunSample
from hbeval.stats import holm, incomplete_beta

__all__ = ["LARGEST_SHARE", "STRAY", "flakiness", "flaky_scenarios", "quarantine_errors"]

# A scenario is flaky if more than this share of its repeats strays from the usual outcome.
STRAY = 0.1
# More than this share of the scenarios left out is another scenario set.
LARGEST_SHARE = 0.1


def flakiness(successes: int, runs: int) -> float:
    """p-value of "at most one repeat in ten strays from the usual outcome".

    Exact binomial, from the rarer outcome. It errs on the safe side: which outcome is usual is not known beforehand.
    """
    rarer = min(successes, runs - successes)
    return 1.0 if rarer <= 0 else incomplete_beta(rarer, runs - rarer + 1, STRAY)


def flaky_scenarios(side: Side, baseline: Side | None, quarantine: Sequence[str]) -> tuple[FlakyScenario, ...]:
    """Scenarios with both outcomes among the repeats of one side, and those in quarantine, by name."""
    here, there = side.cells(), {} if baseline is None else baseline.cells()
    found = []
    for name in sorted({*here, *there, *quarantine}):
        now, before = _counts(here.get(name, ())), _counts(there.get(name, ()))
        if name not in quarantine and not any(0 < x < n for x, n in (now, before)):
            continue
        found.append(
            FlakyScenario(
                scenario=name,
                baseline_successes=before[0],
                baseline_runs=before[1],
                successes=now[0],
                runs=now[1],
                p_value=flakiness(*before),
                quarantined=name in quarantine,
            )
        )
    return tuple(found)


def quarantine_errors(
    flaky: Sequence[FlakyScenario], side: Side, baseline: Side | None, alpha: float
) -> tuple[str, ...]:
    """Why what is asked to be left out must not be: without evidence from the baseline's repeats, or too much of it.

    The result under test is no evidence: a scenario that got worse must not excuse itself.
    """
    asked = [each for each in flaky if each.quarantined]
    if not asked:
        return ()
    if baseline is None:
        return ("quarantine: there is no baseline whose repeats could show that a scenario is flaky",)
    errors = []
    for each, p in zip(asked, holm([each.p_value for each in asked]), strict=True):
        if not each.baseline_runs:
            errors.append(f"quarantine: {each.scenario} is no scenario of the baseline whose success is known")
        elif p > alpha:
            errors.append(
                f"quarantine: {each.scenario} succeeded in {each.baseline_successes} of {each.baseline_runs} repeats "
                f"of the baseline, which does not show that it is flaky (p = {p:.3g} against {alpha:g}); "
                "take it out of the list, or measure a baseline with more repeats"
            )
    scenarios = len({*side.cells(), *baseline.cells()})
    if len(asked) > LARGEST_SHARE * scenarios:
        errors.append(f"quarantine: {len(asked)} of {scenarios} scenarios, more than the share of {LARGEST_SHARE:g}")
    return tuple(errors)


def _counts(repeats: Sequence[RunSample]) -> tuple[int, int]:
    return sum(each.x for each in repeats), sum(each.m for each in repeats)
