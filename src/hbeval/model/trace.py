"""A trace: what one run did, as the runtime saw it. Facts only; what they mean is judged elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hbeval.model.fault import Fault
from hbeval.model.vocabulary import (
    INVALID_ENDINGS,
    Context,
    Ending,
    Fact,
    FaultType,
    Outcome,
    Provenance,
    StepKind,
)

__all__ = ["PlanEvent", "Step", "StepError", "Task", "ToolDeclaration", "Trace", "Turn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepError:
    """An error a tool gave its caller. `kind` is the exception's or protocol's own name, "unknown" if it gave none."""

    kind: str
    message: str = ""
    status: int | None = None
    retry_after_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One attempted tool call, or the final answer.

    `seq` orders steps, turns and plan events of a trace in one sequence. `arguments` is a JSON object; if what the
    agent sent was not one, it is the raw value and `malformed` is true. `result` is what came back to the agent.
    Times are seconds since the Unix epoch. `turn` is the `seq` of the turn that caused the call. `origin` points into
    the source document (a JSON Pointer) for imported steps. `reported` holds flags the agent's own code gave; they are
    claims, whatever the rest of the record says.
    """

    seq: int
    action: str
    kind: StepKind = StepKind.TOOL
    arguments: Any = None
    malformed: bool = False
    result: Any = None
    outcome: Outcome = Outcome.UNKNOWN
    error: StepError | None = None
    id: str | None = None
    started_at: float | None = None
    ended_at: float | None = None
    turn: int | None = None
    origin: str | None = None
    provenance: Provenance = Provenance.OBSERVED
    reported: Mapping[str, bool | None] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Something said: by the agent (`speaker` "agent"), the user, the system or another agent's name."""

    seq: int
    speaker: str
    text: str = ""
    id: str | None = None
    at: float | None = None
    provenance: Provenance = Provenance.OBSERVED
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEvent:
    """An explicit plan or change of plan in the record. One before any step is an initial plan, not a re-plan."""

    seq: int
    text: str = ""
    at: float | None = None
    provenance: Provenance = Provenance.OBSERVED
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDeclaration:
    """What a tool is, said by its author. Judging knows nothing else about a tool; its name carries no meaning.

    writes           whether a call changes the world; None = not declared
    substitutes      tools whose purpose this tool can meet in their stead
    verifies         tools whose data this tool can confirm from another source
    safeguard        tools that must not be called before this one has succeeded
    forbidden_when   "always", "unguarded" (a safeguard of this tool has not succeeded before the call), or a mapping
                     argument -> {"gt" | "ge" | "lt" | "le" | "eq" | "in": value}; all conditions must hold
    handover         whether a call passes the case to a human
    """

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    writes: bool | None = None
    substitutes: tuple[str, ...] = ()
    verifies: tuple[str, ...] = ()
    safeguard: tuple[str, ...] = ()
    forbidden_when: Literal["always", "unguarded"] | Mapping[str, Any] | None = None
    handover: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What the agent was asked. `id` is unique within its task set."""

    id: str
    domain: str | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One run of one agent on one task.

    id         unique within its set of runs
    source     scenario id, or the path of the imported file
    format     "hbeval", or the name of the importer
    agent      labels (id, model, prompt_version, commit …); judging never sees them
    condition  the fault type the scenario asked for, None if nominal or unplanned
    holds      the facts its source is able to record; a fact outside it is unknown, not absent
    success    what the task's oracle says, None if nobody knows; `oracle` names who said it
    labels     verdicts of the source that serve as ground truth for studies; judging never sees them
    redacted   how often each rule of redaction took something out before the record was kept
    """

    schema: Literal["hbeval-trace/1"] = "hbeval-trace/1"
    id: str
    source: str
    context: Context
    format: str = "hbeval"
    agent: Mapping[str, str] = field(default_factory=dict)
    task: Task
    repeat: int = 0
    seed: int | None = None
    condition: FaultType | None = None
    tools: tuple[ToolDeclaration, ...] = ()
    turns: tuple[Turn, ...] = ()
    plans: tuple[PlanEvent, ...] = ()
    steps: tuple[Step, ...] = ()
    faults: tuple[Fault, ...] = ()
    ending: Ending
    ending_detail: str | None = None
    success: bool | None = None
    oracle: str | None = None
    holds: tuple[Fact, ...] = tuple(Fact)
    started_at: float | None = None
    ended_at: float | None = None
    labels: Mapping[str, Any] = field(default_factory=dict)
    redacted: Mapping[str, int] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def invalid(self) -> bool:
        """Whether this run could not measure the agent; it leaves numerator and denominator and shows as coverage."""
        return self.ending in INVALID_ENDINGS
