"""What a text asks for: which act, with which arguments, under which condition."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import ge, gt, le, lt
from typing import Any

from hbeval.battery.agents.language import Condition, mentions, number_for, overlap, stems
from hbeval.battery.agents.record import Tool, same

__all__ = ["asked_act", "met", "stated_arguments"]

_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {"gt": gt, "lt": lt, "ge": ge, "le": le}


def asked_act(tools: Iterable[Tool], clause: str) -> Tool | None:
    """The act that a clause asks for: its verb is a tool's verb, and it shares another word with it."""
    words = stems(clause)
    fitting = [
        (overlap(words, tool.words), tool)
        for tool in tools
        if tool.acts and set(tool.verbs) & set(words) and overlap(words, tool.words) >= 2
    ]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None


def stated_arguments(tool: Tool, text: str, known: Callable[[str], Any]) -> dict[str, Any] | None:
    """Arguments as a text states them, completed by what is `known` of a name; None if one stays open."""
    found = {}
    for name, schema in tool.declaration.parameters.items():
        value = _stated(name, schema, text)
        found[name] = known(name) if value is None else value
    return None if None in found.values() else found


def met(condition: Condition, left: Any, right: Any) -> bool | None:
    """Whether a condition holds for the values of its two sides (None = no field of that name); None if unknown."""
    if left is None:
        return None
    if condition.test in ("eq", "ne"):
        agrees = str(left).strip().casefold() == condition.right.strip().casefold()
        return agrees == (condition.test == "eq")
    if condition.test == "differ":
        return None if right is None else not same(left, right)
    bound = _number_in(condition.right) if right is None else right
    if type(left) not in (int, float) or type(bound) not in (int, float):
        return None
    return bool(_COMPARISONS[condition.test](left, bound))


def _stated(name: str, schema: Any, text: str) -> Any:
    if schema.get("type") == "array":
        return mentions(schema.get("items", {}), text) or None
    named = mentions(schema, text)
    if named:
        return named[0]
    return number_for(name, text) if schema.get("type") in ("number", "integer") else None


def _number_in(text: str) -> float | None:
    for word in text.split():
        try:
            return float(word)
        except ValueError:
            continue
    return None
