"""What CI shows of a verdict is the verdict: nothing that is not a pass is green, and no text becomes a command."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.gate import GateResult, RequirementResult, Verdict, exit_code
from hbeval.gate.outputs import (
    SUMMARY_LIMIT,
    annotations_of,
    gate_markdown,
    gate_page,
    gate_sarif,
    gate_suite,
    outputs_of,
    outputs_text,
    summary_within,
)
from hbeval.model import dumps, loads
from hbeval.report.document import rounded
from hbeval.report.junit import render
from tests.gate.arms import drawn
from tests.gate.gate_results import HOSTILE, VERDICTS, asked, gate_results
from tests.report.test_report_junit import parsed

EVERY = pytest.mark.parametrize("name", VERDICTS)
BOTH = pytest.mark.parametrize("enforce", [False, True])


def row(**changes: Any) -> RequirementResult:
    """A failed requirement."""
    return replace(
        RequirementResult(
            requirement="frr >= 0.7", metric="frr", task=None, verdict=Verdict.FAIL, decides=True, words="0.5: below"
        ),
        **changes,
    )


def failed(*rows: RequirementResult, tasks: tuple[RequirementResult, ...] = ()) -> GateResult:
    """A gate that failed."""
    return GateResult(verdict=Verdict.FAIL, required="frr >= 0.7", alpha=0.05, requirements=rows, tasks=tasks)


def outcomes(result: GateResult, *, enforce: bool = False) -> dict[str, str]:
    """JUnit's outcome of each case by its name."""
    (suite,) = parsed(render(gate_suite(result, enforce=enforce)))
    found = {}
    for case in suite.findall("testcase"):
        tags = [tag for tag in ("failure", "error", "skipped") if case.find(tag) is not None]
        found[case.get("name")] = tags[0] if tags else "passed"
    return found


@pytest.mark.parametrize(
    ("name", "report_mode", "enforced"),
    [
        ("pass", "passed", "passed"),
        ("either", "passed", "passed"),
        ("fail", "failure", "failure"),
        ("inconclusive", "skipped", "failure"),
        ("error", "error", "error"),
        ("interrupted", "error", "error"),
    ],
)
def test_the_line_of_the_verdict_is_green_for_pass_alone(name: str, report_mode: str, enforced: str) -> None:
    """And red wherever the exit code blocks."""
    result = VERDICTS[name]
    assert outcomes(result)["verdict"] == report_mode
    assert outcomes(result, enforce=True)["verdict"] == enforced
    assert (exit_code(result, enforce=True) != 0) == (enforced in ("failure", "error"))


def test_each_requirement_has_its_own_line() -> None:
    """A pass passes, an open one is skipped with its words as the message, one that could not be tested is an error."""
    found = outcomes(VERDICTS["inconclusive"])
    assert found["frr >= 0.7"] == "skipped"
    assert found["frr >= 0.2"] == "passed"
    (suite,) = parsed(render(gate_suite(VERDICTS["inconclusive"], enforce=False)))
    message = suite.find("testcase/skipped[@message]").get("message")
    assert message.startswith("INCONCLUSIVE: ")
    assert "INCONCLUSIVE" not in [case.get("name") for case in suite.findall("testcase")]
    untested = replace(VERDICTS["error"], requirements=(row(verdict=Verdict.ERROR, words="frr is not measured"),))
    assert outcomes(untested)["frr >= 0.7"] == "error"


def test_each_task_has_its_own_line() -> None:
    """Named after task and requirement; a task that fails the gate is a failure, one that only falls short is not."""
    found = outcomes(VERDICTS["fail"])
    assert found["frr not worse by 0.05"] == "failure"
    assert {name for name, outcome in found.items() if name.startswith("task ")}
    tasks = (
        row(task="a", p_adjusted=0.01),
        row(task="b", decides=False, p_adjusted=0.01),
        row(task="c", p_adjusted=0.2),
    )
    found = outcomes(failed(row(), tasks=tasks))
    assert (found["a: frr >= 0.7"], found["b: frr >= 0.7"], found["c: frr >= 0.7"]) == ("failure", "skipped", "skipped")


def test_a_failure_that_does_not_fail_the_gate_is_not_red() -> None:
    """An alternative holds, or the failure does not stand among the other tests: the message says so."""
    result = VERDICTS["either"]
    assert [each.verdict for each in result.requirements] == [Verdict.FAIL, Verdict.PASS]
    assert set(outcomes(result).values()) == {"passed", "skipped"}
    (suite,) = parsed(render(gate_suite(result, enforce=True)))
    assert "it does not fail the gate" in suite.find("testcase/skipped").get("message")


@EVERY
@BOTH
def test_annotations_of_anything_but_pass_are_warnings_or_errors(name: str, enforce: bool) -> None:
    """Errors where the exit code blocks, warnings else; the first names the verdict."""
    result = VERDICTS[name]
    made = annotations_of(result, enforce=enforce)
    levels = {each.level for each in made}
    blocks = exit_code(result, enforce=enforce) != 0
    assert levels == {"notice" if result.verdict is Verdict.PASS else "error" if blocks else "warning"}
    assert made[0].title == f"hbeval gate: {result.verdict}"
    assert len(made) <= 10


def test_many_failures_end_in_one_line_that_counts_the_rest() -> None:
    """GitHub shows ten a step."""
    result = failed(row(), tasks=tuple(row(task=f"task {i}", p_adjusted=0.0) for i in range(50)))
    made = annotations_of(result, enforce=True)
    assert len(made) == 10
    assert made[-1].message.startswith("and 43 more")


@settings(max_examples=300, deadline=None)
@given(result=gate_results(), enforce=st.booleans())
def test_an_annotation_is_one_command_whatever_the_text(result: GateResult, enforce: bool) -> None:
    """One line, whose title ends where it should; nothing starts a second command."""
    for each in annotations_of(result, enforce=enforce):
        line = str(each)
        assert len(line.splitlines()) == 1
        assert line.isprintable() or not re.search(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", line)
        match = re.fullmatch(r"::(error|warning|notice) title=([^:,]*)::(.*)", line)
        assert match is not None
        assert not re.search(r"%(?!25|0D|0A|3A|2C)", line)


def test_percent_comma_and_colon_come_back_as_they_were() -> None:
    """Escaped in the title, and only the percent sign and line breaks in the message."""
    (first, *_) = annotations_of(replace(VERDICTS["fail"], required="50%, a:b"), enforce=True)
    assert str(first) == "::error title=hbeval gate%3A FAIL::50%25, a:b"


def read_outputs(text: str) -> dict[str, str]:
    """As the runner reads the file: a name, a delimiter, lines up to it."""
    found, lines = {}, text.split("\n")
    while lines and lines != [""]:
        name, _, delimiter = lines.pop(0).partition("<<")
        end = lines.index(delimiter)
        found[name] = "\n".join(lines[:end])
        del lines[: end + 1]
    return found


@settings(max_examples=300, deadline=None)
@given(values=st.dictionaries(st.sampled_from(["verdict", "failed", "x"]), st.text() | st.just(HOSTILE)))
def test_no_value_ends_its_own_delimiter(values: dict[str, str]) -> None:
    """Whatever the lines of a value, every output comes back whole and there is no other."""
    text = outputs_text(values)
    assert read_outputs(text) == values
    again = dict.fromkeys(values, text)
    assert read_outputs(outputs_text(again)) == again


def test_outputs_say_what_a_workflow_asks() -> None:
    """Verdict, exit code, runs that would decide, and what fails, one a line."""
    found = outputs_of(VERDICTS["fail"], exit_code=1)
    assert (found["verdict"], found["exit-code"], found["more-runs"]) == ("FAIL", "1", "")
    assert "frr not worse by 0.05" in found["failed"].splitlines()
    assert int(outputs_of(VERDICTS["inconclusive"], exit_code=0)["more-runs"]) > 0
    hostile = outputs_of(failed(row(requirement=HOSTILE)), exit_code=1)
    assert len(hostile["failed"].splitlines()) == 1


@EVERY
@BOTH
def test_markdown_says_the_verdict_and_whether_it_blocks(name: str, enforce: bool) -> None:
    """In its heading, its first sentence, and each reason."""
    result = VERDICTS[name]
    text = gate_markdown(result, enforce=enforce)
    assert text.startswith("## ")
    assert f"hbeval gate: {result.verdict}" in text.splitlines()[0]
    if result.verdict in (Verdict.INCONCLUSIVE, Verdict.ERROR):
        assert "This is not a pass." in text
    assert ("It blocks" in text) == (enforce and result.verdict in (Verdict.FAIL, Verdict.INCONCLUSIVE))


@settings(max_examples=150, deadline=None)
@given(result=gate_results())
def test_no_text_is_active_as_markup(result: GateResult) -> None:
    """No link, image, mention, element or row of a table comes out of a name."""
    text = gate_markdown(result, enforce=False)
    plain = re.sub(r"\\.", "", text)
    assert not re.search(r"<[a-z!/]|\]\(|@user|\x1b|\x00", plain)
    assert not re.search(r"[\ud800-\udfff\ufffe]", text)
    widths = {}
    for line in plain.splitlines():
        if line.startswith("|"):
            widths.setdefault(line.count("|"), []).append(line)
    assert set(widths) <= {9, 10, 6}


def test_a_summary_stays_within_its_limit() -> None:
    """With fewer rows, then cut at a line, always saying so; what fits is left whole."""
    tasks = tuple(row(task=f"task {i} " + "x" * 900, p_adjusted=0.0) for i in range(3000))
    big = failed(row(), tasks=tasks)
    text = summary_within(big, enforce=True)
    assert len(text.encode()) <= SUMMARY_LIMIT
    assert "more: the JSON document has them all" in text
    assert gate_markdown(big, enforce=True) != text
    assert summary_within(VERDICTS["fail"], enforce=True) == gate_markdown(VERDICTS["fail"], enforce=True)
    for room in (0, 30, 100, 1000, 5000):
        cut = summary_within(failed(row(words="é" * 5000)), enforce=True, room=room)
        assert len(cut.encode()) <= room
        assert not cut or cut.endswith("1 MiB.\n")


SARIF = {
    "": ({"version", "runs"}, {"$schema"}),
    "run": ({"tool"}, {"automationDetails", "invocations", "columnKind", "results", "properties"}),
    "driver": ({"name"}, {"version", "rules"}),
    "rule": ({"id"}, {"name", "shortDescription", "fullDescription", "defaultConfiguration"}),
    "result": (
        {"message"},
        {"ruleId", "ruleIndex", "kind", "level", "locations", "partialFingerprints", "properties"},
    ),
    "invocation": ({"executionSuccessful"}, {"exitCode", "toolExecutionNotifications"}),
    "notification": ({"message"}, {"level"}),
}
"""Required and further properties of SARIF 2.1.0 objects, of those that we write; all of them are closed objects."""


def check_sarif(document: dict[str, Any]) -> dict[str, Any]:
    """The one run, after a check of the structure."""

    def holds(kind: str, value: dict[str, Any]) -> None:
        required, further = SARIF[kind]
        assert required <= set(value) <= required | further, kind

    holds("", document)
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    holds("run", run)
    driver = run["tool"]["driver"]
    holds("driver", driver)
    for rule in driver["rules"]:
        holds("rule", rule)
        assert rule["shortDescription"]["text"]
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for result in run["results"]:
        holds("result", result)
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["kind"] in ("fail", "open", "review")
        assert result["level"] == ("error" if result["kind"] == "fail" else "none")
        assert result["message"]["text"]
        (location,) = result["locations"]
        assert re.fullmatch(r"[\w./%~-]+", location["physicalLocation"]["artifactLocation"]["uri"])
    for invocation in run["invocations"]:
        holds("invocation", invocation)
        for each in invocation["toolExecutionNotifications"]:
            holds("notification", each)
            assert each["level"] in ("none", "note", "warning", "error")
    return run


@EVERY
@BOTH
def test_sarif_holds_what_failed_and_what_is_open(name: str, enforce: bool) -> None:
    """A failure is an error, an open requirement is kind open; an ERROR is an unsuccessful invocation with reasons."""
    result = VERDICTS[name]
    code = exit_code(result, enforce=enforce)
    run = check_sarif(gate_sarif(result, exit_code=code, place="gate.toml", version="1"))
    kinds = {each["kind"] for each in run["results"]}
    expected = {"fail": {"fail"}, "inconclusive": {"open"}, "either": {"review"}}
    assert kinds == expected.get(name, set())
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] == (result.verdict is not Verdict.ERROR)
    assert invocation["exitCode"] == code
    errors = [each for each in invocation["toolExecutionNotifications"] if each["level"] == "error"]
    assert len(errors) == len(result.errors)


@settings(max_examples=150, deadline=None)
@given(result=gate_results())
def test_sarif_of_any_result_is_strict_json_and_closed(result: GateResult) -> None:
    """Hostile names, metrics that nobody knows."""
    document = gate_sarif(result, exit_code=1, place="gate.toml", version="1")
    check_sarif(loads(dumps(rounded(document))))


@settings(max_examples=150, deadline=None)
@given(result=gate_results(), enforce=st.booleans())
def test_junit_of_any_result_parses(result: GateResult, enforce: bool) -> None:
    """With counts that add up, and never green where the verdict is not PASS."""
    (suite,) = parsed(render(gate_suite(result, enforce=enforce)))
    first = suite.find("testcase")
    is_green = all(first.find(tag) is None for tag in ("failure", "error", "skipped"))
    assert is_green == (result.verdict is Verdict.PASS)


class Page(HTMLParser):
    """Elements opened and closed, and the texts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)
        assert not any(name in ("src", "href") or name.startswith("on") for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("circle", "line", "path", "rect"):
            return
        while self.open and self.open[-1] in ("circle", "line", "path", "rect"):
            self.open.pop()
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read_page(text: str) -> Page:
    """A page whose elements are closed in order, with nothing from outside."""
    page = Page()
    page.feed(re.sub(r"<(circle|line|path|rect)([^>]*)/>", r"<\1\2>", text))
    assert not page.open
    return page


@EVERY
def test_the_page_shows_the_verdict_and_its_reasons(name: str) -> None:
    """Also of a gate that was stopped before there were reports."""
    result = VERDICTS[name]
    page = read_page(gate_page(result, None, None, enforce=True, version="1"))
    assert f"Gate: {result.verdict}" in page.text
    assert all(each in page.text for each in result.errors)
    assert "script" not in page.names


def test_the_page_holds_the_comparison_behind_the_verdict() -> None:
    """Differences and tasks, where the two may be compared; a floor is drawn with its limit."""
    good, bad = drawn(0.9, 40), drawn(0.5, 40, seed=2)
    from hbeval.gate import run_gate

    result = run_gate(bad, good, asked("frr not worse by 0.05", "frr >= 0.7"))
    page = read_page(gate_page(result, bad, good, enforce=False, version="1"))
    assert "result less baseline" in page.text
    assert "task 0" in page.text
    alone = gate_page(run_gate(bad, None, asked("frr >= 0.7")), bad, None, enforce=False)
    assert 'class="threshold"' in alone
    apart = gate_page(result, bad, drawn(0.9, 40, specification="0000"), enforce=False)
    assert "result less baseline" not in apart


@settings(max_examples=60, deadline=None)
@given(result=gate_results())
def test_no_text_breaks_the_page(result: GateResult) -> None:
    """Whatever a task or an agent is called."""
    page = read_page(gate_page(result, None, None, enforce=False))
    assert "b" not in page.names or "<b>x" not in page.text
    assert not re.search(r"[\x00\x1b\ud800-\udfff]", page.text)
