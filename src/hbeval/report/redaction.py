"""A report without secrets and personal data, and with the counts of what was taken out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from hbeval.model import Report
from hbeval.redaction import redact

__all__ = ["add_redacted", "redaction_words", "without_secrets"]

_NOTHING: Mapping[str, int] = MappingProxyType({})


def without_secrets(report: Report, of_runs: Mapping[str, int] = _NOTHING) -> Report:
    """The report with placeholders in its texts; `redacted` counts them, and `of_runs` that were taken out before.

    A report that was redacted already stays as it is.
    """
    found = redact(report)
    counts = dict(report.redacted or {})
    add_redacted(counts, of_runs)
    add_redacted(counts, found.counts)
    return replace(found.value, redacted=dict(sorted(counts.items())))


def add_redacted(counts: dict[str, int], more: Mapping[str, int]) -> None:
    """Add counts by rule."""
    for rule, count in more.items():
        counts[rule] = counts.get(rule, 0) + count


def redaction_words(redacted: Mapping[str, int] | None) -> str:
    """One phrase: how often each rule took something out."""
    if redacted is None:
        return "nothing, redaction was off"
    return ", ".join(f"{count} × {rule}" for rule, count in redacted.items()) or "nothing found"
