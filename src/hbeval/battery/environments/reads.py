"""Operations that only tell something: read, search, verify, total."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hbeval.battery.environments.scope import (
    TESTS,
    Arguments,
    OperationBase,
    Runner,
    agree,
    copied,
    formulas_of,
    gathered,
    joined,
    setting,
)
from hbeval.battery.environments.state import State
from hbeval.errors import InputError

__all__ = ["Read", "Search", "Total", "Verify"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read(OperationBase):
    """Joins the rows of `tables` (keys taken from arguments and fields read before) and computes `formulas`."""

    kind: Literal["read"]
    tables: tuple[str, ...]
    formulas: Mapping[str, Any] = field(default_factory=dict)
    returns: tuple[str, ...]

    def runner(self, where: str) -> Runner:
        """The function that carries the operation out."""
        tables, returns, formulas = self.tables, self.returns, formulas_of(self.formulas, where)

        def run(state: State, arguments: Arguments) -> dict[str, Any]:
            scope = joined(state, tables, arguments)
            for name, formula in formulas:
                scope[name] = formula(scope)
            return {name: copied(scope[name]) for name in returns}

        return run


@dataclass(frozen=True, slots=True, kw_only=True)
class Search(OperationBase):
    """Rows of `table` whose fields stand to the arguments as `where` says: [field, test, parameter or "<<text>>"].

    `order` lists fields, "-" in front for descending. The result is {"matches": […], "count": n}.
    """

    kind: Literal["search"]
    table: str
    where: tuple[tuple[str, str, str], ...]
    order: tuple[str, ...] = ()
    returns: tuple[str, ...]

    def runner(self, where: str) -> Runner:
        """The function that carries the operation out."""
        for index, (_, test, _) in enumerate(self.where):
            if test not in TESTS:
                right = "one of " + ", ".join(TESTS)
                raise InputError("no such test", where=f"{where}.where[{index}]", value=test, right=right)
        tests = [(name, TESTS[test], setting(wanted, where)) for name, test, wanted in self.where]
        table, returns, order = self.table, self.returns, self.order

        def run(state: State, arguments: Arguments) -> dict[str, Any]:
            found = [
                row
                for row in state.rows(table)
                if all(test(row[name], wanted(arguments)) for name, test, wanted in tests)
            ]
            for name in reversed(order):
                found.sort(key=lambda row, name=name: row[name.lstrip("-")], reverse=name.startswith("-"))  # type: ignore[misc]
            matches = [{name: copied(row[name]) for name in returns} for row in found]
            return {"matches": matches, "count": len(matches)}

        return run


@dataclass(frozen=True, slots=True, kw_only=True)
class Verify(OperationBase):
    """Compares the arguments named in `compare` with what `tables` (and `formulas`) hold.

    The result is {"confirmed": bool, …returns}; `tolerance` is the deviation allowed in figures.
    """

    kind: Literal["verify"]
    tables: tuple[str, ...]
    compare: tuple[str, ...]
    over: str | None = None
    tolerance: float = 0.0
    formulas: Mapping[str, Any] = field(default_factory=dict)
    returns: tuple[str, ...]

    @property
    def result_fields(self) -> tuple[str, ...]:
        """The fields of a result, for the tool's description."""
        return ("confirmed", *self.returns)

    def runner(self, where: str) -> Runner:
        """The function that carries the operation out."""
        tables, compare, returns, allowed = self.tables, self.compare, self.returns, self.tolerance
        over, formulas = self.over, formulas_of(self.formulas, where)

        def run(state: State, arguments: Arguments) -> dict[str, Any]:
            claimed = {name: arguments[name] for name in compare}
            known = {name: value for name, value in arguments.items() if name not in claimed}
            scope = joined(state, tables, known) if over is None else gathered(state, tables[0], over, known)
            for name, formula in formulas:
                scope[name] = formula(scope)
            confirmed = all(agree(claimed[name], scope[name], allowed) for name in compare)
            return {"confirmed": confirmed, **{name: copied(scope[name]) for name in returns}}

        return run


@dataclass(frozen=True, slots=True, kw_only=True)
class Total(OperationBase):
    """Figures over the rows of `table` that the list argument `over` names; `formulas` use "sum" and "count"."""

    kind: Literal["total"]
    table: str
    over: str
    formulas: Mapping[str, Any]
    returns: tuple[str, ...]

    def runner(self, where: str) -> Runner:
        """The function that carries the operation out."""
        table, over, returns, formulas = self.table, self.over, self.returns, formulas_of(self.formulas, where)

        def run(state: State, arguments: Arguments) -> dict[str, Any]:
            scope = gathered(state, table, over, arguments)
            for name, formula in formulas:
                scope[name] = formula(scope)
            return {name: copied(scope[name]) for name in returns}

        return run
