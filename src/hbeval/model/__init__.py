"""The nouns: everything that flows through the house, and its wire form."""

from hbeval.model.canonical import canonical_bytes, digest, fingerprint
from hbeval.model.codec import decode, dumps, encode, loads
from hbeval.model.fault import Act, Fault, Injection, IntendedFault, Observation, Pressure
from hbeval.model.judgement import Claim, Evidence, JudgedTrace, Signal, StepVerdict, Trial
from hbeval.model.marks import MARK_CUT, MARK_REPR, MARK_TYPE, is_marked
from hbeval.model.measurement import Measured, Measurement, NotMeasured
from hbeval.model.report import Coverage, FaultCounts, Group, LeftOut, Report, RunResult
from hbeval.model.schema import json_schema
from hbeval.model.trace import PlanEvent, Step, StepError, Task, ToolDeclaration, Trace, Turn
from hbeval.model.vocabulary import (
    INVALID_ENDINGS,
    Compliance,
    Context,
    Delivery,
    Ending,
    EvidenceLevel,
    Fact,
    FaultType,
    Form,
    Handling,
    Outcome,
    Provenance,
    StepKind,
)

__all__ = [
    "INVALID_ENDINGS",
    "MARK_CUT",
    "MARK_REPR",
    "MARK_TYPE",
    "Act",
    "Claim",
    "Compliance",
    "Context",
    "Coverage",
    "Delivery",
    "Ending",
    "Evidence",
    "EvidenceLevel",
    "Fact",
    "Fault",
    "FaultCounts",
    "FaultType",
    "Form",
    "Group",
    "Handling",
    "Injection",
    "IntendedFault",
    "JudgedTrace",
    "LeftOut",
    "Measured",
    "Measurement",
    "NotMeasured",
    "Observation",
    "Outcome",
    "PlanEvent",
    "Pressure",
    "Provenance",
    "Report",
    "RunResult",
    "Signal",
    "Step",
    "StepError",
    "StepKind",
    "StepVerdict",
    "Task",
    "ToolDeclaration",
    "Trace",
    "Trial",
    "Turn",
    "canonical_bytes",
    "decode",
    "digest",
    "dumps",
    "encode",
    "fingerprint",
    "is_marked",
    "json_schema",
    "loads",
]
