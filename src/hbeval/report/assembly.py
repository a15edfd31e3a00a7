"""From judged traces to a report: one pass, any order, any sharding, the same result."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

from hbeval.errors import UsageError
from hbeval.instruments.base import Accumulator, Instrument
from hbeval.instruments.catalogue import CURRENT, SCORING_VERSION, find, metric_versions, scoring_fingerprint
from hbeval.instruments.pass_k import PassAccumulator, PassK
from hbeval.instruments.reliability_gap import ReliabilityGap
from hbeval.instruments.success_rate import SuccessRate
from hbeval.judging import rules_document
from hbeval.model import (
    Context,
    Coverage,
    Ending,
    Group,
    JudgedTrace,
    LeftOut,
    Measured,
    Measurement,
    Report,
    RunResult,
    dumps,
)
from hbeval.report.grouping import NO_LABEL, Grouping, group_of, groupings
from hbeval.report.tally import EvidenceTally, FaultTally, add_counts, coverage, low_coverage
from hbeval.report.words import runs_words

__all__ = ["BESIDE", "FIVE", "Assembly", "weakest"]

FIVE = ("pei", "frr", "irs", "ti", "csi")
BESIDE: tuple[Instrument, ...] = (SuccessRate(), PassK(k=1), ReliabilityGap())

_LARGEST_K = 8
_LONGEST_REASON = 200
_MOST_REASONS = 5

_NO_LABELS: Mapping[str, str] = MappingProxyType({})
_ABSENT: Mapping[str, str] = MappingProxyType({"": ""})


class Assembly:
    """Collects judged traces and gives their report.

    instruments  always in the report, measured or not
    beside       in the report only where measured; pass_k where tasks have repeats, up to the battery's number of
                 repeats (8 without a battery)
    rules        the judging rules document of the scoring fingerprint; None = the rules of this version
    group_by     labels whose combinations form groups, or several such lists; see `grouping`
    agent        labels of the agent; None = the labels that all runs share
    battery      id, digest, seed, repeats … of the battery; None for imports
    keep_runs    whether the report lists each run with its own measurements

    `merge` is associative and commutative; both sides must have been made with the same arguments.
    """

    __slots__ = (
        "_agent",
        "_asked",
        "_battery",
        "_beside",
        "_cells",
        "_context",
        "_evidence",
        "_fault_spec",
        "_faults",
        "_groupings",
        "_invalid",
        "_labels",
        "_left_out",
        "_level",
        "_missing",
        "_rules",
        "_runs",
        "_tasks",
    )

    def __init__(
        self,
        context: Context,
        *,
        instruments: Sequence[Instrument] = CURRENT,
        beside: Sequence[Instrument] = BESIDE,
        rules: Any = None,
        group_by: Sequence[str] | Sequence[Sequence[str]] = (),
        agent: Mapping[str, Any] | None = None,
        battery: Mapping[str, Any] | None = None,
        fault_spec_fingerprint: str | None = None,
        keep_runs: bool = False,
        level: float = 0.95,
    ) -> None:
        self._context = context
        self._asked = _keyed(instruments)
        self._beside = tuple(each for each in beside if each.id not in self._asked)
        self._rules = rules_document() if rules is None else rules
        self._groupings: tuple[Grouping, ...] = groupings(group_by)
        self._agent, self._battery, self._fault_spec = agent, battery, fault_spec_fingerprint
        self._level = level
        self._cells: dict[tuple[tuple[str, ...], ...], _Cell] = {}
        self._faults, self._evidence = FaultTally(), EvidenceTally()
        self._missing: dict[str, int] = {}
        self._invalid: dict[str, int] = {}
        self._labels: Mapping[str, str] = _ABSENT
        self._tasks: set[str] = set()
        self._left_out: list[LeftOut] = []
        self._runs: list[tuple[str, RunResult]] | None = [] if keep_runs else None

    def add(self, judged: JudgedTrace, by: Mapping[str, str] = _NO_LABELS) -> None:
        """Take in one run. `by` gives labels for the grouping that the trace itself does not hold."""
        trace = judged.trace
        self._cell(tuple([group_of(trace, grouping, by) for grouping in self._groupings])).add(judged)
        self._tasks.add(trace.task.id)
        if trace.agent != self._labels:
            self._share(trace.agent)
        if trace.invalid:
            reason = f"{trace.ending.value}: {(trace.ending_detail or 'no reason recorded')[:_LONGEST_REASON]}"
            self._invalid[reason] = self._invalid.get(reason, 0) + 1
        elif trace.ending is not Ending.CANCELLED:
            self._evidence.add(judged)
            if trace.faults:
                self._faults.add(trace)
            for declaration in judged.missing:
                self._missing[declaration] = self._missing.get(declaration, 0) + 1
        if self._runs is not None:
            self._runs.append((trace.id, self._run_result(judged)))

    def left_out(self, source: str, reason: str) -> None:
        """Record an input that did not become a run."""
        self._left_out.append(LeftOut(source=source, reason=reason))

    def merge(self, other: Assembly) -> None:
        """Take in everything `other` took in. Raises UsageError if it was made with other arguments."""
        if self._arguments() != other._arguments():
            raise UsageError("two assemblies with different instruments, rules, grouping or context cannot be merged")
        for key, cell in other._cells.items():
            self._cell(key).merge(cell)
        self._faults.merge(other._faults)
        self._evidence.merge(other._evidence)
        add_counts(self._missing, other._missing)
        add_counts(self._invalid, other._invalid)
        if other._labels is not _ABSENT:
            self._share(other._labels)
        self._tasks |= other._tasks
        self._left_out += other._left_out
        if self._runs is not None and other._runs is not None:
            self._runs += other._runs

    def report(self, partial: bool = False) -> Report:
        """The report of everything taken in so far. `partial` marks one of an unfinished whole."""
        whole, groups = self._pooled()
        metrics = self._shown(whole)
        scored = (*self._asked.values(), *self._beside)
        imported = self._context is Context.IMPORT
        return Report(
            context=self._context,
            scoring_version=SCORING_VERSION,
            metric_versions=metric_versions((*self._asked.values(), *self._shown_beside(metrics))),
            scoring_fingerprint=scoring_fingerprint(scored, self._rules),
            fault_spec_fingerprint=self._fault_spec,
            evidence=self._evidence.evidence(),
            coverage=whole.coverage(),
            metrics=metrics,
            weakest=weakest(metrics, self._asked),
            faults=self._faults.counts(),
            agent=self._agent_labels(),
            battery=self._battery,
            task_set_digest=_task_set_digest(self._tasks) if imported and self._tasks else None,
            groups=tuple(self._group(key, groups[key]) for key in sorted(groups, key=self._group_order)),
            runs=None if self._runs is None else tuple(run for _, run in sorted(self._runs, key=_run_order)),
            left_out=tuple(sorted(self._left_out, key=lambda each: (each.source, each.reason))),
            notes=self._notes(whole.coverage()),
            partial=partial,
        )

    def _cell(self, key: tuple[tuple[str, ...], ...]) -> _Cell:
        """The cell of the runs that share their group in every grouping; pooled only when a report is wanted."""
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = _Cell(self._asked, self._beside)
        return cell

    def _pooled(self) -> tuple[_Cell, dict[tuple[Grouping, tuple[str, ...]], _Cell]]:
        """All runs, and the runs of each group."""
        whole = _Cell(self._asked, self._beside)
        groups: dict[tuple[Grouping, tuple[str, ...]], _Cell] = {}
        for key, cell in self._cells.items():
            whole.merge(cell)
            for group in zip(self._groupings, key, strict=True):
                if group not in groups:
                    groups[group] = _Cell(self._asked, self._beside)
                groups[group].merge(cell)
        return whole, groups

    def _share(self, labels: Mapping[str, str]) -> None:
        if self._labels is _ABSENT:
            self._labels = dict(labels)
        else:
            self._labels = {key: value for key, value in self._labels.items() if labels.get(key) == value}

    def _agent_labels(self) -> Mapping[str, Any]:
        if self._agent is not None:
            return self._agent
        return {} if self._labels is _ABSENT else self._labels

    def _arguments(self) -> tuple[Any, ...]:
        names = tuple(each.name for each in (*self._asked.values(), *self._beside))
        given = (self._agent, self._battery, self._fault_spec, self._level, self._runs is None)
        return (self._context, names, len(self._asked), self._rules, self._groupings, *given)

    def _shown(self, cell: _Cell) -> dict[str, Measurement]:
        repeats = (self._battery or {}).get("repeats")
        return cell.measure(self._level, repeats if isinstance(repeats, int) else _LARGEST_K)

    def _shown_beside(self, metrics: Mapping[str, Measurement]) -> list[Instrument]:
        return [find(result.instrument) for key, result in metrics.items() if key not in self._asked]

    def _group(self, key: tuple[Grouping, tuple[str, ...]], cell: _Cell) -> Group:
        grouping, values = key
        by = dict(zip(grouping, values, strict=True))
        return Group(by=by, coverage=cell.coverage(), metrics=self._shown(cell))

    def _group_order(self, key: tuple[Grouping, tuple[str, ...]]) -> tuple[int, tuple[str, ...]]:
        return self._groupings.index(key[0]), key[1]

    def _run_result(self, judged: JudgedTrace) -> RunResult:
        trace = judged.trace
        status: Literal["measured", "invalid", "cancelled"] = "measured"
        metrics: Mapping[str, Measurement] = {}
        if trace.invalid:
            status = "invalid"
        elif trace.ending is Ending.CANCELLED:
            status = "cancelled"
        else:
            cell = _Cell(self._asked, self._beside)
            cell.add(judged)
            metrics = self._shown(cell)
        return RunResult(
            source=trace.source,
            id=trace.id,
            task=trace.task.id,
            domain=trace.task.domain,
            condition=trace.condition,
            repeat=trace.repeat,
            ending=trace.ending,
            status=status,
            reason=trace.ending_detail,
            metrics=metrics,
            trials=judged.trials,
        )

    def _labels_nobody_holds(self) -> list[str]:
        """Labels that were asked for as groups and that no run has, which a misspelt one is."""
        found: dict[str, bool] = {}
        for key in self._cells:
            for names, values in zip(self._groupings, key, strict=True):
                for name, value in zip(names, values, strict=True):
                    found[name] = found.get(name, False) or value != NO_LABEL
        return [name for name, held in found.items() if not held]

    def _notes(self, coverage: Coverage) -> tuple[str, ...]:
        invalid = sorted(self._invalid.items(), key=lambda item: (-item[1], item[0]))
        return (
            *low_coverage(coverage),
            *(f"no run holds the label {name!r}: nothing is grouped by it" for name in self._labels_nobody_holds()),
            *(f"invalid, {reason} ({runs_words(count)})" for reason, count in invalid[:_MOST_REASONS]),
            *([f"invalid, {len(invalid) - _MOST_REASONS} other reasons"] if len(invalid) > _MOST_REASONS else []),
            *(f"declaration missing: {name} ({runs_words(count)})" for name, count in sorted(self._missing.items())),
        )


class _Cell:
    """One accumulator per instrument, and the endings of the runs they saw."""

    __slots__ = ("_asked", "_beside", "_endings", "_updates")

    def __init__(self, asked: Mapping[str, Instrument], beside: Sequence[Instrument]) -> None:
        self._asked: dict[str, Accumulator] = {key: each.start() for key, each in asked.items()}
        self._beside: dict[str, Accumulator] = {each.id: each.start() for each in beside}
        self._updates = [each.update for each in (*self._asked.values(), *self._beside.values())]
        self._endings: dict[str, int] = {}

    def add(self, judged: JudgedTrace) -> None:
        ending = judged.trace.ending
        self._endings[ending] = self._endings.get(ending, 0) + 1
        for update in self._updates:
            update(judged)

    def merge(self, other: _Cell) -> None:
        add_counts(self._endings, other._endings)
        for mine, others in ((self._asked, other._asked), (self._beside, other._beside)):
            for key, accumulator in mine.items():
                accumulator.merge(others[key])

    def measure(self, level: float, largest_k: int) -> dict[str, Measurement]:
        """What was asked for, and of the rest what is measured."""
        shown = {key: accumulator.measure(level) for key, accumulator in self._asked.items()}
        for key, accumulator in self._beside.items():
            if isinstance(accumulator, PassAccumulator):
                shown |= _pass_series(accumulator, level, largest_k)
            elif isinstance(result := accumulator.measure(level), Measured):
                shown[key] = result
        return shown

    def coverage(self) -> Coverage:
        return coverage(self._endings)


def weakest(metrics: Mapping[str, Measurement], instruments: Mapping[str, Instrument]) -> str | None:
    """The id of the lowest of the five relative to its scale; the first of equals; None if none is measured."""
    relative = {}
    for key in FIVE:
        result = metrics.get(key)
        if isinstance(result, Measured):
            low, high = instruments[key].scale
            relative[key] = (result.value - low) / (high - low)
    return min(relative, key=relative.__getitem__) if relative else None


def _pass_series(accumulator: PassAccumulator, level: float, largest_k: int) -> dict[str, Measurement]:
    """pass_1 to the largest k, if every task has at least two trials."""
    if accumulator.most() < 2 or largest_k < 2:
        return {}
    return dict(list(accumulator.series(level).items())[:largest_k])


def _keyed(instruments: Sequence[Instrument]) -> dict[str, Instrument]:
    """Instruments by id; a second version of one id is keyed by its full name."""
    keyed: dict[str, Instrument] = {}
    for each in instruments:
        keyed[each.name if each.id in keyed else each.id] = each
    return keyed


def _task_set_digest(tasks: set[str]) -> str:
    return hashlib.sha256(dumps(sorted(tasks)).encode("ascii")).hexdigest()


def _run_order(item: tuple[str, RunResult]) -> tuple[str, str]:
    return item[1].source, item[0]
