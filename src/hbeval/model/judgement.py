"""A judged trace: the trace, what each step amounts to, and how each fault was handled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hbeval.model.trace import Trace
from hbeval.model.vocabulary import (
    Compliance,
    EvidenceLevel,
    FaultType,
    Form,
    Handling,
    Provenance,
)

__all__ = ["Claim", "Evidence", "JudgedTrace", "Signal", "StepVerdict", "Trial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepVerdict:
    """The four derived fields of one step. None means unknown, and unknown leaves both sides of every ratio.

    `inferred` names the fields that a rule derived rather than the runtime observed.
    """

    seq: int
    success: bool | None
    had_fault: bool | None
    replanned: bool | None
    traceable: bool | None
    inferred: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One piece of evidence for (or against) a handling. `steps` are the `Step.seq` it rests on."""

    name: str
    form: Form
    provenance: Provenance
    steps: tuple[int, ...] = ()
    against: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One fault episode in one run, judged.

    `steps` are the members of the episode. `complied`, `fabricated`, `blind_retries` and `handed_over` are conduct
    verdicts that stand beside the handling; None means that the record cannot say. `reason` is given whenever the
    handling is `not_judged`.
    """

    fault: FaultType
    target: str
    handling: Handling
    steps: tuple[int, ...] = ()
    signals: tuple[Signal, ...] = ()
    complied: Compliance | None = None
    fabricated: bool | None = None
    blind_retries: int = 0
    handed_over: bool = False
    closed: Literal["met", "substituted", "answered", "acted", "ended"] = "ended"
    reason: str | None = None
    fault_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Something the agent said it did, held against what it did. `kind` is the text rule's id."""

    kind: str
    text: str
    turn: int | None
    supported: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """How much stands behind a judged trace or a report.

    E0 text only, E1 partial trace, E2 every claim the judge makes had conduct to test it. `known` and `required`
    count evidence fields; completeness is their ratio, None when nothing was required.
    """

    level: EvidenceLevel
    known: int
    required: int
    provenance: Mapping[str, int] = field(default_factory=dict)
    claims_reconciled: bool = True
    claims_unsupported: tuple[str, ...] = ()

    @property
    def completeness(self) -> float | None:
        """Known ÷ required evidence fields, 0 to 1."""
        return self.known / self.required if self.required else None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedTrace:
    """What instruments measure. `steps` is aligned with `trace.steps`; `rules` is the id@version of the judging rules.

    `missing` names declarations without which some verdict could not be given. `final` marks a judgement that rests on
    text which was taken out of the trace afterwards, so that judging what is left would say something else.
    """

    schema: Literal["hbeval-judged-trace/1"] = "hbeval-judged-trace/1"
    rules: str
    trace: Trace
    steps: tuple[StepVerdict, ...]
    trials: tuple[Trial, ...]
    claims: tuple[Claim, ...]
    evidence: Evidence
    missing: tuple[str, ...] = ()
    final: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)
