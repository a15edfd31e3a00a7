"""Arithmetic written as data: `["round", ["*", "weight_kg", "mg_per_kg"], 0]`.

A text names a field, a number stands for itself, a list applies an operator. Operators: + − (written "-") * / min max
round (value, digits), ceil (value, step), sum and count (over the rows of a list argument), band (value, then pairs of
upper bound and score; the first bound not below the value counts, null bounds everything).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from hbeval.errors import InputError

__all__ = ["ROWS", "Formula", "compiled"]

Scope = Mapping[str, Any]
Formula = Callable[[Scope], Any]

ROWS = "*rows"


def compiled(expression: Any, where: str) -> Formula:
    """The function from a scope to the expression's value. Raises InputError for what is no expression."""
    if isinstance(expression, str):
        return lambda scope: scope[expression]
    if isinstance(expression, (int, float)) and not isinstance(expression, bool):
        return lambda scope: expression
    operator = expression[0] if isinstance(expression, list) and expression else None
    if not isinstance(operator, str) or operator not in _OPERATORS:
        right = "a number, a field, or [operator, …] with an operator of " + ", ".join(_OPERATORS)
        raise InputError("not an expression", where=where, value=expression, right=right)
    return _OPERATORS[operator](expression[1:], where)


def _folding(step: Callable[[Any, Any], Any]) -> Callable[[Sequence[Any], str], Formula]:
    def build(operands: Sequence[Any], where: str) -> Formula:
        if len(operands) < 2:
            raise InputError("too few operands", where=where, value=operands, right="two or more")
        parts = [compiled(each, where) for each in operands]
        return lambda scope: reduce(step, [part(scope) for part in parts])

    return build


def _rounding(operands: Sequence[Any], where: str) -> Formula:
    value, digits = _value_and_number(operands, where)
    if digits == 0:
        return lambda scope: math.floor(value(scope) + 0.5)
    return lambda scope: round(value(scope), int(digits))


def _ceiling(operands: Sequence[Any], where: str) -> Formula:
    value, step = _value_and_number(operands, where)
    return lambda scope: math.ceil(value(scope) / step) * step


def _value_and_number(operands: Sequence[Any], where: str) -> tuple[Formula, float]:
    if len(operands) != 2 or not isinstance(operands[1], (int, float)):
        raise InputError("wrong operands", where=where, value=operands, right="[value, number]")
    return compiled(operands[0], where), operands[1]


def _summing(operands: Sequence[Any], where: str) -> Formula:
    if len(operands) != 1 or not isinstance(operands[0], str):
        raise InputError("wrong operands", where=where, value=operands, right="[field of the listed rows]")
    name = operands[0]
    return lambda scope: sum(row[name] for row in scope[ROWS])


def _counting(operands: Sequence[Any], where: str) -> Formula:
    if operands:
        raise InputError("wrong operands", where=where, value=operands, right="none")
    return lambda scope: len(scope[ROWS])


def _banding(operands: Sequence[Any], where: str) -> Formula:
    bands = operands[1] if len(operands) == 2 else None
    pairs = isinstance(bands, list) and bands and all(isinstance(each, list) and len(each) == 2 for each in bands)
    if not isinstance(bands, list) or not pairs or bands[-1][0] is not None or not all(map(_is_bound, bands)):
        right = "[value, [[bound, score], …, [null, score]]]"
        raise InputError("wrong operands", where=where, value=operands, right=right)
    value = compiled(operands[0], where)
    return lambda scope: _band(value(scope), bands)


def _is_bound(band: Sequence[Any]) -> bool:
    return band[0] is None or (isinstance(band[0], (int, float)) and not isinstance(band[0], bool))


def _band(value: float, bands: Iterable[Sequence[Any]]) -> Any:
    return next(score for bound, score in bands if bound is None or value <= bound)


_OPERATORS: dict[str, Callable[[Sequence[Any], str], Formula]] = {
    "+": _folding(lambda a, b: a + b),
    "-": _folding(lambda a, b: a - b),
    "*": _folding(lambda a, b: a * b),
    "/": _folding(lambda a, b: a / b),
    "min": _folding(min),
    "max": _folding(max),
    "round": _rounding,
    "ceil": _ceiling,
    "sum": _summing,
    "count": _counting,
    "band": _banding,
}
