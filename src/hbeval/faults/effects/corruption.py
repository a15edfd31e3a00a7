"""The tool answers in good form with data that should not be trusted: part of it, old, renamed or contradictory."""

from __future__ import annotations

from typing import Any

from hbeval.faults.base import Call, CannotApply, Effect, Parameter
from hbeval.faults.values import Path, at, objects, opened, path_of, perturb, put, same, without

__all__ = ["CONFLICTING", "PARTIAL", "SCHEMA_DRIFT", "STALE"]

_KEY = Parameter(name="key", kind="text", meaning="JSON Pointer of the field to hit; drawn if not given", default=None)


def _partial(call: Call) -> Any:
    """The named field is left out; without one, the largest list inside (else members, else text) is cut short."""
    value, close = opened(call.result)
    key = call.parameters["key"]
    if key is not None:
        try:
            path, _ = at(value, path_of(key))
            return close(without(value, path))
        except LookupError:
            pass
    path, holder = _largest(value)
    if not holder:
        raise CannotApply("the result holds nothing that could be left out")
    kept = min(len(holder) - 1, int(len(holder) * call.parameters["keep"]))
    if isinstance(holder, dict):
        return close(put(value, path, {name: holder[name] for name in list(holder)[:kept]}))
    return close(put(value, path, holder[:kept]))


def _largest(value: Any) -> tuple[Path, Any]:
    lists: list[tuple[Path, Any]] = [((), value)] if isinstance(value, list) else []
    for path, holder in objects(value):
        lists += [((*path, name), each) for name, each in holder.items() if isinstance(each, list)]
    if lists:
        path, longest = max(lists, key=lambda pair: len(pair[1]))
        if len(longest) > 1 or path == ():
            return path, longest
    return (), value if isinstance(value, (dict, str)) else None


def _stale(call: Call) -> Any:
    """The given older result, else the first earlier one of this run that differs, else figures that are off."""
    value, close = opened(call.result)
    for older in (call.parameters["value"], *call.earlier):
        if older is not None and not same(opened(older)[0], value):
            return older if isinstance(older, str) else close(older)
    return _off(call)


def _schema_drift(call: Call) -> Any:
    """The field goes by a new name wherever it stands; a result without fields moves under `value`."""
    value, close = opened(call.result)
    name = _drifting(value, call)
    if name is None:
        return close({"schema_version": 2, "value": value})
    return close(_drifted(value, name, _renamed(name)))


def _drifting(value: Any, call: Call) -> str | None:
    """The last step of `key` if the value holds it, else a drawn member of the outermost object."""
    if call.parameters["key"] is not None:
        path = path_of(call.parameters["key"])
        try:
            _, holder = at(value, path[:-1])
        except LookupError:
            holder = None
        if isinstance(holder, dict) and path[-1] in holder and _renamed(str(path[-1])) not in holder:
            return str(path[-1])
    outermost = next((holder for _, holder in objects(value)), None)
    if outermost is None:
        return None
    return call.chance().choice([name for name in outermost if _renamed(name) not in outermost])


def _renamed(name: str) -> str:
    head, *rest = name.split("_")
    camel = head + "".join(part.capitalize() for part in rest)
    return camel if camel != name else f"{name}_v2"


def _drifted(value: Any, name: str, renamed: str) -> Any:
    if isinstance(value, list):
        return [_drifted(each, name, renamed) for each in value]
    if not isinstance(value, dict):
        return value
    clash = renamed in value
    return {renamed if key == name and not clash else key: _drifted(each, name, renamed) for key, each in value.items()}


def _conflicting(call: Call) -> Any:
    """The given wrong values where the result holds those places, else figures that are off."""
    value, close = opened(call.result)
    changed = value
    for pointer, wrong in (call.parameters["values"] or {}).items():
        try:
            path, _ = at(changed, path_of(pointer))
        except LookupError:
            continue
        changed = put(changed, path, wrong)
    return close(changed) if not same(changed, value) else _off(call)


def _off(call: Call) -> Any:
    value, close = opened(call.result)
    off = perturb(value, call.chance())
    if off is None:
        raise CannotApply("the result holds no figure, date or flag that could be changed")
    return close(off)


PARTIAL = Effect(
    name="partial",
    meaning="some of the data is missing, and nothing says so",
    degraded=True,
    parameters=(
        Parameter(name="keep", kind="number", meaning="share that is kept", default=0.5, low=0, high=1),
        _KEY,
    ),
    alter=_partial,
    stream="cut",
)
STALE = Effect(
    name="stale",
    meaning="data from an earlier time, handed out as current",
    degraded=True,
    parameters=(
        Parameter(name="value", kind="json", meaning="the older result; an earlier one if not given", default=None),
    ),
    alter=_stale,
)
SCHEMA_DRIFT = Effect(
    name="schema_drift",
    meaning="a field goes by another name than it used to",
    degraded=True,
    parameters=(_KEY,),
    alter=_schema_drift,
)
CONFLICTING = Effect(
    name="conflicting",
    meaning="values that contradict what other sources say",
    degraded=True,
    parameters=(
        Parameter(
            name="values", kind="object", meaning="JSON Pointer -> wrong value; perturbed if not given", default=None
        ),
    ),
    alter=_conflicting,
)
