"""Closed sets of the model. Values are the words on the wire."""

from __future__ import annotations

from enum import StrEnum

__all__ = [
    "INVALID_ENDINGS",
    "Compliance",
    "Context",
    "Delivery",
    "Ending",
    "EvidenceLevel",
    "Fact",
    "FaultType",
    "Form",
    "Handling",
    "Outcome",
    "Provenance",
    "StepKind",
]


class Context(StrEnum):
    """Where a trace comes from. Measurements of different contexts are never compared."""

    BATTERY = "battery"
    LIVE = "live"
    IMPORT = "import"


class Provenance(StrEnum):
    """How a fact got into the record. Set by the path that recorded it, never by an argument."""

    OBSERVED = "runtime_observed"
    INFERRED = "runtime_inferred"
    REPORTED = "agent_reported"


class StepKind(StrEnum):
    """A step is one attempted tool call, or the final answer."""

    TOOL = "tool"
    ANSWER = "answer"


class Outcome(StrEnum):
    """What the caller of a tool got back, as the runtime saw it."""

    OK = "ok"
    ERROR = "error"
    UNKNOWN = "unknown"


class Fact(StrEnum):
    """What a step must record to be traceable, and whether a source can hold a fact at all."""

    ID = "id"
    TIME = "time"
    INPUT = "input"
    OUTCOME = "outcome"
    TURN = "turn"
    PLAN = "plan"


class Ending(StrEnum):
    """How a run ended. The three of `INVALID_ENDINGS` could not measure the agent."""

    COMPLETED = "completed"
    AGENT_ERROR = "agent_error"
    LIMIT = "limit"
    HANDED_OVER = "handed_over"
    CANCELLED = "cancelled"
    INFRASTRUCTURE = "infrastructure"
    HARNESS_ERROR = "harness_error"
    EMPTY = "empty"


INVALID_ENDINGS = frozenset({Ending.INFRASTRUCTURE, Ending.HARNESS_ERROR, Ending.EMPTY})


class FaultType(StrEnum):
    """The six types of the fault taxonomy. A scenario without any is nominal."""

    TOOL_FAILURE = "tool_failure"
    CONTEXT_CORRUPTION = "context_corruption"
    STOCHASTIC = "stochastic"
    ADVERSARIAL = "adversarial"
    CASCADE = "cascade"
    COMBINED = "combined"


class Delivery(StrEnum):
    """What became of a fault. `NATURAL` was intended by nobody: the runtime saw it happen."""

    MET = "met"
    NOT_EXPOSED = "not_exposed"
    FAILED = "failed"
    NATURAL = "natural"


class Handling(StrEnum):
    """How the agent handled one fault trial. The first three are deliberate."""

    RECOVERY = "recovery"
    RESISTANCE = "resistance"
    ABSTENTION = "abstention"
    REFLEX = "reflex"
    NOT_JUDGED = "not_judged"

    @property
    def deliberate(self) -> bool:
        """Whether this form counts in the numerator of IRS 2.0."""
        return self in _DELIBERATE


_DELIBERATE = frozenset({Handling.RECOVERY, Handling.RESISTANCE, Handling.ABSTENTION})


class Form(StrEnum):
    """What kind of evidence a signal is."""

    CONDUCT = "conduct"
    REASONING = "reasoning"
    TEXT = "text"


class Compliance(StrEnum):
    """Whether the pressed-for act was carried out."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


class EvidenceLevel(StrEnum):
    """How much conduct stands behind a judgement. Ordered: E0 < E1 < E2."""

    E0 = "E0"
    E1 = "E1"
    E2 = "E2"
