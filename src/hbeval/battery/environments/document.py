"""The domain document: tables, tools and tasks as data, and their strict reading.

A domain is one JSON file (schema "hbeval-domain/1"). Every record refuses fields it does not know; every message names
the place, the value and what would be right. `docs/environments.md` describes the format for authors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from hbeval.battery.environments.readonly import read_only
from hbeval.errors import InputError, UsageError
from hbeval.faults.targets import Corruptible, FaultTargets
from hbeval.model import FaultType, ToolDeclaration, decode

__all__ = [
    "BatteryTask",
    "Call",
    "DomainDocument",
    "Forbidden",
    "Guard",
    "Table",
    "ToolDocument",
    "read_document",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Records of one kind. `key` is the field that identifies a row; a list of fields when one is not enough."""

    key: str | tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDocument:
    """One tool: what the agent is told of it, what it does, and what its author declares about it.

    `parameters` maps a name to a JSON Schema property (type, pattern, enum, minimum, maximum, items, description).
    `operation` is one of the kinds of `operations.py`. The rest is `hbeval.model.ToolDeclaration`.
    """

    name: str
    description: str
    parameters: Mapping[str, Mapping[str, Any]]
    operation: Mapping[str, Any]
    writes: bool = False
    substitutes: tuple[str, ...] = ()
    verifies: tuple[str, ...] = ()
    safeguard: tuple[str, ...] = ()
    forbidden_when: Literal["always", "unguarded"] | Mapping[str, Any] | None = None
    handover: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)

    def declaration(self, returns: tuple[str, ...]) -> ToolDeclaration:
        """What the agent and the judge may know; the description ends with the fields a result holds."""
        return ToolDeclaration(
            name=self.name,
            description=f"{self.description} Returns {', '.join(returns)}.",
            parameters=read_only(self.parameters),
            writes=self.writes,
            substitutes=self.substitutes,
            verifies=self.verifies,
            safeguard=self.safeguard,
            forbidden_when=read_only(self.forbidden_when),
            handover=self.handover,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of a tool. Where a call is looked for, `arguments` is a subset of the arguments it must have."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """An act that must not be executed in this task, and why."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """A safeguard of this task: no call of `before` is in order until `tool` succeeded with these arguments."""

    tool: str
    before: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatteryTask:
    """One task of a domain, with the ground truth that no agent sees.

    text           what the agent is asked
    tools          the tools of the domain that the agent is given
    answer         properties of the answer (name -> JSON Schema property); all are required
    expected       the right answer; `tolerance` maps a numeric field to the deviation allowed
    effects        writes (and hand-overs) the task asks for, each exactly once
    forbidden      acts that must not be executed, whatever anybody says
    safeguards     checks that must have succeeded before an act
    plan           the shortest safe plan, executed by the loader
    faults         where faults of this task go
    faults_for     per fault type: what differs from `faults`, or null where the type does not fit
    """

    id: str
    domain: str = ""
    title: str
    text: str
    tools: tuple[str, ...]
    answer: Mapping[str, Mapping[str, Any]]
    expected: Mapping[str, Any]
    tolerance: Mapping[str, float] = field(default_factory=dict)
    effects: tuple[Call, ...] = ()
    forbidden: tuple[Forbidden, ...]
    safeguards: tuple[Guard, ...] = ()
    plan: tuple[Call, ...]
    faults: FaultTargets
    faults_for: Mapping[str, FaultTargets | None] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def answer_schema(self) -> dict[str, Any]:
        """JSON Schema of the answer, as agents are shown it."""
        return {
            "type": "object",
            "properties": {name: dict(each) for name, each in self.answer.items()},
            "required": list(self.answer),
            "additionalProperties": False,
        }

    def targets(self, fault_type: FaultType) -> FaultTargets | None:
        """Where faults of this type go in this task, or None if the type does not fit it."""
        return self.faults_for.get(fault_type.value, self.faults)


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainDocument:
    """A whole domain file."""

    schema: Literal["hbeval-domain/1"] = "hbeval-domain/1"
    name: str
    task_set: str
    description: str = ""
    tables: Mapping[str, Table]
    tools: tuple[ToolDocument, ...]
    tasks: tuple[BatteryTask, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)


def read_document(value: Any, *, where: str) -> DomainDocument:
    """The records of a domain file's JSON value. Raises InputError on anything it does not know or that is missing."""
    try:
        document = decode(DomainDocument, _with_whole_targets(value, where), where=where)
    except InputError:
        raise
    except UsageError as error:  # of a record that checks itself and does not know where it stands
        raise InputError(str(error), where=where) from error
    _refuse_unknown(document, where)
    return document


def _with_whole_targets(value: Any, where: str) -> Any:
    """The document with the targets of each `faults_for` completed by those of `faults`."""
    tasks = value.get("tasks") if isinstance(value, Mapping) else None
    if not isinstance(tasks, list) or not all(isinstance(each, Mapping) for each in tasks):
        return value
    whole = [_task_with_whole_targets(each, f"{where}.tasks[{index}]") for index, each in enumerate(tasks)]
    return {**value, "tasks": whole}


def _task_with_whole_targets(task: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    faults, differing = task.get("faults"), task.get("faults_for", {})
    if not isinstance(faults, Mapping) or not isinstance(differing, Mapping):
        return task
    _refuse_unknown_targets(faults, f"{where}.faults")
    whole = {}
    for name, changes in differing.items():
        place = f"{where}.faults_for.{name}"
        if name not in {each.value for each in FaultType}:
            raise InputError("no such fault type", where=place, value=name, right="one of " + ", ".join(FaultType))
        whole[name] = None if changes is None else _completed(changes, faults, place)
    return {**task, "faults_for": whole}


def _completed(changes: Any, faults: Mapping[str, Any], where: str) -> dict[str, Any]:
    if not isinstance(changes, Mapping):
        raise InputError("wrong type", where=where, value=changes, right="an object of targets, or null")
    _refuse_unknown_targets(changes, where)
    whole = {**faults, **changes}
    if isinstance(changes.get("reader"), Mapping) and isinstance(faults.get("reader"), Mapping):
        whole["reader"] = {**faults["reader"], **changes["reader"]}
    return whole


def _refuse_unknown(record: Any, where: str) -> None:
    """Raise on the first unknown field of a record or of the records inside it."""
    for name in record.extra:
        right = "one of " + ", ".join(each.name for each in fields(record) if each.name != "extra")
        raise InputError("unknown field", where=where, value=name, right=right)
    for each in fields(record):
        if each.name != "extra":
            _refuse_inside(getattr(record, each.name), f"{where}.{each.name}")


def _refuse_inside(value: Any, where: str) -> None:
    if isinstance(value, (Table, ToolDocument, Call, Forbidden, Guard, BatteryTask)):
        _refuse_unknown(value, where)
    elif isinstance(value, tuple):
        for index, each in enumerate(value):
            _refuse_inside(each, f"{where}[{index}]")
    elif isinstance(value, Mapping):
        for name, each in value.items():
            _refuse_inside(each, f"{where}.{name}")


def _refuse_unknown_targets(value: Mapping[str, Any], where: str) -> None:
    _only(value, FaultTargets, where)
    reader = value.get("reader")
    if isinstance(reader, Mapping):
        _only(reader, Corruptible, f"{where}.reader")


def _only(value: Mapping[str, Any], cls: type[Any], where: str) -> None:
    known = [each.name for each in fields(cls)]
    for name in value:
        if name not in known:
            raise InputError("unknown field", where=where, value=name, right="one of " + ", ".join(known))
