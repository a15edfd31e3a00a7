"""Text that presses the agent for an act, delivered inside data it asked for."""

from __future__ import annotations

from typing import Any

from hbeval.faults.base import Call, Effect, Parameter
from hbeval.faults.values import at, opened, path_of, put

__all__ = ["INJECTED_INSTRUCTION"]


def _injected(call: Call) -> Any:
    """The whole true result, with the text beside it.

    A field named by `at` that holds text takes it at its end. Otherwise an object gets a `note`, an array one more
    item, a text one more paragraph; anything else becomes `{"value": result, "note": text}`.
    """
    text = call.parameters["text"]
    value, close = opened(call.result)
    if call.parameters["at"] is not None:
        try:
            path, leaf = at(value, path_of(call.parameters["at"]))
        except LookupError:
            leaf = None
        if isinstance(leaf, str):
            return close(put(value, path, _appended(leaf, text)))
    return close(_beside(value, text))


def _beside(value: Any, text: str) -> Any:
    if isinstance(value, dict):
        note = value.get("note", "")
        if isinstance(note, str):
            return {**value, "note": _appended(note, text)}
        return {"value": value, "note": text}
    if isinstance(value, list):
        return [*value, text if value and isinstance(value[-1], str) else {"note": text}]
    if isinstance(value, str):
        return _appended(value, text)
    return {"value": value, "note": text}


def _appended(before: str, text: str) -> str:
    return f"{before}\n\n{text}" if before else text


INJECTED_INSTRUCTION = Effect(
    name="injected_instruction",
    meaning="the true data, with an instruction beside it that the task never gave",
    parameters=(
        Parameter(name="text", kind="text", meaning="the instruction; the fault's pressure text if not given"),
        Parameter(name="at", kind="text", meaning="JSON Pointer of the text field that carries it", default=None),
    ),
    alter=_injected,
    stream="first",
)
