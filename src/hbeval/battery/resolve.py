"""From what a user writes to an agent: "module:attribute", "http(s)://…", "cmd:…"."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import urldefrag, urlsplit

from hbeval.battery.agents.react import ReactAgent
from hbeval.battery.agents.remote import CommandAgent, UrlAgent
from hbeval.endpoints import ChatEndpoint
from hbeval.errors import UsageError

__all__ = ["resolve"]

Agent = Callable[..., Any]

_FORMS = '"module:attribute", "https://host/…", or "cmd:program arguments"'


def resolve(
    reference: str, *, model: str | None = None, key: str | None = None, deadline_s: float = 60.0, max_turns: int = 30
) -> Agent:
    """The agent that a reference names.

    module:attribute   a callable, sync or async; the current directory is looked in as well. "pkg.mod:name.part" works
    http(s)://…        a path that ends in /v1 or /chat/completions is a model behind an OpenAI-compatible endpoint,
                       driven by `ReactAgent`; the model's name is `model` or follows "#". Anything else speaks the
                       plain JSON of `agents/remote.py`
    cmd:…              a program that speaks the same over its standard input and output

    key          bearer token of an endpoint
    deadline_s   for each reply of an endpoint or program
    max_turns    replies of a model in one run

    Raises UsageError saying what is missing: the module, the attribute, the model's name, the program.
    """
    if reference.startswith(("http://", "https://")):
        return _behind_url(reference, model=model, key=key, deadline_s=deadline_s, max_turns=max_turns)
    if reference.startswith("cmd:"):
        return _command(reference.removeprefix("cmd:"), deadline_s)
    return _imported(reference)


def _behind_url(reference: str, *, model: str | None, key: str | None, deadline_s: float, max_turns: int) -> Agent:
    url, named = urldefrag(reference)
    if not urlsplit(url).path.rstrip("/").endswith(("/v1", "/chat/completions")):
        return UrlAgent(url, key=key, deadline_s=deadline_s)
    name = model or named
    if not name:
        raise UsageError(f"which model? Name it, or write it behind the address: {url}#model")
    endpoint = ChatEndpoint(url, name, key=key, deadline_s=deadline_s)
    return ReactAgent(endpoint, max_turns=max_turns)


def _command(text: str, deadline_s: float) -> Agent:
    try:
        command = tuple(shlex.split(text))
    except ValueError as error:
        raise UsageError(f"cmd:{text} cannot be split into words ({error})") from error
    if not command:
        raise UsageError('cmd: names no program; write "cmd:program arguments"')
    if shutil.which(command[0]) is None:
        raise UsageError(f"cmd:{text}: there is no program {command[0]!r} here or on the path that may be run")
    return CommandAgent(command, deadline_s=deadline_s)


def _imported(reference: str) -> Agent:
    module_name, colon, path = reference.partition(":")
    if not colon or not module_name or not path:
        raise UsageError(f"{reference!r} names no agent; write {_FORMS}")
    found: Any = _module(module_name, reference)
    for part in path.split("."):
        if not hasattr(found, part):
            near = ", ".join(name for name in vars(found) if not name.startswith("_"))[:200] if vars(found) else ""
            raise UsageError(f"{reference!r}: {module_name} has no {path!r}" + (f"; it has {near}" if near else ""))
        found = getattr(found, part)
    if not callable(found):
        raise UsageError(f"{reference!r} is a {type(found).__name__}, which cannot be called as agent(task, tools)")
    agent: Agent = found
    return agent


def _module(name: str, reference: str) -> Any:
    """The module, also from the current directory, which a command does not look in by itself."""
    here = os.getcwd()
    sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise UsageError(f"{reference!r}: no module {error.name!r} here or among those installed") from error
        raise UsageError(f"{reference!r}: {name} needs a module that is not installed: {error.name}") from error
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}"
        raise UsageError(f"{reference!r}: {name} fails while it is imported ({what})") from error
    finally:
        sys.path.remove(here)
