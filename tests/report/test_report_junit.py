"""JUnit XML: well formed whatever the texts hold, counts that add up, and nothing green that was not measured."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.model import Coverage, Report
from hbeval.report.junit import Case, Suite, render, report_suite

HOSTILE = "\x1b[31mred\x00\ufffe\uffff\ud83d]]><&\"'\r\n\t\x7f\x85 \u202e \U0001fffe é"
OUTCOMES = ("passed", "skipped", "failure", "error")
ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id"},
    "testcase": {"name", "classname", "time"},
    "property": {"name", "value"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"type", "message"},
    "properties": set(),
    "system-out": set(),
}
"""What Jenkins' junit-10.xsd allows, of what we write."""

CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase", "system-out"},
    "testcase": {"skipped", "failure", "error", "system-out"},
    "properties": {"property"},
}


def is_xml_char(char: str) -> bool:
    """The production Char of XML 1.0."""
    code = ord(char)
    return code in (0x9, 0xA, 0xD) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= 0x10FFFF


def parsed(text: str) -> Xml.Element:
    """The root, after a check of structure and counts against the elements that are there."""
    assert all(map(is_xml_char, text))
    text.encode("utf-8")
    root = Xml.fromstring(text)
    assert root.tag == "testsuites"
    for node in root.iter():
        assert set(node.attrib) <= ATTRIBUTES[node.tag]
        assert {child.tag for child in node} <= CHILDREN.get(node.tag, set())
    (suite,) = root
    cases = suite.findall("testcase")
    for counted, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        there = sum(case.find(tag) is not None for case in cases)
        assert suite.get(counted) == str(there)
        assert root.get(counted, str(there)) == str(there)
    assert suite.get("tests") == root.get("tests") == str(len(cases))
    assert all(sum(case.find(tag) is not None for tag in OUTCOMES[1:]) <= 1 for case in cases)
    return root


texts = st.text(alphabet=st.characters(), max_size=20)
cases = st.builds(
    Case, classname=texts, name=texts, outcome=st.sampled_from(OUTCOMES), message=texts, kind=texts, text=texts
)
suites = st.builds(
    Suite,
    name=texts,
    cases=st.lists(cases, min_size=1, max_size=4).map(tuple),
    properties=st.dictionaries(texts, texts, max_size=3),
    text=texts,
)


@settings(max_examples=400, deadline=None)
@given(suite=suites)
def test_any_text_gives_a_document_that_parses(suite: Suite) -> None:
    """In names, messages, properties and bodies; every case comes back with its outcome."""
    (node,) = parsed(render(suite))
    found = node.findall("testcase")
    for case, each in zip(suite.cases, found, strict=True):
        outcomes = [tag for tag in OUTCOMES[1:] if each.find(tag) is not None]
        assert outcomes == ([] if case.outcome == "passed" else [case.outcome])


@pytest.mark.parametrize("code", [*range(0x20), *range(0x7F, 0xA0), 0xD800, 0xDFFF, 0xFFFE, 0xFFFF, 0x1FFFF, 0x10FFFF])
def test_a_character_that_xml_cannot_hold_is_a_visible_escape(code: int) -> None:
    """Not dropped: the reader sees that something was there."""
    case = Case(classname="c", name=f"a{chr(code)}b", outcome="failure", message=f"a{chr(code)}b")
    (node,) = parsed(render(Suite(name="s", cases=(case,))))
    name = node.find("testcase").get("name")
    assert name.startswith("a")
    assert name.endswith("b")
    assert len(name) > 2


def test_ordinary_text_comes_back_as_it_was() -> None:
    """Markup characters, line breaks and letters of any script."""
    text = 'a < b & "c"\n\tü 漢 😀 ]]>'
    case = Case(classname="c", name=text, outcome="error", message=text, kind="K", text=text)
    (node,) = parsed(render(Suite(name=text, cases=(case,), properties={text: text})))
    error = node.find("testcase/error")
    assert node.get("name") == node.find("testcase").get("name") == error.get("message") == error.text == text
    assert node.find("properties/property").attrib == {"name": text, "value": text}
    assert error.get("type") == "K"


def test_a_suite_without_a_case_is_refused() -> None:
    """A reader would show 0 tests as green."""
    with pytest.raises(AssertionError, match="green"):
        Suite(name="s", cases=())


def test_a_metric_is_passed_where_measured_and_skipped_where_not(report: Report, empty_report: Report) -> None:
    """With value and interval, or with the reason."""
    (node,) = parsed(render(report_suite(report)))
    names = {case.get("name"): case for case in node.findall("testcase")}
    assert set(report.metrics) < set(names)
    for key, result in report.metrics.items():
        skipped = names[key].find("skipped")
        assert (skipped is None) == (getattr(result, "value", None) is not None)
    (node,) = parsed(render(report_suite(empty_report)))
    frr = next(case for case in node.findall("testcase") if case.get("name") == "frr")
    assert frr.find("skipped").get("message").startswith("not measured: ")


def test_nothing_measured_is_an_error_and_a_part_is_not_green(empty_report: Report) -> None:
    """The line of the coverage says so; properties count what is invalid."""
    (node,) = parsed(render(report_suite(empty_report)))
    assert node.find("testcase").get("name") == "coverage"
    assert node.find("testcase/error").get("message").startswith("no run was measured")
    some = replace(empty_report, coverage=Coverage(runs=3, measured=2, invalid={"infrastructure": 1}))
    (node,) = parsed(render(report_suite(some)))
    assert "2 of 3 runs" in node.find("testcase/skipped").get("message")
    found = {each.get("name"): each.get("value") for each in node.iter("property")}
    assert found["runs.invalid.infrastructure"] == "1"
    (node,) = parsed(render(report_suite(replace(some, partial=True))))
    assert "interrupted" in node.find("testcase/error").get("message")


def test_hostile_text_of_a_report_does_no_harm(empty_report: Report) -> None:
    """Agent labels, notes, endings."""
    coverage = Coverage(runs=1, measured=0, invalid={HOSTILE: 1})
    hostile = replace(empty_report, agent={HOSTILE: HOSTILE}, notes=(HOSTILE,), coverage=coverage)
    parsed(render(report_suite(hostile)))
