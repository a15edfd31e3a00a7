"""Two reports task by task: a map of the differences, and both values of each metric joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hbeval.report.comparison import Part
from hbeval.report.difference import Difference
from hbeval.report.effect import effect_words, signed
from hbeval.report.html.difference_marks import dumbbell
from hbeval.report.html.heat import heat_map
from hbeval.report.html.markup import Markup, element
from hbeval.report.tables import NARROW

__all__ = ["by_task"]


def by_task(tasks: Sequence[Part], names: tuple[str, str]) -> Iterator[Markup]:
    """The map of all tasks, and each metric's two values task by task; nothing without tasks."""
    if not tasks:
        return
    yield heat_map("By task", tasks)
    keys = [key for key in NARROW if any(_found(part, key) for part in tasks)]
    widest = max(keys, key=lambda key: _widest(tasks, key), default=None)
    legend = element(
        "ul",
        element("li", element("span", class_="key", aria_hidden="true"), names[0], class_="series-0"),
        element("li", element("span", class_="key", aria_hidden="true"), names[1], class_="series-1"),
        class_="legend",
    )
    folds = [_dumbbells(tasks, key, opened=key == widest) for key in keys]
    yield element("section", element("h3", "Paired differences, task by task"), legend, *folds, class_="card")


def _dumbbells(tasks: Sequence[Part], key: str, *, opened: bool) -> Markup:
    """One metric's tasks, the largest loss first; those without a difference last, with the reason."""
    found = [(part, each) for part in tasks if (each := _found(part, key)) is not None]
    found.sort(key=lambda item: (_gain(item[1]), item[0].name))
    rows = [_dumbbell_row(part, each) for part, each in found]
    rows += [_gap_row(part, each) for part in tasks for each in part.differences if _is_gap(each, key)]
    label = found[0][1].facts.label
    heading = element("summary", label)
    return element(
        "details", heading, element("div", *rows, class_="multiple by-task"), open="open" if opened else None
    )


def _dumbbell_row(part: Part, difference: Difference) -> Markup:
    leading = difference.leading
    assert leading is not None
    chart = dumbbell(leading.a, leading.b, difference.facts, label=f"{difference.facts.label}, {part.name}")
    reading = element("span", signed(leading.value), class_="reading", title=effect_words(difference))
    return element("div", element("span", part.name), chart, reading, class_="row")


def _gap_row(part: Part, difference: Difference) -> Markup:
    words = element("span", "not measured", class_="reading gap", title=effect_words(difference))
    return element("div", element("span", part.name), element("span"), words, class_="row")


def _is_gap(difference: Difference, key: str) -> bool:
    return difference.metric == key and difference.leading is None


def _found(part: Part, key: str) -> Difference | None:
    return next((each for each in part.differences if each.metric == key and each.leading is not None), None)


def _gain(difference: Difference) -> float:
    """The difference as a part of the scale, above 0 where the second report is better."""
    assert difference.leading is not None
    scale = difference.facts.scale or (0.0, 1.0)
    relative = difference.leading.value / (scale[1] - scale[0])
    return relative if difference.facts.higher_is_better else -relative


def _widest(tasks: Sequence[Part], key: str) -> float:
    return max((abs(_gain(each)) for part in tasks if (each := _found(part, key)) is not None), default=0.0)
