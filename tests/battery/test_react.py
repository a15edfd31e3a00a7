"""The ReAct agent against a model played over real HTTP, with real tools in a real recording."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import hbeval
from hbeval.battery import run
from hbeval.battery.agents.react import ReactAgent, tool_schema
from hbeval.battery.environments import Environment, load_domain
from hbeval.battery.invoke import AskedTask
from hbeval.endpoints import ChatEndpoint, Retries
from hbeval.errors import EnvironmentFault, LimitReached
from hbeval.model import Ending, Outcome, Provenance, Task, Trace
from hbeval.observe import Recorder, recording
from hbeval.store import MemoryJournal
from tests.endpoints.scripted_server import Played, Scripted, calling, saying, serving

LOGISTICS = load_domain("logistics")
ETA = LOGISTICS.task("logistics/eta")
GOOD = [
    calling(("order_record", {"order_id": "ORD-48213"}), text="I look the order up to find its parcel."),
    calling(("carrier_tracking", {"tracking_id": "TRK-830417"}), text="Now the carrier's date."),
    calling(("confirm_eta", {"tracking_id": "TRK-830417", "eta_date": "2027-03-16"})),
    saying('{"eta_date": "2027-03-16", "stops_left": 3}'),
]


def _played(replies: list[Played], **options: Any) -> tuple[Trace, Environment, Scripted]:
    """The record of the agent on one task, with these replies of the model."""
    environment = Environment(LOGISTICS, ETA)
    recorder = Recorder(Task(id=ETA.id), tools=environment.declarations)
    task = AskedTask(ETA)
    with serving(replies) as server:
        endpoint = ChatEndpoint(server.url, "m-1", retries=Retries(times=0))
        answer = None
        try:
            with recording(recorder):
                answer = ReactAgent(endpoint, **options)(task, environment.tools())
        finally:
            endpoint.close()
    verdict = environment.check(answer)
    ended = {"ending": Ending.COMPLETED, "answer": answer, "answered": True, "success": verdict.success}
    return recorder.finish(id="r", source="r", **ended), environment, server


def _told(server: Scripted, request: int) -> list[str]:
    """What the model was told of its calls by that request."""
    messages = server.requests[request]["messages"]
    return [message["content"] for message in messages if message["role"] == "tool"]


def test_it_does_a_task() -> None:
    """Calls are carried out in turn, each traced to the turn that asked for it, until the model answers."""
    trace, _, server = _played(GOOD)
    assert trace.success
    assert [step.action for step in trace.steps] == ["order_record", "carrier_tracking", "confirm_eta", "answer"]
    assert [turn.text for turn in trace.turns][:3] == [
        "I look the order up to find its parcel.",
        "Now the carrier's date.",
        "calls confirm_eta",
    ]
    assert [step.turn for step in trace.steps] == [turn.seq for turn in trace.turns]
    assert json.loads(_told(server, 1)[0])["tracking_id"] == "TRK-830417"


def test_the_model_is_shown_task_tools_and_answer_form_and_nothing_else() -> None:
    """The system prompt carries the schema, the user's message is the task, tools come from declarations."""
    _, _, server = _played(GOOD)
    request = server.requests[0]
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert '"eta_date"' in request["messages"][0]["content"]
    assert request["messages"][1]["content"] == ETA.text
    assert [each["function"]["name"] for each in request["tools"]] == list(ETA.tools)
    (parameters,) = [t["function"]["parameters"] for t in request["tools"] if t["function"]["name"] == "confirm_eta"]
    assert parameters["required"] == ["tracking_id", "eta_date"]
    shown = json.dumps(request)
    assert "2027-03-16" not in shown
    assert "Osterby at once" not in shown


def test_calls_of_one_reply_belong_to_one_turn() -> None:
    """Parallel calls are answered one by one, in order, under their ids."""
    both = calling(("order_record", {"order_id": "ORD-48213"}), ("order_record", {"order_id": "ORD-51907"}))
    trace, _, server = _played([both, saying("{}")])
    assert trace.steps[0].turn == trace.steps[1].turn
    answered = [m for m in server.requests[1]["messages"] if m["role"] == "tool"]
    assert [message["tool_call_id"] for message in answered] == ["call_0", "call_1"]


def test_a_tool_that_does_not_exist_is_told_and_recorded() -> None:
    """The model learns which tools there are; the attempt is a failed step of the record."""
    trace, _, server = _played([calling(("teleport", {"to": "Osterby"})), saying("{}")])
    assert _told(server, 1)[0].startswith("error: UnknownTool: there is no tool 'teleport'; there are order_record")
    step = trace.steps[0]
    assert (step.action, step.outcome, step.error.kind) == ("teleport", Outcome.ERROR, "UnknownTool")
    assert step.arguments == {"to": "Osterby"}
    assert step.provenance is Provenance.REPORTED
    assert not step.malformed


@pytest.mark.parametrize("raw", ["", '{}""', '{"order_id": "ORD', "\\n{}", "[]", "5"])
def test_malformed_arguments_are_told_and_recorded_as_written(raw: str) -> None:
    """Nothing is called with {} in their place."""
    trace, environment, server = _played([calling(("order_record", raw)), saying("{}")])
    assert "MalformedArguments" in _told(server, 1)[0]
    assert (trace.steps[0].arguments, trace.steps[0].malformed) == (raw, True)
    assert environment.executed == ()


def test_a_call_without_a_name_is_a_step_too() -> None:
    """Nothing is lost where a model leaves the name out."""
    trace, _, _ = _played([calling(("", {})), saying("{}")])
    assert trace.steps[0].action == "(unnamed)"


def test_an_error_of_a_tool_is_told_and_recorded_once() -> None:
    """The exception goes to the model in words; the wrapped tool has recorded it."""
    trace, _, server = _played([calling(("order_record", {"order_id": "ORD-00000"})), saying("{}")])
    assert _told(server, 1) == ["error: LookupError: no entry for ORD-00000 in orders"]
    assert [step.action for step in trace.steps] == ["order_record", "answer"]


def test_a_run_without_end_stops_at_the_limit() -> None:
    """A model that only ever calls is stopped by a named exception that says what to do."""
    with pytest.raises(LimitReached, match="no answer after 3 replies of the model; give it more with max_turns"):
        _played([GOOD[0]], max_turns=3)


def test_a_task_without_answer_form_may_be_answered_freely() -> None:
    """No schema, no JSON asked for; an own system prompt replaces ours."""
    with serving([saying("It is Tuesday.")]) as server:
        endpoint = ChatEndpoint(server.url, "m")
        assert ReactAgent(endpoint)("Which day is it?", {}) == "It is Tuesday."
        assert ReactAgent(endpoint, system="Be brief.")("Which day is it?", {}) == "It is Tuesday."
        endpoint.close()
        assert "JSON" not in server.requests[0]["messages"][0]["content"]
        assert "tools" not in server.requests[0]
        assert server.requests[1]["messages"][0]["content"] == "Be brief."


def test_results_without_json_form_reach_the_model_all_the_same() -> None:
    """A NaN or a foreign object is told in words instead of breaking the conversation."""

    @hbeval.observe.tool("odd")
    def odd() -> Any:
        return {"value": float("nan"), "what": object()}

    with serving([calling(("odd", {})), saying("done")]) as server:
        endpoint = ChatEndpoint(server.url, "m")
        ReactAgent(endpoint)("Try.", {"odd": odd})
        endpoint.close()
        assert "nan" in _told(server, 1)[0]


def test_tools_without_declaration_are_described_by_their_docstring() -> None:
    """A plain callable is a tool without parameters."""

    def look() -> int:
        """Have a look."""
        return 1

    assert tool_schema("look", look)["function"]["description"] == "Have a look."


def _model_that_does_the_task(request: dict[str, Any]) -> Played:
    """Plays the plan of whatever task it is asked, step by step."""
    text = request["messages"][1]["content"]
    task = next(each for each in LOGISTICS.tasks.values() if each.text == text)
    done = sum(message["role"] == "tool" for message in request["messages"])
    if done < len(task.plan):
        call = task.plan[done]
        return calling((call.tool, dict(call.arguments)), text=f"Step {done + 1}.")
    return saying(json.dumps(dict(task.expected)))


def _battery_of(replies: list[Played] | Callable[[dict[str, Any]], Played], **options: Any) -> Any:
    journal = MemoryJournal()
    with serving(replies) as server:
        endpoint = ChatEndpoint(server.url, "m", retries=Retries(times=1, first_s=0.01))
        agent = ReactAgent(endpoint, **options)
        report = run(agent, domains=["logistics"], faults="none", concurrency=3, journal=journal)
        endpoint.close()
    return report, list(journal.read())


def test_it_runs_through_the_battery() -> None:
    """A model that does everything right succeeds everywhere, fully traceable, several runs at a time."""
    report, _ = _battery_of(_model_that_does_the_task)
    assert report["success_rate"].value == 1
    assert report["ti"].value == 5


def test_a_limit_is_the_agents_own_ending_and_a_dead_endpoint_is_not() -> None:
    """A run without end is measured and ends as "limit"; an endpoint that fails makes its runs invalid."""
    report, runs = _battery_of([GOOD[0]], max_turns=2)
    assert {each.trace.ending for each in runs} == {Ending.LIMIT}
    assert report.coverage.measured == report.coverage.runs
    report, runs = _battery_of([Played(status=503)])
    assert {each.trace.ending for each in runs} == {Ending.INFRASTRUCTURE}
    assert report.coverage.measured == 0
    report, _ = _battery_of([Played(status=401)])
    assert report.coverage.invalid == {"infrastructure": report.coverage.runs}


def test_an_unreachable_endpoint_is_no_failure_of_the_agent() -> None:
    """The error that leaves the agent says whose business it is."""
    with pytest.raises(EnvironmentFault, match="503"):
        _played([Played(status=503)])
