"""The Who&When importer records facts, and says what the logs cannot know."""

import pytest

from hbeval.adapters.formats.score import score_paths
from hbeval.adapters.formats.who_and_when import WhoAndWhen
from hbeval.adapters.formats.who_and_when_signs import last_exception, said_by
from hbeval.errors import InputError
from hbeval.judging import judge
from hbeval.model import Ending, Fact, NotMeasured, Outcome, Provenance, StepKind
from tests.adapters.importer_kit import FIXTURES, head, read, survives, undocumented, written

FOLDER = FIXTURES / "who_and_when"
SHOWN = "I clicked 'Go'.\n\nHere is a screenshot of [{title}](https://x.org/). The viewport shows 5% of the page."
PAGE = "\nAutomatic OCR of the page screenshot has detected the following text:\n\n{text}"


def log(*entries, **changes):
    base = {
        "question": "How many?",
        "question_ID": "q1",
        "ground_truth": "3",
        "is_corrected": False,
        "mistake_agent": "WebSurfer",
        "mistake_step": "8",
        "mistake_reason": "Wrong page.",
        "history": list(entries),
    }
    return {**base, **changes}


def directed(role, content):
    return {"role": role, "content": content}


def named(name, content, role="user"):
    return {"role": role, "name": name, "content": content}


HUMAN = directed("human", "How many?")
ORDER = directed("Orchestrator (-> WebSurfer)", "Open the page.")
WORKER = directed("WebSurfer", "I clicked 'Go'.")
TASK = named("Planner", "You are given: a task", "assistant")


def one(tmp_path, *entries, **changes):
    (trace,), left_out = read(WhoAndWhen(), written(tmp_path, log(*entries, **changes)))
    assert left_out == []
    assert survives(trace)
    return trace


def test_one_file_is_one_failed_run_of_a_crew():
    """The human's word is the oracle, the blame is a label."""
    (trace,), _ = read(WhoAndWhen(), FOLDER / "hand-crafted-53.json")
    assert trace.agent == {"id": "Magentic-One"}
    assert trace.task.domain == "hand-crafted"
    assert trace.task.id.startswith("hand-crafted/")
    assert (trace.success, trace.oracle) == (False, "human label")
    assert trace.ending is Ending.COMPLETED
    assert isinstance(trace.labels["mistake_step"], int)
    assert set(trace.holds) == {Fact.INPUT, Fact.OUTCOME, Fact.TURN, Fact.PLAN}
    assert {verdict.traceable for verdict in judge(trace).steps} == {None}
    answer = trace.steps[-1]
    assert (answer.kind, answer.result, answer.origin) == (StepKind.ANSWER, "208", "/history/27")


def test_entries_of_workers_are_attempts_with_the_order_they_got():
    """The plan is an event, the ledger's flags stay with the turn, a security check is a failure."""
    (trace,), _ = read(WhoAndWhen(), FOLDER / "hand-crafted-53.json")
    assert [plan.text[:13] for plan in trace.plans] == ["Initial plan:"]
    assert trace.plans[0].provenance is Provenance.INFERRED
    blocked = next(step for step in trace.steps if step.origin == "/history/8")
    assert (blocked.action, blocked.outcome, blocked.error.kind) == ("WebSurfer", Outcome.ERROR, "blocked page")
    assert blocked.provenance is Provenance.INFERRED
    order = next(turn for turn in trace.turns if turn.seq == blocked.turn)
    assert blocked.arguments == {"instruction": order.text}
    ledgers = [turn.extra["ledger"] for turn in trace.turns if turn.extra]
    assert ledgers[-1]["is_request_satisfied"] is True


def test_a_crash_ends_the_run_and_its_last_words_are_still_the_answer():
    """The orchestrator's own prompt was refused; the program raised."""
    (trace,), _ = read(WhoAndWhen(), FOLDER / "hand-crafted-45.json")
    assert trace.ending is Ending.AGENT_ERROR
    assert trace.ending_detail.startswith("crashed: BadRequestError: Error code: 400")
    assert (trace.steps[-1].kind, trace.steps[-1].result) == (StepKind.ANSWER, "5")
    assert trace.extra == {"orders_without_an_entry": 4}


def test_the_terminal_of_a_group_chat_runs_the_code_of_the_entry_before():
    """No code is a failure, an exit code decides, the exception printed last names it."""
    (trace,), _ = read(WhoAndWhen(), FOLDER / "algorithm-generated-10.json")
    none, failed, done, answer = trace.steps
    assert trace.agent == {"id": "CaptainAgent"}
    assert (none.outcome, none.error.kind, none.arguments) == (Outcome.ERROR, "no code to execute", {"code": []})
    assert (failed.outcome, failed.error.kind, failed.extra) == (Outcome.ERROR, "SyntaxError", {"exit_code": 1})
    assert (done.outcome, done.extra) == (Outcome.OK, {"exit_code": 0})
    assert done.arguments["code"][0].startswith("# Correcting")
    assert (answer.kind, answer.origin) == (StepKind.ANSWER, "/history/9")
    assert trace.ending is Ending.COMPLETED
    assert trace.turns[0].speaker == "user"
    assert {turn.speaker for turn in trace.turns[1:]} == {"Validation_Expert"}
    assert Fact.PLAN not in trace.holds


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        ("exitcode: 124 (execution failed)\nCode output: \nTimeout", "timeout", None),
        ("exitcode: -9 (execution failed)\nCode output: Killed", "unknown", None),
        ("exitcode: 1 (execution failed)\nTraceback\nrequests.exceptions.HTTPError: 403", "HTTPError", None),
        ("The script ran, then exited with Unix exit code: 2\nIts output was:\nno", "unknown", None),
        ("There is no code from the last 1 message for me to execute. Go on.", "no code to execute", None),
        ("No code block detected in the messages. Please", "no code to execute", None),
        ("File surfer encountered an error decoding JSON arguments: x", "malformed arguments", None),
        ("Address: file:///a\nTitle: Error 404\nViewport position: x", "http error", 404),
        (SHOWN.format(title="403 Forbidden"), "http error", 403),
        (SHOWN.format(title="Page not found | Shop"), "page not found", None),
        (SHOWN.format(title="Pardon Our Interruption"), "blocked page", None),
        (SHOWN.format(title="Attention Required! | Cloudflare"), "blocked page", None),
        (SHOWN.format(title="x") + PAGE.format(text="This site can’t be reached\n\nCheck"), "unreachable page", None),
        (
            SHOWN.format(title="") + PAGE.format(text="Sorry. This is not available in your country."),
            "withheld page",
            None,
        ),
        (
            SHOWN.format(title="x") + PAGE.format(text="Menu\nThere was an error loading the content\nFooter"),
            "content not loaded",
            None,
        ),
    ],
)
def test_signs_of_failure_are_read_from_the_places_they_belong_to(content, kind, status):
    """Beginning, title of the page, page that holds little else."""
    said = said_by(content)
    assert (said.outcome, said.error.kind, said.error.status) == (Outcome.ERROR, kind, status)


@pytest.mark.parametrize(
    "content",
    [
        "exitcode: 0 (execution succeeded)\nCode output: Error: unsupported language",
        "The script ran but produced no output to console. The Unix exit code was: 0. If",
        SHOWN.format(title="How to fix Error 404 pages"),
        SHOWN.format(title="Rule 404. Character Evidence"),
        SHOWN.format(title="x") + PAGE.format(text="Item not available in your country. " + "Other items. " * 60),
        "I clicked 'Go'.\nError processing publish message\nTraceback (most recent call last):\nValueError: x",
        "To plan: if an error is encountered, stop.",
    ],
)
def test_a_page_or_a_program_that_speaks_of_errors_has_not_failed(content):
    """Nor has a worker into whose entry the crash of another was printed."""
    said = said_by(content)
    assert (said.outcome, said.error) == (Outcome.OK, None)
    assert "Traceback" not in said.words


def test_an_empty_summary_says_nothing_of_its_success():
    """Unknown, not ok."""
    assert said_by("Nothing to summarize.").outcome is Outcome.UNKNOWN


def test_the_last_exception_is_the_one_that_ended_it():
    """None where none was printed."""
    assert last_exception("KeyError: 'a'\n\nDuring …\n\na.b.OddError: boom") == ("OddError", "boom")
    assert last_exception("fine") is None


def test_a_new_plan_is_an_event_and_its_announcement_a_turn(tmp_path):
    """The step after it is re-planned."""
    plan = directed("Orchestrator (thought)", "New plan:\n\nTry elsewhere.")
    stalled = directed("Orchestrator (thought)", "Stalled.... Replanning...")
    trace = one(tmp_path, HUMAN, ORDER, WORKER, stalled, plan, ORDER, WORKER)
    assert len(trace.plans) == 1
    assert [verdict.replanned for verdict in judge(trace).steps] == [False, True]


@pytest.mark.parametrize(
    ("role", "closing", "ending"),
    [
        ("Orchestrator (thought)", "Request satisfied.", Ending.COMPLETED),
        ("Orchestrator (thought)", "Replan counter exceeded... Terminating.", Ending.LIMIT),
        ("Orchestrator (termination condition)", "Max time (1500s) reached.\nFINAL ANSWER: 70", Ending.LIMIT),
        ("Orchestrator (termination condition)", "Max rounds (30) reached.", Ending.LIMIT),
        ("WebSurfer", "I said: Max rounds (30) reached", Ending.LIMIT),
        ("WebSurfer", "x\nSCENARIO.PY EXITED WITH CODE: 1 !#!#", Ending.AGENT_ERROR),
        ("WebSurfer", "x\nSCENARIO.PY EXITED WITH CODE: 0 !#!#", Ending.LIMIT),
    ],
)
def test_how_a_directed_run_ended(tmp_path, role, closing, ending):
    """The first rule that fits."""
    trace = one(tmp_path, HUMAN, ORDER, WORKER, directed(role, closing))
    assert trace.ending is ending


def test_an_answer_printed_into_a_workers_entry_is_no_step(tmp_path):
    """Nobody in the crew gave it; it is kept."""
    trace = one(tmp_path, HUMAN, ORDER, directed("WebSurfer", "I clicked.\nFINAL ANSWER: 7\nSCENARIO.PY COMPLETE !#!#"))
    assert [step.kind for step in trace.steps] == [StepKind.TOOL]
    assert trace.steps[0].result == "I clicked."
    assert trace.extra == {"answer_on_console": "7"}


def test_a_worker_without_an_order_has_no_known_input(tmp_path):
    """Nothing is invented."""
    trace = one(tmp_path, HUMAN, WORKER)
    assert (trace.steps[0].arguments, trace.steps[0].turn) == (None, None)


def test_a_ledger_that_cannot_be_read_is_a_turn(tmp_path):
    """Its words are kept."""
    odd = [directed("Orchestrator (thought)", f"Updated Ledger:\n{rest}") for rest in ("{", '{"is_in_loop": 1}', "[]")]
    trace = one(tmp_path, HUMAN, *odd, ORDER, WORKER)
    assert [turn.extra for turn in trace.turns[1:4]] == [{}, {}, {"ledger": {}}]


def test_a_group_chat_without_an_end_was_cut_off(tmp_path):
    """The last entry of an expert is the answer, also if its code is run after it."""
    code = named("Coder", "```python\nprint(1)\n```")
    ran = named("Computer_terminal", "exitcode: 0 (execution succeeded)\nCode output: 1")
    trace = one(tmp_path, TASK, code, ran)
    assert trace.ending is Ending.LIMIT
    assert [step.origin for step in trace.steps] == ["/history/1", "/history/2"]
    assert trace.steps[1].arguments == {"code": ["print(1)\n"]}
    alone = one(tmp_path, ran)
    assert alone.steps[0].turn is None
    assert alone.steps[0].arguments == {"code": []}


def test_a_crew_that_did_nothing_is_empty(tmp_path):
    """Invalid, and so without a verdict."""
    trace = one(tmp_path, HUMAN)
    assert (trace.ending, trace.success) == (Ending.EMPTY, None)


@pytest.mark.parametrize(
    ("flags", "success"),
    [
        ({"is_correct": "False"}, False),
        ({"is_correct": "True"}, True),
        ({"is_corrected": True}, True),
        ({"is_correct": "maybe"}, False),
        ({"mistake_agent": None}, None),
    ],
)
def test_the_human_verdict_is_read_however_it_is_spelt(tmp_path, flags, success):
    """A run that is blamed on somebody has failed."""
    document = log(HUMAN, ORDER, WORKER)
    del document["is_corrected"]
    (trace,), _ = read(WhoAndWhen(), written(tmp_path, {**document, **flags}))
    assert trace.success is success


def test_a_mistake_step_that_is_no_number_stays_a_text(tmp_path):
    """And none is none."""
    assert one(tmp_path, HUMAN, ORDER, WORKER, mistake_step="8-9").labels["mistake_step"] == "8-9"
    assert "mistake_step" not in one(tmp_path, HUMAN, ORDER, WORKER, mistake_step=None).labels


@pytest.mark.parametrize(
    "document", [[], {"history": {}}, {"history": []}, {"history": [1]}, {"history": [{"role": "a"}]}]
)
def test_another_document_is_refused(tmp_path, document):
    """With what is wrong about it."""
    with pytest.raises(InputError):
        read(WhoAndWhen(), written(tmp_path, document))


def test_a_torn_run_is_refused(tmp_path):
    """It is one record: half of it is another run."""
    data = (FOLDER / "hand-crafted-53.json").read_bytes()
    with pytest.raises(InputError, match="cut off"):
        read(WhoAndWhen(), written(tmp_path, data[:-500]))


def test_the_file_is_recognised_by_question_blame_or_orchestrator():
    """A long history may hide the keys that follow it."""
    importer, file = WhoAndWhen(), FOLDER / "hand-crafted-53.json"
    assert "question_ID" in importer.detect(file, head(file))
    assert "Orchestrator" in importer.detect(file, head(file)[:5000])
    assert "mistake_step" in importer.detect(file, b'{"history": [], "mistake_agent": "a", "mistake_step": "1"')
    assert importer.detect(file, b'{"history": [{"role": "user"}]}') is None
    assert importer.detect(file, b'{"question_ID": 1, "ground_truth": 2, "question": 3}') is None


def test_every_field_of_a_who_and_when_run_has_a_rule_in_the_docs():
    """docs/formats/who_and_when.md names them all."""
    assert undocumented("who_and_when") == set()


@pytest.mark.data
def test_every_public_log_of_both_halves_is_accounted_for(data):
    """128 runs, none a success; traceability is not measured."""
    report = score_paths([data / "who_and_when"])
    assert report.coverage.endings == {"completed": 70, "limit": 39, "agent_error": 19}
    assert report["success_rate"].value == 0.0
    assert isinstance(report["ti"], NotMeasured)
    assert {each.source.rpartition("/")[2] for each in report.left_out} == {"LICENSE", "SOURCE.md"}


@pytest.mark.data
def test_every_public_mistake_points_to_an_entry(data):
    """Labels and history count alike, from 0."""
    for path in sorted((data / "who_and_when").rglob("*.json")):
        (trace,), _ = read(WhoAndWhen(), path)
        assert 0 <= trace.labels["mistake_step"] < 200
