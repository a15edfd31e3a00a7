"""Which step could know of which: the order of a record is not yet an order of knowing."""

from __future__ import annotations

from hbeval.model import Context, Step, Trace

__all__ = ["follows", "issues_turns_whole"]


def issues_turns_whole(trace: Trace) -> bool:
    """Whether the calls of one turn were issued together: in imported logs, whose turns are single messages."""
    return trace.context is Context.IMPORT


def follows(later: Step, earlier: Step, *, whole_turns: bool) -> bool:
    """Whether `later`, which stands after `earlier` in the record, was issued when its outcome could be known.

    Not if it was made inside it, or overlaps it in time. Calls of one turn were issued together where a turn is one
    message (`whole_turns`), and where a time is missing; elsewhere one turn may be followed by many calls.
    """
    if later.extra and later.extra.get("within") == earlier.seq:
        return False
    if later.started_at is not None and earlier.ended_at is not None:
        if later.started_at < earlier.ended_at:
            return False
        if not whole_turns:
            return True
    return later.turn is None or later.turn != earlier.turn
