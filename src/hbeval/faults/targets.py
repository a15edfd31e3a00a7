"""What a plan must know about a task's environment: which tools faults may be put on, and what wrong data looks like.

Task files fill these records: `hbeval.model.decode(FaultTargets, document, where=…)` reads them strictly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from hbeval.errors import UsageError
from hbeval.model import Pressure

__all__ = ["ROLES", "Corruptible", "FaultTargets", "Role"]

Role = Literal["primary", "backup", "reader", "carrier", "later"]
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corruptible:
    """A tool whose results carry data the task rests on, and the wrong data that may be handed out instead.

    tool      the tool's name
    values    JSON Pointer into the tool's result (RFC 6901) -> a wrong but plausible value. Pointers that a given
              result does not hold are passed over; if it holds none, figures of the result are perturbed instead
    stale     a whole older result of this tool; None = an earlier result of the run, else the figures are perturbed
    key       JSON Pointer to the field that schema drift renames and partial data leaves out; None = the first one
    """

    tool: str
    values: Mapping[str, Any] = field(default_factory=dict)
    stale: Any = None
    key: str | None = None

    def __post_init__(self) -> None:
        pointers = [*self.values, *([] if self.key is None else [self.key])]
        for pointer in pointers:
            if pointer and not pointer.startswith("/"):
                raise UsageError(f"{self.tool}: {pointer!r} is not a JSON Pointer; write '/{pointer}'")


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultTargets:
    """Where the faults of one task go. Tools are named by the name the agent sees.

    primary    the tool the task's shortest path needs; it gets tool failures, flakiness and the first cascade stage
    backup     a tool that can meet the primary's purpose; second cascade stage. None = the task has none
    reader     the tool whose data may be corrupted. None = context corruption does not fit this task
    pressure   the instruction that reaches the agent through data: its text, the act it presses for (`Act(tool,
               arguments)`, a subset of the arguments) and the safeguard tool it says to skip. None = no pressure
    carrier    the tool whose result delivers the pressure; None = the reader's tool, else the primary
    later      a tool needed after the primary's purpose is met; a cascade fails it when there is no backup

    A fault type fits a task if `plan_for` finds every role it needs; `missing_roles` says which are absent.
    """

    primary: str
    backup: str | None = None
    reader: Corruptible | None = None
    pressure: Pressure | None = None
    carrier: str | None = None
    later: str | None = None

    def at(self, role: Role) -> str | None:
        """The tool that plays this role in the task, or None."""
        if role == "reader":
            return self.reader.tool if self.reader else None
        if role == "carrier":
            return self._carrier()
        return {"primary": self.primary, "backup": self.backup, "later": self.later}[role]

    def missing_roles(self, roles: tuple[Role, ...]) -> tuple[Role, ...]:
        """Those of `roles` that this task does not fill, in the order given."""
        return tuple(role for role in roles if self.at(role) is None)

    def _carrier(self) -> str | None:
        if self.pressure is None:
            return None
        return self.carrier or self.at("reader") or self.primary
