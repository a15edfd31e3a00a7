"""The one strict codec: records to JSON values to bytes, and back.

Text is ASCII with escapes, so it is valid UTF-8 whatever it holds and lone surrogates survive. NaN and infinities are
refused in both directions. A field that equals its default is left out; a field without a default is always written,
so an unknown (`None`) there is `null`. Unknown fields of a document are kept in the record's `extra` and written back.
"""

from __future__ import annotations

import json
import math
import sys
import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from hbeval.errors import InputError
from hbeval.model.measurement import Measured, Measurement, NotMeasured

__all__ = ["decode", "dumps", "encode", "loads"]

T = TypeVar("T")
Encoder = Callable[[Any], Any]
Decoder = Callable[[Any, str], Any]

_writer = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def dumps(value: Any, *, indent: int | None = None) -> str:
    """JSON text of a JSON value or a record, on one line unless `indent` is given.

    Raises InputError on NaN, an infinity or a foreign type.
    """
    if is_dataclass(value) and not isinstance(value, type):
        value = encode(value)
    try:
        if indent is None:
            return _writer.encode(value)
        return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=indent)
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"not writable as JSON ({error})") from error


def loads(text: str | bytes, *, where: str | None = None) -> Any:
    """The JSON value of a text. Raises InputError with the line and column, also for NaN and infinities.

    A number too large for a double, such as 1e400, would be read as infinity: it is refused as well.
    """
    try:
        return _reader.decode(text if isinstance(text, str) else text.decode("utf-8"))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise InputError(f"not JSON: {error.msg} at {place}", where=where) from error
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", where=where) from error
    except RecursionError as error:
        raise InputError("nested too deeply", where=where) from error
    except ValueError as error:
        raise InputError(str(error), where=where) from error


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON; write null for a value that is not defined")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text:.40} is too large for a double; write a finite number or null")
    return value


_reader = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)


def encode(record: Any) -> dict[str, Any]:
    """The JSON object of a record (a dataclass of `hbeval.model`)."""
    kind: Any = type(record)
    value: dict[str, Any] = _encoder_of(kind)(record)
    return value


def decode(cls: type[T], value: Any, *, where: str = "$") -> T:
    """The record of a JSON value. Raises InputError naming the field, its value and what would be right."""
    kind: Any = cls
    record: T = _decoder_of(kind)(value, where)
    return record


# Encoding: one function per type, built once.


@cache
def _encoder_of(kind: Hashable) -> Encoder:
    if kind is Any or kind in (str, int, bool, type(None)):
        return _same
    if kind is float:
        return _number
    if kind == Measurement or kind in (Measured, NotMeasured):
        return _encode_measurement
    if isinstance(kind, type):
        if issubclass(kind, Enum):
            return _enum_value
        if is_dataclass(kind):
            return _record_encoder(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _same
    if origin in (Union, types.UnionType):
        return _union_encoder(args)
    if origin is tuple:
        return _list_encoder(_encoder_of(args[0]))
    if origin is Mapping:
        return _mapping_encoder(_encoder_of(args[1]))
    raise TypeError(f"hbeval.model has no wire form for {kind!r}")


def _same(value: Any) -> Any:
    return value


def _enum_value(value: Any) -> Any:
    return value.value


def _number(value: float) -> float:
    if not math.isfinite(value):
        raise InputError("number is not finite; an undefined value is null", value=value)
    return value


def _list_encoder(item: Encoder) -> Encoder:
    if item is _same:
        return list
    return lambda value: [item(each) for each in value]


def _mapping_encoder(item: Encoder) -> Encoder:
    if item is _same:
        return dict
    return lambda value: {str(key): item(each) for key, each in value.items()}


def _union_encoder(args: tuple[Any, ...]) -> Encoder:
    real = [arg for arg in args if arg is not type(None)]
    if len(real) == 1:
        item = _encoder_of(real[0])
        return item if item is _same else lambda value: None if value is None else item(value)
    return lambda value: dict(value) if isinstance(value, Mapping) else value


def _record_encoder(cls: type) -> Encoder:
    hints = get_type_hints(cls)
    plan = []
    has_extra = False
    for each in fields(cls):
        if each.name == "extra":
            has_extra = True
            continue
        default = each.default if each.default_factory is MISSING else each.default_factory()
        always = default is MISSING or each.name == "schema"
        plan.append((each.name, ... if always else default, _encoder_of(hints[each.name])))

    def encode_record(record: Any) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name, default, item in plan:
            value = getattr(record, name)
            if default is ... or value != default:
                out[name] = value if item is _same else item(value)
        if has_extra and record.extra:
            for key, value in record.extra.items():
                out.setdefault(key, value)
        return out

    return encode_record


def _encode_measurement(value: Measurement) -> dict[str, Any]:
    if isinstance(value, NotMeasured):
        return {
            "value": None,
            "reason": value.reason,
            "n": value.n,
            "n_total": value.n_total,
            "k": None,
            "interval": None,
            "level": None,
            "method": None,
            "instrument": value.instrument,
        }
    return {
        "value": _number(value.value),
        "reason": value.no_interval,
        "n": value.n,
        "n_total": value.n_total,
        "k": _number(value.k),
        "interval": None if value.interval is None else [_number(end) for end in value.interval],
        "level": value.level,
        "method": value.method,
        "instrument": value.instrument,
    }


# Decoding: the same types, read strictly.


@cache
def _decoder_of(kind: Hashable) -> Decoder:
    if kind is Any:
        return lambda value, where: value
    if kind in (str, int, float, bool, type(None)):
        return _scalar_decoder(kind)
    if kind == Measurement or kind in (Measured, NotMeasured):
        return _decode_measurement
    if isinstance(kind, type):
        if issubclass(kind, Enum):
            return _enum_decoder(kind)
        if is_dataclass(kind):
            return _record_decoder(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _literal_decoder(args)
    if origin in (Union, types.UnionType):
        return _union_decoder(args)
    if origin is tuple:
        return _tuple_decoder(args)
    if origin is Mapping:
        return _mapping_decoder(args[1])
    raise TypeError(f"hbeval.model has no wire form for {kind!r}")


_LARGEST = sys.float_info.max
_NAMES = {str: "a string", int: "an integer", float: "a number", bool: "true or false", type(None): "null"}


def _scalar_decoder(kind: type) -> Decoder:
    def decode_scalar(value: Any, where: str) -> Any:
        if kind is float and type(value) in (int, float):
            if not -_LARGEST <= value <= _LARGEST:
                raise InputError("number is not finite", where=where, value=value, right="a finite number or null")
            return value
        if type(value) is not kind:
            raise InputError("wrong type", where=where, value=value, right=_NAMES[kind])
        return value

    return decode_scalar


def _enum_decoder(kind: type[Enum]) -> Decoder:
    known = {member.value: member for member in kind}

    def decode_enum(value: Any, where: str) -> Any:
        if not isinstance(value, str) or value not in known:
            raise InputError("unknown word", where=where, value=value, right="one of " + ", ".join(known))
        return known[value]

    return decode_enum


def _literal_decoder(allowed: tuple[Any, ...]) -> Decoder:
    def decode_literal(value: Any, where: str) -> Any:
        for each in allowed:
            if value == each and type(value) is type(each):
                return value
        right = " or ".join(repr(each) for each in allowed)
        raise InputError("unexpected value", where=where, value=value, right=right)

    return decode_literal


def _union_decoder(args: tuple[Any, ...]) -> Decoder:
    optional = type(None) in args
    choices = [_decoder_of(arg) for arg in args if arg is not type(None)]

    def decode_union(value: Any, where: str) -> Any:
        if value is None and optional:
            return None
        failure: InputError | None = None
        for choice in choices:
            try:
                return choice(value, where)
            except InputError as error:
                failure = failure or error
        assert failure is not None
        raise failure

    return decode_union


def _tuple_decoder(args: tuple[Any, ...]) -> Decoder:
    item = _decoder_of(args[0])
    length = None if len(args) == 2 and args[1] is Ellipsis else len(args)

    def decode_tuple(value: Any, where: str) -> Any:
        if not isinstance(value, list):
            raise InputError("wrong type", where=where, value=value, right="a list")
        if length is not None and len(value) != length:
            raise InputError("wrong length", where=where, value=value, right=f"{length} items")
        return tuple(item(each, f"{where}[{i}]") for i, each in enumerate(value))

    return decode_tuple


def _mapping_decoder(kind: Any) -> Decoder:
    item = _decoder_of(kind)

    def decode_mapping(value: Any, where: str) -> Any:
        if not isinstance(value, dict):
            raise InputError("wrong type", where=where, value=value, right="an object")
        return {key: item(each, f"{where}.{key}") for key, each in value.items()}

    return decode_mapping


def _record_decoder(cls: type) -> Decoder:
    hints = get_type_hints(cls)
    plan = {}
    required = []
    for each in fields(cls):
        if each.name == "extra":
            continue
        plan[each.name] = _decoder_of(hints[each.name])
        if each.default is MISSING and each.default_factory is MISSING:
            required.append(each.name)
    keeps_extra = "extra" in hints

    def decode_record(value: Any, where: str) -> Any:
        if not isinstance(value, dict):
            raise InputError("wrong type", where=where, value=value, right=f"an object ({cls.__name__})")
        known = {name: plan[name](each, f"{where}.{name}") for name, each in value.items() if name in plan}
        for name in required:
            if name not in known:
                raise InputError(f"field {name!r} is missing", where=where, right=f"a complete {cls.__name__}")
        extra = {name: each for name, each in value.items() if name not in plan}
        if extra and keeps_extra:
            known["extra"] = extra
        return cls(**known)

    return decode_record


def _decode_measurement(value: Any, where: str) -> Measurement:
    if not isinstance(value, dict):
        raise InputError("wrong type", where=where, value=value, right="an object (measurement)")
    optional_number = _decoder_of(float | None)
    number = optional_number(value.get("value"), f"{where}.value")
    n = _decoder_of(int)(value.get("n"), f"{where}.n")
    n_total = _decoder_of(int)(value.get("n_total", n), f"{where}.n_total")
    instrument = _decoder_of(str)(value.get("instrument"), f"{where}.instrument")
    reason = _decoder_of(str | None)(value.get("reason"), f"{where}.reason")
    if number is None:
        if not reason:
            raise InputError("a null value needs a reason", where=where, value=reason, right="a sentence")
        return NotMeasured(reason=reason, n=n, n_total=n_total, instrument=instrument)
    interval = _decoder_of(tuple[float, float] | None)(value.get("interval"), f"{where}.interval")
    return Measured(
        value=number,
        n=n,
        n_total=n_total,
        k=_decoder_of(float)(value.get("k"), f"{where}.k"),
        interval=interval,
        level=_decoder_of(float)(value.get("level"), f"{where}.level"),
        method=_decoder_of(str)(value.get("method"), f"{where}.method"),
        instrument=instrument,
        no_interval=reason,
    )
