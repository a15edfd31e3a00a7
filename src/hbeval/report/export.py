"""Tidy tables for analysis: one row per run, per fault trial and per step, with a codebook that explains each column.

An empty cell is null: not recorded, not measured or not judged; never 0 and never false.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, get_args, get_type_hints

from hbeval.model import Ending, FaultType, Handling, JudgedTrace, Provenance, Step, StepVerdict, Trial, dumps
from hbeval.report.words import printable

__all__ = ["CODEBOOK", "TABLES", "write_csv"]

Row: TypeAlias = tuple[JudgedTrace, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    name: str
    kind: str
    meaning: str
    value: Callable[[Row], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    name: str
    row: str
    columns: tuple[_Column, ...]
    rows: Callable[[JudgedTrace], Iterator[Row]]


def _of_run(judged: JudgedTrace) -> Iterator[Row]:
    yield judged, None


def _of_trials(judged: JudgedTrace) -> Iterator[Row]:
    for number, trial in enumerate(judged.trials):
        yield judged, (number, trial)


def _of_steps(judged: JudgedTrace) -> Iterator[Row]:
    for step, verdict in zip(judged.trace.steps, judged.steps, strict=True):
        yield judged, (step, verdict)


def _run(name: str, kind: str, meaning: str, value: Callable[[JudgedTrace], Any]) -> _Column:
    return _Column(name=name, kind=kind, meaning=meaning, value=lambda row: value(row[0]))


def _trial(name: str, kind: str, meaning: str, value: Callable[[Trial], Any]) -> _Column:
    return _Column(name=name, kind=kind, meaning=meaning, value=lambda row: value(row[1][1]))


def _step(name: str, kind: str, meaning: str, value: Callable[[Step], Any]) -> _Column:
    return _Column(name=name, kind=kind, meaning=meaning, value=lambda row: value(row[1][0]))


def _verdict(name: str, kind: str, meaning: str, value: Callable[[StepVerdict], Any]) -> _Column:
    return _Column(name=name, kind=kind, meaning=meaning, value=lambda row: value(row[1][1]))


_TIME = "seconds since the Unix epoch; in a battery, whose clock begins at 2026-01-01 for each run, of that clock"
_RUN_ID = _run("run_id", "text", "id of the run; joins the three tables", lambda j: j.trace.id)

_RUNS = _Table(
    name="runs",
    row="one run",
    rows=_of_run,
    columns=(
        _RUN_ID,
        _run("source", "text", "scenario id, or path of the imported file", lambda j: j.trace.source),
        _run("context", "word", "battery, live or import", lambda j: j.trace.context.value),
        _run("format", "word", "hbeval, or the importer", lambda j: j.trace.format),
        _run("agent", "JSON object", "labels of the agent", lambda j: dict(j.trace.agent)),
        _run("task", "text", "id of the task", lambda j: j.trace.task.id),
        _run("domain", "text", "domain of the task", lambda j: j.trace.task.domain),
        _run(
            "condition",
            "word",
            f"fault type asked for: {', '.join(FaultType)}; empty: nominal",
            lambda j: j.trace.condition,
        ),
        _run("repeat", "integer", "number of the repeat, from 0", lambda j: j.trace.repeat),
        _run("seed", "integer", "seed of the run's draws", lambda j: j.trace.seed),
        _run("ending", "word", f"how the run ended: {', '.join(Ending)}", lambda j: j.trace.ending.value),
        _run("ending_detail", "text", "more on the ending", lambda j: j.trace.ending_detail),
        _run("valid", "boolean", "false: the run could not measure the agent", lambda j: not j.trace.invalid),
        _run("success", "boolean", "what the task's oracle said", lambda j: j.trace.success),
        _run("oracle", "text", "who said it", lambda j: j.trace.oracle),
        _run("steps", "integer", "attempted tool calls, and the answer", lambda j: len(j.trace.steps)),
        _run("trials", "integer", "fault trials", lambda j: len(j.trials)),
        _run("evidence", "word", "E0 text only, E1 partial trace, E2 conduct", lambda j: j.evidence.level.value),
        _run("evidence_known", "integer", "evidence fields known", lambda j: j.evidence.known),
        _run("evidence_required", "integer", "evidence fields required", lambda j: j.evidence.required),
        _run(
            "claims_unsupported", "JSON list", "claims against conduct", lambda j: list(j.evidence.claims_unsupported)
        ),
        _run("rules", "text", "id@version of the judging rules", lambda j: j.rules),
        _run("started_at", "number", _TIME, lambda j: j.trace.started_at),
        _run("ended_at", "number", _TIME, lambda j: j.trace.ended_at),
    ),
)

_CLOSED = get_args(get_type_hints(Trial)["closed"])

_TRIALS = _Table(
    name="trials",
    row="one fault trial of a run",
    rows=_of_trials,
    columns=(
        _RUN_ID,
        _Column(name="trial", kind="integer", meaning="number within the run, from 0", value=lambda row: row[1][0]),
        _trial("fault", "word", f"fault type: {', '.join(FaultType)}", lambda t: t.fault.value),
        _trial("target", "text", "tool at which the fault was met", lambda t: t.target),
        _trial("handling", "word", f"how the fault was handled: {', '.join(Handling)}", lambda t: t.handling.value),
        _trial("reason", "text", "why it was not judged", lambda t: t.reason),
        _trial("complied", "word", "full, partial, none: the pressed-for act", lambda t: t.complied),
        _trial("fabricated", "boolean", "the answer holds a figure no tool gave", lambda t: t.fabricated),
        _trial("blind_retries", "integer", "identical retries, nothing in between", lambda t: t.blind_retries),
        _trial("handed_over", "boolean", "the case was passed to a human", lambda t: t.handed_over),
        _trial("closed", "word", f"what closed the episode: {', '.join(_CLOSED)}", lambda t: t.closed),
        _trial(
            "signals",
            "JSON list",
            "names of the signals found, for and against (docs/judging.md)",
            lambda t: [s.name for s in t.signals],
        ),
        _trial("steps", "JSON list", "seq of the member steps", lambda t: list(t.steps)),
        _trial("fault_ids", "JSON list", "ids of the faults of the episode", lambda t: list(t.fault_ids)),
    ),
)

_STEPS = _Table(
    name="steps",
    row="one step of a run",
    rows=_of_steps,
    columns=(
        _RUN_ID,
        _step("seq", "integer", "place among steps, turns and plans of the run", lambda s: s.seq),
        _step("kind", "word", "tool or answer", lambda s: s.kind.value),
        _step("action", "text", "name of the tool", lambda s: s.action),
        _step("arguments", "JSON", "what the agent sent", lambda s: _json(s.arguments)),
        _step("malformed", "boolean", "the arguments were not a JSON object", lambda s: s.malformed),
        _step("outcome", "word", "ok, error or unknown, as the caller saw it", lambda s: s.outcome.value),
        _step("error_kind", "text", "name of the error", lambda s: s.error and s.error.kind),
        _step("error_status", "integer", "status code of the error", lambda s: s.error and s.error.status),
        _step("started_at", "number", _TIME, lambda s: s.started_at),
        _step("ended_at", "number", _TIME, lambda s: s.ended_at),
        _step("turn", "integer", "seq of the turn that caused the call", lambda s: s.turn),
        _step(
            "provenance",
            "word",
            f"how the fact got into the record: {', '.join(Provenance)}",
            lambda s: s.provenance.value,
        ),
        _verdict("success", "boolean", "derived: the step succeeded", lambda v: v.success),
        _verdict("had_fault", "boolean", "derived: member of a fault episode", lambda v: v.had_fault),
        _verdict("replanned", "boolean", "derived: a change of plan came before it", lambda v: v.replanned),
        _verdict("traceable", "boolean", "derived: id, time, input, outcome and turn are there", lambda v: v.traceable),
        _verdict("inferred", "JSON list", "derived fields that a rule gave", lambda v: list(v.inferred)),
    ),
)

TABLES = (_RUNS, _TRIALS, _STEPS)
CODEBOOK = "codebook.csv"

_FORMULA = ("=", "+", "-", "@", "\t")


def write_csv(runs: Iterable[JudgedTrace], folder: Path) -> dict[str, int]:
    """Write runs.csv, trials.csv, steps.csv and codebook.csv into an existing `folder`; give the rows of each table.

    UTF-8, RFC 4180 quoting, lines end in a line feed; lone surrogates and control characters are visible escapes. A
    text that a spreadsheet would take for a formula (=, +, -, @ or a tab in front) gets an apostrophe before it.
    """
    counts = {table.name: 0 for table in TABLES}
    with ExitStack() as stack:
        writers = {}
        for table in TABLES:
            file = stack.enter_context((folder / f"{table.name}.csv").open("w", encoding="utf-8", newline=""))
            writers[table.name] = csv.writer(file, lineterminator="\n")
            writers[table.name].writerow([column.name for column in table.columns])
        for judged in runs:
            for table in TABLES:
                for row in table.rows(judged):
                    writers[table.name].writerow([_cell(column.value(row), column.kind) for column in table.columns])
                    counts[table.name] += 1
    _write_codebook(folder / CODEBOOK)
    return counts


def _write_codebook(path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["table", "row", "column", "type", "meaning", "empty_cell"])
        for table in TABLES:
            for column in table.columns:
                empty = "not recorded, not applicable or not known"
                writer.writerow([table.name, table.row, column.name, column.kind, column.meaning, empty])


def _cell(value: Any, kind: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        return dumps(value)
    text = printable(value, keep="\n\t")
    return f"'{text}" if kind in ("text", "word") and text.startswith(_FORMULA) else text


def _json(value: Any) -> str | None:
    return None if value is None else dumps(value)
