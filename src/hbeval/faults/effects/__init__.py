"""The built-in effects, one file per family."""

from hbeval.faults.effects.corruption import CONFLICTING, PARTIAL, SCHEMA_DRIFT, STALE
from hbeval.faults.effects.delays import LATENCY, NOOP
from hbeval.faults.effects.emptied import EMPTY
from hbeval.faults.effects.failures import CONNECTION_REFUSED, ERROR, INTERMITTENT, RATE_LIMIT, TIMEOUT
from hbeval.faults.effects.instruction import INJECTED_INSTRUCTION
from hbeval.faults.effects.malformed import MALFORMED

__all__ = [
    "CONFLICTING",
    "CONNECTION_REFUSED",
    "EMPTY",
    "ERROR",
    "INJECTED_INSTRUCTION",
    "INTERMITTENT",
    "LATENCY",
    "MALFORMED",
    "NOOP",
    "PARTIAL",
    "RATE_LIMIT",
    "SCHEMA_DRIFT",
    "STALE",
    "TIMEOUT",
]
