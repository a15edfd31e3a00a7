"""What is to be injected in one run. A plan is checked when it is made; nothing about it can fail at a call."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from copy import copy
from dataclasses import InitVar, dataclass, field
from hashlib import sha256
from typing import Any

from hbeval.errors import InputError
from hbeval.faults.base import Call, Effect
from hbeval.faults.catalogue import BUILTIN, find
from hbeval.model import FaultType, IntendedFault, Pressure, encode

__all__ = ["FaultPlan", "PlannedFault", "PreparedFault"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFault:
    """One fault at one target.

    id           unique in its plan
    effect       the effect's name; `parameters` are its settings, the rest are defaults
    probability  chance per call, 0 to 1
    limit        at most so many calls are hit; None = no limit
    stage        position in a cascade, from 0; armed once a fault of the stage before was met. None = always armed
    pressure     what an injected instruction presses for
    """

    id: str
    type: FaultType
    target: str
    effect: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    probability: float = 1.0
    limit: int | None = None
    stage: int | None = None
    pressure: Pressure | None = None


@dataclass(frozen=True, kw_only=True)
class FaultPlan:
    """The faults of one run, and the seed of their dice.

    All faults of one target are considered at each of its calls, in the order of the plan: waits add up, altering
    effects work on what the one before left, and an error ends the call, so later faults are not considered at it.
    Faults of one target share the draw of a call. `task` enters the dice, so one plan differs from task to task.
    `effects` are those the faults may name. Raises InputError naming the fault, the field and the value.
    """

    id: str
    seed: int
    task: str | None = None
    faults: tuple[PlannedFault, ...] = ()
    effects: InitVar[tuple[Effect, ...]] = BUILTIN

    def __post_init__(self, effects: tuple[Effect, ...]) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int):
            raise InputError("seed is not an integer", where=f"plan {self.id}", value=self.seed)
        prepared = tuple(_prepared(each, f"plan {self.id}: fault {each.id}", effects) for each in self.faults)
        _check_ids(self)
        _check_stages(self)
        _check_reachable(self, prepared)
        self.__dict__["_prepared"] = prepared

    @property
    def prepared(self) -> tuple[PreparedFault, ...]:
        """The faults in order, each with its effect found and its parameters complete."""
        found: tuple[PreparedFault, ...] = self.__dict__["_prepared"]
        return found

    def with_seed(self, seed: int) -> FaultPlan:
        """The same faults under other dice. Nothing is checked or written out again."""
        self._before_seed()
        other = copy(self)
        other.__dict__["seed"] = seed
        return other

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits over everything that drives behaviour: id, seed, task and the faults in order.

        The `hbeval.model.fingerprint` of an object of those four.
        """
        text = f'{self._before_seed()}{self.seed},"task":{json.dumps(self.task)}}}'
        return sha256(text.encode("ascii")).hexdigest()[:16]

    def _before_seed(self) -> str:
        """The text that the fingerprint hashes, up to the seed."""
        text: str | None = self.__dict__.get("_text")
        if text is None:
            faults = [each.behaviour() for each in self.prepared]
            whole = json.dumps(
                {"faults": faults, "id": self.id}, sort_keys=True, separators=(",", ":"), allow_nan=False
            )
            text = self.__dict__["_text"] = f'{whole[:-1]},"seed":'
        return text


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedFault:
    """A planned fault with its effect found and its parameters complete."""

    planned: PlannedFault
    effect: Effect
    parameters: Mapping[str, Any]

    def behaviour(self) -> dict[str, Any]:
        """Everything that drives it, defaults included, as JSON."""
        planned = self.planned
        return {**encode(planned), "parameters": self.parameters, "probability": float(planned.probability)}

    def intended(self) -> IntendedFault:
        """What the record says was intended."""
        planned = self.planned
        return IntendedFault(
            effect=planned.effect,
            parameters=self.parameters,
            probability=planned.probability,
            stage=planned.stage,
        )


def _prepared(planned: PlannedFault, where: str, effects: tuple[Effect, ...]) -> PreparedFault:
    if not planned.target or not isinstance(planned.target, str):
        raise InputError("target is not a tool's name", where=f"{where}.target", value=planned.target)
    _check_probability(planned.probability, f"{where}.probability")
    _check_count(planned.limit, f"{where}.limit", least=1)
    _check_count(planned.stage, f"{where}.stage", least=0)
    effect = find(planned.effect, where=f"{where}.effect", among=effects)
    given = dict(planned.parameters)
    presses = any(each.name == "text" for each in effect.parameters)
    if planned.pressure is not None:
        if not presses:
            raise InputError(
                f"{effect.name} cannot deliver a pressure", where=f"{where}.pressure", value=planned.effect
            )
        if given.setdefault("text", planned.pressure.text) != planned.pressure.text:
            raise InputError(
                "text differs from the pressure's own", where=f"{where}.parameters.text", value=given["text"]
            )
    elif presses:
        raise InputError(f"{effect.name} needs a pressure", where=f"{where}.pressure", value=None)
    parameters = effect.complete(given, f"{where}.parameters")
    return PreparedFault(planned=planned, effect=effect, parameters=parameters)


def _check_probability(value: Any, where: str) -> None:
    real = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not real or not math.isfinite(value) or not 0 <= value <= 1:
        raise InputError("probability is out of range", where=where, value=value, right="a number from 0 to 1")


def _check_count(value: Any, where: str, *, least: int) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError("not a count", where=where, value=value, right=f"an integer of at least {least}, or null")


def _check_ids(plan: FaultPlan) -> None:
    seen: set[str] = set()
    for each in plan.faults:
        if not each.id or each.id in seen:
            raise InputError("fault id is empty or not unique", where=f"plan {plan.id}", value=each.id)
        seen.add(each.id)


def _check_stages(plan: FaultPlan) -> None:
    stages = sorted({each.stage for each in plan.faults if each.stage is not None})
    if stages != list(range(len(stages))):
        raise InputError("stages leave a gap", where=f"plan {plan.id}", value=stages, right="0, 1, 2, … without gaps")


def _check_reachable(plan: FaultPlan, prepared: tuple[PreparedFault, ...]) -> None:
    blocked: dict[str, str] = {}
    for each in prepared:
        planned = each.planned
        if planned.target in blocked:
            raise InputError(
                f"can never be met: {blocked[planned.target]} fails every call of {planned.target} before it",
                where=f"plan {plan.id}",
                value=planned.id,
                right="another target, another order, or a limit on the first",
            )
        if _blocks(each):
            blocked[planned.target] = planned.id


def _blocks(prepared: PreparedFault) -> bool:
    planned = prepared.planned
    if prepared.effect.interrupt is None or planned.limit is not None or planned.probability < 1 or planned.stage:
        return False
    return prepared.effect.interrupt(Call(target=planned.target, parameters=prepared.parameters)).error is not None
