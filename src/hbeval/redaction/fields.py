"""Which fields of a record hold text or data of others, and which hold what keeps records joinable and readable."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hbeval.model import (
    Act,
    Claim,
    Coverage,
    Evidence,
    Fault,
    FaultCounts,
    Group,
    Injection,
    IntendedFault,
    JudgedTrace,
    LeftOut,
    Measured,
    NotMeasured,
    Observation,
    PlanEvent,
    Pressure,
    Report,
    RunResult,
    Signal,
    Step,
    StepError,
    StepVerdict,
    Task,
    ToolDeclaration,
    Trace,
    Trial,
    Turn,
)

__all__ = ["LOOSE", "loose_fields"]

LOOSE: Mapping[type, frozenset[str]] = MappingProxyType(
    {
        Trace: frozenset({"agent", "ending_detail", "labels", "extra"}),
        Task: frozenset({"text"}),
        ToolDeclaration: frozenset({"description", "parameters", "forbidden_when", "extra"}),
        Turn: frozenset({"text", "extra"}),
        PlanEvent: frozenset({"text", "extra"}),
        Step: frozenset({"arguments", "result", "extra"}),
        StepError: frozenset({"kind", "message"}),
        Fault: frozenset({"failure", "extra"}),
        IntendedFault: frozenset({"parameters"}),
        Injection: frozenset(),
        Observation: frozenset({"what"}),
        Pressure: frozenset({"text"}),
        Act: frozenset({"arguments"}),
        JudgedTrace: frozenset({"extra"}),
        StepVerdict: frozenset(),
        Trial: frozenset({"reason"}),
        Signal: frozenset(),
        Claim: frozenset({"text"}),
        Evidence: frozenset(),
        Report: frozenset({"agent", "battery", "notes", "extra"}),
        Coverage: frozenset(),
        FaultCounts: frozenset(),
        Group: frozenset({"by"}),
        RunResult: frozenset({"reason"}),
        LeftOut: frozenset({"reason"}),
        Measured: frozenset(),
        NotMeasured: frozenset(),
    }
)
"""Fields in which anything may stand. The others are ids, names of tools and tasks, paths, closed words and numbers.

Ids stay as they are: journals are resumed, runs paired and files found again by them.
"""


def loose_fields(kind: type) -> frozenset[str]:
    """The loose fields of a record type; of a type not listed, none."""
    return LOOSE.get(kind, frozenset())
