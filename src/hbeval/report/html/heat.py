"""A map of differences: a row per part of the runs, a column per metric, the colour saying how much and which way."""

from __future__ import annotations

from collections.abc import Sequence

from hbeval.report.comparison import Part
from hbeval.report.comparison_tables import marked
from hbeval.report.difference import Difference
from hbeval.report.effect import contrast_words, effect_words
from hbeval.report.html.markup import Markup, element
from hbeval.report.tables import NARROW
from hbeval.report.words import value_words

__all__ = ["HEAT_LEGEND", "heat_map"]

_STEPS = (0.02, 0.05, 0.15, 0.3)
"""Parts of the scale from which a cell is coloured more strongly."""

HEAT_LEGEND = element(
    "ul",
    element("li", element("span", class_="swatch heat-worse-4", aria_hidden="true"), "worse"),
    element("li", element("span", class_="swatch heat-better-4", aria_hidden="true"), "better"),
    element("li", "stronger from .02, .05, .15 and .3 of the scale"),
    element("li", "▲ ▼ the interval leaves out 0"),
    element("li", element("span", class_="swatch heat-none", aria_hidden="true"), "not measured on a side"),
    class_="legend",
)


def heat_map(title: str, parts: Sequence[Part]) -> Markup:
    """The differences of the main metrics over some parts of the runs. A cell's title tells both values."""
    found = [{each.metric: each for each in part.differences} for part in parts]
    keys = [key for key in NARROW if any(key in each for each in found)]
    labels = {key: next(each[key].facts.label for each in found if key in each) for key in keys}
    heads = ("", "runs", *labels.values())
    head = element("tr", *(element("th", each, scope="col", class_="number" if each else None) for each in heads))
    rows = [
        element(
            "tr",
            element("th", part.name.replace("_", " "), scope="row"),
            element("td", f"{part.runs[0]} / {part.runs[1]}", class_="number"),
            *(_cell(differences.get(key)) for key in keys),
        )
        for part, differences in zip(parts, found, strict=True)
    ]
    table = element("table", element("thead", head), element("tbody", *rows), class_="heat")
    drawn = element("div", table, class_="scroll", tabindex=0, role="group", aria_label=title)
    return element("section", element("h3", title), HEAT_LEGEND, drawn, class_="card")


def _cell(difference: Difference | None) -> Markup:
    if difference is None:
        return element("td", "–", class_="number heat-none", title="in neither report")
    told = f"{value_words(difference.a)}, then {value_words(difference.b)}. {effect_words(difference)}"
    if difference.leading is None:
        return element("td", "–", class_="number heat-none", title=told)
    told += f" {contrast_words(difference.leading)}"
    return element("td", marked(difference), class_=f"number {_colour(difference)}", title=told)


def _colour(difference: Difference) -> str:
    assert difference.leading is not None
    scale = difference.facts.scale
    relative = difference.leading.value / (1.0 if scale is None else scale[1] - scale[0])
    step = sum(abs(relative) >= each for each in _STEPS)
    if not step:
        return "heat-0"
    better = (relative > 0.0) is difference.facts.higher_is_better
    return f"heat-{'better' if better else 'worse'}-{step}"
