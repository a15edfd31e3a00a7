"""What stands in a record for what it does not hold: objects that say so in place of the value.

`{"$repr": text, "$type": name}` for a value without a JSON form, `{"$cut": what}` for what exceeded a bound.
"""

from __future__ import annotations

from typing import Any

__all__ = ["MARK_CUT", "MARK_REPR", "MARK_TYPE", "is_marked"]

MARK_REPR, MARK_CUT, MARK_TYPE = "$repr", "$cut", "$type"


def is_marked(value: Any) -> bool:
    """Whether a JSON value is no faithful copy of what it stands for: something in it is a mark."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            if MARK_REPR in each or MARK_CUT in each:
                return True
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    return False
