"""The battery document that the public package hb-eval-sdk holds: recognised, read, never copied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hbeval.errors import InputError
from hbeval.model import FaultType, fingerprint

__all__ = ["PUBLISHED_FINGERPRINT", "import_published", "is_published", "prompts_of"]

PUBLISHED_FINGERPRINT = "ce481b32763df1ca"
_KEYS = ("domains", "fault_contexts", "fault_types", "max_scenarios", "min_scenarios", "none_fraction")


def is_published(document: Any) -> bool:
    """Whether a document has the shape of the published one, whatever its texts."""
    return isinstance(document, Mapping) and "fault_contexts" in document


def import_published(document: Any, *, where: str = "$") -> dict[str, Any]:
    """The same document, checked, ready to be written to a file that `Specification.load` reads.

    It keeps its own texts and so its own fingerprint; `PUBLISHED_FINGERPRINT` is that of release 2.11.0. It words
    faults in prompts only: it has no boundary effects. Raises InputError naming the field.
    """
    prompts_of(document, where=where)
    fingerprint(document)
    return dict(document)


def prompts_of(document: Any, *, where: str = "$") -> Mapping[FaultType | None, str]:
    """The prompt text of each fault type, None being the nominal condition."""
    if not isinstance(document, Mapping):
        raise InputError("wrong type", where=where, value=document, right="an object")
    for key in (*_KEYS, *document):
        if key not in document:
            raise InputError(f"field {key!r} is missing", where=where, right=", ".join(_KEYS))
        if key not in _KEYS:
            raise InputError("unknown field", where=where, value=key, right=", ".join(_KEYS))
    types = [each.value for each in FaultType]
    if document["fault_types"] != types:
        raise InputError(
            "other fault types", where=f"{where}.fault_types", value=document["fault_types"], right=", ".join(types)
        )
    _check_share(document["none_fraction"], f"{where}.none_fraction")
    contexts = document["fault_contexts"]
    if not isinstance(contexts, Mapping):
        raise InputError("wrong type", where=f"{where}.fault_contexts", value=contexts, right="an object")
    return {None if name == "none" else FaultType(name): _text(contexts, name, where) for name in ["none", *types]}


def _check_share(value: Any, where: str) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise InputError("share is out of range", where=where, value=value, right="a number from 0 to 1")


def _text(contexts: Mapping[str, Any], name: str, where: str) -> str:
    text = contexts.get(name)
    if not isinstance(text, str):
        raise InputError("wrong type", where=f"{where}.fault_contexts.{name}", value=text, right="a text")
    return text
