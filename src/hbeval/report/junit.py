"""JUnit XML: what CI servers read as test results.

There is no one schema for it. This is the part that the common readers share (elements and attributes are among those
of Jenkins' junit-10.xsd): `testsuites`, one `testsuite` with `properties`, and `testcase` with at most one of
`failure`, `error` and `skipped`. Times are left out: none is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal
from xml.etree import ElementTree as Xml

from hbeval.model import Measured, NotMeasured, Report
from hbeval.report.redaction import redaction_words
from hbeval.report.words import agent_name, coverage_words, interval_words, n_words, number, printable

__all__ = ["Case", "Suite", "render", "report_suite"]

Outcome = Literal["passed", "skipped", "failure", "error"]
_COUNTED: tuple[tuple[str, Outcome], ...] = (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One line of the test report.

    message  one line that says why it did not pass; `kind` is its type, `text` what there is to read beside it
    """

    classname: str
    name: str
    outcome: Outcome = "passed"
    message: str = ""
    kind: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """All lines of one report, and what they rest on. At least one line: no reader may take nothing for green."""

    name: str
    cases: tuple[Case, ...]
    properties: Mapping[str, str] = field(default_factory=dict)
    text: str = ""

    def __post_init__(self) -> None:
        assert self.cases, "a test report without a test would be green"


def render(suite: Suite) -> str:
    """The document: XML 1.0, whatever the texts hold. What XML cannot hold stands there as a visible escape."""
    counts = {"tests": str(len(suite.cases))}
    for name, outcome in _COUNTED:
        counts[name] = str(sum(each.outcome == outcome for each in suite.cases))
    of_all = {name: count for name, count in counts.items() if name != "skipped"}
    root = Xml.Element("testsuites", {"name": _text(suite.name), **of_all})
    node = Xml.SubElement(root, "testsuite", {"name": _text(suite.name), **counts})
    if suite.properties:
        properties = Xml.SubElement(node, "properties")
        for name, value in suite.properties.items():
            Xml.SubElement(properties, "property", {"name": _text(name), "value": _text(value)})
    for case in suite.cases:
        _add(node, case)
    if suite.text:
        Xml.SubElement(node, "system-out").text = _text(suite.text)
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'


def _add(suite: Xml.Element, case: Case) -> None:
    node = Xml.SubElement(suite, "testcase", {"classname": _text(case.classname), "name": _text(case.name)})
    if case.outcome == "passed":
        if case.text:
            Xml.SubElement(node, "system-out").text = _text(case.text)
        return
    about = {"message": _text(case.message)}
    if case.outcome != "skipped":
        about["type"] = _text(case.kind or case.outcome)
    Xml.SubElement(node, case.outcome, about).text = _text(case.text) if case.text else None


def _text(value: str) -> str:
    """Text of which every character is an XML 1.0 Char."""
    return printable(value, keep="\n\t")


def report_suite(report: Report) -> Suite:
    """A plain report: one line per metric, measured or skipped with the reason, and one for the coverage.

    No requirement is tested here, so nothing fails; that no run at all was measured is an error.
    """
    metrics = (_metric(key, result) for key, result in report.metrics.items())
    return Suite(
        name=f"hbeval report: {agent_name(report)}",
        cases=(_coverage(report), *metrics),
        properties=dict(_properties(report)),
        text="\n".join(report.notes),
    )


def _coverage(report: Report) -> Case:
    coverage, words = report.coverage, coverage_words(report.coverage)
    case = Case(classname="hbeval.report", name="coverage", text=words)
    if not coverage.measured:
        return replace(case, outcome="error", kind="not measured", message=f"no run was measured: {words}")
    if report.partial:
        return replace(case, outcome="error", kind="interrupted", message=f"interrupted, what was measured: {words}")
    if coverage.measured < coverage.runs:
        return replace(case, outcome="skipped", message=words)
    return case


def _metric(key: str, result: Measured | NotMeasured) -> Case:
    if isinstance(result, NotMeasured):
        message = f"not measured: {result.reason}"
        return Case(classname="hbeval.metric", name=key, outcome="skipped", message=message)
    words = f"{number(result.value)}, {interval_words(result)}, n = {n_words(result)}, {result.instrument}"
    return Case(classname="hbeval.metric", name=key, text=words)


def _properties(report: Report) -> Iterator[tuple[str, str]]:
    coverage = report.coverage
    yield "context", report.context.value
    yield "partial", str(report.partial).lower()
    yield "runs", str(coverage.runs)
    yield "runs.measured", str(coverage.measured)
    yield from ((f"runs.invalid.{ending}", str(count)) for ending, count in coverage.invalid.items())
    yield "runs.cancelled", str(coverage.cancelled)
    yield from ((f"agent.{name}", str(value)) for name, value in report.agent.items())
    yield "scoring_fingerprint", report.scoring_fingerprint
    yield "fault_spec_fingerprint", report.fault_spec_fingerprint or "none"
    yield "evidence", report.evidence.level.value
    yield "left_out", str(len(report.left_out))
    yield "redacted", redaction_words(report.redacted)
