"""Whatever can be a tool: kept as it is, passed through, recorded, faulted."""

from __future__ import annotations

import asyncio
import functools
import inspect
import pickle
import typing
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from hbeval.errors import UsageError
from hbeval.model import Outcome
from hbeval.observe import tool
from tests.observe.boundary_kit import fault, only_step, run


@tool("api")
def sync_tool(order: str, hours: int = 3) -> dict[str, Any]:
    """Looks an order up."""
    return {"order": order, "hours": hours}


@tool("api")
async def async_tool(order: str, hours: int = 3) -> dict[str, Any]:
    """Looks an order up."""
    await asyncio.sleep(0)
    return {"order": order, "hours": hours}


@tool("api")
def generator_tool(order: str, hours: int = 3) -> Iterator[Any]:
    """Looks an order up."""
    yield order
    yield hours


@tool("api")
async def async_generator_tool(order: str, hours: int = 3) -> AsyncIterator[Any]:
    """Looks an order up."""
    yield order
    await asyncio.sleep(0)
    yield hours


class Depot:
    """Tools as methods."""

    def __init__(self, name: str) -> None:
        self.name = name

    @tool("api")
    def method(self, order: str, hours: int = 3) -> dict[str, Any]:
        """Looks an order up."""
        return {"order": order, "hours": hours, "depot": self.name}

    @tool("api")
    async def async_method(self, order: str, hours: int = 3) -> dict[str, Any]:
        """Looks an order up."""
        return {"order": order, "hours": hours, "depot": self.name}

    @tool("api")
    @staticmethod
    def outside_static(order: str, hours: int = 3) -> dict[str, Any]:
        """Looks an order up."""
        return {"order": order, "hours": hours}

    @staticmethod
    @tool("api")
    def inside_static(order: str, hours: int = 3) -> dict[str, Any]:
        """Looks an order up."""
        return {"order": order, "hours": hours}

    @tool("api")
    @classmethod
    def outside_class(cls, order: str, hours: int = 3) -> dict[str, Any]:
        """Looks an order up."""
        return {"order": order, "hours": hours, "class": cls.__name__}

    @classmethod
    @tool("api")
    def inside_class(cls, order: str, hours: int = 3) -> dict[str, Any]:
        """Looks an order up."""
        return {"order": order, "hours": hours, "class": cls.__name__}

    def plain(self, order: str, hours: int = 3) -> dict[str, Any]:
        """Looks an order up."""
        return {"order": order, "hours": hours}


class Callable_:  # noqa: N801
    """A callable object."""

    def __call__(self, order: str, hours: int = 3) -> dict[str, Any]:
        """Looks an order up."""
        return {"order": order, "hours": hours}


class AsyncCallable:
    """A callable object whose call is async."""

    async def __call__(self, order: str, hours: int = 3) -> dict[str, Any]:
        """Looks an order up."""
        return {"order": order, "hours": hours}


def three(depot: str, order: str, hours: int = 3) -> dict[str, Any]:
    """Looks an order up."""
    return {"order": order, "hours": hours, "depot": depot}


def _hidden(order: str, hours: int = 3) -> Any:
    return async_tool.__wrapped__(order, hours)


def once(of: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result of a tool of any kind; items of a stream as a list."""
    given = of(*args, **kwargs)
    if inspect.isawaitable(given):
        return asyncio.run(_wait_for(given))
    if inspect.isgenerator(given):
        return list(given)
    if inspect.isasyncgen(given):
        return asyncio.run(_collect(given))
    return given


async def _wait_for(given: Any) -> Any:
    return await given


async def _collect(given: Any) -> list[Any]:
    return [item async for item in given]


SINGLE = {
    "function": sync_tool,
    "async function": async_tool,
    "method": Depot("north").method,
    "async method": Depot("north").async_method,
    "static outside": Depot.outside_static,
    "static inside": Depot("north").inside_static,
    "class outside": Depot.outside_class,
    "class inside": Depot("north").inside_class,
    "bound method": tool(Depot("north").plain, "api"),
    "callable object": tool(Callable_(), "api"),
    "async callable object": tool(AsyncCallable(), "api"),
    "partial": tool(functools.partial(three, "north"), "api"),
    "partial of a partial": tool(functools.partial(functools.partial(three, "north"), hours=3), "api"),
    "partial async": tool(functools.partial(async_tool.__wrapped__, hours=3), "api"),
    "hidden async": tool(_hidden, "api"),
}
STREAMS = {"generator": generator_tool, "async generator": async_generator_tool}
ALL = {**SINGLE, **STREAMS}


@pytest.mark.parametrize("kind", ALL)
def test_outside_a_recording_a_tool_only_passes_the_call_on(kind: str) -> None:
    """Positional, by keyword, and with its own complaint about a wrong call."""
    for given in (once(ALL[kind], "A-1", hours=4), once(ALL[kind], order="A-1", hours=4)):
        assert given == ["A-1", 4] if kind in STREAMS else (given["order"], given["hours"]) == ("A-1", 4)
    with pytest.raises(TypeError, match="unexpected keyword argument 'place'"):
        once(ALL[kind], "A-1", place=3)
    if "partial" not in kind:
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'order'"):
            once(ALL[kind])


@pytest.mark.parametrize("kind", ALL)
def test_a_call_is_recorded_with_its_arguments_by_name(kind: str) -> None:
    """Defaults included; the object a method belongs to is no argument."""
    for call in (lambda: once(ALL[kind], "A-1"), lambda: once(ALL[kind], order="A-1")):
        given, trace = run(call)
        step = only_step(trace)
        assert step.action == "api"
        assert step.arguments == {"order": "A-1", "hours": 3}
        assert step.result == given
        assert step.outcome is Outcome.OK
        assert (step.started_at, step.ended_at, step.id) == (1000.0, 1000.0, "step-0")
        assert trace.tools == (ALL[kind].declaration,)


@pytest.mark.parametrize("kind", ALL)
def test_a_wrong_call_is_a_step_that_failed(kind: str) -> None:
    """An agent that makes an argument up attempted a call."""
    error, trace = run(lambda: once(ALL[kind], "A-1", place=3))
    assert isinstance(error, TypeError)
    step = only_step(trace)
    assert step.outcome is Outcome.ERROR
    assert step.error is not None
    assert step.error.kind == "TypeError"
    assert step.arguments == {"order": "A-1", "place": 3, "hours": 3}


@pytest.mark.parametrize("kind", ALL)
def test_a_missing_argument_is_recorded_too(kind: str) -> None:
    """With what was given."""
    error, trace = run(lambda: once(ALL[kind], hours=4))
    if "partial" in kind and "async" not in kind:
        return
    assert isinstance(error, TypeError)
    assert only_step(trace).arguments == {"hours": 4}


@pytest.mark.parametrize("kind", ALL)
def test_every_kind_of_tool_can_be_faulted(kind: str) -> None:
    """An error in place of the result, in the way that kind of tool raises."""
    error, trace = run(lambda: once(ALL[kind], "A-1"), fault("timeout"))
    assert isinstance(error, TimeoutError)
    step = only_step(trace)
    assert (step.outcome, step.ended_at) == (Outcome.ERROR, 1005.0)
    assert trace.faults[0].delivery == "met"


@pytest.mark.parametrize(
    ("wrapped", "test"),
    [
        (async_tool, inspect.iscoroutinefunction),
        (Depot.async_method, inspect.iscoroutinefunction),
        (SINGLE["async callable object"], inspect.iscoroutinefunction),
        (SINGLE["partial async"], inspect.iscoroutinefunction),
        (generator_tool, inspect.isgeneratorfunction),
        (async_generator_tool, inspect.isasyncgenfunction),
    ],
)
def test_a_tool_stays_of_its_kind(wrapped: Any, test: Callable[[Any], bool]) -> None:
    """For `inspect`, and so for frameworks that ask it."""
    assert test(wrapped)
    assert (
        sum(
            ask(wrapped)
            for ask in (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
        )
        == 1
    )


def test_a_tool_keeps_signature_and_metadata() -> None:
    """Name, module, docstring, annotations, signature, the way back."""
    original = sync_tool.__wrapped__
    assert inspect.signature(sync_tool) == inspect.signature(original)
    assert inspect.getfullargspec(sync_tool) == inspect.getfullargspec(original)
    assert typing.get_type_hints(sync_tool) == typing.get_type_hints(original)
    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__"):
        assert getattr(sync_tool, name) == getattr(original, name)
    assert pickle.loads(pickle.dumps(sync_tool)) is sync_tool
    assert list(inspect.signature(Depot("x").method).parameters) == ["order", "hours"]
    assert SINGLE["partial"].__doc__ == "Looks an order up."
    assert SINGLE["partial"].__module__ == __name__
    assert tool(functools.partial(three, "x")).declaration.name == "three"
    assert tool(Callable_()).declaration.name == "Callable_"


def test_all_forms_of_the_decorator_work() -> None:
    """With and without parentheses, with the name first or last, on an existing callable."""

    def found(order: str) -> str:
        return order

    assert tool(found).declaration.name == "found"
    assert tool()(found).declaration.name == "found"
    assert tool("x")(found).declaration.name == "x"
    assert tool(name="x")(found).declaration.name == "x"
    assert tool(found, "x").declaration.name == "x"
    assert tool(found, name="x").declaration.name == "x"
    assert tool(len, "length")([1, 2]) == 2


@pytest.mark.parametrize("target", [3, [1], object(), Depot, property(lambda self: 1)])
def test_what_cannot_be_called_or_is_a_class_is_no_tool(target: Any) -> None:
    """Said when wrapping, with what to give instead."""
    with pytest.raises(UsageError, match="cannot be a tool; give a function, a method"):
        tool(target)


def test_two_names_are_one_too_many() -> None:
    """Both are named."""
    with pytest.raises(UsageError, match="two names, 'a' and 'b'"):
        tool("a", "b")
    with pytest.raises(UsageError, match="tool name must be a text, got 3"):
        tool(len, 3)


def test_declaring_a_tool_anew_does_not_record_it_twice() -> None:
    """The later declaration holds."""
    again = tool(sync_tool, "other", substitutes="api")
    method = tool(Depot("south").method, "other")
    for wrapped in (again, method):
        _, trace = run(lambda wrapped=wrapped: wrapped("A-1"))
        assert only_step(trace).action == "other"
    assert again.declaration.substitutes == ("api",)


def test_a_decorator_around_a_tool_is_not_taken_for_the_tool() -> None:
    """`functools.wraps` copies attributes; the retry inside must survive another wrapping."""

    def twice(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            function(*args, **kwargs)
            return function(*args, **kwargs)

        return wrapper

    outer = tool(twice(sync_tool), "outer")
    _, trace = run(lambda: outer("A-1"))
    assert [step.action for step in trace.steps] == ["outer", "api", "api"]
    assert [step.extra.get("within") for step in trace.steps] == [None, 0, 0]


def test_odd_signatures_pass_through_unchanged() -> None:
    """Positional-only, keyword-only, any number, defaults that are foreign objects, names that Python reserves."""
    marker = object()

    def odd(a: Any, /, b: Any = marker, *more: Any, c: Any, d: Any = 4, **rest: Any) -> Any:
        return (a, b, more, c, d, rest)

    wrapped = tool(odd)
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((1,), {"c": 3}),
        ((1, 2, 5, 6), {"c": 3, "d": 7, "e": 8}),
        ((1,), {"b": 2, "c": 3, "a": 9}),
    ]
    for args, kwargs in calls:
        assert wrapped(*args, **kwargs) == odd(*args, **kwargs)
        given, trace = run(lambda args=args, kwargs=kwargs: wrapped(*args, **kwargs))
        assert given == odd(*args, **kwargs)
        assert only_step(trace).outcome is Outcome.OK
    for args, kwargs in [((), {"c": 3}), ((1,), {}), ((), {"b": 1, "c": 2}), ((1, 2), {"b": 3, "c": 4})]:
        with pytest.raises(TypeError):
            wrapped(*args, **kwargs)

    def reserved(_hb_missing: int) -> int:
        return _hb_missing

    assert tool(reserved)(3) == 3

    def only(a: int, b: int, /) -> int:
        return a + b

    assert tool(only)(1, 2) == 3
    with pytest.raises(TypeError):
        tool(only)(1)
    with pytest.raises(TypeError):
        tool(only)(1, 2, 3)


def test_a_function_that_shows_another_signature_is_called_as_it_is() -> None:
    """A wrapper's own parameters count, not those it borrows from what it wraps."""

    def inner(connection: str, order: str = "none") -> str:
        return f"{connection}:{order}"

    @functools.wraps(inner)
    def outer(*args: Any, **kwargs: Any) -> str:
        return inner("db", *args, **kwargs)

    assert tool(outer)() == "db:none"
    assert tool(outer)("A-1") == "db:A-1"

    def shown(*args: Any, **kwargs: Any) -> Any:
        return (args, kwargs)

    shown.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter("order", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=1)]
    )
    assert tool(shown)() == ((), {})
    _, trace = run(lambda: tool(shown, "s")("A-1"))
    assert only_step(trace).arguments == {"order": "A-1"}


def test_arguments_whose_comparison_is_odd_pass_through() -> None:
    """Arrays compare to arrays; nothing of ours may ask them whether they equal."""

    class Array:
        def __eq__(self, other: object) -> Any:
            raise ValueError("the truth value of an array is ambiguous")

        __hash__ = None  # type: ignore[assignment]

    array = Array()
    wrapped = tool(lambda values, more=None: values, "first")
    assert wrapped(array) is array
    given, trace = run(lambda: wrapped(array, more=array))
    assert given is array
    assert only_step(trace).outcome is Outcome.OK


def test_too_many_positional_values_are_recorded_under_the_rest() -> None:
    """And the tool's complaint reaches the agent."""
    error, trace = run(lambda: sync_tool("A-1", 3, 9))
    assert isinstance(error, TypeError)
    assert only_step(trace).arguments == {"order": "A-1", "hours": 3, "args": [9]}


def test_a_builtin_without_signature_is_a_tool_too() -> None:
    """Its positional values stand under `args`."""
    _, trace = run(lambda: tool(max, "largest")(2, 3))
    assert only_step(trace).arguments == {"args": [2, 3]}
    assert only_step(trace).result == 3
