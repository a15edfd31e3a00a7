"""Wrappers written for one signature, because a general `*args, **kwargs` wrapper alone costs more than the bar allows.

The generated function has the tool's own parameters, so that passing a call on is one plain call. It also takes
whatever does not fit them, so that a wrong call reaches the tool, raises there and is recorded like any other.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from keyword import iskeyword
from typing import Any

from hbeval.observe.scope import CURRENT

__all__ = ["MISSING", "shortcut"]

MISSING: Any = type("Missing", (), {"__repr__": lambda self: "missing"})()

Slow = Callable[[tuple[Any, ...], dict[str, Any]], Any]

_SOURCE = """
def make(_hb_function, _hb_idle, _hb_missing, _hb_defaults, _hb_slow):
    {a}def wrapper({parameters}):
        if _hb_idle() is None{conditions}:
            return {w}_hb_function({passed})
        return {w}_hb_slow(({positional}), {{{keywords}}}, {rest}, {more})
    return wrapper
"""


def shortcut(function: Callable[..., Any], slow: Slow, *, is_async: bool) -> Callable[..., Any] | None:
    """A wrapper that calls `function` outside a recording and `slow(args, kwargs)` otherwise.

    None if the function's parameters cannot be written down: it is no plain function, or shows another signature.
    """
    if not inspect.isfunction(function) or "__signature__" in vars(function):
        return None
    parameters = list(inspect.signature(function, follow_wrapped=False).parameters.values())
    if any(iskeyword(each.name) or each.name.startswith("_hb_") for each in parameters):
        return None
    names = [each.name for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    only = sum(each.kind is each.POSITIONAL_ONLY for each in parameters)
    scope: dict[str, Any] = {}
    exec(compile(_source(parameters, is_async), "<hbeval.tool>", "exec"), scope)  # noqa: S102 - names only, checked
    defaults = {each.name: each.default for each in parameters if each.default is not each.empty}
    wrapper: Callable[..., Any] = scope["make"](function, CURRENT.get, MISSING, defaults, _sorter(names, only, slow))
    return wrapper


def _source(parameters: list[inspect.Parameter], is_async: bool) -> str:
    positional = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    keywords = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]
    rest = next((each.name for each in parameters if each.kind is each.VAR_POSITIONAL), None)
    more = next((each.name for each in parameters if each.kind is each.VAR_KEYWORD), None)
    required = [each.name for each in parameters if each.default is each.empty and each.name not in (rest, more)]
    conditions = [f" and {name} is not _hb_missing" for name in required]
    conditions += [] if rest else [" and not _hb_rest"]
    conditions += [] if more else [" and not _hb_more"]
    passed = [each.name for each in positional] + ([f"*{rest}"] if rest else [])
    passed += [f"{name}={name}" for name in keywords] + ([f"**{more}"] if more else [])
    return _SOURCE.format(
        a="async " if is_async else "",
        w="await " if is_async else "",
        parameters=", ".join(_declared(parameters, rest or "_hb_rest", more or "_hb_more")),
        conditions="".join(conditions),
        passed=", ".join(passed),
        positional="".join(f"{each.name}, " for each in positional),
        keywords="".join(f"{name!r}: {name}, " for name in keywords),
        rest=rest or "_hb_rest",
        more=more or "_hb_more",
    )


def _declared(parameters: list[inspect.Parameter], rest: str, more: str) -> list[str]:
    def one(each: inspect.Parameter) -> str:
        missing = each.default is each.empty
        return f"{each.name}={'_hb_missing' if missing else f'_hb_defaults[{each.name!r}]'}"

    only = [one(each) for each in parameters if each.kind is each.POSITIONAL_ONLY]
    either = [one(each) for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    keywords = [one(each) for each in parameters if each.kind is each.KEYWORD_ONLY]
    return [*only, *(["/"] if only else []), *either, f"*{rest}", *keywords, f"**{more}"]


def _sorter(names: list[str], only: int, slow: Slow) -> Callable[..., Any]:
    """Turns the wrapper's parameters back into the call that was made, as far as it can be told, defaults included."""

    def sort(
        given: tuple[Any, ...], keywords: Mapping[str, Any], rest: tuple[Any, ...], more: Mapping[str, Any]
    ) -> Any:
        args = given
        kwargs = {name: value for name, value in keywords.items() if value is not MISSING}
        absent = next((position for position, value in enumerate(given) if value is MISSING), None)
        if absent is not None:
            args = given[:absent]
            first = max(only, absent)
            late = zip(names[first:], given[first:], strict=True)
            kwargs.update({name: value for name, value in late if value is not MISSING})
        return slow((*args, *rest), {**kwargs, **more})

    return sort
