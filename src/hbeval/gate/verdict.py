"""What a gate answers: one verdict, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from hbeval.gate.requirement import Requirements
from hbeval.model import Coverage

__all__ = [
    "SCHEMA",
    "FlakyScenario",
    "GateResult",
    "RequirementResult",
    "Verdict",
    "exit_code",
    "interrupted",
]

SCHEMA: Literal["hbeval-gate/1"] = "hbeval-gate/1"
_NO_COVERAGE = Coverage(runs=0, measured=0)


class Verdict(StrEnum):
    """PASS and FAIL are shown at the stated error rate; INCONCLUSIVE is neither; ERROR could not be tested."""

    PASS = "PASS"  # noqa: S105  a verdict
    FAIL = "FAIL"
    INCONCLUSIVE = "INCONCLUSIVE"
    ERROR = "ERROR"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequirementResult:
    """One floor or margin, over all runs (`task` None) or over those of one task. Numbers are on the metric's scale.

    requirement   as the grammar writes it
    decides       whether the gate's verdict takes it into account; a task's result can only fail a gate
    value         of this result, from `n` runs with `trials` trials; `baseline` from `baseline_n` runs
    bound, upper  one-sided bounds, each at the error rate, of value (floor) or value − baseline (margin)
    limit         the floor, or minus the margin: PASS = bound above it (at it, for a floor)
    p_fail        p-value of "not below the floor" or "not worse"; `p_adjusted` for all tests that may fail the gate
    paired        the bounds with tasks as clusters, paired: decisive only where that is asked; None under two tasks
    more_runs     runs that each side would need beyond those there are, an estimate; None where none is needed or known
    """

    requirement: str
    metric: str
    task: str | None
    verdict: Verdict
    decides: bool
    words: str
    n: int = 0
    trials: int = 0
    value: float | None = None
    baseline_n: int | None = None
    baseline: float | None = None
    bound: float | None = None
    upper: float | None = None
    limit: float | None = None
    margin: float | None = None
    p_fail: float | None = None
    p_adjusted: float | None = None
    paired: tuple[float, float] | None = None
    more_runs: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FlakyScenario:
    """A scenario whose repeats did not all end alike: successes of runs whose success is known, on each side.

    `p_value` is that of "at most one repeat in ten strays from the usual outcome", from the baseline's repeats alone.
    """

    scenario: str
    baseline_successes: int
    baseline_runs: int
    successes: int
    runs: int
    p_value: float
    quarantined: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """The verdict on one result.

    required      the whole requirement in words
    requirements  every floor and margin over all runs, in order; `tasks` the same per task
    errors        why the verdict is ERROR: what could not be measured or compared
    unmeasured    metrics that are undefined on both sides and that nothing requires
    flaky         scenarios whose repeats disagree, quarantined ones included
    partial       the gate was interrupted; nothing may be concluded
    more_runs     the largest of the requirements' estimates, None where any is unknown
    """

    schema: Literal["hbeval-gate/1"] = SCHEMA
    verdict: Verdict
    required: str
    alpha: float
    requirements: tuple[RequirementResult, ...] = ()
    tasks: tuple[RequirementResult, ...] = ()
    errors: tuple[str, ...] = ()
    unmeasured: tuple[str, ...] = ()
    flaky: tuple[FlakyScenario, ...] = ()
    notes: tuple[str, ...] = ()
    population: str = ""
    multiplicity: str = ""
    coverage: Coverage = _NO_COVERAGE
    agent: Mapping[str, Any] = field(default_factory=dict)
    baseline_agent: Mapping[str, Any] | None = None
    baseline_digest: str | None = None
    more_runs: int | None = None
    partial: bool = False

    @property
    def quarantined(self) -> tuple[FlakyScenario, ...]:
        """The scenarios that were left out."""
        return tuple(each for each in self.flaky if each.quarantined)

    def failed_tasks(self) -> tuple[RequirementResult, ...]:
        """The results of single tasks that fail the gate."""
        return tuple(each for each in self.tasks if each.verdict is Verdict.FAIL and each.decides)


_ENFORCED: Mapping[Verdict, int] = {Verdict.PASS: 0, Verdict.FAIL: 1, Verdict.INCONCLUSIVE: 3, Verdict.ERROR: 4}


def exit_code(result: GateResult, *, enforce: bool) -> int:
    """0 PASS, 1 FAIL, 3 INCONCLUSIVE, 4 ERROR; without `enforce` 0 for all but ERROR."""
    return _ENFORCED[result.verdict] if enforce or result.verdict is Verdict.ERROR else 0


def interrupted(asked: Requirements) -> GateResult:
    """The result of a gate that was stopped before its end."""
    return GateResult(
        verdict=Verdict.ERROR,
        required=asked.words,
        alpha=asked.alpha,
        errors=("interrupted: nothing was decided",),
        partial=True,
    )
