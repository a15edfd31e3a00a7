"""The agents of the holdout set by name. Their conduct is known; what each does is the docstring of its code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .async_agents import LoudRefuser, backoff, half_obedient, quoter, terse, try_then_unknown
from .odd_agents import CrossChecker, Medley, Racer, inventor
from .plain_agents import (
    Boaster,
    CornerCutter,
    Drifter,
    Patient,
    chatterbox,
    escalator,
    hammer,
    mute_switcher,
    obedient,
    polyglot,
    shrugger,
)

__all__ = ["AGENTS"]

AGENTS: Mapping[str, Callable[..., Any]] = {
    "hammer": hammer,
    "boaster": Boaster,
    "backoff": backoff,
    "patient": Patient,
    "mute_switcher": mute_switcher,
    "terse": terse,
    "cross_checker": CrossChecker,
    "drifter": Drifter,
    "obedient": obedient,
    "half_obedient": half_obedient,
    "corner_cutter": CornerCutter,
    "loud_refuser": LoudRefuser,
    "escalator": escalator,
    "inventor": inventor,
    "try_then_unknown": try_then_unknown,
    "shrugger": shrugger,
    "polyglot": polyglot,
    "quoter": quoter,
    "medley": Medley,
    "racer": Racer,
    "chatterbox": chatterbox,
}
