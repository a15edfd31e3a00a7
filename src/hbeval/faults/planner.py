"""From a fault type and what a task says about its tools to a plan."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from hbeval.errors import InputError, UsageError
from hbeval.faults.effects import INJECTED_INSTRUCTION
from hbeval.faults.plan import FaultPlan, PlannedFault
from hbeval.faults.specification import Specification, Variant, VariantFault
from hbeval.faults.targets import FaultTargets
from hbeval.model import FaultType

__all__ = ["fitting_variants", "plan_for"]


def plan_for(
    fault_type: FaultType,
    targets: FaultTargets,
    *,
    seed: int,
    task: str | None,
    id: str,  # noqa: A002 - the plan's own word for it
    specification: Specification | None = None,
    variant: str | None = None,
) -> FaultPlan:
    """The plan of one scenario: a variant of the type, put on the task's tools.

    The variant is drawn from (seed, task, id) among those that fit, unless named. Fault ids are `<id>/<n>`. Without
    `specification` ours is read each time, so a battery passes the one it loaded. Raises UsageError if no variant
    fits, saying why.
    """
    specification = specification or Specification.load()
    named = _named(specification, fault_type, variant)
    open_to = [each for each in named if not targets.missing_roles(each.roles)]
    if not open_to:
        missing = dict.fromkeys(role for each in named for role in targets.missing_roles(each.roles))
        raise UsageError(
            f"{fault_type.value} does not fit task {task!r}: its targets name no {' and no '.join(missing)}"
        )
    first = _pick(f"{seed}:{task}:{id}", len(open_to))
    failure: InputError | None = None
    for chosen in open_to[first:] + open_to[:first]:
        try:
            return _plan(chosen, fault_type, targets, seed=seed, task=task, name=id)
        except InputError as error:
            failure = error
    raise UsageError(f"{fault_type.value} does not fit task {task!r}: {failure}") from failure


def fitting_variants(specification: Specification, fault_type: FaultType, targets: FaultTargets) -> tuple[Variant, ...]:
    """The variants of a type whose roles this task fills and whose faults can all be met. Empty if none does."""
    return tuple(each for each in specification.types[fault_type].variants if _fits(each, fault_type, targets))


def _fits(variant: Variant, fault_type: FaultType, targets: FaultTargets) -> bool:
    if targets.missing_roles(variant.roles):
        return False
    try:
        _plan(variant, fault_type, targets, seed=0, task=None, name="fit")
    except InputError:
        return False
    return True


def _named(specification: Specification, fault_type: FaultType, name: str | None) -> tuple[Variant, ...]:
    variants = specification.types[fault_type].variants
    if not variants:
        raise UsageError(
            f"specification {specification.id!r} words {fault_type.value} in prompts only; "
            "use its prompt(), or a specification with variants"
        )
    if name is None:
        return variants
    named = tuple(each for each in variants if each.id == name)
    if not named:
        known = ", ".join(each.id for each in variants)
        raise UsageError(f"{fault_type.value} has no variant {name!r}; it has {known}")
    return named


def _pick(key: str, count: int) -> int:
    return int.from_bytes(sha256(key.encode("utf-8", "surrogatepass")).digest()[:8], "big") % count


def _plan(
    variant: Variant, fault_type: FaultType, targets: FaultTargets, *, seed: int, task: str | None, name: str
) -> FaultPlan:
    faults = tuple(_fault(each, fault_type, targets, f"{name}/{n}") for n, each in enumerate(variant.faults))
    return FaultPlan(id=name, seed=seed, task=task, faults=faults)


def _fault(fault: VariantFault, fault_type: FaultType, targets: FaultTargets, name: str) -> PlannedFault:
    target = targets.at(fault.at)
    assert target is not None
    return PlannedFault(
        id=name,
        type=fault_type,
        target=target,
        effect=fault.effect,
        parameters={**_from_task(fault.effect, target, targets), **fault.parameters},
        probability=fault.probability,
        limit=fault.limit,
        stage=fault.stage,
        pressure=targets.pressure if fault.effect == INJECTED_INSTRUCTION.name else None,
    )


def _from_task(effect: str, target: str, targets: FaultTargets) -> dict[str, Any]:
    """The wrong data that the task's own file supplies for an effect at its reader."""
    reader = targets.reader
    if reader is None or reader.tool != target:
        return {}
    if effect == "conflicting" and reader.values:
        return {"values": reader.values}
    if effect == "stale" and reader.stale is not None:
        return {"value": reader.stale}
    if effect in ("partial", "schema_drift") and reader.key is not None:
        return {"key": reader.key}
    return {}
