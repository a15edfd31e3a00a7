"""Arguments held against a tool's declared parameters, with the errors a client library would raise."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from hbeval.errors import InputError

__all__ = ["checker", "signature"]

Check = Callable[[Any], None]

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
}
_KNOWN = {"type", "pattern", "enum", "minimum", "maximum", "items", "description", "default", "format"}
_ANNOTATIONS: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list[str]}


def checker(parameters: Mapping[str, Mapping[str, Any]], where: str) -> Callable[[dict[str, Any]], None]:
    """A function that raises TypeError or ValueError for arguments that do not fit; InputError for a bad declaration.

    Defaults are filled in. A missing or unknown argument is a TypeError, as for any Python call.
    """
    checks = {name: _check(name, each, f"{where}.{name}") for name, each in parameters.items()}
    defaults = {name: each["default"] for name, each in parameters.items() if "default" in each}
    names = parameters.keys()

    def check(arguments: dict[str, Any]) -> None:
        for name, default in defaults.items():
            arguments.setdefault(name, default)
        if arguments.keys() != names:
            _refuse_names(arguments, parameters)
        for name, value in arguments.items():
            checks[name](value)

    return check


def signature(parameters: Mapping[str, Mapping[str, Any]], first: str) -> inspect.Signature:
    """The Python signature of a tool whose first parameter, `first`, is the state it is bound to."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    given = [
        inspect.Parameter(
            name,
            kind,
            default=each.get("default", inspect.Parameter.empty),
            annotation=_ANNOTATIONS.get(each.get("type", ""), Any),
        )
        for name, each in parameters.items()
    ]
    return inspect.Signature([inspect.Parameter(first, kind), *given], return_annotation=dict[str, Any])


def _refuse_names(arguments: Mapping[str, Any], parameters: Mapping[str, Any]) -> None:
    missing = [name for name in parameters if name not in arguments]
    if missing:
        raise TypeError("missing argument: " + ", ".join(missing))
    unknown = [name for name in arguments if name not in parameters]
    raise TypeError(f"unknown argument: {', '.join(unknown)} (known: {', '.join(parameters) or 'none'})")


def _check(name: str, schema: Mapping[str, Any], where: str) -> Check:
    if not isinstance(schema, Mapping):
        raise InputError("wrong type", where=where, value=schema, right="an object with a type")
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        raise InputError("no such type", where=f"{where}.type", value=kind, right="one of " + ", ".join(_TYPES))
    for word in schema:
        if word not in _KNOWN:
            raise InputError("unknown field", where=where, value=word, right="one of " + ", ".join(sorted(_KNOWN)))
    _refuse_other_types(schema, where)
    checks = [_of_type(name, kind)]
    if "pattern" in schema:
        checks.append(_of_pattern(name, schema["pattern"], f"{where}.pattern"))
    if "enum" in schema:
        checks.append(_of_words(name, tuple(schema["enum"])))
    if "minimum" in schema or "maximum" in schema:
        checks.append(_in_range(name, schema.get("minimum", -math.inf), schema.get("maximum", math.inf)))
    if kind == "array":
        checks.append(_each_item(_check(f"{name} item", schema.get("items", {"type": "string"}), f"{where}.items")))
    return checks[0] if len(checks) == 1 else _all(checks)


def _refuse_other_types(schema: Mapping[str, Any], where: str) -> None:
    for word, types, right in (
        ("pattern", str, "a text"),
        ("enum", list, "a list"),
        ("minimum", (int, float), "a number"),
        ("maximum", (int, float), "a number"),
    ):
        value = schema.get(word)
        if word in schema and (isinstance(value, bool) or not isinstance(value, types)):
            raise InputError("wrong type", where=f"{where}.{word}", value=value, right=right)


def _of_type(name: str, kind: str) -> Check:
    types = _TYPES[kind]

    def check(value: Any) -> None:
        right = isinstance(value, types) and (kind == "boolean" or not isinstance(value, bool))
        if not right or (isinstance(value, float) and not math.isfinite(value)):
            raise TypeError(f"{name} must be of type {kind}, got {value!r}")

    return check


def _of_pattern(name: str, pattern: str, where: str) -> Check:
    try:
        matches = re.compile(pattern).fullmatch
    except re.error as error:
        raise InputError(f"no regular expression ({error})", where=where, value=pattern) from error

    def check(value: Any) -> None:
        if not matches(value):
            raise ValueError(f"{name} must look like {pattern}, got {value!r}")

    return check


def _of_words(name: str, words: tuple[Any, ...]) -> Check:
    def check(value: Any) -> None:
        if value not in words:
            raise ValueError(f"{name} must be one of {', '.join(map(str, words))}, got {value!r}")

    return check


def _in_range(name: str, low: float, high: float) -> Check:
    def check(value: Any) -> None:
        if not low <= value <= high:
            raise ValueError(f"{name} must lie between {low} and {high}, got {value!r}")

    return check


def _each_item(item: Check) -> Check:
    def check(value: Any) -> None:
        for each in value:
            item(each)

    return check


def _all(checks: list[Check]) -> Check:
    def check(value: Any) -> None:
        for each in checks:
            each(value)

    return check
