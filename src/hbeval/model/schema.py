"""JSON Schemas (draft 2020-12) generated from the record types, so that there is one source for both."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hbeval.model.measurement import Measured, Measurement, NotMeasured

__all__ = ["json_schema"]

_SCALARS = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def json_schema(cls: type) -> dict[str, Any]:
    """The schema of one record type, self-contained (`$defs` holds the types it refers to)."""
    definitions: dict[str, Any] = {}
    root = _schema(cls, definitions)
    name = root["$ref"].rsplit("/", 1)[-1]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": cls.__name__,
        **definitions.pop(name),
        "$defs": dict(sorted(definitions.items())),
    }


def _schema(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if kind is Any:
        return {}
    if kind in _SCALARS:
        return {"type": _SCALARS[kind]}
    if kind == Measurement or kind in (Measured, NotMeasured):
        definitions.setdefault("Measurement", _MEASUREMENT)
        return {"$ref": "#/$defs/Measurement"}
    if isinstance(kind, type):
        return _class_schema(kind, definitions)
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"const": args[0]} if len(args) == 1 else {"enum": list(args)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(arg, definitions) for arg in args]}
    if origin is tuple:
        items = _schema(args[0], definitions)
        if len(args) == 2 and args[1] is Ellipsis:
            return {"type": "array", "items": items}
        return {"type": "array", "items": items, "minItems": len(args), "maxItems": len(args)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema(args[1], definitions)}
    raise TypeError(f"hbeval.model has no wire form for {kind!r}")


def _class_schema(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    name = kind.__name__
    if name not in definitions:
        definitions[name] = {}
        if issubclass(kind, Enum):
            definitions[name] = {"enum": [member.value for member in kind]}
        elif is_dataclass(kind):
            definitions[name] = _record_schema(kind, definitions)
        else:
            raise TypeError(f"hbeval.model has no wire form for {kind!r}")
    return {"$ref": f"#/$defs/{name}"}


def _record_schema(cls: type, definitions: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(cls)
    properties = {}
    required = []
    for each in fields(cls):
        if each.name == "extra":
            continue
        properties[each.name] = _schema(hints[each.name], definitions)
        if each.default is MISSING and each.default_factory is MISSING:
            required.append(each.name)
    document = {"type": "object", "properties": properties, "required": required}
    if cls.__doc__:
        document["description"] = cls.__doc__.strip().partition("\n")[0]
    return document


_NULLABLE_NUMBER = {"type": ["number", "null"]}
_MEASUREMENT = {
    "type": "object",
    "description": "A value with its unit; value null means not measured, and reason says why.",
    "properties": {
        "value": _NULLABLE_NUMBER,
        "reason": {"type": ["string", "null"]},
        "n": {"type": "integer", "minimum": 0},
        "n_total": {"type": "integer", "minimum": 0},
        "k": _NULLABLE_NUMBER,
        "interval": {
            "anyOf": [
                {"type": "null"},
                {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
            ]
        },
        "level": _NULLABLE_NUMBER,
        "method": {"type": ["string", "null"]},
        "instrument": {"type": "string"},
    },
    "required": ["value", "reason", "n", "n_total", "k", "interval", "level", "method", "instrument"],
}
