"""What an effect is: a small record plus one function. Target and probability live on the plan, not here."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from hbeval.errors import HbevalError, InputError, UsageError
from hbeval.model import dumps

__all__ = [
    "REQUIRED",
    "Alter",
    "BoundaryError",
    "Call",
    "CannotApply",
    "Effect",
    "ErrorKind",
    "Interrupt",
    "Interruption",
    "Parameter",
]

REQUIRED: Any = ...
ErrorKind = Literal["timeout", "connection_refused", "error", "rate_limit"]

_LARGEST = sys.float_info.max


class CannotApply(HbevalError):
    """This result leaves the effect nothing to change. It becomes the fault's `failure`, never the agent's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryError:
    """What went wrong at the boundary, before it takes the type of some client's exception. Times in seconds."""

    kind: ErrorKind
    message: str
    status: int | None = None
    retry_after_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interruption:
    """What stands between the agent and the tool: a wait, then perhaps an error in place of the result.

    `carried_out`: the tool did its work before the error; only the reply is lost.
    """

    wait_s: float = 0.0
    error: BoundaryError | None = None
    carried_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Everything an effect may look at. `result` and `earlier` (first calls first) are JSON values of this tool.

    `key` is unique to (seed, plan, task, target, fault). All randomness comes from it, so what is wrong with a source
    stays the same from call to call unless an effect mixes in the `index` of the call.
    """

    target: str
    index: int = 0
    key: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    result: Any = None
    earlier: tuple[Any, ...] = ()

    def chance(self) -> random.Random:
        """A fresh generator that gives the same numbers for the same fault."""
        return random.Random(self.key)


class Interrupt(Protocol):
    """Decides what happens instead of, or before, the call."""

    def __call__(self, call: Call) -> Interruption:
        """Pure: the same call gives the same interruption."""
        ...


class Alter(Protocol):
    """Decides what the agent gets in place of `call.result`."""

    def __call__(self, call: Call) -> Any:
        """A new JSON value that differs from `call.result`, which stays untouched. Raises CannotApply."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One setting of an effect. Checked when a plan is made.

    `low` and `high` bound numbers (inclusive), `words` closes a set of words; `json` takes any JSON value, `object` a
    JSON object. A parameter whose default is REQUIRED must be given.
    """

    name: str
    kind: Literal["number", "integer", "flag", "word", "text", "object", "json"]
    meaning: str
    default: Any = REQUIRED
    low: float | None = None
    high: float | None = None
    words: tuple[str, ...] = ()

    def check(self, value: Any, where: str) -> Any:
        """The value itself. Raises InputError with the value and what would be right."""
        if value is None and self.default is None:
            return None
        if not self._fits(value):
            raise InputError("unsuitable value", where=f"{where}.{self.name}", value=value, right=self.right)
        if self.kind in ("object", "json"):
            try:
                dumps(value)
            except InputError as error:
                raise InputError(str(error), where=f"{where}.{self.name}", right=self.right) from error
        return value

    @property
    def right(self) -> str:
        """What a value should be, in words."""
        if self.words:
            return "one of " + ", ".join(self.words)
        text = {"number": "a number", "integer": "an integer", "flag": "true or false", "word": "a word"}
        bounds = [f"at least {self.low:g}"] if self.low is not None else []
        bounds += [f"at most {self.high:g}"] if self.high is not None else []
        kind = (
            text.get(self.kind)
            or {"text": "a text that is not empty", "object": "an object", "json": "a JSON value"}[self.kind]
        )
        return " ".join([kind, *([" and ".join(bounds)] if bounds else [])])

    def _fits(self, value: Any) -> bool:
        if self.kind in ("number", "integer"):
            real = isinstance(value, int) or (self.kind == "number" and isinstance(value, float))
            if not real or isinstance(value, bool) or not -_LARGEST <= value <= _LARGEST:
                return False
            return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)
        if self.kind == "word":
            return value in self.words
        types: dict[str, Any] = {"flag": bool, "text": str, "object": Mapping, "json": object}
        return isinstance(value, types[self.kind]) and value != ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One kind of fault at the tool boundary.

    Exactly one function is given: `interrupt` acts before or instead of the call, `alter` on what came back.
    `degraded` says that the agent is handed data other than the tool's own; an interruption hands out none.
    `needs_data` is false for an effect that replaces any result, also one that has no JSON form.
    `stream` says how an altering effect meets a stream: on `each` item, on the `first` one, by ending it at once
    (`none`), or by ending it after the first item (`cut`).
    """

    name: str
    meaning: str
    degraded: bool = False
    parameters: tuple[Parameter, ...] = ()
    interrupt: Interrupt | None = None
    alter: Alter | None = None
    needs_data: bool = True
    stream: Literal["each", "first", "none", "cut"] = "each"

    def __post_init__(self) -> None:
        if (self.interrupt is None) == (self.alter is None):
            raise UsageError(f"effect {self.name!r} needs exactly one function: interrupt or alter")
        if self.degraded and self.alter is None:
            raise UsageError(f"effect {self.name!r} hands out no data, so it cannot degrade it")

    def complete(self, given: Mapping[str, Any], where: str) -> dict[str, Any]:
        """All parameters, defaults filled in. Raises InputError on an unknown, missing or unsuitable one."""
        known = {each.name: each for each in self.parameters}
        for name in given:
            if name not in known:
                right = "one of " + ", ".join(known) if known else "none; this effect has no parameters"
                raise InputError(f"unknown parameter of {self.name}", where=where, value=name, right=right)
        complete = {}
        for name, each in known.items():
            value = given.get(name, each.default)
            if value is REQUIRED:
                raise InputError(f"{self.name} needs {name!r} ({each.meaning})", where=where, right=each.right)
            complete[name] = each.check(value, where)
        return complete
