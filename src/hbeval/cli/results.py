"""Finding a result: a run directory, or the file of a result document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hbeval.battery import rebuild
from hbeval.battery.keeping import without_secrets as fit_to_keep
from hbeval.cli.files import json_of
from hbeval.errors import InputError
from hbeval.model import JudgedTrace, Report
from hbeval.report.document import from_document, parse
from hbeval.report.redaction import without_secrets
from hbeval.store import RunDirectory

__all__ = ["Result", "find_result", "run_directory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A report, where it came from, and the run directory that holds its traces, if it has one."""

    path: Path
    report: Report
    directory: RunDirectory | None
    redacts: bool = True

    def with_report(self, report: Report) -> Result:
        """The same result with another report of its traces."""
        return replace(self, report=without_secrets(report) if self.redacts else report)

    def runs(self) -> Iterator[JudgedTrace]:
        """The judged traces behind the report; none for a bare document."""
        if self.directory is not None:
            traces = self.directory.traces()
            yield from map(fit_to_keep, traces) if self.redacts else traces


def find_result(path: Path, *, redacts: bool = True) -> Result:
    """The result at a path. Raises InputError naming the path and what would be right.

    With `redacts` its report and its traces hold placeholders for secrets and personal data.
    """
    result = _found(path, redacts)
    return result.with_report(result.report)


def _found(path: Path, redacts: bool) -> Result:
    if path.is_dir():
        directory = run_directory(path)
        return Result(path=path, report=_report_of(directory), directory=directory, redacts=redacts)
    try:
        text = path.read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read ({why})", where=str(path), right=_RIGHT) from error
    document = json_of(text, where=str(path), right=_RIGHT)
    return Result(path=path, report=from_document(document, where=str(path)), directory=None, redacts=redacts)


_RIGHT = "a run directory or a result document"


def run_directory(path: Path) -> RunDirectory:
    """The run directory at a path. Raises InputError if there is none."""
    directory = RunDirectory(path)
    if not directory.begun:
        raise InputError(f"holds no {RunDirectory.MANIFEST}", where=str(path), right=_right_directory(path))
    return directory


def _right_directory(path: Path) -> str:
    """The run directories inside, where somebody gave the folder above them."""
    inside = [str(each.parent) for each in sorted(path.glob(f"*/{RunDirectory.MANIFEST}"))]
    if not inside:
        return "a run directory, as 'hbeval run --out' makes"
    named = inside if len(inside) <= _MOST_NAMED else [*inside[:_MOST_NAMED], "…"]
    return f"one of the run directories in it: {', '.join(named)}"


_MOST_NAMED = 5


def _report_of(directory: RunDirectory) -> Report:
    path = directory.path / RunDirectory.REPORT
    if path.exists():
        return parse(directory.report(), where=str(path))
    return rebuild(directory.path)
