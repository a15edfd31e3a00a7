"""How an agent is called, what it may answer, and what its exceptions mean."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import partial
from typing import Any, Protocol

from hbeval.battery.scenario import derived_seed
from hbeval.errors import AgentError, EnvironmentFault, HarnessError, InputError, LimitReached
from hbeval.model import Ending, dumps, loads

__all__ = ["Asked", "AskedTask", "Callee", "accepted", "ending_of"]

Answer = str | dict[str, Any] | None

_WORDS = 2000


class Asked(Protocol):
    """The part of a battery's task that an agent may see."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def domain(self) -> str: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def answer_schema(self) -> Mapping[str, Any] | None: ...  # noqa: D102


class AskedTask(str):
    """What the agent is asked: its text, with `id`, `domain` and `answer_schema` (JSON Schema or None) beside it.

    `run_seed` differs from run to run and stays the same for a scenario: for agents that throw dice of their own.
    It holds nothing else: neither the task, whose truth the agent is to find out, nor the seed of the run's faults.
    """

    __slots__ = ("_answer_schema", "domain", "id", "run_seed")

    id: str
    domain: str
    run_seed: int
    _answer_schema: Mapping[str, Any] | None

    def __new__(cls, task: Asked, seed: int = 0) -> AskedTask:  # noqa: D102  the class says it
        self = super().__new__(cls, task.text)
        self.id, self.domain, self._answer_schema = task.id, task.domain, task.answer_schema
        self.run_seed = derived_seed(seed, "agent")
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Agents copy their state, and send it to other processes."""
        return _copied, (self.text, self.id, self.domain, self._answer_schema, self.run_seed)

    @property
    def text(self) -> str:
        """The task's text as a plain string."""
        return str.__str__(self)

    @property
    def answer_schema(self) -> Mapping[str, Any] | None:
        """JSON Schema of the answer, a copy each time; None if any text will do."""
        return deepcopy(self._answer_schema)


def _copied(text: str, name: str, domain: str, answer_schema: Mapping[str, Any] | None, run_seed: int) -> AskedTask:
    task = str.__new__(AskedTask, text)
    task.id, task.domain, task._answer_schema, task.run_seed = name, domain, answer_schema, run_seed
    return task


class Callee:
    """An agent, looked at once: how to call it and whether it is asynchronous.

    A class, or a `partial` of one, is instantiated anew for each run; any other callable is shared by all. It is called
    with the task, and with the tools too if it has a parameter named `tools`, a second parameter without a
    default, or takes any number. Raises AgentError for what cannot be called so.
    """

    def __init__(self, agent: Any) -> None:
        self._agent = agent
        self._per_run = inspect.isclass(_bare(agent))
        call = _call_of(agent)
        self._passes = _tools_parameter(call, agent)
        self.is_async = inspect.iscoroutinefunction(call)
        self.reference = _reference(agent)

    def __call__(self, task: AskedTask, tools: Mapping[str, Callable[..., Any]]) -> Any:
        """Call the agent; an asynchronous one gives an awaitable."""
        agent = self._agent() if self._per_run else self._agent
        if self._passes is None:
            return agent(task)
        if self._passes == "positional":
            return agent(task, tools)
        return agent(task, tools=tools)


def accepted(answer: object) -> Answer:
    """The answer as the record holds it: text, a JSON object, or None for no answer. Raises AgentError otherwise."""
    if answer is None or type(answer) is str:
        return answer
    if isinstance(answer, str):
        return str.__str__(answer)
    if not isinstance(answer, Mapping):
        raise AgentError(f"the agent returned {type(answer).__name__}; return text, a mapping, or None for no answer")
    try:
        value: dict[str, Any] = loads(dumps(dict(answer)))
    except InputError as error:
        raise AgentError(f"the agent's answer has no JSON form: {error}; return text or plain data") from error
    except Exception as error:  # the mapping is foreign code
        raise AgentError(f"the agent's answer cannot be read ({type(error).__name__}); return plain data") from error
    return value


def ending_of(error: BaseException) -> tuple[Ending, str]:
    """What an exception that left the agent says about its run, and the words for it.

    A fault of something that hbeval depends on, also as the stated cause of the agent's own exception, makes the run
    invalid. Everything else is the agent's: it was measured, and it failed.
    """
    for each in _stated_causes(error):
        for kind, ending in _ENDINGS:
            if isinstance(each, kind):
                return ending, _words_of(each)
    words = _words_of(error)
    return Ending.AGENT_ERROR, f"{type(error).__name__}: {words}" if words else type(error).__name__


_ENDINGS = (
    (EnvironmentFault, Ending.INFRASTRUCTURE),
    (HarnessError, Ending.HARNESS_ERROR),
    (LimitReached, Ending.LIMIT),
)


def _words_of(error: BaseException) -> str:
    try:
        words = str(error)
    except BaseException as worse:  # noqa: BLE001  the exception's class is foreign code
        words = f"(its message cannot be shown: {type(worse).__name__})"
    return words if len(words) <= _WORDS else f"{words[:_WORDS]}…[{len(words) - _WORDS} characters cut]"


def _stated_causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__


def _bare(agent: Any) -> Any:
    return _bare(agent.func) if isinstance(agent, partial) else agent


def _call_of(agent: Any) -> Any:
    """The function that a call of the agent ends up in, as far as it can be seen."""
    made = _bare(agent)
    if inspect.isclass(made):
        call = next((vars(cls)["__call__"] for cls in made.__mro__ if "__call__" in vars(cls)), None)
        if call is None:
            raise AgentError(
                f"the class {made.__qualname__} has no __call__; give it one, or give an instance's method"
            )
        return partial(call, None)
    if not callable(agent):
        raise AgentError(f"{agent!r} cannot be called; an agent is a callable agent(task) or agent(task, tools)")
    if isinstance(agent, partial):
        return partial(_call_of(agent.func), *agent.args, **agent.keywords)
    return agent if inspect.isroutine(agent) else agent.__call__


def _tools_parameter(call: Any, agent: Any) -> str | None:
    """How the tools are passed: "positional", "keyword", or None for not at all."""
    try:
        parameters = list(inspect.signature(call).parameters.values())
    except (TypeError, ValueError):  # a builtin that does not say
        return None
    positional = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    anything = any(each.kind is each.VAR_POSITIONAL for each in parameters)
    if not positional and not anything:
        raise AgentError(f"{_reference(agent)} takes no task; an agent is a callable agent(task) or agent(task, tools)")
    if len(positional) > 1 and (positional[1].name == "tools" or positional[1].default is inspect.Parameter.empty):
        return "positional"
    if any(each.name == "tools" and each.kind is not each.POSITIONAL_ONLY for each in parameters[1:]):
        return "keyword"
    return "positional" if anything and len(positional) < 2 else None


def _reference(agent: Any) -> str:
    named = _bare(agent)
    if not hasattr(named, "__qualname__"):
        named = type(named)
    return f"{named.__module__}:{named.__qualname__}"
