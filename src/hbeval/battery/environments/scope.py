"""What operations share: the scope of a call, and the small parts that work on it."""

from __future__ import annotations

import operator
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from hbeval.battery.environments.expressions import ROWS, Formula, compiled
from hbeval.battery.environments.state import State
from hbeval.errors import InputError

__all__ = [
    "TESTS",
    "Arguments",
    "OperationBase",
    "Runner",
    "agree",
    "copied",
    "formulas_of",
    "gathered",
    "joined",
    "receipt_number",
    "requirement",
    "setting",
    "settings",
]

Arguments = Mapping[str, Any]
Runner = Callable[[State, Arguments], dict[str, Any]]

TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ge": operator.ge,
    "le": operator.le,
    "gt": operator.gt,
    "lt": operator.lt,
    "has": operator.contains,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationBase:
    """What all operations share."""

    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def result_fields(self) -> tuple[str, ...]:
        """The fields of a result, for the tool's description."""
        return tuple(self.returns)  # type: ignore[attr-defined]


def formulas_of(formulas: Mapping[str, Any], where: str) -> list[tuple[str, Formula]]:
    """Named expressions, compiled, in the document's order: a later one may use an earlier one's name."""
    return [(name, compiled(each, f"{where}.formulas.{name}")) for name, each in formulas.items()]


def settings(fields: Mapping[str, Any], where: str) -> list[tuple[str, Formula]]:
    """What a commit writes into the fields of a row."""
    return [(name, setting(each, f"{where}.{name}")) for name, each in fields.items()]


def setting(value: Any, where: str) -> Formula:
    """An expression, or a constant text written as "<<text>>"."""
    if isinstance(value, str) and value.startswith("<<") and value.endswith(">>"):
        return lambda scope: value[2:-2]
    return compiled(value, where)


def requirement(value: tuple[Any, ...], where: str) -> tuple[Callable[[Arguments], bool], str]:
    """The test of a [left, test, right, message] and its message. Raises InputError on another form."""
    known = len(value) == 4 and isinstance(value[1], str) and value[1] in TESTS
    if not known or not _is_template(value[3]):
        right = "[left, test, right, message] with a test of " + ", ".join(TESTS)
        raise InputError("not a requirement", where=where, value=value, right=right)
    left, right_side = setting(value[0], where), setting(value[2], where)
    test = TESTS[value[1]]
    return (lambda scope: test(left(scope), right_side(scope))), value[3]


def _is_template(message: Any) -> bool:
    """Whether a message can be filled in: fields of the scope in single braces."""
    try:
        return isinstance(message, str) and all(name is None or name for _, name, _, _ in Formatter().parse(message))
    except ValueError:
        return False


def joined(state: State, tables: tuple[str, ...], arguments: Arguments) -> dict[str, Any]:
    """Arguments and the fields of one row per table; arguments win. Raises LookupError for an unknown key."""
    scope = dict(arguments)
    for table in tables:
        row = state.row(table, state.key_of(table, scope))
        scope = {**row, **scope}
    return scope


def gathered(state: State, table: str, over: str, arguments: Arguments) -> dict[str, Any]:
    """Arguments and the rows that a list argument names."""
    rows = [state.row(table, (key,)) for key in arguments[over]]
    return {**arguments, ROWS: rows}


def agree(claimed: Any, known: Any, allowed: float) -> bool:
    """Whether a claim holds, figures within `allowed`."""
    if isinstance(claimed, (int, float)) and isinstance(known, (int, float)):
        return abs(claimed - known) <= allowed
    return bool(claimed == known)


def receipt_number(prefix: str, arguments: Arguments) -> str:
    """A reference number that depends on the arguments alone, so that a repeated run gets the same one."""
    text = "|".join(f"{name}={arguments[name]}" for name in sorted(arguments))
    return f"{prefix}-{zlib.crc32(text.encode('utf-8', 'surrogatepass')) % 10**6:06d}"


def copied(value: Any) -> Any:
    """A value that the caller may change without changing the table."""
    return list(value) if isinstance(value, (list, tuple)) else value
