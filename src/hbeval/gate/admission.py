"""What must be true of a result before anything is tested on it. Nothing here is a matter of chance or of degree."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from hbeval.errors import InputError
from hbeval.gate.metrics import gated
from hbeval.gate.requirement import Requirements
from hbeval.instruments.comparability import reasons_not_comparable
from hbeval.model import Context, EvidenceLevel, Measured, Measurement, Report, RunResult

__all__ = ["differences", "faults_of", "listed_runs"]

_SHOWN = 5
_BATTERY = ("id", "domains", "faults", "scenarios", "repeats", "seed", "task_set_digest")


def listed_runs(report: Report, side: str) -> tuple[RunResult, ...]:
    """The runs of a report. Raises InputError if it does not list them: without them nothing can be tested."""
    if report.runs is None:
        raise InputError(
            f"{side} does not list its runs, so nothing can be tested",
            right="a run directory, or a result document written with --runs",
        )
    return report.runs


def faults_of(report: Report, requirements: Requirements, side: str) -> tuple[str, ...]:
    """Every reason why one report, "the result" or "the baseline", cannot be tested; empty if it can."""
    runs = listed_runs(report, side)
    found = [*_coverage(report, requirements), *_completeness(report, runs), *_evidence(report, requirements)]
    found += [*_numbers(report), *_sums(report, runs), *_injection(report, requirements)]
    return tuple(f"{side}: {each}" for each in found)


def differences(baseline: Report, report: Report) -> tuple[str, ...]:
    """Every reason why a report must not be held against a baseline, each naming what differs; empty if it may."""
    whole = replace(baseline, partial=False), replace(report, partial=False)
    reasons = reasons_not_comparable(*whole, accept_evidence=tuple(EvidenceLevel))
    found = [f"{each} (baseline against the result)" for each in reasons]
    return (*found, *_battery(baseline, report), *_scenarios(baseline, report), *_vanished(baseline, report))


def _coverage(report: Report, requirements: Requirements) -> Iterator[str]:
    coverage = report.coverage
    lost, all_runs = len(report.left_out), coverage.runs + len(report.left_out)
    if not all_runs:
        yield "holds no runs"
    elif not coverage.measured:
        yield f"none of {coverage.runs} runs could be measured ({_endings(report)})"
    elif coverage.measured < requirements.min_coverage * all_runs:
        left_out = f" and {lost} inputs left out" if lost else ""
        yield (
            f"coverage {coverage.measured} of {coverage.runs} runs{left_out} is below the minimum of "
            f"{requirements.min_coverage:g} ({_endings(report)})"
        )


def _endings(report: Report) -> str:
    counts = {
        **report.coverage.invalid,
        **({"cancelled": report.coverage.cancelled} if report.coverage.cancelled else {}),
    }
    told = [f"{count} {ending}" for ending, count in counts.items()]
    if report.left_out:
        first = report.left_out[0]
        told.append(f"left out first: {first.source}, {first.reason}")
    return ", ".join(told) or "no reason given"


def _completeness(report: Report, runs: tuple[RunResult, ...]) -> Iterator[str]:
    if report.partial:
        yield "is partial: its run was interrupted; resume it first"
    battery = report.battery or {}
    scenarios, repeats = battery.get("scenarios"), battery.get("repeats")
    if isinstance(scenarios, int) and isinstance(repeats, int) and scenarios * repeats != report.coverage.runs:
        asked = f"{scenarios * repeats} that were asked for ({scenarios} scenarios × {repeats})"
        yield f"{report.coverage.runs} runs of {asked}"
    if len(runs) != report.coverage.runs:
        yield f"lists {len(runs)} runs, its coverage counts {report.coverage.runs}"
    measured = sum(each.status == "measured" for each in runs)
    if measured != report.coverage.measured:
        yield f"lists {measured} measured runs, its coverage counts {report.coverage.measured}"
    twice = [name for (name, _), count in Counter((each.source, each.id) for each in runs).items() if count > 1]
    if twice:
        yield f"runs that are there twice: {_some(twice)}"
    if measured and (lost := [task for task, count in _unmeasured(runs).items() if count > 1]):
        yield f"tasks none of whose runs could be measured: {_some(sorted(lost))}"


def _unmeasured(runs: tuple[RunResult, ...]) -> Counter[str]:
    """The runs of each task without a measured one. One run may be lost: that is what a minimum coverage is for."""
    met = {each.task for each in runs if each.status == "measured"}
    return Counter(each.task for each in runs if each.task not in met)


def _evidence(report: Report, requirements: Requirements) -> Iterator[str]:
    level = report.evidence.level
    if level not in requirements.accept_evidence and report.coverage.measured:
        yield f"evidence at {level} (weakest run), accepted are {', '.join(requirements.accept_evidence)}"


def _numbers(report: Report) -> Iterator[str]:
    """Values that no arithmetic of ours could have given."""
    tops = {each.name: each.top for each in gated().values()}
    places = [("", report.metrics), *((f" of run {each.id}", each.metrics) for each in report.runs or ())]
    for where, metrics in places:
        for name, each in metrics.items():
            if isinstance(each, Measured) and not _possible(each, tops.get(each.instrument)):
                yield f"{name}{where} is {each.value!r} ({each.k!r} of {each.n!r}), which is no value of it"


def _possible(result: Measured, top: float | None) -> bool:
    """Finite, of one trial or more and no more than there are; with a known top, the ratio of its whole counts."""
    if not (math.isfinite(result.value) and math.isfinite(result.k) and 0 < result.n <= result.n_total):
        return False
    if top is None:
        return True
    share = result.k / result.n
    return 0 <= share <= 1 and result.k == int(result.k) and math.isclose(result.value, share * top, abs_tol=1e-9)


def _sums(report: Report, runs: tuple[RunResult, ...]) -> Iterator[str]:
    """The listed runs must add up to what the report says of all of them."""
    for name, known in gated().items():
        result = report.metrics.get(name)
        if result is None:
            continue
        if result.instrument != known.name:
            yield f"{name} was measured by {result.instrument}, this version tests {known.name}"
        counted = [each.metrics.get(name) for each in runs if each.status == "measured"]
        listed = _total(counted)
        said = _total([result])
        if listed != said and not any(map(math.isnan, (*listed, *said))):
            given, total = (f"{k:g} of {n:g}" for k, n in (listed, said))
            yield f"{name}: the runs listed give {given}, the report says {total}"


def _total(results: list[Measurement | None]) -> tuple[float, float]:
    measured = [each for each in results if isinstance(each, Measured)]
    return sum(each.k for each in measured), sum(each.n for each in measured)


def _injection(report: Report, requirements: Requirements) -> Iterator[str]:
    faults = report.faults
    if faults.failed > (1 - requirements.min_coverage) * faults.intended:
        yield f"{faults.failed} of {faults.intended} intended faults failed to be injected"


def _battery(baseline: Report, report: Report) -> Iterator[str]:
    """Which settings make two scenario sets differ."""
    one, two = baseline.battery or {}, report.battery or {}
    if one.get("scenario_set_digest") == two.get("scenario_set_digest"):
        return
    for key in _BATTERY:
        if one.get(key) != two.get(key):
            yield f"battery {key.replace('_', ' ')}: {_short(one.get(key))} against {_short(two.get(key))}"


def _scenarios(baseline: Report, report: Report) -> Iterator[str]:
    here, there = (_asked(each) for each in (report, baseline))
    for names, what in ((there - here, "not in the result"), (here - there, "not in the baseline")):
        if names:
            yield f"{len(names)} scenarios {what}: {_some(sorted(names))}"


def _asked(report: Report) -> set[str]:
    """What was asked: the battery's own names; for imports, whose runs have none in common, task and condition."""
    if report.context is Context.BATTERY:
        return {each.source for each in report.runs or ()}
    return {f"{each.task}/{each.condition or 'nominal'}" for each in report.runs or ()}


def _vanished(baseline: Report, report: Report) -> Iterator[str]:
    for name, was in baseline.metrics.items():
        now = report.metrics.get(name)
        if isinstance(was, Measured) and not isinstance(now, Measured):
            why = "not in the result" if now is None else now.reason
            yield f"{name} was measured in the baseline and is not any more: {why}"


def _some(names: list[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _short(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
