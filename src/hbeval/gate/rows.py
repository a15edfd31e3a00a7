"""Tests as rows of the result: numbers on the metric's scale, and words."""

from __future__ import annotations

from hbeval.gate.assessment import Assessment, more_runs
from hbeval.gate.family import Family, TaskKey
from hbeval.gate.metrics import metric
from hbeval.gate.requirement import Floor, Requirements, Single
from hbeval.gate.sides import Side
from hbeval.gate.verdict import RequirementResult, Verdict
from hbeval.gate.words import assessment_words, runs_wanted

__all__ = ["requirement_row", "task_row", "untested_row"]


def requirement_row(assessed: Assessment, family: Family, side: Side, asked: Requirements) -> RequirementResult:
    """A requirement over all runs, with its own verdict at the stated error rate."""
    verdict = _own_verdict(assessed, asked.alpha)
    p_adjusted = next((p for part, p in family.whole.items() if part == assessed.single), None)
    words, more = assessment_words(assessed, metric(assessed.single.metric)), None
    if verdict is Verdict.FAIL and p_adjusted is not None and p_adjusted > asked.alpha:
        more = more_runs(assessed, side, asked.alpha / (len(family.whole) * (2 if family.task_tests else 1)))
        words += f"; on its own that is a FAIL, beside the other tests it is not shown (adjusted p = {p_adjusted:.3g})"
        words += f"; {runs_wanted(more, side, assessed)}"
    elif verdict is Verdict.INCONCLUSIVE and assessed.withheld is None:
        more = more_runs(assessed, side, asked.alpha)
        words += f"; {runs_wanted(more, side, assessed)}"
    return _row(assessed, verdict, words, p_adjusted=p_adjusted, more=more)


def task_row(key: TaskKey, assessed: Assessment, family: Family, alpha: float) -> RequirementResult:
    """A requirement over the runs of one task: FAIL if that stands among all tests, else what its own test says."""
    decides = key in family.tasks
    p_adjusted = family.tasks.get(key, family.seen.get(key))
    failed = p_adjusted is not None and p_adjusted <= alpha
    verdict = Verdict.FAIL if failed else Verdict.PASS if assessed.passes(alpha) else Verdict.INCONCLUSIVE
    words = assessment_words(assessed, metric(assessed.single.metric))
    return _row(assessed, verdict, words, p_adjusted=p_adjusted, decides=decides)


def untested_row(single: Single, why: str) -> RequirementResult:
    """A requirement that could not be tested."""
    return RequirementResult(
        requirement=str(single),
        metric=single.metric,
        task=None,
        verdict=Verdict.ERROR,
        decides=True,
        words=why.removeprefix(f"{single}: "),
        limit=_limit(single),
        margin=_margin(single),
    )


def _own_verdict(assessed: Assessment, alpha: float) -> Verdict:
    if assessed.passes(alpha):
        return Verdict.PASS
    return Verdict.FAIL if assessed.decision.ruling == "fail" else Verdict.INCONCLUSIVE


def _row(
    assessed: Assessment,
    verdict: Verdict,
    words: str,
    *,
    p_adjusted: float | None,
    more: int | None = None,
    decides: bool = True,
) -> RequirementResult:
    single, sums, other, decision = assessed.single, assessed.sums, assessed.baseline, assessed.decision
    top, shift = metric(single.metric).top, single.least if isinstance(single, Floor) else 0.0
    return RequirementResult(
        requirement=str(single),
        metric=single.metric,
        task=assessed.task,
        verdict=verdict,
        decides=decides,
        words=words,
        n=sums.n,
        trials=sums.m,
        value=top * sums.x / sums.m,
        baseline_n=None if other is None else other.n,
        baseline=None if other is None else top * other.x / other.m,
        bound=None if decision.low is None else top * (decision.low + shift),
        upper=None if decision.high is None else top * (decision.high + shift),
        p_fail=assessed.p_fail,
        paired=None if assessed.paired is None else (top * assessed.paired[0], top * assessed.paired[1]),
        p_adjusted=p_adjusted,
        more_runs=more,
        limit=_limit(single),
        margin=_margin(single),
    )


def _limit(single: Single) -> float:
    top = metric(single.metric).top
    return top * (single.least if isinstance(single, Floor) else -single.margin)


def _margin(single: Single) -> float | None:
    return None if isinstance(single, Floor) else metric(single.metric).top * single.margin
