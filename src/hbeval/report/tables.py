"""The tables of a report, once, for every renderer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from hbeval.model import Context, Group, Measured, Measurement, NotMeasured, Report, RunResult
from hbeval.report.assembly import FIVE
from hbeval.report.facts import facts, label
from hbeval.report.redaction import redaction_words
from hbeval.report.words import interval_words, n_words, number, printable, share_words, value_words

__all__ = [
    "NARROW",
    "Cell",
    "Column",
    "Table",
    "cell_words",
    "coverage_table",
    "evidence_table",
    "fault_table",
    "group_tables",
    "has_dash",
    "identity_table",
    "interval_heading",
    "metric_table",
    "run_table",
]

NARROW = (*FIVE, "success_rate", "reliability_gap")
"""The metrics to show where there is no room for all."""

Cell: TypeAlias = str | Measurement


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column's heading; numbers are set flush right; a fixed column keeps its width where space is short."""

    name: str
    numeric: bool = False
    fixed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A titled table. A cell that is a measurement is written by `cell_words`; all text is already printable."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str | None = None


def cell_words(cell: Cell) -> str:
    """A measurement as its value, or a dash where it is not measured; text as it is."""
    if isinstance(cell, NotMeasured):
        return "–"
    return number(cell.value) if isinstance(cell, Measured) else cell


def has_dash(table: Table) -> bool:
    """Whether any cell is a dash, so that its note has something to explain."""
    return any(cell_words(cell) == "–" for row in table.rows for cell in row)


def metric_table(report: Report) -> Table:
    """One row per metric: value, interval, n and instrument, or why it is not measured."""
    columns = (
        Column(name="metric"),
        Column(name="name"),
        Column(name="value", numeric=True),
        Column(name=interval_heading(report), numeric=True),
        Column(name="n", numeric=True),
        Column(name="instrument"),
    )
    rows = []
    for key, result in report.metrics.items():
        known = facts(key, result)
        scale = "" if known.scale is None or known.scale == (0.0, 1.0) else f" (0 to {known.scale[1]:g})"
        name = known.title + scale
        rows.append(
            (
                known.label,
                name,
                value_words(result),
                interval_words(result),
                n_words(result),
                printable(result.instrument),
            )
        )
    return Table(title="Metrics", columns=columns, rows=tuple(rows))


def interval_heading(report: Report) -> str:
    """Words such as "95 % interval", or without the level where levels differ."""
    levels = {each.level for each in report.metrics.values() if isinstance(each, Measured)}
    return f"{100 * levels.pop():g} % interval" if len(levels) == 1 else "interval"


def coverage_table(report: Report) -> Table:
    """Runs by how they ended, and whether they count."""
    coverage = report.coverage
    rows: list[tuple[Cell, ...]] = []
    for ending, count in coverage.endings.items():
        counts = "no, invalid" if ending in coverage.invalid else "no, cancelled" if ending == "cancelled" else "yes"
        rows.append((printable(ending).replace("_", " "), str(count), counts))
    rows.append(("all", str(coverage.runs), f"{coverage.measured} measured, {share_words(coverage.share)}"))
    columns = (Column(name="ending"), Column(name="runs", numeric=True), Column(name="counts"))
    return Table(title="Coverage", columns=columns, rows=tuple(rows))


def fault_table(report: Report) -> Table:
    """What became of the faults, and of their draws."""
    faults = report.faults
    rows: list[tuple[Cell, ...]] = [
        ("intended", str(faults.intended), "asked for by the plan"),
        ("met", str(faults.met), "applied at the tool and seen by the runtime"),
        ("not exposed", str(faults.not_exposed), "the agent never called that tool, or no draw fired"),
        ("failed to inject", str(faults.failed), "could not be applied as asked"),
        ("natural", str(faults.natural), "intended by nobody, seen to happen"),
    ]
    if report.context is not Context.IMPORT:
        rows.append(("draws fired", f"{faults.fired} of {faults.calls}", f"{faults.applied} applied"))
    columns = (Column(name="faults"), Column(name="count", numeric=True), Column(name="meaning"))
    return Table(title="Faults", columns=columns, rows=tuple(rows))


def evidence_table(report: Report) -> Table:
    """How much stands behind the numbers."""
    evidence = report.evidence
    rows: list[tuple[Cell, ...]] = [
        ("level of the weakest run", evidence.level.value),
        ("evidence fields known", f"{evidence.known} of {evidence.required} ({share_words(evidence.completeness)})"),
        ("claims held against conduct", "yes" if evidence.claims_reconciled else "no"),
    ]
    rows += [(printable(key).replace("_", " "), str(count)) for key, count in evidence.provenance.items()]
    return Table(title="Evidence", columns=(Column(name="evidence"), Column(name="", numeric=True)), rows=tuple(rows))


def identity_table(report: Report) -> Table:
    """What makes this report comparable with another: context, versions and fingerprints."""
    rows: list[tuple[Cell, ...]] = [
        ("context", report.context.value),
        ("scoring version", printable(report.scoring_version)),
        ("metric versions", ", ".join(f"{printable(k)} {printable(v)}" for k, v in report.metric_versions.items())),
        ("scoring fingerprint", printable(report.scoring_fingerprint)),
        ("fault specification fingerprint", printable(report.fault_spec_fingerprint or "none")),
    ]
    rows.append(("redacted", redaction_words(report.redacted)))
    if report.task_set_digest:
        rows.append(("task set digest", printable(report.task_set_digest)))
    rows += [(f"agent: {printable(key)}", _plain(each)) for key, each in report.agent.items()]
    rows += [(f"battery: {printable(key)}", _plain(each)) for key, each in (report.battery or {}).items()]
    return Table(title="Identity", columns=(Column(name="what"), Column(name="value")), rows=tuple(rows))


def _plain(value: object) -> str:
    """A label's value; the members of a list beside each other."""
    return ", ".join(map(printable, value)) if isinstance(value, (list, tuple)) else printable(value)


def group_tables(report: Report, *, only: Collection[str] | None = None) -> Iterator[tuple[Table, tuple[Group, ...]]]:
    """One table per grouping (groups that share their keys), with the groups of its rows.

    `only` names the metrics to show; None = all.
    """
    for keys, members in groupby(report.groups, key=lambda group: tuple(group.by)):
        groups = tuple(members)
        metrics = tuple(key for key in _metric_keys(groups) if only is None or key in only)
        columns = (
            *(Column(name=printable(key)) for key in keys),
            Column(name="runs", numeric=True),
            *(Column(name=label(key), numeric=True) for key in metrics),
        )
        rows = tuple(_group_row(group, metrics) for group in groups)
        title = "By " + " and ".join(printable(key) for key in keys)
        yield Table(title=title, columns=columns, rows=rows, note="– not measured"), groups


def _metric_keys(groups: Sequence[Group]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for group in groups for key in group.metrics))


def _group_row(group: Group, metrics: Sequence[str]) -> tuple[Cell, ...]:
    coverage = group.coverage
    short = coverage.measured != coverage.runs
    runs = f"{coverage.measured} of {coverage.runs}" if short else str(coverage.runs)
    values: list[Cell] = [group.metrics.get(key, "–") for key in metrics]
    return (*(printable(each) for each in group.by.values()), runs, *values)


def run_table(runs: Sequence[RunResult]) -> Table:
    """One row per run: how it ended, its measurements, and how its faults were handled."""
    metrics = tuple(dict.fromkeys(key for run in runs for key in run.metrics))
    columns = (
        Column(name="run"),
        Column(name="ending"),
        *(Column(name=label(key), numeric=True) for key in metrics),
        Column(name="faults and handling"),
    )
    rows = []
    for run in runs:
        ending = run.ending.value.replace("_", " ") + (f": {printable(run.reason)}" if run.reason else "")
        trials = ", ".join(f"{each.fault} at {printable(each.target)}: {each.handling}" for each in run.trials)
        values: list[Cell] = [run.metrics.get(key, "–") for key in metrics]
        rows.append((printable(run.source), ending, *values, trials.replace("_", " ")))
    return Table(title="Runs", columns=columns, rows=tuple(rows), note="– not measured")
