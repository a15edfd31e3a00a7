"""Requirements on a result, and the verdict on them."""

from hbeval.gate.file import parse_requirements, read_requirements, to_toml
from hbeval.gate.gate import defaults_for, run_gate
from hbeval.gate.requirement import (
    All,
    AnyOf,
    Floor,
    NotWorse,
    Requirement,
    Requirements,
    default_requirements,
    parse_requirement,
)
from hbeval.gate.verdict import FlakyScenario, GateResult, RequirementResult, Verdict, exit_code, interrupted

__all__ = [
    "All",
    "AnyOf",
    "FlakyScenario",
    "Floor",
    "GateResult",
    "NotWorse",
    "Requirement",
    "RequirementResult",
    "Requirements",
    "Verdict",
    "default_requirements",
    "defaults_for",
    "exit_code",
    "interrupted",
    "parse_requirement",
    "parse_requirements",
    "read_requirements",
    "run_gate",
    "to_toml",
]
