"""Baselines: earlier results to hold new ones against, named by the digest of what they hold.

A file holds one; a folder holds every one there was, each in `<digest>.json`, and which is current in `current`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hbeval.errors import EnvironmentFault, InputError, UsageError
from hbeval.gate.metrics import gated
from hbeval.gate.verdict import GateResult, Verdict
from hbeval.model import Measured, Measurement, Report, digest, dumps, loads
from hbeval.report.document import from_document, to_document
from hbeval.store.files import write_whole

__all__ = ["SCHEMA", "Baseline", "begin", "is_store", "read_baseline", "refusal_to_update", "update", "verified"]

SCHEMA = "hbeval-baseline/1"
_CURRENT = "current"
_DIGEST = re.compile(r"[0-9a-f]{64}")
_RIGHT = "a baseline as 'hbeval gate --update-baseline' writes it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """A report with its runs, without what no test needs; `replaces` is the digest of the one before it."""

    report: Report
    replaces: str | None
    digest: str


def is_store(path: Path) -> bool:
    """Whether a path is, or would become, a folder of baselines; a name that ends in .json is a file."""
    return path.is_dir() or (not path.exists() and path.suffix != ".json")


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file, or the current one of a folder. Raises InputError if it is not what its digest says."""
    if not is_store(path):
        return verified(loads(_read(path), where=str(path)), where=str(path))
    named = _read(path / _CURRENT).decode("utf-8", "replace").strip()
    if not _DIGEST.fullmatch(named):
        raise InputError("no digest", where=str(path / _CURRENT), value=named, right="64 hexadecimal digits")
    file = path / f"{named}.json"
    found = verified(loads(_read(file), where=str(file)), where=str(file))
    if found.digest != named:
        raise InputError("holds another baseline than its name says", where=str(file), value=found.digest, right=named)
    return found


def verified(document: Any, *, where: str) -> Baseline:
    """The baseline of a document whose content has the digest that it states. Raises InputError if it has not."""
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        schema = document.get("schema") if isinstance(document, dict) else None
        raise InputError("not a baseline: field 'schema' differs", where=where, value=schema, right=f"'{SCHEMA}'")
    content, stated = document.get("content"), document.get("digest")
    if not isinstance(content, dict) or set(content) != {"report", "replaces"}:
        raise InputError("not the content of a baseline", where=f"{where}: content", right=_RIGHT)
    if digest(content) != stated:
        raise InputError(
            "was changed: its content has another digest than it states", where=where, value=stated, right=_RIGHT
        )
    return Baseline(
        report=from_document(content["report"], where=f"{where}: report"),
        replaces=content["replaces"],
        digest=str(stated),
    )


def refusal_to_update(path: Path, result: GateResult) -> str | None:
    """Why a result must not become the baseline at a path; None if it may.

    Only a pass may, and what is there must be what it was held against.
    """
    if result.verdict is not Verdict.PASS:
        return f"the verdict is {result.verdict}; only a PASS updates a baseline"
    there = _there(path)
    if there is not None and there.digest != result.baseline_digest:
        held = result.baseline_digest or "none"
        return (
            f"{path} holds the baseline {there.digest[:16]}…, and this result was held against {held[:16]}; "
            "give it with --baseline"
        )
    return None


def update(path: Path, report: Report, result: GateResult) -> str:
    """Make the report the baseline at a path; its digest. Raises UsageError where that is refused."""
    refusal = refusal_to_update(path, result)
    if refusal is not None:
        raise UsageError(f"baseline not updated: {refusal}")
    return _keep(path, report, result.baseline_digest)


def begin(path: Path, report: Report) -> str:
    """Make the report the first baseline at a path; its digest. Raises UsageError if there is one already."""
    there = _there(path)
    if there is not None:
        raise UsageError(
            f"{path} holds the baseline {there.digest[:16]}… already; only a passing result replaces it "
            "(--update-baseline), and another series takes another path"
        )
    return _keep(path, report, None)


def _there(path: Path) -> Baseline | None:
    exists = (path / _CURRENT).exists() if is_store(path) else path.exists()
    return read_baseline(path) if exists else None


def _keep(path: Path, report: Report, replaces: str | None) -> str:
    content = {"report": to_document(_bare(report)), "replaces": replaces}
    name = digest(content)
    text = dumps({"schema": SCHEMA, "digest": name, "content": content}) + "\n"
    folder = path if is_store(path) else path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentFault(f"{folder}: cannot be made ({error.strerror}); choose another place") from error
    if not is_store(path):
        write_whole(path, text)
        return name
    write_whole(path / f"{name}.json", text)
    write_whole(path / _CURRENT, f"{name}\n")
    return name


def _bare(report: Report) -> Report:
    """The report without its groups, trials, reasons and texts: nothing that no test reads, and nothing personal."""
    runs = tuple(
        replace(each, trials=(), reason=None, metrics={k: _counts(m) for k, m in each.metrics.items() if k in gated()})
        for each in report.runs or ()
    )
    evidence = replace(report.evidence, claims_unsupported=())
    left_out = tuple(replace(each, reason="left out") for each in report.left_out)
    return replace(report, runs=runs, groups=(), notes=(), evidence=evidence, left_out=left_out, extra={})


def _counts(result: Measurement) -> Measurement:
    return replace(result, interval=None, method="none") if isinstance(result, Measured) else result


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read ({why})", where=str(path), right=_RIGHT) from error
