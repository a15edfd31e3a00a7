"""The τ-bench importer records facts, and says what the records cannot know."""

import json
import time

import pytest

from hbeval.adapters.formats.score import score_paths
from hbeval.adapters.formats.tau_bench import TauBench
from hbeval.errors import InputError
from hbeval.judging import judge
from hbeval.model import Context, Ending, Fact, Measured, NotMeasured, Outcome, Provenance, StepKind
from tests.adapters.importer_kit import FIXTURES, head, read, survives, undocumented, written

EXCERPT = FIXTURES / "tau_bench" / "gpt-4o-airline-excerpt.json"
POLICY = {"role": "system", "content": "# Retail agent policy\n\nBe kind."}
HELLO = {"role": "user", "content": "Hello."}
BYE = {"role": "user", "content": "###STOP###"}


def called(name="calculate", arguments='{"expression": "1"}', identity="c1", content=None):
    function = {"name": name, "arguments": arguments}
    return {
        "role": "assistant",
        "content": content,
        "tool_calls": [{"id": identity, "function": function, "type": "function"}],
    }


def result(content="1", identity="c1", name="calculate"):
    return {"role": "tool", "tool_call_id": identity, "name": name, "content": content}


def record(*messages, **changes):
    base = {"task_id": 3, "trial": 0, "reward": 1.0, "info": {}, "traj": [POLICY, HELLO, *messages]}
    return {**base, **changes}


def one(tmp_path, *messages, **changes):
    (trace,), left_out = read(TauBench(), written(tmp_path, [record(*messages, **changes)]))
    assert left_out == []
    return trace


def test_every_record_of_a_file_is_a_run():
    """Task, trial, domain and verdict have their places; ids name the record."""
    traces, left_out = read(TauBench(), EXCERPT, "logs/gpt-4o-airline.json")
    assert left_out == []
    assert [trace.id for trace in traces] == [f"logs/gpt-4o-airline.json#/{index}" for index in range(4)]
    first = traces[0]
    assert first.context is Context.IMPORT
    assert first.task.id == "airline/0"
    assert first.task.domain == "airline"
    assert first.task.text.startswith("Hi! I'm looking to book a flight")
    assert first.agent == {"id": "gpt-4o-airline"}
    assert (first.success, first.oracle, first.labels) == (False, "reward", {"reward": 0.0})
    assert [(trace.task.id, trace.repeat) for trace in traces[1:]] == [
        ("airline/18", 0),
        ("airline/13", 1),
        ("airline/18", 1),
    ]
    assert all(survives(trace) for trace in traces)


def test_a_text_that_begins_with_error_is_an_error_and_inferred():
    """The file holds no flag, only the text."""
    trace = read(TauBench(), EXCERPT)[0][0]
    (failed,) = [step for step in trace.steps if step.outcome is Outcome.ERROR]
    assert failed.action == "book_reservation"
    assert failed.error.kind == "unknown"
    assert failed.error.message.startswith("payment amount does not add up")
    assert failed.provenance is Provenance.INFERRED
    assert failed.origin == "/0/traj/20/tool_calls/0"
    (fault,) = trace.faults
    assert (fault.target, [each.step for each in fault.observed]) == ("book_reservation", [failed.seq])


def test_call_ids_that_name_several_calls_are_not_ids():
    """The excerpt uses one id for two calls; the format holds neither ids nor times."""
    trace = read(TauBench(), EXCERPT)[0][0]
    assert {step.id for step in trace.steps} == {None}
    assert set(trace.holds) == {Fact.INPUT, Fact.OUTCOME, Fact.TURN}
    assert {verdict.traceable for verdict in judge(trace).steps} == {None}


def test_a_thought_is_a_step_and_its_words_are_in_the_turn(tmp_path):
    """No plan event: it would mark the step after the thought."""
    thinking = called("think", json.dumps({"thought": "The card is refused, so I use the other."}))
    trace = one(tmp_path, thinking, result("", name="think"), called(), result(), BYE)
    assert [step.action for step in trace.steps] == ["think", "calculate"]
    assert trace.plans == ()
    assert trace.turns[2].text == "The card is refused, so I use the other."
    assert trace.steps[0].outcome is Outcome.OK


def test_a_run_that_ends_with_a_hand_over_is_handed_over():
    """It has no answer, and the hand-over is declared."""
    traces = read(TauBench(), EXCERPT)[0]
    assert traces[1].ending is Ending.HANDED_OVER
    assert traces[1].success is True
    assert all(step.kind is StepKind.TOOL for step in traces[1].steps)
    assert [tool.name for tool in traces[1].tools if tool.handover] == ["transfer_to_human_agents"]


def test_a_failed_hand_over_is_no_fault(tmp_path):
    """By definition."""
    call = called("transfer_to_human_agents", "{}")
    trace = one(tmp_path, call, result("Error: nobody there", name="transfer_to_human_agents"), BYE)
    assert trace.steps[0].outcome is Outcome.ERROR
    assert trace.faults == ()


def test_the_last_message_of_the_agent_is_the_answer_also_where_the_run_was_cut_off(tmp_path):
    """A call as the last thing is no answer."""
    said = {"role": "assistant", "content": "Which one?"}
    trace = one(tmp_path, called(), result(), said, {"role": "user", "content": "This one."})
    assert trace.ending is Ending.LIMIT
    answer = trace.steps[-1]
    assert (answer.kind, answer.result, answer.origin) == (StepKind.ANSWER, "Which one?", "/0/traj/4")
    assert trace.turns[-2].seq == answer.turn
    cut = one(tmp_path, said, HELLO, called(), result())
    assert cut.ending is Ending.LIMIT
    assert [step.kind for step in cut.steps] == [StepKind.TOOL]


@pytest.mark.parametrize(
    ("reward", "success"),
    [(1.0, True), (1, True), (0.9999999, True), (0.5, False), (0.0, False), (1.5, None), (-1, None), (True, None)],
)
def test_only_a_reward_of_one_is_a_success(tmp_path, reward, success):
    """Two halves make no success; a number outside the scale is no verdict, and it is said."""
    trace = one(tmp_path, {"role": "assistant", "content": "Done."}, BYE, reward=reward)
    assert trace.success is success
    assert ("reward_note" in trace.extra) is (success is None)


def test_nan_is_read_as_null_and_counted(tmp_path):
    """Python writes it, JSON has none."""
    text = json.dumps([record({"role": "assistant", "content": "Done."}, BYE, reward=float("nan"))]).encode()
    (trace,), _ = read(TauBench(), written(tmp_path, text))
    assert trace.success is None
    assert trace.extra == {"nulled_in_file": 1}
    assert survives(trace)


@pytest.mark.parametrize("arguments", ["", '{}""', '{"a": 1', '{"a": 1}\\n', "[1]", "7", '{"a": NaN}'])
def test_arguments_that_are_no_object_are_kept_and_marked(tmp_path, arguments):
    """They never become an empty object."""
    trace = one(tmp_path, called(arguments=arguments), result(), BYE)
    assert trace.steps[0].malformed
    assert trace.steps[0].arguments == arguments


def test_results_are_paired_by_id_only(tmp_path):
    """In reverse order they find their calls; without ids, two of them belong to nobody."""
    both = called()
    both["tool_calls"].append(called(identity="c2")["tool_calls"][0])
    trace = one(tmp_path, both, result("two", "c2"), result("one", "c1"), BYE)
    assert [step.result for step in trace.steps] == ["one", "two"]
    assert len({step.turn for step in trace.steps}) == 1
    for call in both["tool_calls"]:
        call["id"] = None
    lost = one(tmp_path, both, result("two", None), result("one", None), BYE)
    assert [step.outcome for step in lost.steps] == [Outcome.UNKNOWN, Outcome.UNKNOWN]
    assert lost.extra == {"unpaired_results": 2}


def test_a_result_of_another_call_is_not_taken(tmp_path):
    """One call and one result are no pair if both have ids and these differ; nor is a result without any call."""
    trace = one(tmp_path, result("early"), called(), result("other", "c9"), BYE)
    assert trace.steps[0].outcome is Outcome.UNKNOWN
    assert trace.extra == {"unpaired_results": 2}


@pytest.mark.parametrize(
    ("error", "ending"),
    [
        ("litellm.RateLimitError: slow down", Ending.INFRASTRUCTURE),
        ("context_length_exceeded", Ending.LIMIT),
        ("KeyboardInterrupt", Ending.CANCELLED),
        ("KeyError: 'x'", Ending.HARNESS_ERROR),
    ],
)
def test_a_run_that_broke_off_ends_as_its_error_says(tmp_path, error, ending):
    """τ-bench gives such a run a reward of 0, which is no verdict on the agent where the run is invalid."""
    trace = one(tmp_path, reward=0.0, info={"error": error}, traj=[])
    assert trace.ending is ending
    assert trace.success is (None if trace.invalid else False)


def test_a_run_in_which_the_agent_did_nothing_is_empty(tmp_path):
    """Invalid, whatever its reward."""
    trace = one(tmp_path, reward=1.0)
    assert (trace.ending, trace.success) == (Ending.EMPTY, None)


def test_a_slot_counts_once(tmp_path):
    """A second record of one task and trial is left out with the reason."""
    file = written(tmp_path, [record(BYE), record(BYE, trial=1), record(BYE)])
    traces, (left_out,) = read(TauBench(), file)
    assert len(traces) == 2
    assert left_out.source == "log.json#/2"
    assert "twice" in left_out.reason


def test_a_bad_record_does_not_cost_the_others(tmp_path):
    """Each is left out with its own reason."""
    bad = ["x", record(traj=[{"content": "no role"}]), record(task_id=None), record(trial="one"), record(traj="")]
    traces, left_out = read(TauBench(), written(tmp_path, [*bad, record(BYE)]))
    assert len(traces) == 1
    assert [each.source for each in left_out] == [f"log.json#/{index}" for index in range(5)]
    assert "message 0" in left_out[1].reason


def test_a_torn_file_is_read_as_far_as_it_goes(tmp_path):
    """At its end it was cut off; in the middle that is said louder."""
    data = json.dumps([record(BYE, trial=trial) for trial in range(3)]).encode()
    traces, (left_out,) = read(TauBench(), written(tmp_path, data[:-40]))
    assert len(traces) == 2
    assert "cut off" in left_out.reason
    traces, (left_out,) = read(TauBench(), written(tmp_path, data.replace(b'"trial": 1', b'"trial" 1')))
    assert len(traces) == 1
    assert "damaged in the middle" in left_out.reason


def test_a_file_of_another_shape_is_refused(tmp_path):
    """An empty list is said to be one."""
    with pytest.raises(InputError, match="list of runs"):
        read(TauBench(), written(tmp_path, {}))
    assert read(TauBench(), written(tmp_path, []))[1][0].reason == "no run in it"


def test_the_domain_is_told_by_the_policy_or_by_the_tools(tmp_path):
    """Where neither tells, the name of the file keeps tasks of different sets apart."""
    assert one(tmp_path, BYE).task.id == "retail/3"
    bare = [{"role": "system", "content": "Help."}, HELLO]
    told = one(tmp_path, traj=[*bare, called("book_reservation", "{}"), result(), BYE])
    assert told.task.domain == "airline"
    untold = one(tmp_path, traj=[*bare, called("get_user_details", "{}"), result(), BYE])
    assert (untold.task.domain, untold.task.id) == (None, "log/3")
    assert {tool.name for tool in untold.tools} == {"calculate", "think", "transfer_to_human_agents"}


def test_the_file_is_recognised_by_its_head():
    """Also where the head ends in the middle of a record; another list or object is not it."""
    importer = TauBench()
    assert "traj" in importer.detect(EXCERPT, head(EXCERPT))
    assert importer.detect(EXCERPT, head(EXCERPT)[:9000]) is not None
    assert importer.detect(EXCERPT, b'\xef\xbb\xbf [{"task_id": 1, "reward": 0, "traj": [') is not None
    assert importer.detect(EXCERPT, b'[{"id": 1}]') is None
    assert importer.detect(EXCERPT, b'{"task_id": 1, "reward": 0, "traj": []}') is None


def test_every_field_of_a_tau_bench_run_has_a_rule_in_the_docs():
    """docs/formats/tau_bench.md names them all."""
    assert undocumented("tau_bench") == set()


@pytest.mark.data
def test_pass_k_of_the_public_trajectories(data):
    """Tasks 0 to 34, four trials each: the known figures; traceability is not measured."""
    report = score_paths([data / "tau_bench"])
    assert report.coverage.runs == report.coverage.measured == 140
    assert report.coverage.endings == {"completed": 115, "handed_over": 21, "limit": 4}
    assert {each.source.rpartition("/")[2] for each in report.left_out} == {"LICENSE", "SOURCE.md"}
    for k, expected in enumerate((0.3071, 0.1714, 0.1286, 0.1143), start=1):
        measured = report[f"pass_{k}"]
        assert isinstance(measured, Measured)
        assert round(measured.value, 4) == expected
    assert isinstance(report["ti"], NotMeasured)


@pytest.mark.data
def test_the_public_trajectories_are_read_in_half_a_second(data):
    """2.8 MB, 140 runs; processor time, best of three, so that a busy machine decides nothing. Measured is a tenth."""
    (path,) = (data / "tau_bench").glob("*.json")
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        traces, _ = read(TauBench(), path)
        best = min(best, time.process_time() - begin)
        assert len(traces) == 140
    assert best < 0.5
