"""The effects that come with hbeval, and how to find one by name."""

from __future__ import annotations

from hbeval.errors import InputError
from hbeval.faults import effects
from hbeval.faults.base import Effect

__all__ = ["BUILTIN", "find"]

BUILTIN: tuple[Effect, ...] = (
    effects.TIMEOUT,
    effects.LATENCY,
    effects.ERROR,
    effects.RATE_LIMIT,
    effects.CONNECTION_REFUSED,
    effects.EMPTY,
    effects.MALFORMED,
    effects.INTERMITTENT,
    effects.PARTIAL,
    effects.STALE,
    effects.SCHEMA_DRIFT,
    effects.CONFLICTING,
    effects.INJECTED_INSTRUCTION,
    effects.NOOP,
)


def find(name: str, *, where: str, among: tuple[Effect, ...] = BUILTIN) -> Effect:
    """The effect of that name. Raises InputError listing the names there are."""
    for effect in among:
        if effect.name == name:
            return effect
    names = ", ".join(effect.name for effect in among)
    raise InputError("unknown effect", where=where, value=name, right=f"one of {names}")
