"""The Inspect importer records facts of every generation of the format, and says what a log cannot know."""

import json
import zipfile

import pytest

from hbeval.adapters.formats.inspect import Inspect
from hbeval.adapters.formats.inspect_archive import Archive
from hbeval.adapters.formats.score import score_paths
from hbeval.errors import InputError
from hbeval.judging import judge
from hbeval.model import Ending, Outcome, StepKind
from tests.adapters.importer_kit import FIXTURES, head, read, survives, undocumented, written

FOLDER = FIXTURES / "inspect"
HASH = "0123456789abcdef0123456789abcdef"


def said(content="", identity="m1", *calls):
    message = {"id": identity, "role": "assistant", "content": content}
    return {**message, "tool_calls": list(calls)} if calls else message


def output(message, stop="stop"):
    return {"choices": [{"message": message, "stop_reason": stop}]}


def call(identity="c1", function="bash", **more):
    return {"id": identity, "function": function, "arguments": {"cmd": "ls"}, **more}


def model(message, at="2026-01-01T00:00:01Z", **more):
    return {"event": "model", "timestamp": at, "completed": at, "input": [], "output": output(message), **more}


def tool(identity="c1", function="bash", at="2026-01-01T00:00:02Z", **more):
    event = {"event": "tool", "id": identity, "function": function, "arguments": {"cmd": "ls"}, "timestamp": at}
    return {**event, "completed": at, "result": "a", **more}


def span(identity, kind, name="x", parent=None):
    return {"event": "span_begin", "id": identity, "type": kind, "name": name, "parent_id": parent}


def sample(*events, **changes):
    base = {"id": 1, "epoch": 1, "input": "Do it.", "events": list(events), "output": output(said("Done.", "m9"))}
    return {**base, **changes}


def log(*samples, status="success", **eval_):
    return {
        "version": 2,
        "status": status,
        "eval": {"task": "t", "model": "m", "config": {}, **eval_},
        "samples": list(samples),
    }


def one(tmp_path, *events, log_=None, **changes):
    (trace,), left_out = read(Inspect(), written(tmp_path, {**log(sample(*events, **changes)), **(log_ or {})}))
    assert left_out == []
    assert survives(trace)
    return trace


def archived(tmp_path, **members):
    """An archive; `__` in a name is a slash, and the ending is added."""
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members.items():
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            archive.writestr(name.replace("__", "/") + ".json", data)
    return path


def test_an_archive_of_the_newest_generation():
    """Every sample is a run; calls have ids, times, inputs, results and the message that asked for them."""
    (trace,), left_out = read(Inspect(), FOLDER / "log_message_deduplication.eval", "x.eval")
    assert left_out == []
    assert trace.task.id == "inspect_test_utils/guess_number/0"
    assert trace.task.text == "Guess the number"
    assert trace.agent["model"] == "hardcoded/hardcoded"
    assert trace.agent["solver"] == "use_tools + generate"
    assert [step.action for step in trace.steps] == ["bash"] * 5 + ["answer"]
    first, answer = trace.steps[0], trace.steps[-1]
    assert first.origin == "samples/0_epoch_1.json#/events/10"
    assert (first.id, first.arguments) == ("hardcoded_0", {"cmd": "ls"})
    assert first.ended_at > first.started_at
    assert (answer.kind, answer.result, answer.origin) == (
        StepKind.ANSWER,
        "done",
        "samples/0_epoch_1.json#/output",
    )
    assert {verdict.traceable for verdict in judge(trace).steps} == {True}
    assert [turn.speaker for turn in trace.turns] == ["user"] + ["agent"] * 6
    assert {tool.name for tool in trace.tools} == {"bash", "python"}
    assert next(each for each in trace.tools if each.name == "python").description.startswith("Use the python function")
    assert survives(trace)


def test_epochs_are_repeats_and_an_older_generation_has_no_ids():
    """Steps begin and end instead of spans; the answer has a time but no id, so it is not traceable."""
    traces, _ = read(Inspect(), FOLDER / "log_streaming.eval")
    assert sorted((trace.task.id, trace.repeat) for trace in traces) == [
        ("popularity/1", 0),
        ("popularity/1", 1),
        ("popularity/2", 0),
        ("popularity/2", 1),
    ]
    assert {trace.oracle for trace in traces} == {"match"}
    assert {verdict.traceable for trace in traces for verdict in judge(trace).steps} == {False}
    assert len({trace.id for trace in traces}) == 4


def test_the_oldest_generation_keeps_its_events_in_a_transcript():
    """References of that time are put back too."""
    (trace,), _ = read(Inspect(), FOLDER / "log_formats.json")
    assert [turn.speaker for turn in trace.turns] == ["system", "user", "agent"]
    assert trace.turns[1].text.startswith("Is the following statement")
    assert trace.steps[0].started_at is not None
    assert trace.success is False


def test_a_log_without_events_gives_a_step_for_every_result():
    """One error of each type; nothing else of the calls is known."""
    (trace,), left_out = read(Inspect(), FOLDER / "log_tool_call_error.json")
    assert left_out == []
    assert [step.error.kind for step in trace.steps] == [
        "parsing",
        "timeout",
        "parsing",
        "unicode_decode",
        "permission",
        "file_not_found",
        "is_a_directory",
        "limit",
        "approval",
        "unknown",
        "output_limit",
    ]
    assert {step.outcome for step in trace.steps} == {Outcome.ERROR}
    assert trace.steps[3].origin == "/samples/0/messages/3"
    verdicts = judge(trace).steps
    assert {verdict.had_fault for verdict in verdicts} == {True}
    assert [verdict.replanned for verdict in verdicts] == [False] + [None] * 10


def test_a_log_without_samples_is_left_out_with_its_status():
    """Cancelled before any was written."""
    traces, (left_out,) = read(Inspect(), FOLDER / "no-samples.json")
    assert traces == []
    assert left_out.reason == "no samples in it (status cancelled)"


def test_bare_events_are_recognised_and_left_out():
    """They are no log: nobody knows the task or the ending."""
    path = FOLDER / "bare_events.json"
    assert Inspect().detect(path, head(path)) is not None
    traces, (left_out,) = read(Inspect(), path)
    assert traces == []
    assert "without a log" in left_out.reason


def test_messages_of_a_log_without_events_are_paired_by_id(tmp_path):
    """A call without its result is unknown, a result without its call a step of its own."""
    messages = [
        {"role": "user", "content": "Do it."},
        said("", "m1", call("c1"), call("c2")),
        {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "two"}]},
        {"role": "tool", "tool_call_id": "c9", "content": "stray"},
        said("Done.", "m9"),
    ]
    trace = one(tmp_path, messages=messages)
    assert [(step.action, step.outcome.value, step.result) for step in trace.steps] == [
        ("bash", "unknown", None),
        ("bash", "ok", "two"),
        ("(unnamed)", "ok", "stray"),
        ("answer", "ok", "Done."),
    ]
    assert [step.origin.partition("/messages")[2] for step in trace.steps[:3]] == [
        "/1/tool_calls/0",
        "/1/tool_calls/1",
        "/3",
    ]


def test_model_calls_of_a_scorer_are_not_the_agents(tmp_path):
    """Neither inside its span nor inside its step."""
    spans = [model(said("Done.", "m9")), span("s", "scorers"), span("s1", "scorer", parent="s")]
    trace = one(tmp_path, *spans, {**model(said("GRADE: C", "g")), "span_id": "s1"}, {**tool("t"), "span_id": "s1"})
    assert [turn.text for turn in trace.turns] == ["Done."]
    assert [step.action for step in trace.steps] == ["answer"]
    begin, end = ({"event": "step", "action": action, "type": "scorer", "name": "g"} for action in ("begin", "end"))
    older = one(tmp_path, begin, model(said("GRADE: C", "g")), end, end, model(said("Done.", "m9")))
    assert [turn.text for turn in older.turns] == ["Done."]


def test_a_call_made_inside_a_tool_says_so(tmp_path):
    """In a span of that tool, also two levels deep, or in the events nested in its own."""
    flat = [
        model(said("", "m1", call("c1", "delegate"))),
        span("outer", "tool", "delegate"),
        tool("c1", "delegate"),
        span("agent", "agent", "helper", "outer"),
        {**model(said("", "m2", call("c2"))), "span_id": "agent"},
        span("inner", "tool", "bash", "agent"),
        {**tool("c2"), "span_id": "agent"},
        span("later", "tool", "bash"),
        tool("c3"),
    ]
    outer, inner, later, _ = one(tmp_path, *flat).steps
    assert inner.extra == {"within": outer.seq}
    assert outer.extra == later.extra == {}
    own_span = [span("outer", "tool", "delegate"), {**tool("c1", "delegate"), "span_id": "outer"}]
    inside = [span("inner", "tool", "bash", "outer"), {**tool("c2"), "span_id": "inner"}]
    outer, inner, _ = one(tmp_path, *own_span, *inside).steps
    assert (outer.extra, inner.extra) == ({}, {"within": outer.seq})
    outer, inner, _ = one(tmp_path, tool("c1", "delegate", events=[tool("c2")])).steps
    assert inner.extra == {"within": outer.seq}
    assert inner.origin == "/samples/0/events/0/events/0"


def test_two_tools_begun_together_keep_their_own_calls_apart(tmp_path):
    """The span begun first is that of the call recorded first."""
    begun = [
        span("a", "tool", "delegate"),
        span("b", "tool", "delegate"),
        tool("c1", "delegate"),
        tool("c2", "delegate"),
    ]
    first, second, inner, _ = one(tmp_path, *begun, {**tool("c3"), "span_id": "b"}).steps
    assert inner.extra == {"within": second.seq}
    assert first.extra == {}


def test_spans_that_lie_in_each_other_do_not_go_round(tmp_path):
    """A circle is no place."""
    circle = [span("a", "agent", parent="b"), span("b", "agent", parent="a"), {**tool("c1"), "span_id": "a"}]
    assert one(tmp_path, *circle).steps[0].extra == {}


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ({}, Outcome.OK),
        ({"result": ""}, Outcome.OK),
        ({"result": None}, Outcome.UNKNOWN),
        ({"pending": True}, Outcome.UNKNOWN),
        ({"failed": True}, Outcome.ERROR),
        ({"error": {"type": "approval", "message": "refused"}}, Outcome.ERROR),
    ],
)
def test_the_outcome_of_a_call_is_what_the_event_records(tmp_path, more, outcome):
    """Absence is unknown, never health."""
    trace = one(tmp_path, model(said("", "m1", call())), tool(**more))
    assert trace.steps[0].outcome is outcome
    assert (trace.steps[0].error is not None) is (outcome is Outcome.ERROR)
    assert len(trace.faults) == (outcome is Outcome.ERROR)


def test_arguments_that_were_not_parsed_are_malformed(tmp_path):
    """They are not an empty object."""
    broken = call(arguments={}, parse_error="Error parsing: {'cmd")
    trace = one(tmp_path, model(said("", "m1", broken)), tool(arguments={}, error={"type": "parsing", "message": "x"}))
    assert trace.steps[0].malformed
    assert trace.steps[0].arguments == "Error parsing: {'cmd"


def test_a_tool_without_a_name_keeps_its_step(tmp_path):
    """Its name is said to be missing."""
    assert one(tmp_path, tool(function="")).steps[0].action == "(unnamed)"


def test_references_are_put_back_and_unknown_ones_stay(tmp_path):
    """In arguments, results, messages and the pool."""
    pool = [{"role": "user", "content": f"attachment://{HASH}"}]
    events = [
        model(said("", "m1", call()), input_refs=[[0, 1]]),
        tool(arguments={"a": [f"see attachment://{HASH}"]}, result=[f"attachment://{HASH}", {"text": "!"}]),
        model(said(f"attachment://{HASH[::-1]}", "m2")),
    ]
    trace = one(tmp_path, *events, attachments={HASH: "text"}, message_pool=pool)
    assert trace.steps[0].arguments == {"a": ["see text"]}
    assert trace.steps[0].result == "text!"
    assert trace.turns[0].text == "text"
    assert trace.turns[-1].text == f"attachment://{HASH[::-1]}"


def test_new_words_of_the_user_are_turns_once(tmp_path):
    """A later input repeats what was said before."""
    first = {"role": "user", "content": "Do it.", "id": "u1"}
    then = {"role": "user", "content": "Go on.", "id": "u2"}
    trace = one(
        tmp_path,
        model(said("", "m1"), input=[first]),
        model({}, input=[first, said("", "m1"), then]),
        model(said("Done.", "m9"), input=[first, said("", "m1"), then]),
    )
    assert [turn.text for turn in trace.turns] == ["Do it.", "", "Go on.", "Done."]


@pytest.mark.parametrize(
    ("changes", "ending"),
    [
        ({}, Ending.COMPLETED),
        ({"error": {"message": "RateLimitError('429')", "traceback": "…"}}, Ending.INFRASTRUCTURE),
        ({"error": {"message": "CancelledError()"}}, Ending.CANCELLED),
        ({"error": {"message": "ValueError('x')"}}, Ending.HARNESS_ERROR),
        ({"error": "  "}, Ending.HARNESS_ERROR),
        ({"limit": {"type": "token", "limit": 5000}}, Ending.LIMIT),
        ({"limit": {"type": "operator", "limit": 1}}, Ending.CANCELLED),
        ({"limit": "context"}, Ending.LIMIT),
        ({"output": output(said("Do", "m9"), "max_tokens")}, Ending.LIMIT),
        ({"invalidation": {"reason": "wrong data"}}, Ending.HARNESS_ERROR),
        ({"events": [], "output": None}, Ending.EMPTY),
    ],
)
def test_how_a_sample_ended(tmp_path, changes, ending):
    """An error of unknown origin is not the agent's failure."""
    trace = one(tmp_path, **{"events": [model(said("Done.", "m9"))], "scores": {"match": {"value": "C"}}, **changes})
    assert trace.ending is ending
    assert trace.success is (None if trace.invalid else True)


def test_a_sample_that_broke_off_has_no_answer(tmp_path):
    """Nor has one whose last output holds calls."""
    assert one(tmp_path, model(said("Done.", "m9")), error={"message": "x"}).steps == ()
    calling = output(said("", "m1", call()))
    assert [step.kind for step in one(tmp_path, tool(), output=calling).steps] == [StepKind.TOOL]


def test_an_answer_that_no_event_holds_has_no_turn(tmp_path):
    """Its own id is kept; nothing is guessed."""
    answer = one(tmp_path, model(said("Other.", "m1"))).steps[-1]
    assert (answer.id, answer.turn, answer.started_at) == ("m9", None, None)


ACCURACY = {"scorers": [{"name": "n", "metrics": [{"name": "inspect_ai/accuracy"}]}]}


@pytest.mark.parametrize(
    ("scores", "eval_", "success"),
    [
        ({"match": {"value": "C"}}, {}, True),
        ({"match": {"value": "I"}}, {}, False),
        ({"match": {"value": "N"}}, {}, False),
        ({"match": {"value": "P"}}, {}, None),
        ({"ok": {"value": True}}, {}, True),
        ({"n": {"value": 1}}, {}, None),
        ({"n": {"value": 1.0}}, ACCURACY, True),
        ({"n": {"value": 0}}, ACCURACY, False),
        ({"n": {"value": 0.7}}, ACCURACY, None),
        ({"n": {"value": 1}}, {"scorers": [{"name": "n", "metrics": ["mean"]}]}, None),
        ({"n": {"value": 1}}, {"scorers": [{"name": "n", "metrics": None}]}, None),
        ({"n": {"value": {"a": 1}}}, ACCURACY, None),
        ({"a": {"value": "C"}, "b": {"value": "I"}}, {}, None),
        ({"a": {"value": "C"}, "b": {"value": "C"}, "c": {"value": 0.3}}, {}, True),
        (None, {}, None),
    ],
)
def test_grades_are_verdicts_and_numbers_only_as_accuracy(tmp_path, scores, eval_, success):
    """Scorers that disagree give none."""
    trace = one(tmp_path, model(said("Done.", "m9")), scores=scores, log_={"eval": {"task": "t", **eval_}})
    assert trace.success is success
    assert (trace.oracle is None) is (success is None)


def test_accuracy_may_be_told_by_the_results(tmp_path):
    """Older headers do not list their scorers; the oldest samples hold one score."""
    results = {"scores": [{"name": "s", "scorer": "score", "metrics": {"accuracy": {"value": 1}}}]}
    trace = one(tmp_path, model(said("Done.", "m9")), score={"value": 1}, log_={"results": results})
    assert (trace.success, trace.oracle) == (True, "score")


def test_nan_is_read_as_null_and_counted(tmp_path):
    """A score that is no number is no verdict."""
    trace = one(tmp_path, model(said("Done.", "m9")), scores={"n": {"value": float("nan")}})
    assert trace.success is None
    assert trace.extra["nulled_in_sample"] == 1
    assert trace.labels == {"scores": {"n": None}}


def test_lone_surrogates_survive(tmp_path):
    """Half an emoji does not cost the run."""
    assert one(tmp_path, model(said("\ud83d", "m1"))).turns[0].text == "\ud83d"


def test_the_question_is_the_input_or_its_last_message_of_the_user(tmp_path):
    """Several messages may be given."""
    given = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": [{"type": "text", "text": "Go."}]}]
    assert one(tmp_path, input=given).task.text == "Go."
    assert one(tmp_path, input=[]).task.text == ""


def test_a_run_has_the_same_id_in_every_copy_of_its_log(tmp_path):
    """Its own id, or its place in the evaluation; else the place in the file."""
    assert one(tmp_path, uuid="u1").id == "u1"
    assert one(tmp_path, log_={"eval": {"task": "t", "run_id": "r", "task_id": "k"}}).id == "r/k/1/1"
    assert one(tmp_path).id == "log.json#/samples/0"


def test_earlier_attempts_at_a_sample_are_counted(tmp_path):
    """Inspect keeps their errors; the run is the attempt that counted."""
    assert one(tmp_path, error_retries=[{"message": "x"}, {"message": "y"}]).extra["error_retries"] == 2


def test_planned_samples_without_a_run_are_counted(tmp_path):
    """One line; a log that lists none says nothing."""
    planned = {"dataset": {"sample_ids": [1, 2, "3"]}, "config": {"epochs": 2}}
    file = written(tmp_path, log(sample(), status="cancelled", **planned))
    assert read(Inspect(), file)[1][0].reason == "5 of 6 planned samples have no run in it (status cancelled)"


def test_a_log_that_was_never_finished_is_read(tmp_path):
    """Killed: no header, only the journal; the samples that are there are whole."""
    start = {"version": 2, "eval": {"task": "t", "model": "m"}}
    path = archived(tmp_path, _journal__start=start, samples__1_epoch_1=sample(model(said("Done.", "m9"))))
    (trace,), _ = read(Inspect(), path)
    assert trace.ending is Ending.COMPLETED
    assert trace.extra["log_status"] == "started"


def test_a_bad_sample_does_not_cost_the_others(tmp_path):
    """Each is left out with its own reason and place."""
    bad = {"id": 2, "epoch": 1, "events": [{"event": "model", "output": {"choices": [{"message": {"tool_calls": 7}}]}}]}
    path = archived(
        tmp_path,
        header=log(),
        samples__1=sample(),
        samples__2=bad,
        samples__3=b'{"id": 3, "epo',
        samples__4=b"nothing",
        samples__5=[],
        samples__6=sample(),
    )
    traces, left_out = read(Inspect(), path, "x.eval")
    assert len(traces) == 1
    assert [each.source for each in left_out] == [f"x.eval#samples/{index}.json" for index in (2, 3, 4, 5, 6)]
    assert "as Inspect writes it" in left_out[0].reason
    assert "cut off" in left_out[1].reason
    assert "twice" in left_out[4].reason


def test_a_bomb_is_not_unpacked(tmp_path):
    """A member beyond the bound is refused, and so is what is beyond the bound of all."""
    path = archived(tmp_path, big=b" " * 10_000, small=b"1", other=b"2")
    with Archive(path, "x", member_limit=9_999, total_limit=1) as archive:
        assert archive.json("small.json").value == 1
        with pytest.raises(InputError, match="more than 0 bytes"):
            archive.json("other.json")
    with Archive(path, "x", member_limit=9_999) as archive, pytest.raises(InputError, match="more than 9999 bytes"):
        archive.json("big.json")


def test_a_damaged_archive_says_what_is_wrong(tmp_path):
    """Not closed by its writer, a member that is missing or broken, no header."""
    path = archived(tmp_path, header=log(), samples__1=sample())
    data = path.read_bytes()
    with pytest.raises(InputError, match="ZIP"):
        read(Inspect(), written(tmp_path, data[:-30], "torn.eval"))
    with pytest.raises(InputError, match="ZIP"):
        read(Inspect(), written(tmp_path, b"", "empty.eval"))
    with Archive(path, "x") as archive, pytest.raises(InputError, match="not in the archive"):
        archive.json("absent.json")
    place = data.index(b"samples/1.json") + 20
    broken = written(tmp_path, data[:place] + b"\xff\xff\xff" + data[place + 3 :], "broken.eval")
    assert "not readable" in read(Inspect(), broken)[1][0].reason
    with pytest.raises(InputError, match="no header"):
        read(Inspect(), archived(tmp_path, samples__1=sample()))


def test_another_document_is_refused(tmp_path):
    """With what is wrong about it."""
    with pytest.raises(InputError, match="no eval"):
        read(Inspect(), written(tmp_path, {"status": "success"}))
    with pytest.raises(InputError, match="not readable"):
        Inspect().read(tmp_path / "absent.json", "absent.json")
    assert read(Inspect(), written(tmp_path, log(7)))[1][0].reason.startswith("not a sample")


def test_a_torn_log_gives_the_samples_before_the_damage(tmp_path):
    """And says where it lies."""
    data = json.dumps(log(*(sample(id=index) for index in range(3)))).encode()
    traces, (left_out,) = read(Inspect(), written(tmp_path, data[:-60]))
    assert len(traces) == 2
    assert "cut off" in left_out.reason


def test_logs_are_recognised_by_members_or_keys():
    """Another archive or object is not one."""
    importer = Inspect()
    for name in ("log_streaming.eval", "log_formats.json", "no-samples.json"):
        assert importer.detect(FOLDER / name, head(FOLDER / name)) is not None
    assert importer.detect(FOLDER, b"PK\x03\x04 word/document.xml") is None
    assert importer.detect(FOLDER, b'{"version": 1, "status": "x"}') is None
    assert importer.detect(FOLDER, b'[{"version": 1}]') is None


def test_every_field_of_an_inspect_run_has_a_rule_in_the_docs():
    """docs/formats/inspect.md names them all."""
    assert undocumented("inspect") == set()


@pytest.mark.data
def test_every_public_log_is_accounted_for(data):
    """Every file gives runs or a reason; three of them are copies of another one."""
    report = score_paths([data / "inspect_ai"], runs=True)
    files = {path for path in (data / "inspect_ai").rglob("*") if path.is_file()}
    told = {run.source for run in report.runs} | {each.source for each in report.left_out}
    assert {path.as_posix() for path in files} == told
    assert report.coverage.invalid == {}
    assert len({run.source for run in report.runs}) == 17
    assert sum(each.reason.startswith("same ") for each in report.left_out) == 3
