"""A verdict as JUnit test results: one line for the verdict, one per requirement, one per requirement and task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hbeval.gate.outputs.standing import carries_failure, name_of, verdict_words
from hbeval.gate.verdict import GateResult, RequirementResult, Verdict
from hbeval.report.junit import Case, Suite
from hbeval.report.words import coverage_words

__all__ = ["gate_suite"]


def gate_suite(result: GateResult, *, enforce: bool) -> Suite:
    """The test results of a gate.

    PASS is a passed test, FAIL a failure, ERROR an error. INCONCLUSIVE is skipped, with its words as the message:
    neither green nor the fault of the change. Where it blocks (`enforce`), the line of the verdict is a failure, so
    that a build which stops shows why; a FAIL that does not carry the gate's own is skipped in the same way.
    """
    rows = (*result.requirements, *result.tasks)
    return Suite(
        name="hbeval gate",
        cases=(_verdict(result, enforce=enforce), *(_row(row, result) for row in rows)),
        properties=dict(_properties(result, enforce=enforce)),
        text="\n".join((*result.unmeasured, *result.notes, result.population, result.multiplicity)).strip(),
    )


def _verdict(result: GateResult, *, enforce: bool) -> Case:
    rows = [f"{name_of(each)}: {verdict_words(each, result)}" for each in result.requirements]
    text = "\n".join((*result.errors, *rows))
    case = Case(classname="hbeval.gate", name="verdict", message=f"{result.verdict}: {result.required}", text=text)
    if result.verdict is Verdict.ERROR:
        first = result.errors[0] if result.errors else "not measured"
        return replace(case, outcome="error", kind="ERROR", message=f"ERROR: {first}")
    if result.verdict is Verdict.FAIL or (enforce and result.verdict is Verdict.INCONCLUSIVE):
        return replace(case, outcome="failure", kind=result.verdict.value)
    return replace(case, outcome="skipped") if result.verdict is Verdict.INCONCLUSIVE else case


def _row(row: RequirementResult, result: GateResult) -> Case:
    place, words = "requirement" if row.task is None else "task", verdict_words(row, result)
    case = Case(classname=f"hbeval.gate.{place}", name=name_of(row), message=words)
    if row.verdict is Verdict.ERROR:
        return replace(case, outcome="error", kind="ERROR")
    if carries_failure(row, result):
        return replace(case, outcome="failure", kind="FAIL")
    return replace(case, text=words) if row.verdict is Verdict.PASS else replace(case, outcome="skipped")


def _properties(result: GateResult, *, enforce: bool) -> Iterator[tuple[str, str]]:
    yield "verdict", result.verdict.value
    yield "required", result.required
    yield "alpha", f"{result.alpha:g}"
    yield "enforced", str(enforce).lower()
    yield "partial", str(result.partial).lower()
    yield "coverage", coverage_words(result.coverage)
    yield from ((f"runs.invalid.{ending}", str(count)) for ending, count in result.coverage.invalid.items())
    yield from ((f"agent.{name}", str(value)) for name, value in result.agent.items())
    yield "baseline", result.baseline_digest or ("not kept" if result.baseline_agent is not None else "none")
    yield from ((f"quarantined.{each.scenario}", f"p = {each.p_value:.3g}") for each in result.quarantined)
