"""A verdict as SARIF 2.1.0 (OASIS), for tools that collect findings: what failed, and what is still open.

What passed is no finding and is left out. A rule is a metric, a result one requirement, over all runs or one task.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from hbeval.gate.outputs.standing import carries_failure, name_of, verdict_words
from hbeval.gate.verdict import GateResult, RequirementResult, Verdict
from hbeval.instruments import BUILTIN, CURRENT
from hbeval.report.facts import label
from hbeval.report.words import printable

__all__ = ["gate_sarif"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def gate_sarif(result: GateResult, *, exit_code: int, place: str, version: str) -> dict[str, Any]:
    """The document. `place` is the file that findings are shown at, as a relative or absolute URI reference.

    FAIL that fails the gate: kind "fail", level "error". INCONCLUSIVE: kind "open". A FAIL that does not fail the gate:
    kind "review". ERROR: a notification of the invocation, which was then not successful.
    """
    rows = [each for each in (*result.requirements, *result.tasks) if _is_finding(each)]
    metrics = list(dict.fromkeys(each.metric for each in rows))
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "hbeval", "version": version, "rules": [_rule(each) for each in metrics]}},
                "automationDetails": {"id": "hbeval-gate/"},
                "invocations": [_invocation(result, exit_code)],
                "columnKind": "unicodeCodePoints",
                "results": [_finding(each, result, metrics, place) for each in rows],
                "properties": {"verdict": result.verdict.value, "required": printable(result.required)},
            }
        ],
    }


def _is_finding(row: RequirementResult) -> bool:
    """Tasks are small: that one of them is open is not news unless its requirement is."""
    return row.verdict is Verdict.FAIL or (row.verdict is Verdict.INCONCLUSIVE and row.task is None)


def _rule(metric: str) -> dict[str, Any]:
    known = next((each for each in (*CURRENT, *BUILTIN) if each.id == metric), None)
    title = label(metric) if known is None else f"{label(metric)}: {known.title}"
    rule: dict[str, Any] = {
        "id": f"hbeval/{metric}",
        "name": label(metric),
        "shortDescription": {"text": title},
        "defaultConfiguration": {"level": "error"},
    }
    if known is not None:
        rule["fullDescription"] = {"text": known.definition}
    return rule


def _finding(row: RequirementResult, result: GateResult, metrics: list[str], place: str) -> dict[str, Any]:
    fails = carries_failure(row, result)
    kind = "fail" if fails else "open" if row.verdict is Verdict.INCONCLUSIVE else "review"
    identity = hashlib.sha256(name_of(row).encode("utf-8", "backslashreplace")).hexdigest()
    return {
        "ruleId": f"hbeval/{row.metric}",
        "ruleIndex": metrics.index(row.metric),
        "kind": kind,
        "level": "error" if fails else "none",
        "message": {"text": printable(f"{name_of(row)}: {verdict_words(row, result)}")},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": place}, "region": {"startLine": 1}},
                "logicalLocations": [{"name": printable(row.task or "all tasks"), "kind": "member"}],
            }
        ],
        "partialFingerprints": {"hbevalRequirement/v1": identity},
        "properties": {"verdict": row.verdict.value, "runs": row.n, "trials": row.trials, "value": row.value},
    }


def _invocation(result: GateResult, exit_code: int) -> dict[str, Any]:
    return {
        "executionSuccessful": result.verdict is not Verdict.ERROR,
        "exitCode": exit_code,
        "toolExecutionNotifications": list(_notifications(result)),
    }


def _notifications(result: GateResult) -> Iterator[dict[str, Any]]:
    for level, lines in (("error", result.errors), ("note", (*result.unmeasured, *result.notes))):
        for line in lines:
            yield {"level": level, "message": {"text": printable(line)}}
