"""The tool answers in time, without content."""

from __future__ import annotations

from typing import Any

from hbeval.faults.base import Call, Effect, Parameter
from hbeval.faults.values import opened, same

__all__ = ["EMPTY"]


def _blank(kind: str) -> Any:
    return {"null": None, "empty_object": {}, "empty_array": [], "empty_string": ""}[kind]


def _emptied(call: Call) -> Any:
    """The blank of the asked kind; the next kind of the list where the true result is that very blank."""
    kinds = EMPTY.parameters[0].words
    kind = call.parameters["kind"]
    if same(_blank(kind), opened(call.result)[0]):
        kind = kinds[(kinds.index(kind) + 1) % len(kinds)]
    return _blank(kind)


EMPTY = Effect(
    name="empty",
    meaning="a reply without content",
    degraded=True,
    parameters=(
        Parameter(
            name="kind",
            kind="word",
            meaning="which blank is handed out",
            default="null",
            words=("null", "empty_object", "empty_array", "empty_string"),
        ),
    ),
    alter=_emptied,
    needs_data=False,
    stream="none",
)
