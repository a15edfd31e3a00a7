"""Passing the case to a human: neither a failure nor a fault."""

from __future__ import annotations

from hbeval.judging.handling.signals import Finding, finding
from hbeval.judging.reading import Reading
from hbeval.model import Ending, Outcome

__all__ = ["handover_after"]


def handover_after(reading: Reading, place: int) -> Finding | None:
    """The first hand-over issued after the step at `place` was known, or an ending by hand-over; None if neither."""
    if reading.tools.handovers:
        for _, step in reading.later_calls(place):
            if step.outcome is not Outcome.ERROR and step.action in reading.tools.handovers:
                return finding("handed_over", ("handover", step.seq), step.seq)
    if reading.trace.ending is Ending.HANDED_OVER:
        return finding("handed_over", ("handover", -1))
    return None
