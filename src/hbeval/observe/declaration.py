"""What a tool is, from its author's words and from the signature, annotations and docstring of its function."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import partial
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from hbeval.errors import UsageError
from hbeval.model import ToolDeclaration, is_marked
from hbeval.observe.snapshot import snapshot

__all__ = ["RECEIVERS", "declare", "described_parameters", "doc_of", "inner_of", "names_of", "parameters_of"]

RECEIVERS = ("self", "cls")

_OPERATORS = {"gt", "ge", "lt", "le", "eq", "in"}
_SCALARS: dict[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
    dict: "object",
    list: "array",
    tuple: "array",
    set: "array",
}
_DESCRIBED = re.compile(r"^\s*(?::param\s+(?:[\w\[\], .|]+\s)?)?(\w+)\s*(?:\([^)]*\))?\s*:\s+(\S.*)$")


def declare(
    function: Callable[..., Any],
    name: str,
    *,
    description: str | None,
    parameters: Mapping[str, Any] | None,
    writes: bool | None,
    substitutes: str | Iterable[str],
    verifies: str | Iterable[str],
    safeguard: str | Iterable[str],
    forbidden_when: Literal["always", "unguarded"] | Mapping[str, Any] | None,
    handover: bool,
) -> ToolDeclaration:
    """The declaration of a function. Raises UsageError on a value that declares nothing."""
    if not isinstance(name, str) or not name:
        raise UsageError(f"tool name must be a text, got {name!r}")
    if writes is not None and not isinstance(writes, bool):
        raise UsageError(f"{name}: writes= must be True, False or None, got {writes!r}")
    if description is not None and not isinstance(description, str):
        raise UsageError(f"{name}: description= must be a text, got {description!r}")
    if parameters is not None and not _is_json_object(parameters):
        raise UsageError(f"{name}: parameters= must map names to JSON Schema, got {parameters!r:.80}")
    _check_forbidden(name, forbidden_when)
    return ToolDeclaration(
        name=name,
        description=description if description is not None else inspect.cleandoc(doc_of(function) or ""),
        parameters=parameters_of(function) if parameters is None else parameters,
        writes=writes,
        substitutes=names_of(name, "substitutes", substitutes),
        verifies=names_of(name, "verifies", verifies),
        safeguard=names_of(name, "safeguard", safeguard),
        forbidden_when=forbidden_when,
        handover=bool(handover),
    )


def _is_json_object(value: Any) -> bool:
    return isinstance(value, Mapping) and not is_marked(snapshot(value))


def inner_of(function: Any) -> Any:
    """What a `functools.partial`, or a partial of one, will call; anything else itself."""
    while isinstance(function, partial):
        function = function.func
    return function


def doc_of(function: Any) -> str | None:
    """The docstring a reader of the tool should see."""
    doc = getattr(inner_of(function), "__doc__", None)
    return doc if isinstance(doc, str) else None


def names_of(tool: str, field: str, given: str | Iterable[str]) -> tuple[str, ...]:
    """Tool names; one text is one name. Raises UsageError on anything else."""
    try:
        names = (given,) if isinstance(given, str) else tuple(given)
    except TypeError:
        raise UsageError(f"{tool}: {field}= must hold tool names, got {given!r}") from None
    for name in names:
        if not isinstance(name, str) or not name:
            raise UsageError(f"{tool}: {field}= must hold tool names, got {name!r}")
    return names


def parameters_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Parameter name -> JSON Schema property. A parameter with a `default` may be left out."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a builtin that does not say
        return {}
    hints = _hints(function)
    words = described_parameters(inspect.cleandoc(doc_of(function) or ""))
    found = {}
    for position, each in enumerate(signature.parameters.values()):
        if (position == 0 and each.name in RECEIVERS) or each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        schema = _schema(hints.get(each.name, each.annotation))
        if each.default is not each.empty:
            default = snapshot(each.default)
            schema["default"] = None if is_marked(default) else default
        if each.name in words:
            schema.setdefault("description", words[each.name])
        found[each.name] = schema
    return found


def described_parameters(doc: str) -> dict[str, str]:
    """Parameter descriptions of a docstring: `name: words`, `name (type): words` or `:param name: words` lines."""
    found: dict[str, str] = {}
    for line in doc.splitlines()[1:]:
        match = _DESCRIBED.match(line)
        if match:
            found.setdefault(match.group(1), match.group(2).strip())
    return found


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    inner = inner_of(function)
    if not inspect.isroutine(inner):
        inner = type(inner).__call__
    try:
        return get_type_hints(inner, include_extras=True)
    except Exception:  # noqa: BLE001 - annotations are foreign code; without them the schema just says less
        return {}


def _schema(annotation: Any) -> dict[str, Any]:
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return {"enum": [snapshot(each.value) for each in annotation]}
    if isinstance(annotation, type) and annotation in _SCALARS:
        return {"type": _SCALARS[annotation]}
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        text = next((each for each in args[1:] if isinstance(each, str)), None)
        return {**_schema(args[0]), **({"description": text} if text else {})}
    if origin is Literal:
        return {"enum": [snapshot(each) for each in args]}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(each) for each in args]}
    if isinstance(origin, type):
        return _container(origin, args)
    return {}


def _container(origin: type, args: tuple[Any, ...]) -> dict[str, Any]:
    if issubclass(origin, Mapping):
        return {"type": "object"}
    if issubclass(origin, Iterable):
        items = _schema(args[0]) if args and args[0] is not Ellipsis else {}
        return {"type": "array", **({"items": items} if items else {})}
    return {}


def _check_forbidden(name: str, condition: Any) -> None:
    if condition is None or condition in ("always", "unguarded"):
        return
    right = 'give "always", "unguarded" or {argument: {"gt": value}}'
    if not isinstance(condition, Mapping) or not condition:
        raise UsageError(f"{name}: forbidden_when={condition!r} says nothing; {right}")
    if not _is_json_object(condition):
        raise UsageError(f"{name}: forbidden_when={condition!r:.80} holds what is no JSON value; {right}")
    for argument, test in condition.items():
        if not isinstance(test, Mapping) or not test or not set(test) <= _OPERATORS:
            known = ", ".join(sorted(_OPERATORS))
            raise UsageError(f"{name}: forbidden_when[{argument!r}] is {test!r}; use one of {known}, or {right}")
