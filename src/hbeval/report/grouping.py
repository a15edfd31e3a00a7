"""Which group a run belongs to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from hbeval.model import Trace

__all__ = ["NO_LABEL", "Grouping", "group_of", "groupings"]

NO_LABEL = "(not recorded)"

Grouping: TypeAlias = tuple[str, ...]


def groupings(group_by: Sequence[str] | Sequence[Sequence[str]]) -> tuple[Grouping, ...]:
    """`("model", "task")` is one grouping by that combination; `(("fault",), ("domain",))` is two, side by side."""
    if not group_by:
        return ()
    if all(isinstance(each, str) for each in group_by):
        return (tuple(cast("Sequence[str]", group_by)),)
    return tuple((each,) if isinstance(each, str) else tuple(each) for each in group_by)


def group_of(trace: Trace, grouping: Grouping, by: Mapping[str, str]) -> tuple[str, ...]:
    """The values of one run under a grouping: from `by`, else from the trace, else `NO_LABEL`."""
    return tuple(by[key] if key in by else _from_trace(trace, key) for key in grouping)


def _from_trace(trace: Trace, key: str) -> str:
    if key == "task":
        return trace.task.id
    if key == "domain":
        return trace.task.domain or NO_LABEL
    if key == "fault":
        return trace.condition.value if trace.condition else "none"
    if key == "format":
        return trace.format
    if key == "ending":
        return trace.ending.value
    if key == "repeat":
        return str(trace.repeat)
    return trace.agent.get(key) or NO_LABEL
