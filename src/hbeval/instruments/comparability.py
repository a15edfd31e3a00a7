"""Whether two reports may be compared, and their values side by side if so."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from hbeval.errors import NotComparable, UsageError
from hbeval.model import Context, EvidenceLevel, Measurement, NotMeasured, Report

__all__ = ["ACCEPTED_EVIDENCE", "Pair", "compare", "reasons_not_comparable"]

ACCEPTED_EVIDENCE = frozenset({EvidenceLevel.E1, EvidenceLevel.E2})


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One metric of two comparable reports. One that a report does not hold is not measured there."""

    metric: str
    a: Measurement
    b: Measurement


def compare(
    a: Report,
    b: Report,
    *,
    metrics: Sequence[str] | None = None,
    accept_evidence: Collection[str] = ACCEPTED_EVIDENCE,
) -> tuple[Pair, ...]:
    """The metrics of both reports side by side, those of `a` first.

    Raises NotComparable with every reason of `reasons_not_comparable`.
    """
    reasons = reasons_not_comparable(a, b, metrics=metrics, accept_evidence=accept_evidence)
    if reasons:
        raise NotComparable(reasons)
    ids = dict.fromkeys((*a.metrics, *b.metrics)) if metrics is None else metrics
    return tuple(Pair(metric=each, a=_held(a, each, b), b=_held(b, each, a)) for each in ids)


def reasons_not_comparable(
    a: Report,
    b: Report,
    *,
    metrics: Sequence[str] | None = None,
    accept_evidence: Collection[str] = ACCEPTED_EVIDENCE,
) -> tuple[str, ...]:
    """Every reason why `a` and `b` must not be compared; empty if they may.

    `metrics` are the ids that must be in both reports; None asks about those that are. `accept_evidence` are the
    evidence levels the caller takes; text alone (E0) is not among them unless it is named. Raises UsageError on a word
    that is no evidence level.
    """
    unknown = set(accept_evidence) - set(EvidenceLevel)
    if unknown:
        words = ", ".join(sorted(unknown))
        raise UsageError(f"accept_evidence holds {words}; evidence levels are {', '.join(EvidenceLevel)}")
    return (
        *_same("context", a.context, b.context),
        *_same("scoring version", a.scoring_version, b.scoring_version),
        *_same("scoring fingerprint", a.scoring_fingerprint, b.scoring_fingerprint),
        *_population(a, b),
        *_evidence(a, b, accept_evidence),
        *_unfinished(a, b),
        *_instruments(a, b, metrics),
    )


def _same(what: str, a: str | None, b: str | None, *, needed: bool = True) -> Iterator[str]:
    """A reason if the two differ, or if either is unknown although it is needed."""
    if a != b:
        yield f"{what}: {a or 'none'} against {b or 'none'}"
    elif a is None and needed:
        yield f"{what}: neither report names one"


def _population(a: Report, b: Report) -> Iterator[str]:
    """What was injected and what was asked."""
    contexts = {a.context, b.context}
    yield from _same(
        "fault specification fingerprint",
        a.fault_spec_fingerprint,
        b.fault_spec_fingerprint,
        needed=Context.BATTERY in contexts,
    )
    if Context.IMPORT in contexts:
        yield from _same("task set digest", a.task_set_digest, b.task_set_digest)
    if Context.BATTERY in contexts:
        yield from _same("scenario set digest", _scenarios(a), _scenarios(b))


def _scenarios(report: Report) -> str | None:
    digest = (report.battery or {}).get("scenario_set_digest")
    return None if digest is None else str(digest)


def _evidence(a: Report, b: Report, accepted: Collection[str]) -> Iterator[str]:
    for side, report in (("first", a), ("second", b)):
        level = report.evidence.level
        if level not in accepted:
            yield f"evidence: the {side} report is at {level}, accepted are {', '.join(sorted(accepted)) or 'none'}"


def _unfinished(a: Report, b: Report) -> Iterator[str]:
    for side, report in (("first", a), ("second", b)):
        if report.partial:
            yield f"coverage: the {side} report is partial; resume its run first"


def _instruments(a: Report, b: Report, metrics: Sequence[str] | None) -> Iterator[str]:
    shared = [each for each in a.metrics if each in b.metrics]
    if metrics is None and not shared:
        yield "metrics: the reports have none in common"
    for each in shared if metrics is None else metrics:
        missing = [side for side, report in (("first", a), ("second", b)) if each not in report.metrics]
        for side in missing:
            yield f"{each}: not in the {side} report"
        if not missing:
            yield from _same(f"{each}: instrument", a.metrics[each].instrument, b.metrics[each].instrument)


def _held(report: Report, metric: str, other: Report) -> Measurement:
    held = report.metrics.get(metric)
    if held is not None:
        return held
    return NotMeasured(reason="not in this report", n=0, n_total=0, instrument=other.metrics[metric].instrument)
