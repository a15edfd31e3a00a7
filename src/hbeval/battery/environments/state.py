"""The state of one run: the domain's tables, seen through what this run has changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Executed", "Row", "State", "TableIndex"]

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TableIndex:
    """One table of the domain, shared by all runs and never changed. `rows` keeps the document's order."""

    name: str
    key: tuple[str, ...]
    rows: Mapping[tuple[Any, ...], Row]


@dataclass(frozen=True, slots=True)
class Executed:
    """A call that the environment carried out. Calls that it refused are not among them.

    `effect` is what it did beyond giving a result: changed the world, passed the case to a human, or nothing.
    """

    tool: str
    arguments: Mapping[str, Any]
    effect: Literal["write", "handover"] | None


class State:
    """Copy on write: rows come from the domain until this run replaces one. `executed` is in order of execution."""

    __slots__ = ("_changed", "_tables", "executed")

    def __init__(self, tables: Mapping[str, TableIndex]) -> None:
        self._tables = tables
        self._changed: dict[tuple[str, tuple[Any, ...]], Row] = {}
        self.executed: list[Executed] = []

    def row(self, table: str, key: tuple[Any, ...]) -> Row:
        """The row as this run sees it. Raises LookupError naming the table and the key."""
        changed = self._changed.get((table, key)) if self._changed else None
        if changed is not None:
            return changed
        row = self._tables[table].rows.get(key)
        if row is None:
            raise LookupError(f"no entry for {' / '.join(map(str, key))} in {table}")
        return row

    def rows(self, table: str) -> Iterator[Row]:
        """All rows of a table as this run sees them, in the document's order."""
        for key, row in self._tables[table].rows.items():
            yield self._changed.get((table, key), row)

    def change(self, table: str, key: tuple[Any, ...], values: Mapping[str, Any]) -> None:
        """Replace the fields of one row, for this run only."""
        self._changed[table, key] = {**self.row(table, key), **values}

    def key_of(self, table: str, scope: Mapping[str, Any]) -> tuple[Any, ...]:
        """The key that `scope` (arguments and fields read so far) holds for this table."""
        return tuple([scope[name] for name in self._tables[table].key])
