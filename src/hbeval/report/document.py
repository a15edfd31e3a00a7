"""The result document: a report as strict JSON, and back.

Every key is always there; what is not defined is null with its reason. Floats carry 12 significant digits, because the
last bit of a platform's mathematics library differs. Writing, reading and writing again gives the same bytes.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from hbeval.errors import InputError
from hbeval.model import (
    Compliance,
    Coverage,
    Evidence,
    FaultCounts,
    LeftOut,
    Measurement,
    Report,
    RunResult,
    Signal,
    Trial,
    decode,
    dumps,
    encode,
    json_schema,
    loads,
)
from hbeval.stats import significant

__all__ = [
    "document_schema",
    "evidence_document",
    "from_document",
    "metrics_document",
    "parse",
    "rounded",
    "to_document",
    "to_json",
]


def to_json(report: Report) -> str:
    """The document of a report as text: ASCII, indented by two, one newline at the end."""
    return dumps(to_document(report), indent=2) + "\n"


def parse(text: str | bytes, *, where: str | None = None) -> Report:
    """The report of a document's text. Raises InputError naming the file, the field and its value."""
    return from_document(loads(text, where=where), where=where)


def to_document(report: Report) -> dict[str, Any]:
    """The result document as a JSON value."""
    value = {
        "schema": report.schema,
        "context": report.context.value,
        "partial": report.partial,
        "scoring_version": report.scoring_version,
        "metric_versions": dict(report.metric_versions),
        "scoring_fingerprint": report.scoring_fingerprint,
        "fault_spec_fingerprint": report.fault_spec_fingerprint,
        "task_set_digest": report.task_set_digest,
        "agent": dict(report.agent),
        "battery": None if report.battery is None else dict(report.battery),
        "evidence": evidence_document(report.evidence),
        "coverage": _coverage(report.coverage),
        "metrics": metrics_document(report.metrics),
        "weakest": report.weakest,
        "faults": _faults(report.faults),
        "groups": [
            {"by": dict(each.by), "coverage": _coverage(each.coverage), "metrics": metrics_document(each.metrics)}
            for each in report.groups
        ],
        "left_out": [_left_out(each) for each in report.left_out],
        "notes": list(report.notes),
        "redacted": None if report.redacted is None else dict(report.redacted),
    }
    if report.runs is not None:
        value["runs"] = [_run(each) for each in report.runs]
    for key, each in report.extra.items():
        value.setdefault(key, each)
    document: dict[str, Any] = rounded(value)
    return document


def from_document(value: Any, *, where: str | None = None) -> Report:
    """The report of a result document. Raises InputError naming the field and its value."""
    place = where or "$"
    if isinstance(value, dict) and value.get("schema") != "hbeval-report/1":
        raise InputError(
            "not a result document: field 'schema' differs",
            where=place,
            value=value.get("schema"),
            right="'hbeval-report/1'",
        )
    if isinstance(value, dict) and isinstance(value.get("runs"), list):
        runs = [_run_with_model_trials(run, f"{place}.runs[{i}]") for i, run in enumerate(value["runs"])]
        value = {**value, "runs": runs}
    return decode(Report, value, where=place)


def document_schema() -> dict[str, Any]:
    """JSON Schema of the result document, generated from the model's types."""
    schema = copy.deepcopy(json_schema(Report))
    trial = schema["$defs"]["Trial"]["properties"]
    trial["complied"] = {"type": ["boolean", "null"]}
    trial["complied_in_part"] = {"type": "boolean"}
    schema["$defs"].pop("Compliance", None)
    schema["$defs"]["Evidence"]["properties"]["completeness"] = {"type": ["number", "null"]}
    return schema


def rounded(value: Any) -> Any:
    """A JSON value with every float at 12 significant digits. NaN and infinities pass, for the codec to refuse."""
    if isinstance(value, float):
        return significant(value)
    if isinstance(value, Mapping):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(each) for each in value]
    return value


def metrics_document(metrics: Mapping[str, Measurement]) -> dict[str, Any]:
    """Measurements by id, each with its value or null, its n, interval, method and instrument."""
    return {key: encode(each) for key, each in metrics.items()}


def evidence_document(evidence: Evidence) -> dict[str, Any]:
    """Evidence with its completeness spelled out (null when nothing was required)."""
    return {
        "level": evidence.level.value,
        "completeness": evidence.completeness,
        "known": evidence.known,
        "required": evidence.required,
        "provenance": dict(evidence.provenance),
        "claims_reconciled": evidence.claims_reconciled,
        "claims_unsupported": list(evidence.claims_unsupported),
    }


def _coverage(coverage: Coverage) -> dict[str, Any]:
    return {
        "runs": coverage.runs,
        "measured": coverage.measured,
        "invalid": dict(coverage.invalid),
        "cancelled": coverage.cancelled,
        "endings": dict(coverage.endings),
    }


def _faults(faults: FaultCounts) -> dict[str, int]:
    return {
        "intended": faults.intended,
        "met": faults.met,
        "not_exposed": faults.not_exposed,
        "failed": faults.failed,
        "natural": faults.natural,
        "calls": faults.calls,
        "fired": faults.fired,
        "applied": faults.applied,
    }


def _left_out(each: LeftOut) -> dict[str, str]:
    return {"source": each.source, "reason": each.reason}


def _run(run: RunResult) -> dict[str, Any]:
    return {
        "source": run.source,
        "id": run.id,
        "task": run.task,
        "domain": run.domain,
        "condition": None if run.condition is None else str(run.condition),
        "repeat": run.repeat,
        "ending": run.ending.value,
        "status": run.status,
        "reason": run.reason,
        "metrics": metrics_document(run.metrics),
        "trials": [_trial(each) for each in run.trials],
    }


def _trial(trial: Trial) -> dict[str, Any]:
    return {
        "fault": trial.fault.value,
        "target": trial.target,
        "handling": trial.handling.value,
        "complied": None if trial.complied is None else trial.complied is Compliance.FULL,
        "complied_in_part": trial.complied is Compliance.PARTIAL,
        "fabricated": trial.fabricated,
        "blind_retries": trial.blind_retries,
        "handed_over": trial.handed_over,
        "closed": trial.closed,
        "signals": [_signal(each) for each in trial.signals],
        "reason": trial.reason,
        "steps": list(trial.steps),
        "fault_ids": list(trial.fault_ids),
    }


def _signal(signal: Signal) -> dict[str, Any]:
    return {
        "name": signal.name,
        "form": signal.form.value,
        "provenance": signal.provenance.value,
        "steps": list(signal.steps),
        "against": signal.against,
    }


def _run_with_model_trials(run: Any, where: str) -> Any:
    if not isinstance(run, dict) or not isinstance(run.get("trials"), list):
        return run
    trials = [_with_model_compliance(each, f"{where}.trials[{i}]") for i, each in enumerate(run["trials"])]
    return {**run, "trials": trials}


def _with_model_compliance(trial: Any, where: str) -> Any:
    if not isinstance(trial, dict):
        return trial
    complied, in_part = trial.get("complied"), trial.get("complied_in_part", False)
    if type(complied) not in (bool, type(None)) or type(in_part) is not bool:
        raise InputError("wrong type", where=f"{where}.complied", value=complied, right="true, false or null")
    known = {key: each for key, each in trial.items() if key != "complied_in_part"}
    known["complied"] = _COMPLIANCE[complied, in_part] if complied is not None else None
    return known


_COMPLIANCE = {
    (True, False): Compliance.FULL.value,
    (True, True): Compliance.PARTIAL.value,
    (False, True): Compliance.PARTIAL.value,
    (False, False): Compliance.NONE.value,
}
