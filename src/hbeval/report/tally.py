"""Counts behind a report: coverage, faults and evidence. Integers and extremes only, so merging is exact."""

from __future__ import annotations

from collections.abc import Mapping

from hbeval.model import (
    INVALID_ENDINGS,
    Coverage,
    Delivery,
    Ending,
    Evidence,
    EvidenceLevel,
    FaultCounts,
    JudgedTrace,
    Trace,
)

__all__ = ["MINIMUM_COVERAGE", "EvidenceTally", "FaultTally", "add_counts", "coverage", "low_coverage"]

MINIMUM_COVERAGE = 0.95


def add_counts(into: dict[str, int], counts: Mapping[str, int]) -> None:
    """Add `counts` to `into`, key by key."""
    for key, count in counts.items():
        into[key] = into.get(key, 0) + count


def coverage(endings: Mapping[str, int]) -> Coverage:
    """The coverage of runs that ended as counted in `endings`."""
    runs = sum(endings.values())
    invalid = {ending.value: endings[ending] for ending in Ending if ending in INVALID_ENDINGS and endings.get(ending)}
    cancelled = endings.get(Ending.CANCELLED, 0)
    return Coverage(
        runs=runs,
        measured=runs - cancelled - sum(invalid.values()),
        invalid=invalid,
        cancelled=cancelled,
        endings={ending.value: endings[ending] for ending in Ending if endings.get(ending)},
    )


def low_coverage(found: Coverage) -> tuple[str, ...]:
    """The note that too few runs were measured, if so."""
    share = found.share
    if share is None or share >= MINIMUM_COVERAGE:
        return ()
    low = f"coverage {found.measured} of {found.runs} runs is below {MINIMUM_COVERAGE}"
    return (f"{low}: the numbers speak of the measured runs only, and no verdict should rest on them",)


class FaultTally:
    """Faults by what became of them, and their draws."""

    __slots__ = ("applied", "by_delivery", "calls", "fired")

    def __init__(self) -> None:
        self.by_delivery: dict[str, int] = {}
        self.calls = self.fired = self.applied = 0

    def add(self, trace: Trace) -> None:
        """Count the faults of one run."""
        counts = self.by_delivery
        for fault in trace.faults:
            delivery = fault.delivery
            counts[delivery] = counts.get(delivery, 0) + 1
            self.calls += fault.calls
            self.fired += fault.fired
            self.applied += len(fault.injected)

    def merge(self, other: FaultTally) -> None:
        """Add the counts of `other`."""
        add_counts(self.by_delivery, other.by_delivery)
        self.calls += other.calls
        self.fired += other.fired
        self.applied += other.applied

    def counts(self) -> FaultCounts:
        """The counts so far; `intended` = met + not exposed + failed."""
        met, absent, failed = (
            self.by_delivery.get(each, 0) for each in (Delivery.MET, Delivery.NOT_EXPOSED, Delivery.FAILED)
        )
        return FaultCounts(
            intended=met + absent + failed,
            met=met,
            not_exposed=absent,
            failed=failed,
            natural=self.by_delivery.get(Delivery.NATURAL, 0),
            calls=self.calls,
            fired=self.fired,
            applied=self.applied,
        )


class EvidenceTally:
    """Evidence of many runs as one: the weakest level, never an average; fields and provenance summed."""

    __slots__ = ("known", "level", "provenance", "reconciled", "required", "unsupported")

    def __init__(self) -> None:
        self.level: EvidenceLevel | None = None
        self.known = self.required = 0
        self.reconciled = True
        self.provenance: dict[str, int] = {}
        self.unsupported: dict[str, int] = {}

    def add(self, judged: JudgedTrace) -> None:
        """Count the evidence of one run."""
        evidence = judged.evidence
        if self.level is None or evidence.level < self.level:
            self.level = evidence.level
        self.known += evidence.known
        self.required += evidence.required
        self.reconciled = self.reconciled and evidence.claims_reconciled
        if evidence.provenance:
            add_counts(self.provenance, evidence.provenance)
        for claim in evidence.claims_unsupported:
            self.unsupported[claim] = self.unsupported.get(claim, 0) + 1

    def merge(self, other: EvidenceTally) -> None:
        """Add the evidence of `other`."""
        if self.level is None or (other.level is not None and other.level < self.level):
            self.level = other.level
        self.known += other.known
        self.required += other.required
        self.reconciled = self.reconciled and other.reconciled
        add_counts(self.provenance, other.provenance)
        add_counts(self.unsupported, other.unsupported)

    def evidence(self) -> Evidence:
        """The evidence so far; E0 when there was none. An unsupported claim made more than once carries its count."""
        claims = sorted(self.unsupported.items(), key=lambda item: (-item[1], item[0]))
        return Evidence(
            level=self.level or EvidenceLevel.E0,
            known=self.known,
            required=self.required,
            provenance=dict(sorted(self.provenance.items())),
            claims_reconciled=self.reconciled,
            claims_unsupported=tuple(text if count == 1 else f"{text} ({count} times)" for text, count in claims),
        )
