"""The tables of a comparison, once, for every renderer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from hbeval.report.comparison import Comparison, Part
from hbeval.report.difference import Difference
from hbeval.report.effect import contrast_words, count_words, signed, verdict_word
from hbeval.report.facts import label
from hbeval.report.tables import NARROW, Column, Table
from hbeval.report.words import number, printable, reading_words

__all__ = ["changes_table", "difference_table", "interval_table", "part_tables", "sides_table"]

_LONGEST_VALUE = 60
_MARKS = {1: "▲", -1: "▼", 0: ""}


def difference_table(comparison: Comparison, names: tuple[str, str]) -> Table:
    """One row per metric: both values, the difference with its interval, and what it shows."""
    columns = (
        Column(name="metric"),
        *(Column(name=each, numeric=True) for each in names),
        Column(name="difference", numeric=True),
        Column(name="interval", numeric=True),
        Column(name="shown"),
        Column(name="pairs or n"),
    )
    rows = tuple(_row(each) for each in comparison.differences)
    title = f"{names[1]} less {names[0]}, with {_levels(comparison)}"
    return Table(title=title, columns=columns, rows=rows, note="– not measured, or no interval")


def _levels(comparison: Comparison) -> str:
    levels = {each.leading.level for each in comparison.differences if each.leading is not None}
    return " and ".join(f"{100 * level:g} %" for level in sorted(levels)) + " intervals" if levels else "intervals"


def _row(each: Difference) -> tuple[str, ...]:
    leading = each.leading
    interval = None if leading is None else leading.interval
    return (
        each.facts.label,
        _value(each.a),
        _value(each.b),
        "–" if leading is None else signed(leading.value),
        "–" if interval is None else f"{signed(interval[0])} to {signed(interval[1])}",
        verdict_word(each),
        count_words(each),
    )


def _value(result: Any) -> str:
    value = getattr(result, "value", None)
    return "–" if value is None else number(value)


def interval_table(comparison: Comparison) -> Table:
    """One row per metric: the same difference with runs, scenarios and tasks as what is independent."""
    columns = (
        Column(name="metric"),
        Column(name="runs", numeric=True),
        Column(name="scenarios", numeric=True),
        Column(name="tasks", numeric=True),
    )
    rows = tuple(
        (each.facts.label, *(contrast_words(one) for one in (each.runs, each.scenarios, each.tasks)))
        for each in comparison.differences
        if each.leading is not None
    )
    note = "– not pooled over runs, or nothing in common to pair"
    return Table(title="Runs as clusters, paired by scenario, paired by task", columns=columns, rows=rows, note=note)


def part_tables(parts: Sequence[Part]) -> Iterator[Table]:
    """One table per key (fault, domain, task): a row per part, the differences of the main metrics."""
    for keys in dict.fromkeys(tuple(each.by) for each in parts):
        members = [each for each in parts if tuple(each.by) == keys]
        metrics = [key for key in NARROW if any(key == one.metric for part in members for one in part.differences)]
        if metrics:
            yield _part_table(keys, members, metrics)


def _part_table(keys: Sequence[str], members: Sequence[Part], metrics: Sequence[str]) -> Table:
    found = [{one.metric: one for one in part.differences} for part in members]
    labels = {key: next(each[key].facts.label for each in found if key in each) for key in metrics}
    columns = (
        *(Column(name=printable(key)) for key in keys),
        Column(name="runs", numeric=True),
        *(Column(name=labels[key], numeric=True) for key in metrics),
    )
    rows = tuple(
        (
            *(printable(value) for value in part.by.values()),
            f"{part.runs[0]} and {part.runs[1]}",
            *(marked(differences.get(key)) for key in metrics),
        )
        for part, differences in zip(members, found, strict=True)
    )
    title = "By " + " and ".join(printable(key) for key in keys)
    note = "▲ better, ▼ worse: the interval leaves out 0. – not measured on a side"
    return Table(title=title, columns=columns, rows=rows, note=note)


def marked(difference: Difference | None) -> str:
    """The difference, with a mark where its interval leaves out 0."""
    if difference is None or difference.leading is None:
        return "–"
    return f"{signed(difference.leading.value)}{_MARKS[difference.better]}"


def changes_table(comparison: Comparison, names: tuple[str, str]) -> Table:
    """One row per input that differs."""
    columns = (Column(name="what"), *(Column(name=each) for each in names))
    rows = tuple((printable(each.what), _short(each.a), _short(each.b)) for each in comparison.changes)
    return Table(title="What changed in the inputs", columns=columns, rows=rows, note="– not named")


def sides_table(comparison: Comparison, names: tuple[str, str]) -> Table:
    """Values side by side, for reports that must not be compared."""
    a, b = comparison.a.metrics, comparison.b.metrics
    columns = (Column(name="metric"), *(Column(name=each, numeric=True) for each in names))
    rows = tuple((label(key), *(reading_words(side.get(key)) for side in (a, b))) for key in dict.fromkeys((*a, *b)))
    return Table(title="Side by side, not compared", columns=columns, rows=rows)


def _short(value: Any) -> str:
    if value is None:
        return "–"
    text = printable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"
