"""One floor or one margin put to the test, over all runs or over those of one task."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hbeval.gate.by_task import decided_by_tasks, p_worse_by_tasks, paired_bounds, task_pairs
from hbeval.gate.requirement import Floor, NotWorse, Requirements, Single
from hbeval.gate.sides import Side
from hbeval.model import NotMeasured
from hbeval.report.difference import DECIDING_TASKS
from hbeval.stats import (
    Decision,
    Pair,
    RatioSums,
    against_floor,
    noninferiority,
    p_below_floor,
    p_worse,
    runs_to_clear_floor,
    runs_to_decide,
)

__all__ = ["Assessment", "more_runs", "tested", "tested_on_task", "unusable"]

_FALL = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """A requirement, the counts it is tested on, and the decision at the gate's error rate.

    p_fail    p-value of "at least the floor", or of "not worse"; 1 where it passes: within the margin is not worse
    withheld  why it cannot pass although the test may say so; None if it can
    paired    one-sided bounds of the difference with the tasks as clusters; `pairs` are what decides by tasks, if asked
    """

    single: Single
    task: str | None
    sums: RatioSums
    baseline: RatioSums | None
    decision: Decision
    p_fail: float
    withheld: str | None = None
    paired: tuple[float, float] | None = None
    pairs: tuple[Pair, ...] = ()

    def passes(self, alpha: float) -> bool:
        """Whether "below the floor", or "worse by the margin or more", is rejected at this error rate."""
        decision = _decision(self.single, self.sums, self.baseline, self.pairs, alpha)
        return self.withheld is None and decision.ruling == "pass"


def unusable(single: Single, side: Side, baseline: Side | None, asked: Requirements) -> str | None:
    """Why a requirement cannot be tested on these runs; None if it can."""
    if isinstance(single, Floor):
        return _unknown(single, side, "the result", asked.min_known)
    if baseline is None:
        return f"{single}: there is no baseline to hold it against"
    for each, name in ((side, "the result"), (baseline, "the baseline")):
        why = _unknown(single, each, name, asked.min_known)
        if why is not None:
            return why
    if asked.by_task and (tasks := len(task_pairs(single.metric, side, baseline))) < DECIDING_TASKS:
        return f"{single}: to decide by tasks takes {DECIDING_TASKS} that both sides measured, there are {tasks}"
    return None


def tested(single: Single, side: Side, baseline: Side | None, asked: Requirements) -> Assessment:
    """The test of a requirement on all runs, where it is not `unusable`."""
    sums = side.sums(single.metric)
    if isinstance(single, Floor) or baseline is None:
        return _assessed(single, sums, None, asked.alpha)
    pairs = task_pairs(single.metric, side, baseline)
    bounds = paired_bounds(pairs, asked.alpha)
    return _assessed(
        single,
        sums,
        baseline.sums(single.metric),
        asked.alpha,
        withheld=_less_known(single, side, baseline, asked.alpha),
        paired=None if bounds is None else (bounds.low, bounds.high),
        pairs=pairs if asked.by_task else (),
    )


def tested_on_task(single: Single, side: Side, baseline: Side | None, alpha: float, task: str) -> Assessment | None:
    """The same on the runs of one task; None where a side has fewer than two with a trial, so that nothing can fail."""
    against = None if isinstance(single, Floor) else baseline
    sums, other = side.sums(single.metric, task), None if against is None else against.sums(single.metric, task)
    if min(each.n for each in (sums, other) if each is not None) < 2:
        return None
    return _assessed(single, sums, other, alpha, task=task)


def more_runs(assessed: Assessment, side: Side, alpha: float) -> int | None:
    """Runs beyond those there are that would decide with probability 0.8, if the values stay as they are.

    For a margin on both sides. An estimate from the spread seen so far; None where no number up to a million would do,
    and where tasks decide, of which more repeats make no more.
    """
    if assessed.pairs:
        return None
    sums, other, single = assessed.sums, assessed.baseline, assessed.single
    have = sums.n if other is None else min(sums.n, other.n)
    if have < 2:
        return 2
    if isinstance(single, Floor):
        needed = runs_to_clear_floor(sums, single.least, alpha)
    else:
        assert other is not None
        needed = runs_to_decide(other, sums, single.margin, alpha)
    return None if needed is None else max(1, math.ceil((needed / have - 1) * max(side.runs(), have)))


def _assessed(
    single: Single,
    sums: RatioSums,
    other: RatioSums | None,
    alpha: float,
    *,
    task: str | None = None,
    withheld: str | None = None,
    paired: tuple[float, float] | None = None,
    pairs: tuple[Pair, ...] = (),
) -> Assessment:
    decision = _decision(single, sums, other, pairs, alpha)
    passed = decision.ruling == "pass" and withheld is None
    return Assessment(
        single=single,
        task=task,
        sums=sums,
        baseline=other,
        decision=decision,
        p_fail=1.0 if passed else _p_fail(single, sums, other, pairs),
        withheld=withheld,
        paired=paired,
        pairs=pairs,
    )


def _decision(
    single: Single, sums: RatioSums, other: RatioSums | None, pairs: tuple[Pair, ...], alpha: float
) -> Decision:
    if isinstance(single, Floor):
        return against_floor(sums, single.least, alpha)
    if pairs:
        return decided_by_tasks(pairs, single.margin, alpha)
    assert other is not None
    return noninferiority(other, sums, single.margin, alpha)


def _p_fail(single: Single, sums: RatioSums, other: RatioSums | None, pairs: tuple[Pair, ...]) -> float:
    if isinstance(single, Floor):
        return p_below_floor(sums, single.least)
    if pairs:
        return p_worse_by_tasks(pairs)
    assert other is not None
    return p_worse(other, sums)


def _unknown(single: Single, side: Side, name: str, min_known: float) -> str | None:
    """Why one side says too little of a metric: undefined, or mostly of unknown outcome."""
    metric = single.metric
    if not side.sums(metric).m:
        result = side.report.metrics.get(metric)
        why = result.reason if isinstance(result, NotMeasured) else "no run that takes part has a trial of it"
        return f"{single}: {metric} is not measured in {name} ({why}), so it is no pass"
    known = side.known(metric)
    if known.x < min_known * known.m:
        return (
            f"{single}: of {known.m} trials in {name}, {known.x} have a known outcome, "
            f"fewer than the share of {min_known:g} that is asked for (min_known)"
        )
    return None


def _less_known(single: NotWorse, side: Side, baseline: Side, alpha: float) -> str | None:
    """What to say if demonstrably less is known of the metric than in the baseline, by more than 0.05.

    What is unknown may hide what got worse, so such a metric cannot pass.
    """
    before, now = baseline.known(single.metric), side.known(single.metric)
    fall = before.x / before.m - now.x / now.m
    if fall <= _FALL or noninferiority(before, now, _FALL, alpha).ruling != "fail":
        return None
    return (
        f"{now.x} of {now.m} trials of {single.metric} have a known outcome, {before.x} of {before.m} in the baseline; "
        "what is not known cannot pass"
    )
