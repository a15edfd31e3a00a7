"""The result document: every number with its unit, its coverage and the evidence behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hbeval.model.judgement import Evidence, Trial
from hbeval.model.measurement import Measurement
from hbeval.model.vocabulary import Context, Ending

__all__ = ["Coverage", "FaultCounts", "Group", "LeftOut", "Report", "RunResult"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How many runs stand behind the numbers. `runs` = `measured` + `cancelled` + the sum of `invalid`."""

    runs: int
    measured: int
    invalid: Mapping[str, int] = field(default_factory=dict)
    cancelled: int = 0
    endings: Mapping[str, int] = field(default_factory=dict)

    @property
    def share(self) -> float | None:
        """Measured ÷ runs, None when there were no runs."""
        return self.measured / self.runs if self.runs else None


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultCounts:
    """Intended faults by what became of them, natural ones apart; `calls`, `fired` and `applied` count draws."""

    intended: int = 0
    met: int = 0
    not_exposed: int = 0
    failed: int = 0
    natural: int = 0
    calls: int = 0
    fired: int = 0
    applied: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The same measurements over a part of the runs; `by` says which part."""

    by: Mapping[str, str]
    coverage: Coverage
    metrics: Mapping[str, Measurement]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """One run of the report (only with `--runs`).

    `k` and `n` of each metric are the run's own counts, so that pooled values, pairs by scenario and values by task can
    be recomputed from the list. `source` is the scenario id, or the path of the imported file.
    """

    source: str
    id: str
    task: str
    domain: str | None
    condition: str | None
    repeat: int
    ending: Ending
    status: Literal["measured", "invalid", "cancelled"]
    reason: str | None
    metrics: Mapping[str, Measurement]
    trials: tuple[Trial, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """An input that did not become a run, and why."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What `run`, `score` and `report` give. `report["frr"]` is a `Measured` or a `NotMeasured`.

    `weakest` is the id of the lowest of the five relative to its scale, None if none is measured. There is no overall
    score. `battery` is None for imports, which carry `task_set_digest` instead. `redacted` counts what redaction took
    out of the runs and of this document, by rule; None if it was off or nobody knows.
    """

    schema: Literal["hbeval-report/1"] = "hbeval-report/1"
    context: Context
    scoring_version: str
    metric_versions: Mapping[str, str]
    scoring_fingerprint: str
    fault_spec_fingerprint: str | None
    evidence: Evidence
    coverage: Coverage
    metrics: Mapping[str, Measurement]
    weakest: str | None
    faults: FaultCounts
    agent: Mapping[str, Any] = field(default_factory=dict)
    battery: Mapping[str, Any] | None = None
    task_set_digest: str | None = None
    groups: tuple[Group, ...] = ()
    runs: tuple[RunResult, ...] | None = None
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    redacted: Mapping[str, int] | None = None
    partial: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, metric: str) -> Measurement:
        """The measurement of one metric id; KeyError names those there are."""
        try:
            return self.metrics[metric]
        except KeyError:
            raise KeyError(f"{metric!r} is not in this report; it has {', '.join(self.metrics)}") from None
