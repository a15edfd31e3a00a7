"""From a result, a baseline and requirements to one verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hbeval.errors import UsageError
from hbeval.gate.admission import differences, faults_of, listed_runs
from hbeval.gate.assessment import Assessment, tested, unusable
from hbeval.gate.composition import passes
from hbeval.gate.family import Family, family_of, task_assessments
from hbeval.gate.flaky import flaky_scenarios, quarantine_errors
from hbeval.gate.metrics import DEFAULT
from hbeval.gate.requirement import Requirements, Single, default_requirements, singles
from hbeval.gate.rows import requirement_row, task_row, untested_row
from hbeval.gate.sides import Side, side_of
from hbeval.gate.verdict import GateResult, RequirementResult, Verdict
from hbeval.gate.words import multiplicity, notes_on, population, suspects
from hbeval.model import Measured, Report

__all__ = ["defaults_for", "run_gate"]


def run_gate(
    report: Report,
    baseline: Report | None = None,
    requirements: Requirements | None = None,
    *,
    baseline_digest: str | None = None,
) -> GateResult:
    """Judge a result by requirements, those with a margin against a baseline.

    Both reports must list their runs. Without requirements a baseline asks for the default ones: PEI, FRR, IRS and TI
    not worse by 0.05 of the scale, those that the baseline does not measure left out and listed.

    Never PASS where something could not be measured or compared: that is ERROR, with every reason. Raises UsageError
    where there is nothing to ask, and InputError for a report without its runs.
    """
    for each, name in ((report, "the result"), (baseline, "the baseline")):
        if each is not None:
            listed_runs(each, name)
    if requirements is None:
        if baseline is None:
            raise UsageError("nothing is required and there is no baseline: a gate without a requirement cannot fail")
        requirements = defaults_for(baseline)
    asked = requirements
    about = GateResult(
        verdict=Verdict.ERROR,
        required=asked.words,
        alpha=asked.alpha,
        unmeasured=_open(report, baseline, asked),
        coverage=report.coverage,
        agent=report.agent,
        baseline_agent=None if baseline is None else baseline.agent,
        baseline_digest=baseline_digest,
    )
    errors = _refusals(report, baseline, asked)
    if errors:
        return replace(about, errors=errors)
    return _judged(side_of(report), None if baseline is None else side_of(baseline), asked, about)


def defaults_for(baseline: Report) -> Requirements:
    """What is asked where only a baseline is given: the default requirements on what the baseline measures."""
    given = default_requirements()
    kept = tuple(each for each in given if all(_measured(baseline, one.metric) for one in singles(each)))
    return Requirements(all=kept or given)


def _open(report: Report, baseline: Report | None, asked: Requirements) -> tuple[str, ...]:
    """What is said of the default metrics that are not required and not measured on some side."""
    named = {single.metric for each in asked.all for single in singles(each)}
    sides = {"the result": report} if baseline is None else {"the result": report, "the baseline": baseline}
    lines = []
    for each in DEFAULT:
        lacking = [name for name, side in sides.items() if not _measured(side, each)]
        if lacking and each not in named:
            lines.append(f"{each}: not measured in {' and '.join(lacking)}, and not required")
    return tuple(lines)


def _measured(report: Report, name: str) -> bool:
    return isinstance(report.metrics.get(name), Measured)


def _refusals(report: Report, baseline: Report | None, asked: Requirements) -> tuple[str, ...]:
    found = faults_of(report, asked, "the result")
    if baseline is None:
        return found
    return (*found, *faults_of(baseline, asked, "the baseline"), *differences(baseline, report))


def _judged(side: Side, baseline: Side | None, asked: Requirements, about: GateResult) -> GateResult:
    flaky = flaky_scenarios(side, baseline, asked.quarantine)
    refused = quarantine_errors(flaky, side, baseline, asked.alpha)
    if refused:
        return replace(about, errors=refused, flaky=flaky)
    left_out = [each.scenario for each in flaky if each.quarantined]
    side, baseline = side.without(left_out), None if baseline is None else baseline.without(left_out)
    unique = tuple(dict.fromkeys(single for each in asked.all for single in singles(each)))
    reasons = {each: why for each in unique if (why := unusable(each, side, baseline, asked)) is not None}
    assessments = {each: tested(each, side, baseline, asked) for each in unique if each not in reasons}
    tasks = task_assessments(assessments, side, baseline, asked.alpha)
    family = family_of(asked.all, assessments, tasks)
    verdict = Verdict.ERROR if reasons else _verdict(asked, assessments, family)
    rows = tuple(
        untested_row(each, reasons[each])
        if each in reasons
        else requirement_row(assessments[each], family, side, asked)
        for each in unique
    )
    rows_of_tasks = tuple(task_row(key, assessed, family, asked.alpha) for key, assessed in tasks.items())
    return replace(
        about,
        verdict=verdict,
        requirements=rows,
        tasks=rows_of_tasks,
        errors=tuple(reasons.values()),
        flaky=flaky,
        notes=(*notes_on(side, baseline, flaky, asked), *suspects(rows_of_tasks, asked.alpha)),
        population=population(side, baseline, by_task=asked.by_task),
        multiplicity=multiplicity(asked.alpha, len(asked.all), family.task_tests),
        more_runs=_most(rows) if verdict is Verdict.INCONCLUSIVE else None,
    )


def _verdict(asked: Requirements, assessments: Mapping[Single, Assessment], family: Family) -> Verdict:
    """A failure that stands among all tests outranks a pass of everything: a task may fail behind a good average."""
    if family.failed(asked.alpha):
        return Verdict.FAIL
    if all(passes(each, assessments, asked.alpha) for each in asked.all):
        return Verdict.PASS
    return Verdict.INCONCLUSIVE


def _most(rows: Sequence[RequirementResult]) -> int | None:
    """The largest estimate of what would decide a row that is not decided; None where one of them is not known."""
    open_ = [each for each in rows if each.verdict is Verdict.INCONCLUSIVE or each.more_runs is not None]
    wanted = [each.more_runs for each in open_]
    known = [each for each in wanted if each is not None]
    return max(known) if known and len(known) == len(wanted) else None
