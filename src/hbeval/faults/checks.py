"""The laws of an effect, for ours and for anyone's: `check_effect(effect)` raises AssertionError naming the law."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from hbeval.errors import InputError
from hbeval.faults.base import REQUIRED, Call, CannotApply, Effect, Parameter
from hbeval.faults.values import opened, same
from hbeval.model import dumps, loads

__all__ = ["VALUES", "check_call", "check_effect", "settings_of"]

VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -7,
    2**60,
    0.5,
    "",
    "x",
    "order 4711 leaves 2026-05-01",
    '{"eta_h": 4}',
    "[]",
    "\ud83d",
    [],
    [1],
    ["a", "b", "c"],
    [{"id": 1, "state": "open"}, {"id": 2, "state": "shut"}],
    {},
    {"a": None},
    {"note": 3},
    {"order_id": "A-1", "items": [{"sku": "s", "n": 2}], "paid": True, "total": 9.99},
    {"a": {"b": {"c": [[], {}, ""]}}},
)


def check_effect(effect: Effect, values: Iterable[Any] = VALUES) -> None:
    """All laws, for every closed setting of the effect and every value (JSON)."""
    name = effect.name
    _law(name.isidentifier() and name == name.lower(), effect, "its name is not a plain lower-case word")
    _law(bool(effect.meaning), effect, "has no meaning in words")
    for parameter in effect.parameters:
        _check_parameter(effect, parameter)
    kept = list(values)
    for settings in settings_of(effect):
        for index, value in enumerate(kept):
            check_call(effect, Call(target="t", index=index, key=f"law:{index}", parameters=settings, result=value))


def check_call(effect: Effect, call: Call) -> bool:
    """The laws of one call. Whether the effect could be applied at all."""
    if effect.interrupt is not None:
        interruption = effect.interrupt(call)
        _law(interruption == effect.interrupt(call), effect, "gives two answers to one call")
        _law(math.isfinite(interruption.wait_s) and interruption.wait_s >= 0, effect, "asks for an impossible wait")
        return True
    assert effect.alter is not None
    before = copy.deepcopy(call.result)
    try:
        altered = effect.alter(call)
    except CannotApply as refusal:
        _law(bool(str(refusal)), effect, "cannot be applied and does not say why")
        return False
    _law(same(call.result, before), effect, f"changed its input {before!r}")
    _law(_is_json(altered), effect, f"hands out what is not JSON: {altered!r}")
    _law(same(altered, effect.alter(call)), effect, "gives two results for one call")
    _law(not same(opened(altered)[0], opened(before)[0]), effect, f"changed nothing of {before!r}")
    return True


def _is_json(value: Any) -> bool:
    try:
        return same(loads(dumps(value)), value)
    except InputError:
        return False


def settings_of(effect: Effect) -> Iterator[Mapping[str, Any]]:
    """Complete parameters: every combination of words and flags; elsewhere the default, or a stand-in."""
    choices = [_choices(parameter) for parameter in effect.parameters]
    names = [parameter.name for parameter in effect.parameters]
    for chosen in product(*choices):
        yield effect.complete(dict(zip(names, chosen, strict=True)), effect.name)


def _choices(parameter: Parameter) -> tuple[Any, ...]:
    if parameter.kind == "word":
        return parameter.words
    if parameter.kind == "flag":
        return (False, True)
    if parameter.default is not REQUIRED:
        return (parameter.default,)
    low = parameter.low or 0
    stand_ins: dict[str, Any] = {"text": "a text", "number": low, "integer": int(low), "object": {}}
    return (stand_ins.get(parameter.kind),)


def _check_parameter(effect: Effect, parameter: Parameter) -> None:
    _law(bool(parameter.meaning), effect, f"{parameter.name} has no meaning in words")
    if parameter.default is not REQUIRED:
        parameter.check(parameter.default, effect.name)
    if parameter.kind == "word":
        _law(bool(parameter.words), effect, f"{parameter.name} is a word from no list")
    if parameter.kind != "json":
        _law(_refuses(parameter), effect, f"{parameter.name} takes anything")


def _refuses(parameter: Parameter) -> bool:
    try:
        parameter.check(object(), "law")
    except InputError:
        return True
    return False


def _law(holds: bool, effect: Effect, what: str) -> None:
    if not holds:
        raise AssertionError(f"effect {effect.name!r} {what}")
