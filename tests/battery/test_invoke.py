"""How agents are called, what they may answer, what their exceptions mean."""

from __future__ import annotations

import copy
import functools
import gc
import pickle
from collections import OrderedDict
from collections.abc import Mapping
from types import MappingProxyType, SimpleNamespace

import pytest

from hbeval.battery.invoke import AskedTask, Callee, accepted, ending_of
from hbeval.errors import AgentError, EnvironmentFault, HarnessError
from hbeval.model import Ending

ASKED = SimpleNamespace(id="shop/1", domain="shop", text="find it", answer_schema={"type": "object"})
TASK = AskedTask(ASKED, 7)
TOOLS = {"look": len}


def takes_task(task):
    return ("task", task)


def takes_both(task, tools):
    return ("both", task, tools)


def takes_optional_tools(task, tools=None):
    return ("both", task, tools)


def takes_second(task, toolbox):
    return ("both", task, toolbox)


def takes_setting(task, verbose=False):
    return ("setting", task, verbose)


def takes_keyword(task, *, tools):
    return ("both", task, tools)


def takes_any(*everything):
    return ("both", *everything)


def takes_task_and_any(task, *rest):
    return ("both", task, *rest)


def takes_named(task, **named):
    return named if named else ("task", task)


class Instance:
    """An object that is an agent."""

    def __init__(self, name="plain"):
        self.name = name

    def __call__(self, task, tools):
        """Take both."""
        return ("both", task, tools)

    def method(self, task):
        """Take the task."""
        return ("task", task)

    @classmethod
    def of_class(cls, task, tools):
        """Take both."""
        return ("both", task, tools)


@pytest.mark.parametrize(
    ("agent", "kind"),
    [
        (takes_task, "task"),
        (takes_both, "both"),
        (takes_optional_tools, "both"),
        (takes_second, "both"),
        (takes_setting, "setting"),
        (takes_keyword, "both"),
        (takes_any, "both"),
        (takes_task_and_any, "both"),
        (takes_named, "task"),
        (Instance(), "both"),
        (Instance().method, "task"),
        (Instance.of_class, "both"),
        (functools.partial(takes_both), "both"),
        (functools.partial(takes_both, tools=TOOLS), "both"),
        (functools.partial(Instance()), "both"),
        (lambda task: ("task", task), "task"),
        (Instance, "both"),
        (functools.partial(Instance, name="x"), "both"),
    ],
)
def test_an_agent_gets_the_tools_if_it_has_room_for_them(agent, kind):
    """A parameter called `tools`, a second one that must be given, or any number; settings with defaults stay."""
    result = Callee(agent)(TASK, TOOLS)
    assert result[0] == kind
    assert result[1] is TASK
    if kind == "both":
        assert result[2] is TOOLS


def test_a_class_is_made_anew_for_each_run_and_an_instance_is_shared():
    """State of one run never reaches the next unless the user hands in the object itself."""

    class Counting:
        def __init__(self, start=0):
            self.calls = start

        def __call__(self, task):
            self.calls += 1
            return str(self.calls)

    fresh, shared, set_up = Callee(Counting), Callee(Counting()), Callee(functools.partial(Counting, start=5))
    assert [fresh(TASK, TOOLS) for _ in range(2)] == ["1", "1"]
    assert [shared(TASK, TOOLS) for _ in range(2)] == ["1", "2"]
    assert [set_up(TASK, TOOLS) for _ in range(2)] == ["6", "6"]


async def asynchronous(task):
    return "x"


def gives_an_awaitable(task):
    return asynchronous(task)


class AsyncInstance:
    """An object that is an asynchronous agent."""

    async def __call__(self, task):
        """Answer."""
        return "x"


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (asynchronous, True),
        (AsyncInstance(), True),
        (AsyncInstance, True),
        (functools.partial(asynchronous), True),
        (functools.partial(AsyncInstance()), True),
        (takes_task, False),
        (Instance(), False),
        (gives_an_awaitable, False),
    ],
)
def test_asynchronous_agents_are_known_before_the_call(agent, expected):
    """Where it can be seen; a function that merely returns an awaitable is synchronous until it returns."""
    assert Callee(agent).is_async is expected


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("agent", "'agent' cannot be called"),
        (None, "None cannot be called"),
        (lambda: "x", "takes no task"),
        (type("Empty", (), {}), "the class Empty has no __call__"),
    ],
)
def test_what_is_no_agent_is_refused_before_the_first_run(agent, message):
    """Said to its author once, not once a run."""
    with pytest.raises(AgentError, match=message):
        Callee(agent)


def test_a_builtin_that_does_not_show_its_parameters_gets_the_task():
    """`max` does not say what it takes."""
    assert Callee(max)(TASK, TOOLS) == max("find it")


def test_an_agent_is_named_by_module_and_qualified_name():
    """Functions, methods, instances, partials."""
    assert Callee(takes_task).reference.endswith(":takes_task")
    assert Callee(Instance()).reference.endswith(":Instance")
    assert Callee(Instance).reference.endswith(":Instance")
    assert Callee(functools.partial(takes_both)).reference.endswith(":takes_both")


def test_the_task_is_its_text_with_the_rest_beside_it():
    """Agents that only know strings need nothing else."""
    assert TASK == "find it"
    assert f"{TASK}!" == "find it!"
    assert type(TASK.text) is str
    assert (TASK.id, TASK.domain, TASK.answer_schema) == ("shop/1", "shop", {"type": "object"})


def test_the_dice_of_an_agent_are_its_runs_own():
    """And say nothing of the seed that decides the faults."""
    other = AskedTask(ASKED, 8)
    assert TASK.run_seed != other.run_seed
    assert TASK.run_seed != 7
    assert TASK.run_seed == AskedTask(ASKED, 7).run_seed


def test_an_agent_that_looks_around_in_its_task_finds_what_it_may_see_and_nothing_else():
    """Not the truth the battery holds it against, and not the seed of its faults."""
    truth = SimpleNamespace(id="shop/1", domain="shop", text="find it", answer_schema=None, expected={"price": 1234})
    task = AskedTask(truth, 7_654_321)
    seen = {name: getattr(task, name) for name in dir(task) if not hasattr(str, name)}
    assert {"id", "domain", "text", "answer_schema", "run_seed"} <= seen.keys()
    assert not any(words in repr(seen) for words in ("1234", "7654321", "namespace"))
    assert not any(each is truth for each in gc.get_referents(task))


def test_what_an_agent_does_to_the_schema_stays_with_it():
    """Frameworks add titles and take defaults out."""
    TASK.answer_schema["type"] = "array"
    assert TASK.answer_schema == {"type": "object"}


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda task: pickle.loads(pickle.dumps(task))])
def test_a_task_can_be_copied_and_sent(way):
    """Agents copy their state and hand it to other processes."""
    other = way(TASK)
    assert type(other) is AskedTask
    assert (other, other.id, other.domain) == (TASK, TASK.id, TASK.domain)
    assert (other.answer_schema, other.run_seed) == (TASK.answer_schema, TASK.run_seed)


class Text(str):
    """A kind of text."""

    __slots__ = ()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (None, None),
        ("", ""),
        ("half \ud83d", "half \ud83d"),
        (Text("sub"), "sub"),
        ({}, {}),
        ({"a": (1, 2), 3: None}, {"a": [1, 2], "3": None}),
        (OrderedDict(b=1.5), {"b": 1.5}),
        (MappingProxyType({"x": True}), {"x": True}),
    ],
)
def test_text_and_mappings_are_answers_and_none_is_no_answer(answer, expected):
    """As plain JSON, so that the record and what is read from it are the same."""
    found = accepted(answer)
    assert found == expected
    assert type(found) is type(expected)


class Broken(Mapping):
    """A mapping that does not work."""

    def __getitem__(self, key):
        raise RuntimeError(key)

    def __iter__(self):
        raise RuntimeError("no")

    def __len__(self):
        return 1


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Broken(), r"cannot be read \(RuntimeError\)"),
        (b"bytes", "the agent returned bytes; return text, a mapping, or None"),
        (7, "the agent returned int"),
        (["a"], "the agent returned list"),
        ((each for each in "x"), "the agent returned generator"),
        ({"a": b"x"}, "no JSON form"),
        ({"a": float("nan")}, "no JSON form"),
        ({("a",): 1}, "no JSON form"),
    ],
)
def test_anything_else_is_the_agents_error(answer, message):
    """It says what came and what would do."""
    with pytest.raises(AgentError, match=message):
        accepted(answer)


def raised_from(cause: BaseException) -> BaseException:
    error = RuntimeError("outer")
    error.__cause__ = cause
    return error


class Mute(Exception):
    """An exception that cannot say what it is."""

    def __str__(self):
        raise ValueError("no words")


class Fatal(EnvironmentFault):
    """One whose words would end the program."""

    def __str__(self):
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("error", "ending", "words"),
    [
        (Fatal(), Ending.INFRASTRUCTURE, "(its message cannot be shown: KeyboardInterrupt)"),
        (ValueError("bad"), Ending.AGENT_ERROR, "ValueError: bad"),
        (KeyError("k"), Ending.AGENT_ERROR, "KeyError: 'k'"),
        (SystemExit(), Ending.AGENT_ERROR, "SystemExit"),
        (KeyboardInterrupt(), Ending.AGENT_ERROR, "KeyboardInterrupt"),
        (Mute(), Ending.AGENT_ERROR, "Mute: (its message cannot be shown: ValueError)"),
        (EnvironmentFault("no endpoint"), Ending.INFRASTRUCTURE, "no endpoint"),
        (raised_from(EnvironmentFault("no endpoint")), Ending.INFRASTRUCTURE, "no endpoint"),
        (HarnessError("ours"), Ending.HARNESS_ERROR, "ours"),
    ],
)
def test_an_exception_says_who_failed(error, ending, words):
    """The agent, what it depends on, or we."""
    assert ending_of(error) == (ending, words)


def test_long_words_are_cut_and_it_is_said():
    """An exception may quote a whole document."""
    _, words = ending_of(ValueError("x" * 10_000))
    assert len(words) < 2100
    assert words.endswith("…[8000 characters cut]")


def test_a_circle_of_causes_ends():
    """Exceptions can be their own cause."""
    error = ValueError("x")
    error.__cause__ = error
    assert ending_of(error)[0] is Ending.AGENT_ERROR
