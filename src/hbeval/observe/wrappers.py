"""The four kinds of wrapper. Outside a recording each only passes the call on; that path is kept short."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, cast

from hbeval.observe.boundary import Boundary, call, call_async
from hbeval.observe.declaration import inner_of
from hbeval.observe.scope import CURRENT
from hbeval.observe.shortcut import shortcut
from hbeval.observe.streams import stream, stream_async

__all__ = ["wrapped"]


def wrapped(boundary: Boundary) -> Any:
    """A function of the same kind as the tool's: plain, coroutine function, generator or async generator."""
    function = boundary.function
    inner = inner_of(function)
    seen = inner if inspect.isroutine(inner) else type(inner).__call__
    if inspect.isasyncgenfunction(seen):
        return _async_generator(function, boundary)
    if inspect.isgeneratorfunction(seen):
        return _generator(function, boundary)
    if inspect.iscoroutinefunction(seen):
        return _coroutine_function(function, boundary)
    return _function(function, boundary)


def _function(function: Callable[..., Any], boundary: Boundary) -> Callable[..., Any]:
    current = CURRENT.get

    def slow(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        scope = current()
        if scope is None or scope.recorder.closed:
            return function(*args, **kwargs)
        return call(boundary, scope, args, kwargs)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if current() is None:
            return function(*args, **kwargs)
        return slow(args, kwargs)

    return shortcut(function, slow, is_async=False) or wrapper


def _coroutine_function(function: Callable[..., Any], boundary: Boundary) -> Callable[..., Any]:
    current = CURRENT.get

    async def slow(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        scope = current()
        if scope is None or scope.recorder.closed:
            return await function(*args, **kwargs)
        return await call_async(boundary, scope, args, kwargs)

    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        if current() is None:
            return await function(*args, **kwargs)
        return await slow(args, kwargs)

    return shortcut(function, slow, is_async=True) or wrapper


def _generator(function: Callable[..., Any], boundary: Boundary) -> Callable[..., Any]:
    current = CURRENT.get

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        scope = current()
        if scope is None or scope.recorder.closed:
            return (yield from function(*args, **kwargs))
        return (yield from stream(boundary, scope, args, kwargs))

    return wrapper


def _async_generator(function: Callable[..., Any], boundary: Boundary) -> Callable[..., Any]:
    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        scope = CURRENT.get()
        idle = scope is None or scope.recorder.closed
        source = function(*args, **kwargs) if idle else stream_async(boundary, cast(Any, scope), args, kwargs)
        sent: Any = None
        thrown: BaseException | None = None
        while True:
            try:
                item = await (source.asend(sent) if thrown is None else source.athrow(thrown))
            except StopAsyncIteration:
                return
            sent = thrown = None
            try:
                sent = yield item
            except GeneratorExit:
                await source.aclose()
                raise
            except BaseException as error:  # noqa: BLE001 - it is thrown into the tool, as without us
                thrown = error

    return wrapper
