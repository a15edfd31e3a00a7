"""Canonical bytes and digests.

`canonical_bytes` is RFC 8785 (JCS): what is signed and what content addresses rest on. `fingerprint` is the older,
published algorithm of fault specifications: first 16 hexadecimal digits of SHA-256 over JSON with sorted keys, compact
separators and ASCII escapes.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

from hbeval.errors import InputError

__all__ = ["canonical_bytes", "digest", "fingerprint"]

_LARGEST_INTEGER = 2**53 - 1
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def canonical_bytes(value: Any) -> bytes:
    """RFC 8785 bytes of a JSON value.

    Raises InputError for what JCS cannot hold: NaN, integers beyond 2^53 − 1, lone surrogates.
    """
    parts: list[str] = []
    _write(value, parts)
    try:
        return "".join(parts).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError("a lone surrogate has no canonical form", right="well-formed Unicode text") from error


def digest(value: Any) -> str:
    """SHA-256 of the canonical bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def fingerprint(document: Any) -> str:
    """The 16 hexadecimal digits that name a specification document."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def _write(value: Any, parts: list[str]) -> None:
    if value is None:
        parts.append("null")
    elif value is True:
        parts.append("true")
    elif value is False:
        parts.append("false")
    elif isinstance(value, str):
        parts.append(_string(value))
    elif isinstance(value, int):
        if abs(value) > _LARGEST_INTEGER:
            raise InputError("integer has no exact double", value=value, right="at most 2^53 - 1 in magnitude")
        parts.append(str(int(value)))
    elif isinstance(value, float):
        parts.append(_number(value))
    elif isinstance(value, Mapping):
        _write_object(value, parts)
    elif isinstance(value, (list, tuple)):
        _write_array(value, parts)
    else:
        raise InputError("not a JSON value", value=value)


def _write_object(value: Mapping[str, Any], parts: list[str]) -> None:
    for key in value:
        if not isinstance(key, str):
            raise InputError("object key is not a string", value=key)
    separator = "{"
    for key in sorted(value, key=lambda text: text.encode("utf-16-be", "surrogatepass")):
        parts.append(separator)
        parts.append(_string(key))
        parts.append(":")
        _write(value[key], parts)
        separator = ","
    parts.append("}" if value else "{}")


def _write_array(value: list[Any] | tuple[Any, ...], parts: list[str]) -> None:
    separator = "["
    for each in value:
        parts.append(separator)
        _write(each, parts)
        separator = ","
    parts.append("]" if value else "[]")


def _string(text: str) -> str:
    out = "".join(_ESCAPES.get(char) or (f"\\u{ord(char):04x}" if char < " " else char) for char in text)
    return f'"{out}"'


def _number(value: float) -> str:
    """A double as ECMAScript writes it (Number::toString)."""
    if not math.isfinite(value):
        raise InputError("number is not finite", value=value, right="a finite number or null")
    if value == 0:
        return "0"
    mantissa, _, exponent_text = f"{abs(value)!r}".partition("e")
    whole, _, decimals = mantissa.partition(".")
    digits = (whole + decimals).lstrip("0")
    point = len(whole) + int(exponent_text or 0)
    if not whole.strip("0"):
        point = int(exponent_text or 0) - (len(decimals) - len(decimals.lstrip("0")))
    digits = digits.rstrip("0")
    sign = "-" if value < 0 else ""
    return sign + _place_point(digits, point)


def _place_point(digits: str, point: int) -> str:
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    exponent = point - 1
    head = digits[0] + ("." + digits[1:] if count > 1 else "")
    return f"{head}e{'+' if exponent > 0 else '-'}{abs(exponent)}"
