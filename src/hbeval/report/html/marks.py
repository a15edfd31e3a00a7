"""Charts drawn as SVG. Positions along a scale are percentages, so they fit any width and text stays text."""

from __future__ import annotations

from collections.abc import Sequence

from hbeval.model import Measured, Measurement
from hbeval.report.facts import MetricFacts
from hbeval.report.html.markup import Markup, element, join
from hbeval.report.words import interval_words, value_words

__all__ = ["scale_chart", "share_bar"]

_HEIGHT = 26.0
_MIDDLE = _HEIGHT / 2
_INSET = 2.0


def scale_chart(result: Measurement, known: MetricFacts, *, series: int = 0, label: str = "") -> Markup:
    """One measurement on its scale: interval as a bar, value as a dot, threshold as a dashed line.

    Not measured is an empty dashed track; the label says why.
    """
    spoken = f"{label or known.label}: {value_words(result)}"
    if isinstance(result, Measured):
        spoken += f", {interval_words(result)}"
        if known.scale is not None:
            spoken += f", scale {known.scale[0]:g} to {known.scale[1]:g}"
    drawn = _track(known) + _mark(result, known)
    classes = f"scale series-{series}" + ("" if isinstance(result, Measured) else " gap")
    return element("svg", Markup(drawn), class_=classes, height=_HEIGHT, width="100%", role="img", aria_label=spoken)


def _track(known: MetricFacts) -> Markup:
    parts = [element("line", class_="axis", x1=_at(0), x2=_at(1), y1=_MIDDLE, y2=_MIDDLE)]
    if known.scale is not None:
        parts += [
            element("line", class_="tick", x1=_at(each / 4), x2=_at(each / 4), y1=_MIDDLE - 4, y2=_MIDDLE + 4)
            for each in range(5)
        ]
    if known.threshold is not None:
        here = _at(known.position(known.threshold) or 0.0)
        parts.append(element("line", class_="threshold", x1=here, x2=here, y1=1.0, y2=_HEIGHT - 1))
    return join(*parts)


def _mark(result: Measurement, known: MetricFacts) -> Markup:
    if not isinstance(result, Measured) or known.scale is None:
        return Markup()
    bar = Markup()
    if result.interval is not None:
        low, high = (known.position(end) or 0.0 for end in result.interval)
        width = f"{max(0.4, (high - low) * (100 - 2 * _INSET)):.4g}%"
        bar = element("rect", class_="interval", x=_at(low), width=width, y=_MIDDLE - 5, height=10.0, rx=5.0)
    dot = element("circle", class_="value", cx=_at(known.position(result.value) or 0.0), cy=_MIDDLE, r=6.0)
    return join(bar, dot)


def _at(position: float) -> str:
    return f"{_INSET + position * (100 - 2 * _INSET):.4g}%"


def share_bar(parts: Sequence[tuple[str, int, str]], *, label: str) -> Markup:
    """Counts as parts of one bar, with a legend. Each part is (words, count, class); zero counts draw nothing."""
    total = sum(count for _, count, _ in parts)
    drawn, left = [], 0.0
    for _, count, kind in parts:
        width = 100 * count / total if total else 0.0
        if count:
            drawn.append(element("rect", class_=kind, x=f"{left:.4g}%", width=f"{width:.4g}%", y=0.0, height=18.0))
        left += width
    spoken = f"{label}: " + ", ".join(f"{count} {words}" for words, count, _ in parts)
    bar = element("svg", *drawn, class_="share", height=18.0, width="100%", role="img", aria_label=spoken)
    legend = [
        element("li", element("span", class_=f"swatch {kind}", aria_hidden="true"), f"{count} {words}")
        for words, count, kind in parts
        if count
    ]
    return element("div", bar, element("ul", *legend, class_="legend"), class_="shares")
