"""Agents behind a URL and in processes of their own: real HTTP, real processes."""

from __future__ import annotations

import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from hbeval.battery.agents.remote import CommandAgent, UrlAgent
from hbeval.battery.environments import Environment, load_domain
from hbeval.battery.invoke import AskedTask
from hbeval.errors import AgentError, EnvironmentFault, LimitReached
from hbeval.model import Ending, Outcome, Task, Trace
from hbeval.observe import Recorder, recording
from tests.endpoints.scripted_server import Played, serving

DOMAIN = load_domain("logistics")
ETA = DOMAIN.task("logistics/eta")
ANSWER = {"eta_date": "2027-03-16", "stops_left": 3}


def _run(agent: Any) -> Trace:
    environment = Environment(DOMAIN, ETA)
    recorder = Recorder(Task(id=ETA.id), tools=environment.declarations)
    task = AskedTask(ETA)
    with recording(recorder):
        answer = agent(task, environment.tools())
    success = environment.check(answer).success
    return recorder.finish(id="r", source="r", ending=Ending.COMPLETED, answer=answer, answered=True, success=success)


def _call(tool: str, **arguments: Any) -> Played:
    return Played(body={"call": {"tool": tool, "arguments": arguments}, "turn": f"I call {tool}."})


def test_an_agent_behind_a_url_calls_tools_and_answers() -> None:
    """Each reply is a call or the answer; each request holds task, tools and the steps so far."""
    replies = [
        _call("order_record", order_id="ORD-48213"),
        _call("order_record", order_id="ORD-00000"),
        _call("carrier_tracking", tracking_id="TRK-830417"),
        Played(body={"answer": ANSWER}),
    ]
    with serving(replies) as server:
        trace = _run(UrlAgent(server.url, key="sk-1"))
        first, *_, last = server.requests
        assert server.headers[0]["Authorization"] == "Bearer sk-1"
    assert trace.success
    assert trace.turns[0].text == "I call order_record."
    assert first["task"] == {"id": ETA.id, "text": ETA.text, "answer_schema": ETA.answer_schema}
    assert [tool["name"] for tool in first["tools"]] == list(ETA.tools)
    assert first["steps"] == []
    assert last["steps"][0]["result"]["tracking_id"] == "TRK-830417"
    assert last["steps"][1]["error"] == {"kind": "LookupError", "message": "no entry for ORD-00000 in orders"}


def test_an_answer_at_once_is_enough() -> None:
    """The plain form: one request, one answer, also as text."""
    with serving([Played(body={"answer": "no idea"})]) as server:
        trace = _run(UrlAgent(server.url))
    assert trace.steps[-1].result == "no idea"
    assert len(trace.steps) == 1


@pytest.mark.parametrize(
    ("call", "kind", "malformed"),
    [
        ({"tool": "teleport", "arguments": {}}, "UnknownTool", False),
        ({"tool": "order_record", "arguments": "ORD-48213"}, "MalformedArguments", True),
        ("order_record", "MalformedArguments", True),
        ({"tool": "order_record", "arguments": {"order_id": float("nan")}}, "MalformedArguments", True),
        ({}, "UnknownTool", False),
    ],
)
def test_a_call_that_reaches_no_tool_is_told_and_recorded(call: Any, kind: str, malformed: bool) -> None:
    """The agent is told what is wrong; the record has a failed step."""
    with serving([Played(body={"call": call}), Played(body={"answer": None})]) as server:
        trace = _run(UrlAgent(server.url))
        assert server.requests[1]["steps"][0]["error"]["kind"] == kind
    step = trace.steps[0]
    assert (step.outcome, step.error.kind, step.malformed) == (Outcome.ERROR, kind, malformed)


@pytest.mark.parametrize("reply", [7, [], {}, {"call": {}, "answer": 1}, {"result": 3}])
def test_a_reply_that_is_neither_is_the_agents_fault(reply: Any) -> None:
    """The message shows the reply and the two forms there are."""
    with serving([Played(body=reply)]) as server, pytest.raises(AgentError, match=r'reply \{"answer": …\} or'):
        _run(UrlAgent(server.url))


def test_an_agent_that_never_answers_meets_a_limit() -> None:
    """Two hundred calls are enough."""
    endless = _call("order_record", order_id="ORD-48213")
    with serving([endless]) as server, pytest.raises(LimitReached, match="200 calls without an answer"):
        _run(UrlAgent(server.url))


def test_a_url_out_of_reach_is_the_environments_fault() -> None:
    """It says so, and the run is invalid."""
    with pytest.raises(EnvironmentFault, match="cannot be used"):
        _run(UrlAgent("http://127.0.0.1:9/agent", deadline_s=0.3))


UNREAD = """
        call = json.dumps({"call": {"tool": "nothing", "arguments": {"x": "x" * 10_000}}})
        while True:
            print(call, flush=True)
        """


def _program(folder: Path, body: str) -> tuple[str, ...]:
    path = folder / "agent.py"
    path.write_text("import json, sys, time\n" + textwrap.dedent(body), encoding="utf-8")
    return (sys.executable, str(path))


def test_a_program_calls_tools_and_answers(tmp_path: Path) -> None:
    """Requests come as lines, replies go as lines; blank lines are passed over; standard error is left alone."""
    command = _program(
        tmp_path,
        """
        for line in sys.stdin:
            request = json.loads(line)
            print()
            if len(request["steps"]) == 0:
                call = {"tool": "order_record", "arguments": {"order_id": "ORD-48213"}}
                print(json.dumps({"call": call}), flush=True)
            else:
                assert request["steps"][0]["result"]["customer"] == "Halden Toolworks"
                print(json.dumps({"answer": {"eta_date": "2027-03-16", "stops_left": 3}}), flush=True)
        """,
    )
    trace = _run(CommandAgent(command))
    assert trace.success
    assert [step.action for step in trace.steps] == ["order_record", "answer"]


def test_a_program_that_answers_without_reading_is_heard(tmp_path: Path) -> None:
    """One that prints its answer and ends is as good as any."""
    trace = _run(CommandAgent(_program(tmp_path, """print('{"answer": 1}')""")))
    assert trace.steps[-1].result == 1


@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        ("sys.exit(3)", AgentError, r"ended \(exit code 3\) without an answer"),
        ("print('hello')", AgentError, "wrote a line that is no JSON: 'hello"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n')", AgentError, "UnicodeDecodeError while reading"),
        ("time.sleep(30)", LimitReached, "gave no reply within 0.5 s"),
        (UNREAD, LimitReached, "(did not read what it was asked|gave no reply) within 0.5 s"),
        ("while True: sys.stdout.write('x' * 1_000_000)", AgentError, r"no JSON: '\(a line of more than 33554432"),
    ],
)
def test_a_program_that_fails_is_named_with_what_it_did(
    tmp_path: Path, body: str, error: type[Exception], words: str
) -> None:
    """Ending early, writing something else, and hanging are told apart; no process is left behind."""
    began = time.monotonic()
    with pytest.raises(error, match=words):
        _run(CommandAgent(_program(tmp_path, body), deadline_s=0.5 if error is LimitReached else 20))
    assert time.monotonic() - began < 15


def test_a_program_that_talks_without_end_is_not_kept_in_memory(tmp_path: Path) -> None:
    """What nobody has asked for yet waits in its pipe."""
    body = """
        print(json.dumps({"answer": 1}), flush=True)
        line = json.dumps({"turn": "x" * 10_000})
        while True:
            print(line)
        """
    began = time.monotonic()
    agent = CommandAgent(_program(tmp_path, body))
    assert _run(agent).steps[-1].result == 1
    assert time.monotonic() - began < 10


def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    """A child that holds the output open neither blocks the run nor outlives it."""
    body = """
        import subprocess
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        print(json.dumps({"answer": child.pid}), flush=True)
        """
    began = time.monotonic()
    trace = _run(CommandAgent(_program(tmp_path, body)))
    assert time.monotonic() - began < 10
    assert not _is_running(trace.steps[-1].result)


def _is_running(pid: int) -> bool:
    for _ in range(50):
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state == "Z":
            return False
        time.sleep(0.02)
    return True


def test_a_program_that_cannot_be_started_is_named() -> None:
    """The message names the program."""
    with pytest.raises(AgentError, match="'no-such-program-here' cannot be started"):
        _run(CommandAgent(("no-such-program-here",)))
