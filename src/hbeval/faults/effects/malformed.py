"""The tool answers with data in a form its reader does not expect. Each of the seven kinds is one function below."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from hbeval.faults.base import Call, Effect, Parameter
from hbeval.faults.values import Path, at, leaves, objects, opened, path_of, put, same, without

__all__ = ["MALFORMED"]

_WORD_LENGTH = 32


def _malformed(call: Call) -> Any:
    """A result of the asked kind of malformation.

    A result that the kind cannot change (a number has no field to lose) is wrapped as `{"unexpected": result}`.
    """
    kind, chance = call.parameters["kind"], call.chance()
    if kind == "truncated_payload":
        return _truncated(call.result)
    if kind == "invalid_json":
        return _invalid_json(call.result)
    value, close = opened(call.result)
    altered = _STRUCTURAL[kind](value, chance, call.parameters["key"])
    return close({"unexpected": value} if same(altered, value) else altered)


def _truncated(value: Any) -> Any:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text[: len(text) // 2] if text else '{"'


def _invalid_json(value: Any) -> Any:
    return '{"result": ' + json.dumps(value, ensure_ascii=False) + ",,"


def _wrong_schema(value: Any, chance: random.Random, key: str | None) -> Any:
    parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else [value]
    return {"columns": [f"c{index}" for index in range(len(parts))], "row": parts}


def _missing_required_field(value: Any, chance: random.Random, key: str | None) -> Any:
    path = _chosen_field(value, chance, key)
    return value if path is None else without(value, path)


def _wrong_type(value: Any, chance: random.Random, key: str | None) -> Any:
    path = _chosen_field(value, chance, key) or ()
    return put(value, path, _retyped(at(value, path)[1]))


def _invalid_enum(value: Any, chance: random.Random, key: str | None) -> Any:
    """One short text becomes a word outside any list; without texts, a field changes its type."""
    if key is not None:
        return _wrong_type(value, chance, key)
    words = [path for path, leaf in leaves(value) if isinstance(leaf, str) and len(leaf) <= _WORD_LENGTH]
    if not words:
        return _wrong_type(value, chance, key)
    path = chance.choice(words)
    return put(value, path, f"UNLISTED_{chance.randrange(16**4):04X}")


def _unexpected_nested_structure(value: Any, chance: random.Random, key: str | None) -> Any:
    return {"response": {"body": {"result": value}}}


def _chosen_field(value: Any, chance: random.Random, key: str | None) -> Path | None:
    """The path of the named field if the value holds it, else of one field of the outermost object, else None."""
    if key is not None:
        try:
            return at(value, path_of(key))[0] or None
        except LookupError:
            pass
    for path, holder in objects(value):
        return (*path, chance.choice(list(holder)))
    return None


def _retyped(leaf: Any) -> Any:
    if leaf is None:
        return "null"
    if isinstance(leaf, bool):
        return "yes" if leaf else "no"
    if isinstance(leaf, (int, float)):
        return str(leaf)
    if isinstance(leaf, str):
        return [leaf]
    if isinstance(leaf, list):
        return {str(index): each for index, each in enumerate(leaf)}
    return list(leaf.values())


_STRUCTURAL: dict[str, Callable[[Any, random.Random, str | None], Any]] = {
    "wrong_schema": _wrong_schema,
    "missing_required_field": _missing_required_field,
    "wrong_type": _wrong_type,
    "invalid_enum": _invalid_enum,
    "unexpected_nested_structure": _unexpected_nested_structure,
}

MALFORMED = Effect(
    name="malformed",
    meaning="a reply in a form its reader does not expect",
    degraded=True,
    parameters=(
        Parameter(
            name="kind",
            kind="word",
            meaning="what is wrong with the form",
            default="wrong_schema",
            words=(
                "wrong_schema",
                "missing_required_field",
                "wrong_type",
                "invalid_enum",
                "truncated_payload",
                "invalid_json",
                "unexpected_nested_structure",
            ),
        ),
        Parameter(
            name="key", kind="text", meaning="JSON Pointer of the field to hit; drawn if not given", default=None
        ),
    ),
    alter=_malformed,
)
