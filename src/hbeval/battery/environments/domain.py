"""A domain ready to run: its tables indexed, its tools built and wrapped once, its tasks at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hbeval.battery.environments.document import BatteryTask, DomainDocument, Table, ToolDocument
from hbeval.battery.environments.operations import read_operation
from hbeval.battery.environments.parameters import checker, signature
from hbeval.battery.environments.scope import Runner
from hbeval.battery.environments.state import Executed, State, TableIndex
from hbeval.errors import InputError, UsageError
from hbeval.model import ToolDeclaration
from hbeval.observe import tool as observed

__all__ = ["Domain", "build_domain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """A domain and everything its environments share. Nothing in it changes while runs go on.

    tools      name -> function(state, …arguments), already wrapped by `hbeval.observe.tool`
    declarations   name -> what agent and judge are told of the tool
    document   the JSON value it was read from, for digests
    """

    name: str
    task_set: str
    tables: Mapping[str, TableIndex]
    tools: Mapping[str, Callable[..., Any]]
    declarations: Mapping[str, ToolDeclaration]
    tasks: Mapping[str, BatteryTask]
    document: Mapping[str, Any]

    def task(self, task_id: str) -> BatteryTask:
        """The task of that id. Raises UsageError with the ids there are."""
        try:
            return self.tasks[task_id]
        except KeyError:
            known = ", ".join(self.tasks)
            raise UsageError(f"domain {self.name} has no task {task_id!r}; its tasks are {known}") from None


def build_domain(document: DomainDocument, value: Mapping[str, Any], *, where: str) -> Domain:
    """The domain of a document (`value` is its JSON). Raises InputError on what does not fit together."""
    tables = {name: _index(name, table, f"{where}.tables.{name}") for name, table in document.tables.items()}
    tools: dict[str, Callable[..., Any]] = {}
    declarations: dict[str, ToolDeclaration] = {}
    for position, each in enumerate(document.tools):
        place = f"{where}.tools[{position}]"
        if each.name in tools:
            raise InputError("tool name is not unique", where=place, value=each.name)
        function, declaration = _built(each, place)
        try:
            tools[each.name], declarations[each.name] = _wrapped(function, declaration), declaration
        except UsageError as error:
            raise InputError(str(error), where=place) from error
    tasks: dict[str, BatteryTask] = {}
    for position, task in enumerate(document.tasks):
        if task.id in tasks:
            raise InputError("task id is not unique", where=f"{where}.tasks[{position}].id", value=task.id)
        tasks[task.id] = task
    return Domain(
        name=document.name,
        task_set=document.task_set,
        tables=tables,
        tools=tools,
        declarations=declarations,
        tasks=tasks,
        document=value,
    )


def _index(name: str, table: Table, where: str) -> TableIndex:
    key = (table.key,) if isinstance(table.key, str) else table.key
    rows: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for position, row in enumerate(table.rows):
        missing = [field for field in key if field not in row]
        if missing:
            raise InputError("row without its key", where=f"{where}.rows[{position}]", value=missing[0])
        found = tuple([row[field] for field in key])
        if any(isinstance(each, (dict, list)) for each in found):
            place = f"{where}.rows[{position}]"
            raise InputError("a key is a text or a number", where=place, value=found, right="no object and no list")
        if found in rows:
            raise InputError("key is not unique", where=f"{where}.rows[{position}]", value=found)
        rows[found] = row
    return TableIndex(name, key, rows)


def _built(document: ToolDocument, where: str) -> tuple[Callable[..., Any], ToolDeclaration]:
    operation = read_operation(document.operation, f"{where}.operation")
    declaration = document.declaration(operation.result_fields)
    function = _function(
        declaration,
        operation.runner(f"{where}.operation"),
        checker(document.parameters, f"{where}.parameters"),
        effect="write" if document.writes else "handover" if document.handover else None,
    )
    return function, declaration


def _function(
    declaration: ToolDeclaration,
    run: Runner,
    check: Callable[[dict[str, Any]], None],
    *,
    effect: Literal["write", "handover"] | None,
) -> Callable[..., Any]:
    """A Python function as if written by hand: name, docstring, signature, and the state as its first argument."""
    name, names = declaration.name, tuple(declaration.parameters)

    def call(self: State, /, *given: Any, **arguments: Any) -> dict[str, Any]:
        if given:
            arguments = _named(name, names, given, arguments)
        check(arguments)
        result = run(self, arguments)
        self.executed.append(Executed(name, arguments, effect))
        return result

    call.__name__ = call.__qualname__ = name
    call.__doc__ = declaration.description
    call.__signature__ = signature(declaration.parameters, "self")  # type: ignore[attr-defined]
    return call


def _named(tool: str, names: tuple[str, ...], given: tuple[Any, ...], arguments: Mapping[str, Any]) -> dict[str, Any]:
    if len(given) > len(names):
        raise TypeError(f"{tool} takes {len(names)} arguments, got {len(given)}")
    named = dict(zip(names, given, strict=False))
    twice = [name for name in named if name in arguments]
    if twice:
        raise TypeError(f"{tool} got {twice[0]} twice")
    return {**named, **arguments}


def _wrapped(function: Callable[..., Any], declaration: ToolDeclaration) -> Callable[..., Any]:
    return observed(
        function,
        declaration.name,
        description=declaration.description,
        parameters=declaration.parameters,
        writes=declaration.writes,
        substitutes=declaration.substitutes,
        verifies=declaration.verifies,
        safeguard=declaration.safeguard,
        forbidden_when=declaration.forbidden_when,
        handover=declaration.handover,
    )
