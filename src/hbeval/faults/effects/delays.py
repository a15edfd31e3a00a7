"""Effects that leave data and outcome alone: a slow answer, and none at all (the control arm runs the same code)."""

from __future__ import annotations

from hbeval.faults.base import Call, Effect, Interruption, Parameter

__all__ = ["LATENCY", "NOOP"]


def _late(call: Call) -> Interruption:
    return Interruption(wait_s=call.parameters["delay_s"])


def _nothing(call: Call) -> Interruption:
    return Interruption()


LATENCY = Effect(
    name="latency",
    meaning="the answer is right but late",
    parameters=(
        Parameter(
            name="delay_s", kind="number", meaning="seconds before the call is made", default=2.0, low=0, high=3600
        ),
    ),
    interrupt=_late,
)
NOOP = Effect(name="noop", meaning="nothing changes; the control arm", interrupt=_nothing)
