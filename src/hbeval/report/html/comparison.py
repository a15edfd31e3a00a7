"""The page of a comparison: what differs, by how much, where, and what went into it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hbeval.model import JudgedTrace
from hbeval.report.comparison import Comparison
from hbeval.report.comparison_tables import changes_table, difference_table, interval_table
from hbeval.report.difference import Contrast, Difference, PairCounts
from hbeval.report.effect import contrast_words, effect_words, verdict_word
from hbeval.report.html.difference_marks import difference_chart, range_for
from hbeval.report.html.heat import heat_map
from hbeval.report.html.marks import share_bar
from hbeval.report.html.markup import Markup, element
from hbeval.report.html.page import Shown, overview, page_header, whole_page
from hbeval.report.html.runs import LEGEND, run_card
from hbeval.report.html.sections import folded_table, table_card
from hbeval.report.html.task_pairs import by_task

__all__ = ["Twins", "comparison_page"]

Twins = Mapping[str, tuple[JudgedTrace, JudgedTrace]]
"""Runs of both reports by scenario, to draw beside each other."""

_WAYS = ("runs", "scenarios", "tasks")
_WAY_WORDS = {
    "runs": "runs as clusters",
    "scenarios": "paired by scenario",
    "tasks": "paired by task",
    "measurements": "from both intervals",
}


def comparison_page(
    comparison: Comparison, names: tuple[str, str], twins: Twins | None = None, *, version: str = ""
) -> str:
    """A complete HTML document; nothing in it refers to anything outside it."""
    shown = (Shown(report=comparison.a, name=names[0]), Shown(report=comparison.b, name=names[1]))
    heading = f"{names[0]} and {names[1]}"
    body = [page_header(shown, heading), _said(comparison)]
    if not comparison.refusals:
        body.append(_differences(comparison, names))
        body += _parts(comparison)
        body += by_task(comparison.tasks, names)
        body += _beside(twins or {}, names)
    if comparison.changes:
        body.append(table_card(changes_table(comparison, names)))
    return whole_page(heading, [*body, overview(shown)], version, styles=("comparison.css",))


def _said(comparison: Comparison) -> Markup:
    if comparison.refusals:
        reasons = element("ul", *(element("li", each) for each in comparison.refusals))
        return element("div", element("b", "Not comparable."), reasons, class_="banner", role="note")
    return element("p", "Comparable: same context, instruments, rules, fault specification and scenarios.")


def _differences(comparison: Comparison, names: tuple[str, str]) -> Markup:
    half = range_for(comparison.differences)
    note = f"{names[1]} less {names[0]}: right of the line is higher. The axis ends at {half:g} of each metric's scale."
    return element(
        "section",
        element("h3", "Differences"),
        element("p", note, class_="note"),
        *(_metric(each, half) for each in comparison.differences),
        folded_table(difference_table(comparison, names)),
        folded_table(interval_table(comparison)),
        *(element("p", each, class_="note") for each in comparison.caveats()),
        class_="card",
    )


def _metric(difference: Difference, half: float) -> Markup:
    title = element("div", element("b", difference.facts.label), element("span", difference.facts.title), class_="name")
    words = element("p", effect_words(difference), class_=f"effect {verdict_word(difference).replace(' ', '-')}")
    lines = [_contrast(each, difference, half) for each in _contrasts(difference)]
    counts = None if difference.counts is None else _pairs(difference.counts, difference)
    return element("div", title, element("div", words, *lines, counts), class_="metric")


def _contrasts(difference: Difference) -> Iterator[Contrast]:
    """The leading estimate first."""
    if difference.leading is not None:
        yield difference.leading
    for way in _WAYS:
        each: Contrast | None = getattr(difference, way)
        if each is not None and each is not difference.leading:
            yield each


def _contrast(contrast: Contrast, difference: Difference, half: float) -> Markup:
    words = _WAY_WORDS[contrast.clusters]
    chart = difference_chart(contrast, difference, half, label=f"{difference.facts.label}, {words}")
    reading = element("span", contrast_words(contrast), class_="reading")
    kind = "contrast leading" if contrast is difference.leading else "contrast"
    return element("div", element("span", words), chart, reading, class_=kind)


def _pairs(counts: PairCounts, difference: Difference) -> Markup:
    """The pairs of scenarios by the sign of their difference."""
    rises = difference.facts.higher_is_better
    better, worse = (counts.higher, counts.lower) if rises else (counts.lower, counts.higher)
    parts = (
        ("better", better, "yes"),
        ("equal", counts.equal, "soft"),
        ("worse", worse, "no"),
        ("defined on one side only", counts.one_sided, "warn"),
    )
    return share_bar(parts, label=f"Pairs of scenarios, {difference.facts.label}")


def _parts(comparison: Comparison) -> Iterator[Markup]:
    for keys in dict.fromkeys(tuple(each.by) for each in comparison.parts):
        members = [each for each in comparison.parts if tuple(each.by) == keys]
        yield heat_map("By " + " and ".join(keys), members)


def _beside(twins: Twins, names: tuple[str, str]) -> Iterator[Markup]:
    if not twins:
        return
    note = "The scenarios in which both differ most in success, IRS, FRR and PEI, one a task."
    cards = [element("div", *map(_named_card, names, pair), class_="twins") for pair in twins.values()]
    title = element("h3", "The same scenario, run by both")
    yield element("section", title, element("p", note, class_="note"), LEGEND, *cards, class_="card")


def _named_card(name: str, run: JudgedTrace) -> Markup:
    return element("div", element("h4", name), run_card(run))
