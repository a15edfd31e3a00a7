"""The JSON text of judged traces, written straight from the records.

What it writes reads back as what `hbeval.model.dumps` writes, and costs a third of it: a battery writes one such text
a run. The rules (defaults left out, unknown fields written back, no NaN) are those of the model's codec.
"""

from __future__ import annotations

import json
import math
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from json.encoder import encode_basestring_ascii
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hbeval.errors import InputError
from hbeval.model import JudgedTrace, ToolDeclaration
from hbeval.redaction import loose_fields

__all__ = ["Wire"]

Write = Callable[[Any], str]

_KEPT = 256


class Wire:
    """Writes judged traces. One object per journal.

    The text of a list of tool declarations, most of a small trace, is made once for as long as the same objects come.
    `loose` are those parts of the last text in which anything may stand (`hbeval.redaction.fields`): what a look for
    secrets has to look at.
    """

    def __init__(self) -> None:
        self.loose: list[str] = []
        self._writers: dict[Any, Write] = {tuple[ToolDeclaration, ...]: self._tools}
        self._kept: dict[tuple[int, ...], tuple[tuple[ToolDeclaration, ...], str]] = {}
        self._declaration = self._record(ToolDeclaration)
        self._trace = self._record(JudgedTrace)

    def text(self, judged: JudgedTrace) -> str:
        """The JSON object of one judged trace. Raises InputError for what JSON cannot hold."""
        self.loose.clear()
        try:
            return self._trace(judged)
        except (ValueError, TypeError, RecursionError) as error:
            raise InputError(f"not writable as JSON ({error})", where=judged.trace.id) from error

    def _tools(self, tools: tuple[ToolDeclaration, ...]) -> str:
        key = tuple(map(id, tools))
        known = self._kept.get(key)
        if known is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            known = self._kept[key] = tools, f"[{','.join(map(self._declaration, tools))}]"
        self.loose.append(known[1])
        return known[1]

    def _writer(self, kind: Any) -> Write:
        if kind not in self._writers:
            self._writers[kind] = self._made(kind)
        return self._writers[kind]

    def _made(self, kind: Any) -> Write:
        if kind in _PLAIN:
            return _PLAIN[kind]
        if isinstance(kind, type):
            if issubclass(kind, Enum):
                return {member: encode_basestring_ascii(member.value) for member in kind}.__getitem__
            if is_dataclass(kind):
                return self._record(kind)
        origin, args = get_origin(kind), get_args(kind)
        if origin is Literal:
            return _any
        if origin in (Union, types.UnionType):
            real = [arg for arg in args if arg is not type(None)]
            return self._optional(real[0]) if len(real) == 1 else _any
        if origin is tuple:
            item = self._writer(args[0])
            return lambda value: f"[{','.join(map(item, value))}]" if value else "[]"
        if origin is Mapping:
            kind = args[1]
            if all(each in _PLAIN or each is type(None) for each in get_args(kind) or (kind,)):
                return _any
        raise TypeError(f"there is no wire form for {kind!r}")

    def _noted(self, write: Write) -> Write:
        def write_and_note(value: Any) -> str:
            text = write(value)
            self.loose.append(text)
            return text

        return write_and_note

    def _optional(self, kind: Any) -> Write:
        item = self._writer(kind)
        return lambda value: "null" if value is None else item(value)

    def _record(self, cls: type) -> Write:
        hints, loose = get_type_hints(cls), loose_fields(cls)
        always: list[tuple[str, str, Write]] = []
        sometimes: list[tuple[str, str, Any, Write]] = []
        for each in fields(cls):
            if each.name == "extra":
                continue
            key, write = f'"{each.name}":', self._writer(hints[each.name])
            if each.name in loose:
                write = self._noted(write)
            if each.name == "schema" or (each.default is MISSING and each.default_factory is MISSING):
                always.append((key, each.name, write))
            else:
                default = each.default if each.default_factory is MISSING else each.default_factory()
                sometimes.append((key, each.name, default, write))
        keeps_extra, own = "extra" in hints, frozenset(hints)

        def write_record(record: Any) -> str:
            parts = [key + write(getattr(record, name)) for key, name, write in always]
            for key, name, default, write in sometimes:
                value = getattr(record, name)
                if value is not default and value != default:
                    parts.append(key + write(value))
            if keeps_extra and record.extra:
                extra = [f"{_any(key)}:{_any(each)}" for key, each in record.extra.items() if key not in own]
                self.loose += extra
                parts += extra
            return f"{{{','.join(parts)}}}"

        return write_record


def _encoder() -> Callable[[Any], str]:
    """A JSON encoder that is made once; the standard library makes one for each call."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode
    chunks = make(None, json.JSONEncoder().default, encode_basestring_ascii, None, ":", ",", False, False, False)
    return lambda value: "".join(chunks(value, 0))


_encode = _encoder()


def _any(value: Any) -> str:
    if type(value) is str:
        return encode_basestring_ascii(value)
    return _encode(dict(value) if isinstance(value, Mapping) else value)


def _flag(value: bool | None) -> str:
    return "null" if value is None else "true" if value else "false"


def _float(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"{value!r} is not finite; an undefined value is null")
    return repr(value)


_PLAIN: dict[Any, Write] = {Any: _any, str: encode_basestring_ascii, int: repr, float: _float, bool: _flag}
