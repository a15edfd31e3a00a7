"""What a reader needs to know of a metric: its name, its scale and its starting-point threshold."""

from __future__ import annotations

from dataclasses import dataclass

from hbeval.errors import InputError
from hbeval.instruments.catalogue import find
from hbeval.instruments.entries import Described, Entry, read_catalogue
from hbeval.model import Measurement

__all__ = ["MetricFacts", "described", "facts", "label", "threshold_note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricFacts:
    """`scale` is None for an instrument this version does not know; nothing is drawn for it."""

    label: str
    title: str
    status: str | None
    scale: tuple[float, float] | None
    higher_is_better: bool
    threshold: float | None

    def position(self, value: float) -> float | None:
        """Where a value lies on the scale, 0 to 1; clamped; None without a scale."""
        if self.scale is None:
            return None
        low, high = self.scale
        return min(1.0, max(0.0, (value - low) / (high - low)))


def facts(key: str, result: Measurement) -> MetricFacts:
    """The facts of one metric of a report, looked up by the instrument that measured it."""
    try:
        known = find(result.instrument)
    except InputError:
        return MetricFacts(
            label=label(key), title=result.instrument, status=None, scale=None, higher_is_better=True, threshold=None
        )
    low, high = known.scale
    return MetricFacts(
        label=label(key),
        title=known.title,
        status=known.status,
        scale=(float(low), float(high)),
        higher_is_better=known.higher_is_better,
        threshold=read_catalogue().thresholds.values.get(key),
    )


def described(result: Measurement) -> Entry | None:
    """The catalogue's entry of the instrument that measured it; None for one that this version does not know."""
    try:
        known = find(result.instrument)
    except InputError:
        return None
    return known.entry if isinstance(known, Described) else None


def label(key: str) -> str:
    """How a metric id is written for people: FRR, pass^3, success rate."""
    family, _, k = key.partition("_")
    if family == "pass" and k.isdigit():
        return f"pass^{k}"
    return key.replace("_", " ") if "_" in key else key.upper()


def threshold_note() -> str:
    """What must be said wherever a threshold is shown."""
    return read_catalogue().thresholds.note
