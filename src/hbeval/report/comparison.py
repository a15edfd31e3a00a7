"""Two reports held against each other: whether they may be, what went into them, and where they differ."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from hbeval.instruments.comparability import ACCEPTED_EVIDENCE, reasons_not_comparable
from hbeval.model import Report, encode
from hbeval.report.changes import Change, changes
from hbeval.report.difference import DECIDING_TASKS, Contrast, Difference, PairCounts, Sampled, differences, sampled
from hbeval.report.document import metrics_document, rounded
from hbeval.report.effect import effect_words, verdict_word
from hbeval.report.samples import RunSample

__all__ = ["Comparison", "Part", "compare_reports", "comparison_document"]

NOMINAL = "none"

_KEYS: Mapping[str, Callable[[RunSample], str | None]] = MappingProxyType(
    {
        "fault": lambda each: each.condition or NOMINAL,
        "domain": lambda each: each.domain,
        "task": lambda each: each.task,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The differences over a part of the runs; `by` says which. `runs` are those measured, of each report."""

    by: Mapping[str, str]
    runs: tuple[int, int]
    differences: tuple[Difference, ...]

    @property
    def name(self) -> str:
        """The part's values beside each other."""
        return ", ".join(self.by.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two reports; `refusals` are the reasons why they must not be compared, and then nothing is subtracted.

    `parts` are by fault type and by domain, `tasks` by task (only where both reports list their runs).
    """

    a: Report
    b: Report
    refusals: tuple[str, ...]
    changes: tuple[Change, ...]
    differences: tuple[Difference, ...] = ()
    parts: tuple[Part, ...] = ()
    tasks: tuple[Part, ...] = ()

    @property
    def paired(self) -> bool:
        """Whether both reports list their runs, so that pairs can be formed."""
        return self.a.runs is not None and self.b.runs is not None

    def caveats(self) -> tuple[str, ...]:
        """What a reader must know of these intervals; empty where nothing was subtracted."""
        if self.refusals:
            return ()
        counted = sum(1 for each in self._all() if each.leading is not None and each.leading.interval is not None)
        return (
            "The population is this set of scenarios; other tasks may differ otherwise.",
            f"Each of the {counted} intervals holds on its own: without any difference, 1 in 20 leaves out 0.",
            *(() if self.paired else (_UNPAIRED,)),
            *self._few_tasks(),
        )

    def _few_tasks(self) -> Iterator[str]:
        if 0 < len(self.tasks) < DECIDING_TASKS:
            tasks = f"{len(self.tasks)} tasks" if len(self.tasks) > 1 else "1 task"
            yield f"Paired by task, {tasks}: fewer than {DECIDING_TASKS} are shown, but decide nothing."

    def _all(self) -> Iterator[Difference]:
        yield from self.differences
        for part in (*self.parts, *self.tasks):
            yield from part.differences


_UNPAIRED = (
    "Not paired, because the reports do not list their runs; give run directories, or documents written with --runs."
)


def compare_reports(
    a: Report,
    b: Report,
    *,
    accept_evidence: Collection[str] = ACCEPTED_EVIDENCE,
    settings: tuple[Mapping[str, Any], Mapping[str, Any]] | None = None,
) -> Comparison:
    """The comparison of two reports. They should list their runs; without, the measured intervals are all there is.

    `settings` are inputs that the reports do not hold, by name, for both. Raises InputError on counts that are none.
    """
    refusals = reasons_not_comparable(a, b, accept_evidence=accept_evidence)
    found = changes(a, b, settings)
    if refusals:
        return Comparison(a=a, b=b, refusals=refusals, changes=found)
    first, second = sampled(a), sampled(b)
    listed = a.runs is not None and b.runs is not None
    parts = (*_by("fault", first, second), *_by("domain", first, second)) if listed else _groups(a, b)
    return Comparison(
        a=a,
        b=b,
        refusals=(),
        changes=found,
        differences=differences(first, second),
        parts=tuple(parts),
        tasks=tuple(_by("task", first, second)) if listed else (),
    )


def _by(key: str, a: Sampled, b: Sampled) -> Iterator[Part]:
    """The parts under one key that either side has, in order, the nominal runs first."""
    first, second = a.split(_KEYS[key]), b.split(_KEYS[key])
    for value in sorted(first.keys() | second.keys(), key=lambda each: (each != NOMINAL, each)):
        one, two = first.get(value) or a.empty(), second.get(value) or b.empty()
        yield Part(by={key: value}, runs=(_runs(one), _runs(two)), differences=differences(one, two))


def _runs(side: Sampled) -> int:
    return max((len(each) for each in side.samples.values()), default=0)


def _groups(a: Report, b: Report) -> Iterator[Part]:
    """The groups that both reports hold, other than by task."""
    others = {tuple(sorted(each.by.items())): each for each in b.groups}
    for group in a.groups:
        other = others.get(tuple(sorted(group.by.items())))
        if other is not None and "task" not in group.by:
            yield Part(
                by=group.by,
                runs=(group.coverage.measured, other.coverage.measured),
                differences=differences(Sampled(group.metrics), Sampled(other.metrics)),
            )


def comparison_document(comparison: Comparison, paths: tuple[str, str]) -> Any:
    """The comparison as a JSON value (schema hbeval-comparison/1); `paths` say where the reports were found.

    What is not defined is null with its reason.
    """
    sides = (comparison.a, comparison.b)
    one, two = (
        {"path": path, "agent": dict(each.agent), "metrics": metrics_document(each.metrics)}
        for path, each in zip(paths, sides, strict=True)
    )
    return rounded(
        {
            "schema": "hbeval-comparison/1",
            "comparable": not comparison.refusals,
            "reasons": list(comparison.refusals),
            "paired": comparison.paired,
            "a": one,
            "b": two,
            "changes": [{"what": each.what, "a": each.a, "b": each.b} for each in comparison.changes],
            "differences": _differences(comparison.differences),
            "groups": _parts(comparison.parts),
            "tasks": _parts(comparison.tasks),
            "caveats": list(comparison.caveats()),
        }
    )


def _parts(parts: Sequence[Part]) -> list[dict[str, Any]]:
    return [
        {
            "by": dict(each.by),
            "runs": {"a": each.runs[0], "b": each.runs[1]},
            "differences": _differences(each.differences),
        }
        for each in parts
    ]


def _differences(found: Sequence[Difference]) -> dict[str, Any]:
    return {each.metric: _difference(each) for each in found}


def _difference(each: Difference) -> dict[str, Any]:
    leading = each.leading
    return {
        "a": encode(each.a),
        "b": encode(each.b),
        "value": None if leading is None else leading.value,
        "interval": None if leading is None or leading.interval is None else list(leading.interval),
        "reason": each.reason or (None if leading is None else leading.no_interval),
        "shown": verdict_word(each),
        "words": effect_words(each),
        "higher_is_better": each.facts.higher_is_better,
        "runs": _contrast(each.runs),
        "scenarios": _contrast(each.scenarios),
        "tasks": _contrast(each.tasks),
        "pairs": None if each.counts is None else _counts(each.counts),
    }


def _counts(counts: PairCounts) -> dict[str, int]:
    return {
        "higher_in_b": counts.higher,
        "equal": counts.equal,
        "lower_in_b": counts.lower,
        "on_one_side": counts.one_sided,
    }


def _contrast(contrast: Contrast | None) -> dict[str, Any] | None:
    if contrast is None:
        return None
    return {
        "value": contrast.value,
        "a": contrast.a,
        "b": contrast.b,
        "interval": None if contrast.interval is None else list(contrast.interval),
        "reason": contrast.no_interval,
        "level": contrast.level,
        "method": contrast.method,
        "clusters": contrast.clusters,
        "n_a": contrast.n_a,
        "n_b": contrast.n_b,
        "pairs": contrast.pairs,
    }
