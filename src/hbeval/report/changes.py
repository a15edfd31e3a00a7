"""What went into two reports that is not the same: labels, battery, versions, coverage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hbeval.model import Report
from hbeval.report.words import coverage_words, evidence_words, fault_words

__all__ = ["Change", "changes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One input that differs. None = that report does not name it."""

    what: str
    a: Any
    b: Any


def changes(
    a: Report, b: Report, settings: tuple[Mapping[str, Any], Mapping[str, Any]] | None = None
) -> tuple[Change, ...]:
    """Everything that differs between the inputs of two reports, and how far each was measured.

    `settings` are further inputs that the reports do not hold (versions, time limit), by name, for both.
    """
    found = [
        *_differing("agent", a.agent, b.agent),
        *_differing("battery", a.battery or {}, b.battery or {}),
        *_differing("version of", a.metric_versions, b.metric_versions),
        *(_differing("", *settings) if settings is not None else ()),
    ]
    single: tuple[tuple[str, Any, Any], ...] = (
        ("context", a.context.value, b.context.value),
        ("scoring version", a.scoring_version, b.scoring_version),
        ("scoring fingerprint", a.scoring_fingerprint, b.scoring_fingerprint),
        ("fault specification fingerprint", a.fault_spec_fingerprint, b.fault_spec_fingerprint),
        ("task set digest", a.task_set_digest, b.task_set_digest),
        ("coverage", coverage_words(a.coverage), coverage_words(b.coverage)),
        ("faults", fault_words(a.faults), fault_words(b.faults)),
        ("evidence", evidence_words(a.evidence), evidence_words(b.evidence)),
    )
    return (*found, *(Change(what=what, a=one, b=two) for what, one, two in single if one != two))


def _differing(prefix: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Change]:
    for key in dict.fromkeys((*a, *b)):
        if a.get(key) != b.get(key):
            name = key.replace("_", " ") if isinstance(key, str) else str(key)
            yield Change(what=f"{prefix} {name}".strip(), a=a.get(key), b=b.get(key))
