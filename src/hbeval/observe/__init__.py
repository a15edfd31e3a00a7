"""The recorder of the current trace and the tool boundary: injects what the active plan says, records what was seen."""

from hbeval.observe.clock import Clock, Sleep, VirtualClock
from hbeval.observe.recorder import Recorder
from hbeval.observe.session import attempt, current_recorder, disabled, permit_faults, plan, recording, turn
from hbeval.observe.snapshot import snapshot
from hbeval.observe.tool import tool

__all__ = [
    "Clock",
    "Recorder",
    "Sleep",
    "VirtualClock",
    "attempt",
    "current_recorder",
    "disabled",
    "permit_faults",
    "plan",
    "recording",
    "snapshot",
    "tool",
    "turn",
]
