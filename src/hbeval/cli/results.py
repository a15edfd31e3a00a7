"""Finding a result: a run directory, or the file of a result document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hbeval.battery import rebuild
from hbeval.errors import InputError
from hbeval.model import JudgedTrace, Report
from hbeval.report.document import parse
from hbeval.store import RunDirectory

__all__ = ["Result", "find_result", "run_directory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A report, where it came from, and the run directory that holds its traces, if it has one."""

    path: Path
    report: Report
    directory: RunDirectory | None

    def with_report(self, report: Report) -> Result:
        """The same result with another report of its traces."""
        return Result(path=self.path, report=report, directory=self.directory)

    def runs(self) -> Iterator[JudgedTrace]:
        """The judged traces behind the report; none for a bare document."""
        if self.directory is not None:
            yield from self.directory.traces()


def find_result(path: Path) -> Result:
    """The result at a path. Raises InputError naming the path and what would be right."""
    if path.is_dir():
        directory = run_directory(path)
        return Result(path=path, report=_report_of(directory), directory=directory)
    try:
        text = path.read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(
            f"cannot be read ({why})", where=str(path), right="a run directory or a result document"
        ) from error
    return Result(path=path, report=parse(text, where=str(path)), directory=None)


def run_directory(path: Path) -> RunDirectory:
    """The run directory at a path. Raises InputError if there is none."""
    directory = RunDirectory(path)
    if not directory.begun:
        raise InputError(
            f"holds no {RunDirectory.MANIFEST}", where=str(path), right="a run directory, as 'hbeval run --out' makes"
        )
    return directory


def _report_of(directory: RunDirectory) -> Report:
    path = directory.path / RunDirectory.REPORT
    if path.exists():
        return parse(directory.report(), where=str(path))
    return rebuild(directory.path)
