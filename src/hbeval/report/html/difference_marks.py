"""Differences drawn as SVG: around zero, and as two values joined on one scale."""

from __future__ import annotations

from collections.abc import Sequence

from hbeval.report.difference import Contrast, Difference
from hbeval.report.effect import contrast_words, signed, verdict_word
from hbeval.report.facts import MetricFacts
from hbeval.report.html.markup import Markup, element
from hbeval.report.words import number

__all__ = ["RANGES", "difference_chart", "dumbbell", "range_for"]

RANGES = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Half-widths of the axis around zero, as parts of the metric's scale."""

_HEIGHT = 22.0
_MIDDLE = _HEIGHT / 2
_INSET = 2.0


def range_for(differences: Sequence[Difference]) -> float:
    """The least half-width that holds the leading interval of every difference."""
    ends = [
        abs(end) / _span(each.facts)
        for each in differences
        if each.leading is not None
        for end in (each.leading.interval or (each.leading.value,))
    ]
    return next((each for each in RANGES if each >= max(ends, default=0.0)), RANGES[-1])


def difference_chart(contrast: Contrast, difference: Difference, half: float, *, label: str) -> Markup:
    """One estimate around zero: interval as a bar, value as a dot; what lies beyond the axis stops at its end."""
    span = _span(difference.facts)

    def at(value: float) -> float:
        return 0.5 + 0.5 * max(-1.0, min(1.0, value / (span * half)))

    kind = verdict_word(difference).replace(" ", "-") if contrast is difference.leading else "beside"
    parts = [
        element("line", class_="axis", x1=_x(0.0), x2=_x(1.0), y1=_MIDDLE, y2=_MIDDLE),
        element("line", class_="zero", x1=_x(0.5), x2=_x(0.5), y1=1.0, y2=_HEIGHT - 1),
    ]
    if contrast.interval is not None:
        low, high = (at(end) for end in contrast.interval)
        width = f"{max(0.4, (high - low) * (100 - 2 * _INSET)):.4g}%"
        parts.append(element("rect", class_="interval", x=_x(low), width=width, y=_MIDDLE - 5, height=10.0, rx=5.0))
    parts.append(element("circle", class_="value", cx=_x(at(contrast.value)), cy=_MIDDLE, r=5.0))
    spoken = f"{label}: {contrast_words(contrast)}"
    return element(
        "svg", *parts, class_=f"difference {kind}", height=_HEIGHT, width="100%", role="img", aria_label=spoken
    )


def dumbbell(a: float, b: float, known: MetricFacts, *, label: str) -> Markup:
    """Both values on the metric's scale, joined; the first ringed, the second filled."""
    first, second = (_x(known.position(each) or 0.0) for each in (a, b))
    parts = [
        element("line", class_="axis", x1=_x(0.0), x2=_x(1.0), y1=_MIDDLE, y2=_MIDDLE),
        element("line", class_="joined", x1=first, x2=second, y1=_MIDDLE, y2=_MIDDLE),
        element("circle", class_="first series-0", cx=first, cy=_MIDDLE, r=5.0),
        element("circle", class_="second series-1", cx=second, cy=_MIDDLE, r=5.0),
    ]
    spoken = f"{label}: {number(a)}, then {number(b)}, {signed(b - a)}"
    return element("svg", *parts, class_="dumbbell", height=_HEIGHT, width="100%", role="img", aria_label=spoken)


def _span(known: MetricFacts) -> float:
    return 1.0 if known.scale is None else known.scale[1] - known.scale[0]


def _x(position: float) -> str:
    return f"{_INSET + position * (100 - 2 * _INSET):.4g}%"
