"""The τ²-bench importer records facts, and says what the logs cannot know."""

import os
import subprocess
import sys

import pytest

from hbeval.adapters.formats.score import score_paths
from hbeval.adapters.formats.tau2_bench import Tau2Bench
from hbeval.errors import InputError
from hbeval.judging import judge
from hbeval.model import Ending, Fact, Outcome, Provenance, StepKind
from tests.adapters.importer_kit import FIXTURES, head, read, survives, undocumented, written
from tests.conftest import ROOT

EXCERPT = FIXTURES / "tau2_bench" / "gpt-4.1-retail-excerpt.json"


def simulation(*messages, **changes):
    base = {
        "id": "s",
        "task_id": "5",
        "trial": 0,
        "seed": 7,
        "termination_reason": "user_stop",
        "reward_info": {"reward": 1.0},
        "messages": list(messages),
    }
    return {**base, **changes}


def result_file(*simulations, **info):
    environment = {"domain_name": "retail", "policy": "…"}
    settings = {"num_trials": 1, "max_errors": 10, "user_info": {"llm": "u"}, "agent_info": {"llm": "m"}}
    return {"info": {**settings, "environment_info": environment, **info}, "simulations": list(simulations)}


def message(role, content="", **more):
    return {"role": role, "content": content, **more}


def call(identity="c1", name="calculate", requestor="assistant"):
    return {"id": identity, "name": name, "arguments": {"expression": "1"}, "requestor": requestor}


def one(tmp_path, *messages, **changes):
    (trace,), left_out = read(Tau2Bench(), written(tmp_path, result_file(simulation(*messages, **changes))))
    assert left_out == []
    return trace


HELLO = message("assistant", "Hi!", turn_idx=0)


def test_every_simulation_of_a_file_is_a_run():
    """Labels of the agent, task, repeat, seed and verdict have their places."""
    traces, left_out = read(Tau2Bench(), EXCERPT, "x/y.json")
    assert left_out == []
    assert [trace.id for trace in traces] == [f"x/y.json#/simulations/{index}" for index in range(3)]
    first = traces[0]
    assert first.task.domain == "retail"
    assert first.task.id.startswith("retail/")
    assert first.agent["model"] == first.agent["id"] == "gpt-4.1"
    assert first.agent["implementation"] == "llm_agent"
    assert (first.repeat, first.seed, first.success, first.oracle) == (0, 626729, True, "reward")
    assert first.ended_at - first.started_at == pytest.approx(first.extra["simulation_duration"], abs=0.1)
    assert all(survives(trace) for trace in traces)


def test_the_flag_of_a_result_decides():
    """Times, id and turn are recorded; one of two parallel calls failed."""
    trace = read(Tau2Bench(), EXCERPT)[0][1]
    failed, sibling = trace.steps[:2]
    assert (failed.outcome, sibling.outcome) == (Outcome.ERROR, Outcome.OK)
    assert failed.turn == sibling.turn
    assert failed.error.message == "User not found"
    assert failed.provenance is Provenance.OBSERVED
    assert failed.ended_at >= failed.started_at > 1_700_000_000
    assert failed.origin == "/simulations/1/messages/2/tool_calls/0"
    verdicts = judge(trace).steps
    assert (verdicts[0].had_fault, verdicts[1].had_fault, verdicts[1].replanned) == (True, False, False)


def test_every_step_of_the_excerpt_is_traceable():
    """Also the answer, whose id is the number of its message."""
    trace = read(Tau2Bench(), EXCERPT)[0][0]
    answer = trace.steps[-1]
    assert (answer.kind, answer.id) == (StepKind.ANSWER, "30")
    assert answer.started_at is not None
    assert Fact.PLAN not in trace.holds
    assert {verdict.traceable for verdict in judge(trace).steps} == {True}


@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/New_York"])
def test_a_time_without_a_zone_is_utc_on_every_machine(zone):
    """The same number whatever TZ says."""
    code = "from hbeval.adapters.formats.chat import epoch_of; print(epoch_of('2025-12-10T23:30:00'), epoch_of('x'))"
    environment = {**os.environ, "TZ": zone, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1765409400.0", "None"]


def test_an_end_before_its_beginning_is_no_end(tmp_path):
    """The step keeps its beginning."""
    asked = message("assistant", None, tool_calls=[call()], timestamp="2025-01-01T00:00:10")
    trace = one(tmp_path, asked, message("tool", "1", id="c1", error=False, timestamp="2025-01-01T00:00:09+00:00"))
    assert trace.steps[0].started_at == 1735689610.0
    assert trace.steps[0].ended_at is None


def test_calls_of_the_simulated_user_are_not_the_agents(tmp_path):
    """Neither those in the user's messages nor their results."""
    trace = one(
        tmp_path,
        HELLO,
        message("user", None, tool_calls=[call("u1", "toggle_data", "user")]),
        message("tool", "on", id="u1", requestor="user", error=False),
        message("assistant", None, tool_calls=[call(), call("u2", "toggle_data", "user")]),
        message("tool", "1", id="c1", requestor="assistant", error=False),
        message("assistant", "Done."),
    )
    assert [step.action for step in trace.steps] == ["calculate", "answer"]
    assert "unpaired_results" not in trace.extra


def test_a_result_that_belongs_to_no_call_is_counted(tmp_path):
    """One after a message without calls, one before any message of the agent."""
    stray = message("tool", "1", id="c9", requestor="assistant", error=False)
    trace = one(tmp_path, stray, HELLO, stray)
    assert trace.extra["unpaired_results"] == 2


@pytest.mark.parametrize(
    ("reason", "ending", "success"),
    [
        ("user_stop", Ending.COMPLETED, True),
        ("agent_stop", Ending.COMPLETED, True),
        ("max_steps", Ending.LIMIT, True),
        ("too_many_errors", Ending.LIMIT, True),
        ("agent_error", Ending.AGENT_ERROR, True),
        ("infrastructure_error", Ending.INFRASTRUCTURE, None),
        ("user_error", Ending.HARNESS_ERROR, None),
        ("something_new", Ending.HARNESS_ERROR, None),
        (None, Ending.CANCELLED, True),
    ],
)
def test_the_reason_of_the_end_is_the_ending(tmp_path, reason, ending, success):
    """A word nobody knows is no failure of the agent."""
    trace = one(tmp_path, HELLO, termination_reason=reason)
    assert (trace.ending, trace.success) == (ending, success)


def test_a_run_without_a_verdict_has_none(tmp_path):
    """`reward_info` is null where a run was not evaluated."""
    assert one(tmp_path, HELLO, reward_info=None).success is None
    assert one(tmp_path, HELLO, reward_info=None).labels == {}


def test_a_run_in_which_the_agent_said_nothing_is_empty(tmp_path):
    """Invalid."""
    assert one(tmp_path, message("user", "Hello?")).ending is Ending.EMPTY


def test_reasoning_is_kept_beside_the_turn(tmp_path):
    """It is not what the agent said."""
    trace = one(tmp_path, message("assistant", "Hi!", reasoning="Be kind."))
    assert trace.turns[0].extra == {"reasoning": "Be kind."}
    assert trace.turns[0].text == "Hi!"


def test_a_bad_simulation_does_not_cost_the_others(tmp_path):
    """Each is left out with its own reason, a repeated slot as well."""
    bad = [{}, simulation(task_id=None), simulation(message("assistant", tool_calls=[{"id": "c"}])), simulation(HELLO)]
    traces, left_out = read(Tau2Bench(), written(tmp_path, result_file(*bad, simulation(HELLO))))
    assert len(traces) == 1
    assert [each.source[-1] for each in left_out] == ["0", "1", "2", "4"]
    assert "message 0" in left_out[2].reason
    assert "twice" in left_out[3].reason


def test_a_torn_file_gives_its_whole_simulations(tmp_path):
    """The list in which the damage lies is read up to it."""
    data = written(tmp_path, result_file(*(simulation(HELLO, trial=trial) for trial in range(3)))).read_bytes()
    traces, (left_out,) = read(Tau2Bench(), written(tmp_path, data[:-60]))
    assert len(traces) == 2
    assert "cut off" in left_out.reason


def test_a_file_without_simulations_says_so(tmp_path):
    """Another document is refused."""
    assert read(Tau2Bench(), written(tmp_path, result_file()))[1][0].reason == "no run in it"
    with pytest.raises(InputError, match="simulations"):
        read(Tau2Bench(), written(tmp_path, {"info": {}}))


def test_without_settings_the_file_names_the_agent(tmp_path):
    """Nothing is invented."""
    document = {"simulations": [simulation(HELLO)]}
    (trace,), _ = read(Tau2Bench(), written(tmp_path, document))
    assert trace.agent == {"id": "log"}
    assert (trace.task.id, trace.task.domain) == ("5", None)


def test_the_file_is_recognised_by_its_settings():
    """They stand at the beginning; where they do not, the simulations tell."""
    importer = Tau2Bench()
    assert "num_trials" in importer.detect(EXCERPT, head(EXCERPT)[:2000])
    assert "simulations" in importer.detect(EXCERPT, b'{"simulations": [{"task_id": 1, "termination_reason": "x"')
    assert importer.detect(EXCERPT, b'{"a": 1}') is None
    assert importer.detect(EXCERPT, b'[{"num_trials": 1}]') is None


def test_every_field_of_a_tau2_bench_run_has_a_rule_in_the_docs():
    """docs/formats/tau2_bench.md names them all."""
    assert undocumented("tau2_bench") == set()


@pytest.mark.data
def test_every_file_of_the_public_simulations_is_accounted_for(data):
    """60 runs, every step traceable."""
    report = score_paths([data / "tau2_bench"])
    assert report.coverage.endings == {"completed": 60}
    assert {each.source.rpartition("/")[2] for each in report.left_out} == {"LICENSE", "SOURCE.md"}
    assert report["ti"].value == 5.0
    assert report["success_rate"].k == 44
