"""Takes secrets and personal data out of records and JSON values."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Generic, NamedTuple, TypeVar

from hbeval.errors import InputError
from hbeval.model import ToolDeclaration
from hbeval.redaction.fields import loose_fields
from hbeval.redaction.placeholders import Placeholders
from hbeval.redaction.texts import Known
from hbeval.redaction.values import Look, Take, Visit

__all__ = ["Redacted", "redact"]

T = TypeVar("T")


class Redacted(NamedTuple, Generic[T]):
    """A record or value without what must not be kept, and how often each rule took something out.

    If nothing was, `value` is the very object that was given.
    """

    value: T
    counts: Mapping[str, int]


def redact(value: T) -> Redacted[T]:
    """A record of the model, in which only loose fields are looked at (`hbeval.redaction.fields`), or a JSON value.

    Within it the same value gets the same placeholder. First comes what keys give away, then the taking out: a secret
    is taken out where it stands before its key, too. Raises InputError for what is nested too deeply.
    """
    through = _each_loose if is_dataclass(value) else _whole
    known, placeholders = Known(), Placeholders()
    look, take = Look(known, placeholders), Take(known, placeholders)
    try:
        through(value, look.at)
        made = through(value, take.out_of)
    except RecursionError as error:
        raise InputError("nested too deeply to be searched for secrets") from error
    counts = placeholders.counts
    return Redacted(made if counts else value, dict(sorted(counts.items())))


def _whole(value: Any, visit: Visit) -> Any:
    return visit(value, schema=False)


def _each_loose(record: Any, visit: Visit) -> Any:
    """The record with its loose fields visited; the same object if none changed."""
    loose = loose_fields(type(record))
    changed = {}
    for each in fields(record):
        value = getattr(record, each.name)
        if each.name in loose:
            new = visit(value, schema=isinstance(record, ToolDeclaration) and each.name == "parameters")
        elif is_dataclass(value):
            new = _each_loose(value, visit)
        elif isinstance(value, tuple) and value and is_dataclass(value[0]):
            members = tuple([_each_loose(member, visit) for member in value])
            new = value if all(map(operator.is_, members, value)) else members
        else:
            continue
        if new is not value:
            changed[each.name] = new
    return replace(record, **changed) if changed else record
