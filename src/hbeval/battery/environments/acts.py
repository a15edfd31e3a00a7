"""Operations that do something: commit a change, hand over to a human."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hbeval.battery.environments.scope import (
    Arguments,
    OperationBase,
    Runner,
    copied,
    joined,
    receipt_number,
    requirement,
    settings,
)
from hbeval.battery.environments.state import State

__all__ = ["Commit", "Handover"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(OperationBase):
    """A write: the rows of `tables` must exist, every `requires` ([left, test, right, message]) must hold.

    `changes` maps a table to the fields it changes in the row found (field -> expression; a text in double brackets,
    "<<booked>>", is a text). `receipt` names the result's field for a reference number and the number's prefix.
    """

    kind: Literal["commit"]
    tables: tuple[str, ...] = ()
    requires: tuple[tuple[Any, ...], ...] = ()
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    receipt: tuple[str, str]
    returns: tuple[str, ...] = ()

    @property
    def result_fields(self) -> tuple[str, ...]:
        """The fields of a result, for the tool's description."""
        return (self.receipt[0], *self.returns)

    def runner(self, where: str) -> Runner:
        """The function that carries the operation out."""
        tables, returns = self.tables, self.returns
        requires = [requirement(each, f"{where}.requires") for each in self.requires]
        changes = {table: settings(fields, f"{where}.changes.{table}") for table, fields in self.changes.items()}
        receipt_field, prefix = self.receipt

        def run(state: State, arguments: Arguments) -> dict[str, Any]:
            scope = joined(state, tables, arguments)
            for holds, message in requires:
                if not holds(scope):
                    raise ValueError(message.format_map(scope))
            for table, written in changes.items():
                values = {name: value(scope) for name, value in written}
                state.change(table, state.key_of(table, scope), values)
                scope.update(values)
            scope[receipt_field] = receipt_number(prefix, arguments)
            return {name: copied(scope[name]) for name in (receipt_field, *returns)}

        return run


@dataclass(frozen=True, slots=True, kw_only=True)
class Handover(OperationBase):
    """Passes the case to a human. `receipt` as for a commit; `returns` are arguments given back."""

    kind: Literal["handover"]
    receipt: tuple[str, str]
    returns: tuple[str, ...] = ()

    @property
    def result_fields(self) -> tuple[str, ...]:
        """The fields of a result, for the tool's description."""
        return (self.receipt[0], *self.returns)

    def runner(self, where: str) -> Runner:
        """The function that carries the operation out."""
        (receipt_field, prefix), returns = self.receipt, self.returns

        def run(state: State, arguments: Arguments) -> dict[str, Any]:
            return {receipt_field: receipt_number(prefix, arguments), **{name: arguments[name] for name in returns}}

        return run
