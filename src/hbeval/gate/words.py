"""What a gate says in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from hbeval.gate.assessment import Assessment
from hbeval.gate.metrics import Metric, gated
from hbeval.gate.requirement import Floor, Requirements, singles
from hbeval.gate.sides import Side
from hbeval.gate.verdict import FlakyScenario, RequirementResult, Verdict
from hbeval.model import Context
from hbeval.stats import p_worse

__all__ = ["assessment_words", "multiplicity", "notes_on", "population", "runs_wanted", "suspects"]


_EXPOSURE = 0.1
_MOST_SUSPECTS = 3


def assessment_words(assessed: Assessment, known: Metric) -> str:
    """Value, bounds, and what follows from them."""
    single, decision = assessed.single, assessed.decision
    value = known.written(assessed.sums.x / assessed.sums.m)
    if decision.low is None or decision.high is None:
        return f"{value} from {assessed.sums.n} runs: {decision.reason}"
    if isinstance(single, Floor):
        low, high = (known.written(max(0.0, end + single.least)) for end in (decision.low, decision.high))
        limit = known.written(single.least)
        return {
            "pass": f"{value}, at least {low}: not below {limit}",
            "fail": f"{value}, at most {high}: below {limit}",
            "inconclusive": f"{value}, between {low} and {high}: cannot tell whether it is below {limit}",
        }[decision.ruling]
    assert assessed.baseline is not None
    before = known.written(assessed.baseline.x / assessed.baseline.m)
    low, high = (_signed(known, end) for end in (decision.low, decision.high))
    change, limit = f"{value} against {before} ({_signed(known, decision.difference)}", known.written(single.margin)
    if assessed.withheld is not None and decision.ruling == "pass":
        return f"{change}, at worst {low}), but {assessed.withheld}"
    return {
        "pass": f"{change}, at worst {low}): not worse by {limit}",
        "fail": f"{change}, at best {high}): worse",
        "inconclusive": f"{change}, between {low} and {high}): cannot tell whether it is worse by {limit}",
    }[decision.ruling]


def runs_wanted(more: int | None, side: Side, assessed: Assessment) -> str:
    """How many more runs would decide, and what that is in repeats."""
    if assessed.pairs:
        return f"decided by {len(assessed.pairs)} tasks: more tasks would tell more, more repeats hardly"
    if more is None:
        return "no number of runs would be likely to decide, if the values stay as they are"
    where = "" if isinstance(assessed.single, Floor) else " on each side"
    scenarios = (side.report.battery or {}).get("scenarios")
    repeats = ""
    if isinstance(scenarios, int) and scenarios > 0:
        number = math.ceil(more / scenarios)
        repeats = f" ({number} more repeat{'s' if number > 1 else ''} of each scenario)"
    return (
        f"about {more} more runs{where}{repeats} would decide 4 times in 5 if the values stay as they are: an estimate"
    )


def population(side: Side, baseline: Side | None, *, by_task: bool = False) -> str:
    """What the verdict speaks of."""
    report = side.report
    if report.context is Context.BATTERY and report.battery is not None:
        battery = report.battery
        what = (
            f"the {battery.get('scenarios')} scenarios of battery {battery.get('id')} under seed "
            f"{battery.get('seed')}, {battery.get('repeats')} repeats each"
        )
    else:
        what = f"the {len(side.tasks())} tasks of these logs"
    runs = (
        f"{side.runs()} runs" if baseline is None else f"{side.runs()} runs against {baseline.runs()} of the baseline"
    )
    clusters = "margins decided by the tasks, paired" if by_task else "each a cluster"
    return f"Population: {what}; {runs}, {clusters}. Nothing is said about other tasks or faults."


def multiplicity(error_rate: float, parts: int, tasks: int) -> str:
    """How the error rates of several tests add up."""
    alpha = f"{error_rate:g}"
    each = "1 requirement" if parts == 1 else f"each of {parts} requirements"
    family = f"Holm over {parts} requirement{'s' if parts > 1 else ''}"
    if tasks:
        family += f" and Holm over {tasks} results of single tasks, half of {alpha} each"
    return (
        f"Error rates: PASS needs {each} to pass at {alpha}, without correction. "
        f"FAIL: {family}, so any wrong FAIL happens at most at about {alpha}. A task's result can only fail."
    )


def notes_on(side: Side, baseline: Side | None, flaky: Sequence[FlakyScenario], asked: Requirements) -> tuple[str, ...]:
    """What to know beside the verdict: runs that are missing, faults met less often, scenarios left out."""
    return (
        *_lost(side, "the result"),
        *(_lost(baseline, "the baseline") if baseline else ()),
        *_same(side, baseline),
        *_exposure(side, baseline),
        *_unasked(side, baseline, asked),
        *_left_out(flaky),
    )


def suspects(tasks: Sequence[RequirementResult], alpha: float) -> tuple[str, ...]:
    """Tasks that fall short on their own although that does not stand among so many tests: where to look first."""
    tests = [each for each in tasks if each.decides and each.p_fail is not None]
    short = [
        each for each in tests if each.p_fail is not None and each.p_fail <= alpha and each.verdict is not Verdict.FAIL
    ]
    if not short:
        return ()
    short.sort(key=lambda each: each.p_fail or 0.0)
    named = ", ".join(f"{each.metric} in {each.task} (p = {each.p_fail:.2g})" for each in short[:_MOST_SUSPECTS])
    more = f" and {len(short) - _MOST_SUSPECTS} more" if len(short) > _MOST_SUSPECTS else ""
    counts = f"on their own {len(short)} of {len(tests)} results of single tasks fall short at {alpha:g}"
    return (f"{counts}, where up to about {alpha * len(tests):.2g} would by chance: {named}{more}",)


def _lost(side: Side, name: str) -> Iterator[str]:
    coverage = side.report.coverage
    if coverage.measured < coverage.runs:
        yield f"{name}: {coverage.measured} of {coverage.runs} runs measured; the others are in no number"


def _same(side: Side, baseline: Side | None) -> Iterator[str]:
    """A result held against itself passes with enough runs; so does an agent in which nothing changed."""
    if baseline is not None and side.samples == baseline.samples:
        yield "every run has the counts it has in the baseline: nothing changed, or a result is held against itself"


def _exposure(side: Side, baseline: Side | None) -> Iterator[str]:
    """Faults that an agent does not run into say nothing about how it meets them."""
    if baseline is None:
        return
    now, before = side.report.faults, baseline.report.faults
    if now.intended and before.intended and before.met / before.intended - now.met / now.intended > _EXPOSURE:
        yield (
            f"the faults met fell from {before.met} of {before.intended} to {now.met} of {now.intended}: the result "
            "ran into fewer of them, and the numbers under faults rest on those it met"
        )


def _unasked(side: Side, baseline: Side | None, asked: Requirements) -> Iterator[str]:
    """Metrics that nothing requires and that are worse all the same, at the same error rate each."""
    named = {single.metric for each in asked.all for single in singles(each)}
    for name, known in gated().items():
        if baseline is None or name in named:
            continue
        now, before = side.sums(name), baseline.sums(name)
        if now.m and before.m and p_worse(before, now) <= asked.alpha:
            change = f"{known.written(now.x / now.m)} against {known.written(before.x / before.m)}"
            yield f"{name} is not required, and is worse than in the baseline: {change}"


def _left_out(flaky: Sequence[FlakyScenario]) -> Iterator[str]:
    for each in flaky:
        if each.quarantined:
            worse = "; it never succeeds any more" if each.runs and not each.successes else ""
            yield (
                f"in quarantine, left out on both sides: {each.scenario} (succeeded in {each.baseline_successes} of "
                f"{each.baseline_runs} repeats of the baseline, p = {each.p_value:.2g}; now {each.successes} of "
                f"{each.runs}{worse})"
            )


def _signed(known: Metric, share: float) -> str:
    return f"{share * known.top:+.3f}"
