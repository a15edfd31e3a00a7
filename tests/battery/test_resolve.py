"""From a reference to an agent, and what is said of one that leads nowhere."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hbeval.battery.agents import adapt
from hbeval.battery.agents.react import ReactAgent
from hbeval.battery.agents.remote import CommandAgent, UrlAgent
from hbeval.battery.resolve import resolve
from hbeval.errors import UsageError


def test_a_module_and_attribute_lead_to_the_object() -> None:
    """Sync, async, nested: whatever can be called."""
    assert resolve("hbeval.battery.agents:adapt") is adapt
    assert resolve("hbeval.battery.agents.worker:Worker.work").__name__ == "work"


def test_the_current_directory_is_looked_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a user expects of a command, and without leaving a trace in the search path."""
    (tmp_path / "my_own_agent_7.py").write_text("async def agent(task):\n    return 'x'\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    assert resolve("my_own_agent_7:agent").__name__ == "agent"
    assert sys.path == before


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/v1", "https://models.test/v1/", "http://h/v1/chat/completions"])
def test_an_address_of_a_model_gives_the_react_agent(url: str) -> None:
    """The model is named beside the address or behind it."""
    assert isinstance(resolve(url, model="m"), ReactAgent)
    assert isinstance(resolve(f"{url}#m"), ReactAgent)
    with pytest.raises(UsageError, match=r"which model\?.*#model"):
        resolve(url)


def test_other_forms() -> None:
    """Any other address speaks plain JSON; `cmd:` is split like a shell line."""
    assert isinstance(resolve("http://127.0.0.1:8000/agent"), UrlAgent)
    assert isinstance(resolve(f"cmd:{sys.executable} 'my agent.py' --fast"), CommandAgent)


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("", "'' names no agent; write \"module:attribute\""),
        ("my_agent", "'my_agent' names no agent"),
        ("mod:", "'mod:' names no agent"),
        (":attr", "':attr' names no agent"),
        ("no_such_module_7:agent", "no module 'no_such_module_7' here or among those installed"),
        ("hbeval.no_such:agent", "no module 'hbeval.no_such' here"),
        ("hbeval.battery.agents:adopt", "has no 'adopt'; it has "),
        ("hbeval.battery.agents:adapt.x", "has no 'adapt.x'"),
        ("hbeval:__version__", "is a str, which cannot be called"),
        ("cmd:", "names no program"),
        ("cmd:'x", "cannot be split into words"),
        ("cmd:no-such-program-7 --fast", "there is no program 'no-such-program-7' here or on the path"),
        ("cmd:/", "there is no program '/'"),
        ("http://", "no address of an endpoint"),
    ],
)
def test_a_reference_that_leads_nowhere_is_told_apart(reference: str, words: str) -> None:
    """One line says what is missing."""
    with pytest.raises(UsageError) as caught:
        resolve(reference)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("import a_module_that_is_not_there_7\n", "needs a module that is not installed: a_module_that_is_not_there_7"),
        ("1 / 0\n", "fails while it is imported (ZeroDivisionError: division by zero)"),
        ("def f(:\n", "fails while it is imported (SyntaxError"),
        ("import sys\nsys.exit(0)\n", "fails while it is imported (SystemExit: 0)"),
    ],
)
def test_a_module_that_cannot_be_imported_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, words: str
) -> None:
    """A missing requirement and an error inside the module are not "no such module"."""
    name = f"broken_agent_{abs(hash(content)) % 10**6}"
    (tmp_path / f"{name}.py").write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        resolve(f"{name}:agent")
    assert words in str(caught.value)
