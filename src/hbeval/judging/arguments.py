"""When two calls of one tool ask for the same thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hbeval.model import Step

__all__ = ["has_input", "same_arguments", "same_value"]

_DEEPEST = 40


def has_input(step: Step) -> bool:
    """Whether the record holds what the call was made with; raw text that is no object counts, an absence does not."""
    return step.arguments is not None or step.malformed


def same_arguments(one: Step, other: Step) -> bool | None:
    """Whether both calls carry materially the same arguments; None if the record holds those of only one, or neither.

    White space around and inside texts, the order of keys, keys with null, and 1 against 1.0 make no difference. What
    could not be read as an object is the same only as the identical raw value, and never the same as `{}`.
    """
    if not has_input(one) or not has_input(other):
        return None
    if one.malformed is not other.malformed:
        return False
    try:
        if one.arguments == other.arguments:
            return True
        return not one.malformed and _plain(one.arguments, 0) == _plain(other.arguments, 0)
    except RecursionError:
        return None


def same_value(one: Any, other: Any) -> bool:
    """Whether two results are equal; too deep to compare counts as equal, so that nothing rests on it."""
    try:
        return bool(one == other)
    except RecursionError:
        return True


def _plain(value: Any, depth: int) -> Any:
    """The value without what makes no material difference."""
    if isinstance(value, str):
        return " ".join(value.split())
    if depth > _DEEPEST:
        return value
    if isinstance(value, Mapping):
        return {key: _plain(each, depth + 1) for key, each in value.items() if each is not None}
    if isinstance(value, (list, tuple)):
        return [_plain(each, depth + 1) for each in value]
    return value
