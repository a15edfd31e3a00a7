"""The tool boundary for calls that give one result: injects what the plan says, records what was seen."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable, Coroutine, Mapping
from types import CoroutineType
from typing import Any

from hbeval.model import ToolDeclaration
from hbeval.observe.declaration import RECEIVERS
from hbeval.observe.live_step import LiveStep
from hbeval.observe.passage import Passage
from hbeval.observe.recorder import Recorder
from hbeval.observe.scope import CURRENT, Scope

__all__ = ["Boundary", "call", "call_async", "wait", "wait_async"]


class Boundary:
    """One wrapped tool. `names` are its positional parameters without the first `receivers`, which are no arguments."""

    __slots__ = ("declaration", "defaults", "function", "name", "names", "raises", "receivers", "rest", "wrapper")

    def __init__(
        self,
        function: Callable[..., Any],
        declaration: ToolDeclaration,
        *,
        receivers: int | None,
        raises: Mapping[str, type[Exception]],
    ) -> None:
        self.function, self.declaration, self.name = function, declaration, declaration.name
        self.raises = raises
        self.wrapper: Any = None
        names, self.rest, self.defaults = _parameters_of(function)
        self.receivers = receivers if receivers is not None else int(names[:1] in [[name] for name in RECEIVERS])
        self.names = names[self.receivers :]

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a call by parameter name, defaults included.

        Surplus positional values stand under the name of `*args`.
        """
        given = args[self.receivers :] if self.receivers else args
        named = dict(zip(self.names, given, strict=False))
        if len(given) > len(named):
            named[self.rest] = given[len(named) :]
        if kwargs:
            named.update(kwargs)
        for name, default in self.defaults.items():
            named.setdefault(name, default)
        return named


def _parameters_of(function: Callable[..., Any]) -> tuple[list[str], str, dict[str, Any]]:
    """Names of the positional parameters, the name of `*args`, and the defaults."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a builtin that does not say
        return [], "args", {}
    names = [each.name for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    rest = next((each.name for each in parameters if each.kind is each.VAR_POSITIONAL), "args")
    return names, rest, {each.name: each.default for each in parameters if each.default is not each.empty}


def call(boundary: Boundary, scope: Scope, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of a sync tool inside a recording."""
    recorder = scope.recorder
    step = recorder.open(boundary.declaration, boundary.arguments(args, kwargs), scope.within)
    hits = recorder.enter(boundary.name)
    inner = Scope(recorder, step.seq)
    passage = Passage(recorder, step, hits, boundary.raises) if hits else None
    CURRENT.set(inner)
    try:
        if passage is None:
            result = boundary.function(*args, **kwargs)
        else:
            result = _faulted(boundary, passage, recorder, args, kwargs)
    except BaseException as error:
        recorder.failed(step, error)
        raise
    finally:
        CURRENT.set(scope)
    if type(result) is CoroutineType:  # a function that does not show that it is async
        return _awaited(result, inner, step, passage)
    recorder.returned(step, result, untouched=passage is None)
    return result


async def call_async(boundary: Boundary, scope: Scope, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of an async tool inside a recording."""
    recorder = scope.recorder
    step = recorder.open(boundary.declaration, boundary.arguments(args, kwargs), scope.within)
    hits = recorder.enter(boundary.name)
    CURRENT.set(Scope(recorder, step.seq))
    try:
        if hits:
            passage = Passage(recorder, step, hits, boundary.raises)
            result = await _faulted_async(boundary, passage, recorder, args, kwargs)
        else:
            result = await boundary.function(*args, **kwargs)
    except BaseException as error:
        recorder.failed(step, error)
        raise
    finally:
        CURRENT.set(scope)
    recorder.returned(step, result, untouched=not hits)
    return result


def wait(recorder: Recorder, seconds: float) -> None:
    """Let the time pass, in a sync tool."""
    (recorder.sleep or time.sleep)(seconds)


async def wait_async(recorder: Recorder, seconds: float) -> None:
    """Let the time pass, in an async tool; the event loop goes on."""
    if recorder.sleep is not None:
        recorder.sleep(seconds)
    else:
        await asyncio.sleep(seconds)


def _faulted(
    boundary: Boundary, passage: Passage, recorder: Recorder, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    try:
        if passage.carried_out:
            boundary.function(*args, **kwargs)
        for seconds in passage.waits():
            wait(recorder, seconds)
        ending = passage.ending()
        if ending is not None:
            raise ending
        result = boundary.function(*args, **kwargs)
        return result if type(result) is CoroutineType else passage.passed(result)
    except BaseException as error:
        passage.left(error)
        raise


async def _faulted_async(
    boundary: Boundary, passage: Passage, recorder: Recorder, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    try:
        if passage.carried_out:
            await boundary.function(*args, **kwargs)
        for seconds in passage.waits():
            await wait_async(recorder, seconds)
        ending = passage.ending()
        if ending is not None:
            raise ending
        return passage.passed(await boundary.function(*args, **kwargs))
    except BaseException as error:
        passage.left(error)
        raise


async def _awaited(work: Coroutine[Any, Any, Any], inner: Scope, step: LiveStep, passage: Passage | None) -> Any:
    recorder = inner.recorder
    before = CURRENT.get()
    CURRENT.set(inner)
    try:
        result = await work
        if passage is not None:
            result = passage.passed(result)
    except BaseException as error:
        if passage is not None:
            passage.left(error)
        recorder.failed(step, error)
        raise
    finally:
        CURRENT.set(before)
    recorder.returned(step, result, untouched=passage is None)
    return result
