"""Agents that live elsewhere: behind a URL that speaks plain JSON, or in a process of their own.

Both are asked the same way. A request is {"task": {"id", "text", "answer_schema"}, "tools": [schemas], "steps": [what
was called so far, with its result or error]}. The agent replies {"call": {"tool", "arguments"}} to have a tool called,
optionally with "turn" (its reasoning), or {"answer": …} when it is done. A URL gets the whole request each time; a
process reads requests as lines of JSON on its standard input and writes its replies as lines.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Any

from hbeval import observe
from hbeval.battery.agents.react import tool_schema
from hbeval.endpoints import Http
from hbeval.errors import AgentError, InputError, LimitReached
from hbeval.model import dumps, loads
from hbeval.observe import snapshot

__all__ = ["CommandAgent", "UrlAgent"]

_MAX_CALLS = 200
_AHEAD = 1000
_LONGEST_LINE = 32 * 1024 * 1024
_GRACE_S = 0.2
_SHOWN = 200


class UrlAgent:
    """An agent behind an address that takes and gives plain JSON. Raises EnvironmentFault if it cannot be reached."""

    def __init__(self, url: str, *, key: str | None = None, deadline_s: float = 60.0) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = Http(url=url, headers=headers, deadline_s=deadline_s)

    def __call__(self, task: Any, tools: Mapping[str, Callable[..., Any]]) -> Any:
        """The answer, as the agent gives it."""
        return _conversation(task, tools, self._http.post, self._http.shown)


class CommandAgent:
    """An agent that is a program, started anew for each run and ended with it.

    command      program and arguments; no shell is involved
    deadline_s   for each of its replies

    Raises AgentError if it cannot be started, ends without an answer, or writes something else than replies.
    """

    def __init__(self, command: tuple[str, ...], *, deadline_s: float = 60.0) -> None:
        self._command, self._deadline_s = command, deadline_s

    def __call__(self, task: Any, tools: Mapping[str, Callable[..., Any]]) -> Any:
        """The answer, as the program writes it."""
        try:
            process = subprocess.Popen(  # noqa: S603 - running the user's own agent is what this is for
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                start_new_session=True,  # so that it can be ended together with what it has started
            )
        except OSError as error:
            raise AgentError(f"cmd: {self._command[0]!r} cannot be started ({error.strerror})") from error
        lines = _Lines(process, self._deadline_s, self._command[0])
        try:
            return _conversation(task, tools, lines.ask, f"cmd: {self._command[0]}")
        finally:
            lines.close()


class _Lines:
    """Requests and replies as lines of a process."""

    def __init__(self, process: subprocess.Popen[str], deadline_s: float, name: str) -> None:
        self._process, self._deadline_s, self._name = process, deadline_s, name
        self._replies: queue.Queue[str | None] = queue.Queue(_AHEAD)
        assert process.stdout is not None
        self._reader = threading.Thread(target=_read_lines, args=(process.stdout, self._replies), daemon=True)
        self._reader.start()

    def ask(self, request: Mapping[str, Any]) -> Any:
        """The reply to a request."""
        self._write(dumps(request) + "\n")
        line = self._next_line()
        try:
            return loads(line)
        except InputError as error:
            raise AgentError(f"cmd: {self._name} wrote a line that is no JSON: {line[:_SHOWN]!r}") from error

    def _write(self, text: str) -> None:
        """Hand a request over. One that reads nothing fills its pipe, and is ended when its time is up."""
        stdin = self._process.stdin
        assert stdin is not None
        late = threading.Event()

        def end() -> None:
            late.set()
            _kill(self._process)

        watch = threading.Timer(self._deadline_s, end)
        watch.daemon = True
        watch.start()
        try:
            with suppress(OSError):  # it has ended; what it wrote before it did is still read
                stdin.write(text)
                stdin.flush()
        finally:
            watch.cancel()
        if late.is_set():
            raise LimitReached(f"cmd: {self._name} did not read what it was asked within {self._deadline_s:g} s")

    def close(self) -> None:
        """End the process, if it has not ended by itself, and whatever it has started."""
        _closed(self._process.stdin)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE_S)
        _kill(self._process)
        self._process.wait()
        ends_at = time.monotonic() + _GRACE_S
        while self._reader.is_alive() and time.monotonic() < ends_at:
            with suppress(queue.Empty):  # the reader may be waiting for room
                self._replies.get(timeout=0.01)
        if not self._reader.is_alive():
            _closed(self._process.stdout)

    def _next_line(self) -> str:
        ends_at = time.monotonic() + self._deadline_s
        while True:
            try:
                line = self._replies.get(timeout=max(0.0, ends_at - time.monotonic()))
            except queue.Empty:
                raise LimitReached(f"cmd: {self._name} gave no reply within {self._deadline_s:g} s") from None
            if line is None:
                code = self._process.wait()
                raise AgentError(f"cmd: {self._name} ended (exit code {code}) without an answer")
            if line.strip():
                return line


def _read_lines(stream: IO[str], replies: queue.Queue[str | None]) -> None:
    try:
        while line := stream.readline(_LONGEST_LINE):
            whole = len(line) < _LONGEST_LINE or line.endswith("\n")
            replies.put(line if whole else f"(a line of more than {_LONGEST_LINE} characters)")
            if not whole:
                break
    except (OSError, ValueError) as error:  # torn text, or closed under us: the reply shows it
        replies.put(f"({type(error).__name__} while reading)")
    replies.put(None)


def _kill(process: subprocess.Popen[str]) -> None:
    """Its whole group where the system knows groups; they may all be gone already."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _closed(stream: IO[str] | None) -> None:
    with suppress(OSError):  # the other side went first
        if stream is not None:
            stream.close()


def _conversation(task: Any, tools: Mapping[str, Callable[..., Any]], ask: Callable[[Any], Any], where: str) -> Any:
    steps: list[dict[str, Any]] = []
    request = {
        "task": {
            "id": getattr(task, "id", None),
            "text": str(task),
            "answer_schema": snapshot(getattr(task, "answer_schema", None)),
        },
        "tools": [tool_schema(name, tool)["function"] for name, tool in tools.items()],
        "steps": steps,
    }
    for _ in range(_MAX_CALLS):
        reply = ask(request)
        if not isinstance(reply, Mapping) or ("call" in reply) == ("answer" in reply):
            right = 'reply {"answer": …} or {"call": {"tool": …, "arguments": {…}}}'
            raise AgentError(f"{where} replied {repr(reply)[:_SHOWN]}; {right}")
        if isinstance(reply.get("turn"), str):
            observe.turn(reply["turn"])
        if "answer" in reply:
            return reply["answer"]
        steps.append(_carried_out(reply["call"], tools))
    raise LimitReached(f"{where} made {_MAX_CALLS} calls without an answer")


def _carried_out(call: Any, tools: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """The step as the agent is told of it."""
    name = str(call.get("tool", "")) if isinstance(call, Mapping) else ""
    arguments = call.get("arguments", {}) if isinstance(call, Mapping) else call
    step = {"tool": name, "arguments": snapshot(arguments)}
    malformed = not (isinstance(arguments, Mapping) and _has_json_form(arguments))
    if malformed or name not in tools:
        kind = "MalformedArguments" if malformed else "UnknownTool"
        message = "arguments must be an object of JSON values" if malformed else f"there are {', '.join(tools)}"
        observe.attempt(name or "(unnamed)", arguments, error=kind, message=message, malformed=malformed)
        return {**step, "error": {"kind": kind, "message": message}}
    try:
        result = tools[name](**arguments)
    except Exception as error:  # noqa: BLE001 - what a tool raises is the agent's to handle; the tool recorded it
        return {**step, "error": {"kind": type(error).__name__, "message": str(error)}}
    return {**step, "result": snapshot(result)}


def _has_json_form(arguments: Mapping[str, Any]) -> bool:
    """Readers of JSON take NaN for a number; it is none."""
    try:
        dumps(dict(arguments))
    except InputError:
        return False
    return True
