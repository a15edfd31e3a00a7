"""`tool`: makes a function, method or other callable a tool whose calls can be recorded and faulted."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import update_wrapper
from types import MethodType
from typing import Any, Literal, TypedDict, TypeVar, Unpack, overload

from hbeval.errors import UsageError
from hbeval.faults import Raises, resolve_raises
from hbeval.observe.boundary import Boundary
from hbeval.observe.declaration import declare, doc_of, inner_of
from hbeval.observe.wrappers import wrapped

__all__ = ["tool"]

F = TypeVar("F", bound=Callable[..., Any])


class _Declared(TypedDict, total=False):
    description: str | None
    parameters: Mapping[str, Any] | None
    writes: bool | None
    substitutes: str | Iterable[str]
    verifies: str | Iterable[str]
    safeguard: str | Iterable[str]
    forbidden_when: Literal["always", "unguarded"] | Mapping[str, Any] | None
    handover: bool
    raises: Raises | None


@overload
def tool(target: F, name: str | None = None, **declared: Unpack[_Declared]) -> F: ...


@overload
def tool(target: str | None = None, name: str | None = None, **declared: Unpack[_Declared]) -> Callable[[F], F]: ...


def tool(
    target: Any = None,
    name: str | None = None,
    *,
    description: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    writes: bool | None = None,
    substitutes: str | Iterable[str] = (),
    verifies: str | Iterable[str] = (),
    safeguard: str | Iterable[str] = (),
    forbidden_when: Literal["always", "unguarded"] | Mapping[str, Any] | None = None,
    handover: bool = False,
    raises: Raises | None = None,
) -> Any:
    """A tool. Use as `@tool`, `@tool("name", …)`, or `tool(existing, "name", …)`.

    Works on functions, coroutine functions, generators, async generators, methods, static and class methods, partials
    and callable objects; the wrapper is of the same kind, with the same signature and metadata. Outside a recording
    it only passes the call on. The other arguments are the fields of `hbeval.model.ToolDeclaration`; description and
    parameters come from docstring and signature unless given. `raises` names the exception type that injected errors
    take: a class, its dotted path, or a mapping of error kinds (timeout, connection_refused, error, rate_limit) to
    these. The declaration is the wrapper's `declaration`. Raises UsageError on anything that is no tool.
    """
    if isinstance(target, str):
        if name is not None:
            raise UsageError(f"tool has two names, {target!r} and {name!r}; give one")
        target, name = None, target
    declared = {
        "description": description,
        "parameters": parameters,
        "writes": writes,
        "substitutes": substitutes,
        "verifies": verifies,
        "safeguard": safeguard,
        "forbidden_when": forbidden_when,
        "handover": handover,
    }
    types = resolve_raises(raises)
    if target is None:
        return lambda function: _made(function, name, declared, types)
    return _made(target, name, declared, types)


def _made(
    target: Any,
    name: str | None,
    declared: Mapping[str, Any],
    raises: Mapping[str, type[Exception]],
    *,
    receivers: int | None = None,
) -> Any:
    if isinstance(target, (staticmethod, classmethod)):
        receivers = 1 if isinstance(target, classmethod) else 0
        return type(target)(_made(target.__func__, name, declared, raises, receivers=receivers))
    if inspect.isclass(target) or not callable(target):
        raise UsageError(f"{target!r} cannot be a tool; give a function, a method or another callable object")
    function = _without_boundary(target)
    declaration = declare(function, name or _name_of(function), **declared)
    boundary = Boundary(function, declaration, receivers=receivers, raises=raises)
    wrapper = wrapped(boundary)
    boundary.wrapper = _with_metadata(wrapper, function)
    wrapper.declaration, wrapper.boundary = declaration, boundary
    return wrapper


def _with_metadata(wrapper: Any, function: Callable[..., Any]) -> Any:
    update_wrapper(wrapper, inner_of(function), updated=("__dict__",) if inspect.isfunction(function) else ())
    wrapper.__wrapped__ = function
    wrapper.__name__, wrapper.__doc__ = _name_of(function), doc_of(function)
    with suppress(TypeError, ValueError):  # a builtin that does not say
        wrapper.__signature__ = inspect.signature(function)
    return wrapper


def _without_boundary(target: Any) -> Any:
    """The function inside, if `target` is a tool already: declaring it anew does not record it twice."""
    boundary = getattr(target, "boundary", None)
    own = getattr(target, "__func__", target)
    if not isinstance(boundary, Boundary) or boundary.wrapper is not own:
        return target
    return MethodType(boundary.function, target.__self__) if inspect.ismethod(target) else boundary.function


def _name_of(function: Any) -> str:
    inner = inner_of(function)
    return str(getattr(inner, "__name__", None) or type(inner).__name__)
