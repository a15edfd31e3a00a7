"""The verdict as a strict JSON document: every key is always there, and what is not defined is null."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from hbeval.gate.verdict import GateResult
from hbeval.model import json_schema
from hbeval.report.document import rounded

__all__ = ["gate_document", "gate_schema"]


def gate_document(result: GateResult) -> dict[str, Any]:
    """The document of a verdict; floats carry 12 significant digits. Its keys are the fields of `GateResult`."""
    document: dict[str, Any] = rounded(_value(result))
    document["quarantined"] = [each.scenario for each in result.quarantined]
    return document


def gate_schema() -> dict[str, Any]:
    """JSON Schema of the verdict's document, generated from its records; every key is required."""
    schema = json_schema(GateResult)
    schema["properties"]["quarantined"] = {"type": "array", "items": {"type": "string"}}
    for each in (schema, *schema["$defs"].values()):
        if "properties" in each:
            each["required"] = list(each["properties"])
    return schema


def _value(value: Any) -> Any:
    if is_dataclass(value):
        return {each.name: _value(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, (list, tuple)):
        return [_value(each) for each in value]
    return dict(value) if hasattr(value, "items") else value
