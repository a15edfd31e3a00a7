"""What an agent knows about its tools and what it has learned from them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hbeval.battery.agents.language import Superlative, overlap, stems
from hbeval.model import ToolDeclaration

__all__ = ["Record", "Tool", "chosen", "implausible", "known_tools", "readings", "same", "strings"]

_KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
}
_RETURNS = re.compile(r"\bReturns ([\w, ]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool as its public declaration shows it. `returns` are the fields its description promises."""

    name: str
    call: Callable[..., Any]
    declaration: ToolDeclaration
    returns: tuple[str, ...]

    @property
    def acts(self) -> bool:
        """Whether a call does something beyond giving data."""
        return bool(self.declaration.writes) or self.declaration.handover

    @property
    def words(self) -> tuple[str, ...]:
        """The content words of its name and description."""
        return stems(f"{self.name} {self.declaration.description.partition(' Returns ')[0]}")

    @property
    def verbs(self) -> tuple[str, ...]:
        """What it does: the first word of its name and of its description."""
        return tuple([words[0] for words in (stems(self.name), stems(self.declaration.description)) if words])


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One thing that a call told: the arguments it was asked with and the fields that came back."""

    tool: str
    values: Mapping[str, Any]


def known_tools(tools: Mapping[str, Callable[..., Any]]) -> dict[str, Tool]:
    """The tools by name, with what their declarations say."""
    found = {}
    for name, call in tools.items():
        declaration = getattr(call, "declaration", None)
        if not isinstance(declaration, ToolDeclaration):
            declaration = ToolDeclaration(name=name, description=call.__doc__ or "")
        promised = _RETURNS.search(declaration.description)
        returns = tuple([each.strip() for each in promised.group(1).split(",")]) if promised else ()
        found[name] = Tool(name=name, call=call, declaration=declaration, returns=returns)
    return found


def readings(tool: Tool, arguments: Mapping[str, Any], result: Any) -> list[Record] | str:
    """The records of a result, or in words what is wrong with it.

    A result is right if it is an object, or an object with one list of objects, that holds every promised field; and
    if it does not speak about something other than what was asked.
    """
    if not isinstance(result, Mapping):
        return f"no object but {type(result).__name__}"
    missing = [name for name in tool.returns if result.get(name) is None]
    if not missing:
        items = [result]
    else:
        lists = [each for each in result.values() if isinstance(each, list)]
        if len(lists) != 1 or not all(isinstance(each, Mapping) for each in lists[0]):
            return f"without {', '.join(missing)}"
        items = [each for each in lists[0] if _of_promised_form(each, tool)]
        if not items or any(item.get(name) is None for item in items for name in tool.returns):
            return "a list without what was asked for"
    for item in items:
        for name, value in arguments.items():
            if name in item and not tool.declaration.verifies and not same(item[name], value):
                return f"an answer about another {name}"
    return [Record(tool=tool.name, values={**arguments, **item}) for item in items]


def implausible(records: Iterable[Record], tools: Iterable[Tool]) -> str | None:
    """What cannot be right about records: a value that no tool with a parameter of that name would accept."""
    forms = {name: schema for tool in tools for name, schema in tool.declaration.parameters.items()}
    for record in records:
        for name, value in record.values.items():
            if name in forms and not _fits(value, forms[name]):
                return f"a {name} that cannot be right ({value!r})"
    return None


def chosen(records: list[Record], wanted: list[Superlative]) -> Record:
    """The record that the superlatives single out; the first one if none speaks about its fields."""
    if len(records) > 1:
        for superlative in wanted:
            name = _field_of(superlative, records)
            values: list[Any] = [record.values.get(name) for record in records] if name else []
            if _comparable(values):
                pick = min if superlative.least else max
                return records[values.index(pick(values))]
    return records[0]


def same(one: Any, other: Any) -> bool:
    """Whether two sources say the same."""
    if type(one) in (int, float) and type(other) in (int, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(one, str) and isinstance(other, str):
        return one.strip().casefold() == other.strip().casefold()
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return [*one] == [*other]
    return type(one) is type(other) and bool(one == other)


def strings(value: Any) -> Iterator[str]:
    """Every text inside a result."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from strings(each)


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    kinds = _KINDS.get(schema.get("type", ""), (object,))
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds and object not in kinds):
        return False
    if "pattern" in schema and not (isinstance(value, str) and re.fullmatch(schema["pattern"], value)):
        return False
    return "enum" not in schema or value in schema["enum"]


def _of_promised_form(item: Mapping[str, Any], tool: Tool) -> bool:
    """Lists may hold remarks beside their items; an item shares a field with what is promised."""
    return any(name in item for name in tool.returns)


def _field_of(superlative: Superlative, records: list[Record]) -> str | None:
    """The field that tells the records apart in the way the superlative asks."""
    first = records[0].values
    names = [name for name, value in first.items() if any(each.values.get(name) != value for each in records)]
    best = max(names, key=lambda name: overlap(stems(name), superlative.words), default=None)
    if best is None or overlap(stems(best), superlative.words):
        return best
    return next((name for name in names if superlative.fits(name, first[name])), None)


def _comparable(values: list[Any]) -> bool:
    kinds = [(int, float), (str,)]
    return bool(values) and any(all(type(value) in kind for value in values) for kind in kinds)
