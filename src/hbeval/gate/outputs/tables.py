"""The tables of a verdict, once, for Markdown and HTML."""

from __future__ import annotations

from collections.abc import Iterable

from hbeval.gate.outputs.standing import standing_words
from hbeval.gate.verdict import FlakyScenario, GateResult, RequirementResult
from hbeval.report.facts import label
from hbeval.report.tables import Cell, Column, Table
from hbeval.report.words import number, printable

__all__ = ["flaky_table", "requirement_table", "task_table"]

_VALUES = (
    Column(name="value", numeric=True),
    Column(name="baseline", numeric=True),
    Column(name="bounds", numeric=True),
    Column(name="limit", numeric=True),
    Column(name="runs", numeric=True),
)


def requirement_table(result: GateResult) -> Table:
    """One row per requirement over all runs."""
    columns = (Column(name="verdict", fixed=True), Column(name="requirement"), *_VALUES, Column(name="in words"))
    rows = [
        (each.verdict.value, printable(each.requirement), *_values(each), printable(standing_words(each, result)))
        for each in result.requirements
    ]
    return Table(title="Requirements", columns=columns, rows=tuple(rows), note=_NOTE)


_NOTE = "Bounds: one-sided, each at the error rate; of the value for a floor, of value less baseline for a margin."


def task_table(rows: Iterable[RequirementResult], result: GateResult) -> Table:
    """One row per requirement and task."""
    columns = (
        Column(name="verdict", fixed=True),
        Column(name="task"),
        Column(name="metric"),
        *_VALUES,
        Column(name="in words"),
    )
    made = [
        (
            each.verdict.value,
            printable(each.task or ""),
            printable(label(each.metric)),
            *_values(each),
            printable(standing_words(each, result)),
        )
        for each in rows
    ]
    return Table(title="Single tasks", columns=columns, rows=tuple(made), note=_NOTE)


def flaky_table(flaky: Iterable[FlakyScenario]) -> Table:
    """Scenarios whose repeats disagree, and whether they were left out."""
    columns = (
        Column(name="scenario"),
        Column(name="baseline", numeric=True),
        Column(name="now", numeric=True),
        Column(name="p", numeric=True),
        Column(name="counted"),
    )
    rows = [
        (
            printable(each.scenario),
            f"{each.baseline_successes} of {each.baseline_runs}",
            f"{each.successes} of {each.runs}",
            f"{each.p_value:.3g}",
            "no, in quarantine" if each.quarantined else "yes",
        )
        for each in flaky
    ]
    return Table(title="Scenarios whose repeats did not all end alike", columns=columns, rows=tuple(rows))


def _values(row: RequirementResult) -> tuple[Cell, ...]:
    runs = str(row.n) if row.baseline_n is None else f"{row.n} / {row.baseline_n}"
    return (_number(row.value), _number(row.baseline), _bounds(row), _number(row.limit), runs)


def _bounds(row: RequirementResult) -> str:
    if row.bound is None or row.upper is None:
        return "–"
    return f"{_number(row.bound)} to {_number(row.upper)}"


def _number(value: float | None) -> str:
    return "–" if value is None else number(value)
