"""What a domain must hold before it may measure anything: every task solvable, every fault with something to break.

The checks run the environment itself: the plan must succeed and find out the expected answer, the backup must give what
the primary gives, and the act that an attacker presses for must be executable and forbidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hbeval.battery.environments.document import BatteryTask, Call
from hbeval.battery.environments.domain import Domain
from hbeval.battery.environments.environment import Environment, Verdict, same
from hbeval.errors import InputError
from hbeval.faults.targets import FaultTargets

__all__ = ["check_domain"]


def check_domain(domain: Domain, *, where: str) -> None:
    """Raise InputError on the first thing that does not hold, naming the task and the call."""
    for position, task in enumerate(domain.tasks.values()):
        place = f"{where}.tasks[{position}] ({task.id})"
        _check_names(domain, task, place)
        _check_plan(domain, task, place)
        for name, targets in _all_targets(task):
            _check_targets(domain, task, targets, f"{place}.{name}")


def _check_names(domain: Domain, task: BatteryTask, where: str) -> None:
    for name in task.tools:
        if name not in domain.tools:
            raise InputError("no such tool", where=f"{where}.tools", value=name, right="a tool of this domain")
    named = [call.tool for call in (*task.plan, *task.effects)] + [act.tool for act in task.forbidden]
    for name in named + [each for guard in task.safeguards for each in (guard.tool, guard.before)]:
        if name not in task.tools:
            raise InputError("names a tool the task does not give", where=where, value=name, right="one of its tools")
    if task.expected.keys() != task.answer.keys():
        raise InputError("expected and answer differ in their fields", where=where, value=sorted(task.expected))
    for name in task.tolerance:
        if name not in task.expected:
            raise InputError("tolerance for a field that is not expected", where=where, value=name)
    handovers = [name for name in task.tools if domain.declarations[name].handover]
    if not handovers:
        raise InputError("no tool of the task hands over to a human", where=f"{where}.tools", value=list(task.tools))


def _check_plan(domain: Domain, task: BatteryTask, where: str) -> None:
    verdict, results = _after(domain, task, task.plan, where)
    if not verdict.success:
        trouble = [*verdict.violations, *verdict.unmet]
        raise InputError("the plan does not accomplish the task", where=f"{where}.plan", value=trouble)
    for name, right in task.expected.items():
        if not any(same(leaf, right, task.tolerance.get(name, 0.0)) for leaf in _leaves(results)):
            raise InputError("no call of the plan gives this", where=f"{where}.expected.{name}", value=right)
    if task.effects and _after(domain, task, task.plan[:-1], where)[0].success:
        raise InputError("the plan is not the shortest", where=f"{where}.plan", value=len(task.plan))


def _check_targets(domain: Domain, task: BatteryTask, targets: FaultTargets, where: str) -> None:
    reader = targets.reader.tool if targets.reader else None
    for role, name in (
        ("primary", targets.primary),
        ("backup", targets.backup),
        ("reader", reader),
        ("carrier", targets.carrier),
        ("later", targets.later),
    ):
        if name is not None and name not in task.tools:
            raise InputError("no such tool in this task", where=f"{where}.{role}", value=name, right="one of its tools")
        if name is not None and name != targets.backup and name not in [call.tool for call in task.plan]:
            right = "a tool of the plan, or the backup"
            raise InputError("nobody would call it", where=f"{where}.{role}", value=name, right=right)
    if targets.backup is not None:
        _check_backup(domain, task, targets, where)
    if targets.pressure is not None:
        _check_pressure(domain, task, targets, where)


def _check_backup(domain: Domain, task: BatteryTask, targets: FaultTargets, where: str) -> None:
    """Called as the plan calls the primary, the backup must say the same."""
    backup = targets.backup
    assert backup is not None
    if targets.primary not in domain.declarations[backup].substitutes:
        raise InputError("the backup does not declare that it substitutes the primary", where=where, value=backup)
    plan = [Call(tool=backup, arguments=c.arguments) if c.tool == targets.primary else c for c in task.plan]
    results, others = _after(domain, task, task.plan, where)[1], _after(domain, task, plan, where)[1]
    for call, result, other in zip(task.plan, results, others, strict=True):
        if _unordered(result) != _unordered(other):
            right = f"what {call.tool} gives"
            raise InputError(f"{backup} says something else", where=f"{where}.backup", value=other, right=right)


def _check_pressure(domain: Domain, task: BatteryTask, targets: FaultTargets, where: str) -> None:
    """The pressed-for act must be there to be done, forbidden, and written in the text."""
    pressure = targets.pressure
    assert pressure is not None
    act, skips = pressure.act, pressure.skips
    if act is None or act.tool not in task.tools:
        raise InputError("the pressure needs an act with a tool of the task", where=f"{where}.pressure", value=act)
    if not any(each.tool == act.tool and _within(each.arguments, act.arguments) for each in task.forbidden):
        raise InputError("the pressed-for act is not forbidden", where=f"{where}.pressure.act", value=act.arguments)
    if skips is not None and skips not in task.tools:
        raise InputError("no such tool in this task", where=f"{where}.pressure.skips", value=skips)
    if skips is not None and act.tool not in domain.declarations[skips].safeguard:
        raise InputError("what it says to skip does not guard the act", where=f"{where}.pressure.skips", value=skips)
    for name, value in act.arguments.items():
        if str(value) not in pressure.text:
            raise InputError("the text does not name an argument of its act", where=f"{where}.pressure", value=name)


def _within(narrow: Any, wide: Any) -> bool:
    return all(name in wide and wide[name] == value for name, value in narrow.items())


def _after(domain: Domain, task: BatteryTask, calls: Sequence[Call], where: str) -> tuple[Verdict, list[Any]]:
    """The verdict on the right answer after these calls, and their results."""
    environment = Environment(domain, task)
    tools, results = environment.tools(), []
    for position, call in enumerate(calls):
        try:
            results.append(tools[call.tool](**call.arguments))
        except (LookupError, ValueError, TypeError, ArithmeticError) as error:
            what = f"call of {call.tool} fails: {error}"
            raise InputError(what, where=f"{where}.plan[{position}]", value=dict(call.arguments)) from error
    return environment.check(task.expected), results


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (Mapping, list)):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _leaves(each)
    yield value


def _unordered(result: Mapping[str, Any]) -> dict[str, Any]:
    """A result whose lists are compared without their order."""
    return {name: sorted(map(repr, each)) if isinstance(each, list) else each for name, each in result.items()}


def _all_targets(task: BatteryTask) -> Iterator[tuple[str, FaultTargets]]:
    yield "faults", task.faults
    for name, targets in task.faults_for.items():
        if targets is not None:
            yield f"faults_for.{name}", targets
