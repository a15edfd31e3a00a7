"""From log files to a report: find, recognise, read, judge, assemble. Every file ends up in the report or left out."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hbeval.adapters.formats.base import Importer
from hbeval.adapters.formats.builtin import BUILTIN
from hbeval.adapters.formats.copies import Copies, place_of
from hbeval.adapters.formats.detect import detect, importer_named
from hbeval.errors import InputError, UsageError
from hbeval.judging import judge
from hbeval.model import Context, LeftOut, Report, Trace
from hbeval.report import Assembly
from hbeval.report.redaction import without_secrets

__all__ = ["Found", "find_files", "score_paths"]

Progress = Callable[[int, int, str], None]


class Found(NamedTuple):
    """A file to read, and the name to record for it: the path as it was given, and the rest of it with slashes."""

    path: Path
    source: str


def score_paths(
    paths: Sequence[str | os.PathLike[str]],
    *,
    format: str = "auto",  # noqa: A002 the word of the command line
    group_by: Sequence[str] | Sequence[Sequence[str]] = (),
    runs: bool = False,
    progress: Progress | None = None,
    importers: Sequence[Importer] = BUILTIN,
    redaction: bool = True,
) -> Report:
    """The measurements of existing logs.

    Folders are walked in order of name; a file that is reached twice counts once, and so does a run that is there twice
    (`copies.py`). Traces stream through the judge: at most one file is in memory. What is not scored is in
    `report.left_out` with the reason; no file stops the others.

    format    "auto", or the name of the format that all files have
    group_by  labels of agent, task or source ("model", "task", "suite", "attack" …); see `Assembly`
    runs      whether the report lists every run
    progress  called after each file with (files done, files, source)
    redaction  whether secrets and personal data are taken out of the report, after judging

    Raises UsageError for no path, an unknown format or a path that does not exist.
    """
    chosen = None if format == "auto" else importer_named(format, importers)
    files = list(find_files(paths))
    assembly = Assembly(Context.IMPORT, group_by=group_by, keep_runs=runs)
    labels, copies = _label_names(group_by), Copies()
    for done, file in enumerate(files, start=1):
        for each in _once(_read(file, chosen, importers, copies), copies):
            if isinstance(each, LeftOut):
                assembly.left_out(each.source, each.reason)
            else:
                _score(each, assembly, labels)
        if progress is not None:
            progress(done, len(files), file.source)
    report = assembly.report()
    return without_secrets(report) if redaction else report


def find_files(paths: Sequence[str | os.PathLike[str]]) -> Iterator[Found]:
    """The files under the given paths, each once, and folders that cannot be read. Links to folders are not followed.

    Raises UsageError for no path, InputError for one that is neither file nor folder.
    """
    if not paths:
        raise UsageError("nothing to score; name at least one file or folder")
    seen: set[str] = set()
    for given in paths:
        root = Path(given)
        if not root.exists():
            raise InputError("no such file or folder", value=str(given))
        for path in _walk(root) if root.is_dir() else (root,):
            real = os.path.realpath(path)
            if real not in seen:
                seen.add(real)
                yield Found(path, path.as_posix())


def _walk(root: Path) -> Iterator[Path]:
    unreadable: list[Path] = []
    for folder, folders, names in os.walk(root, onerror=lambda error: unreadable.append(Path(error.filename))):
        folders.sort()
        for name in sorted(names):
            yield Path(folder, name)
    yield from unreadable


def _read(
    file: Found, chosen: Importer | None, importers: Sequence[Importer], copies: Copies
) -> Iterator[Trace | LeftOut]:
    """The runs of one file; what went wrong as `LeftOut`, after the runs that could be read."""
    try:
        _refuse_what_is_no_file(file)
        known = copies.earlier_file(file.path, file.source)
        if known is not None:
            yield LeftOut(source=file.source, reason=f"same file as {known}")
            return
        importer = chosen or detect(file.path, importers, where=file.source).importer
        yield from importer.read(file.path, file.source)
    except InputError as error:
        yield LeftOut(source=file.source, reason=_reason(error, file.source))
    except Exception as error:  # noqa: BLE001 recorded: one file must not cost the others
        yield LeftOut(source=file.source, reason=f"hbeval failed to read it ({error!r}); please report this")


def _refuse_what_is_no_file(file: Found) -> None:
    """Raise InputError for what cannot be read to its end, such as a pipe that nobody writes to."""
    try:
        mode = file.path.stat().st_mode
    except OSError as error:
        raise InputError(f"not readable ({error.strerror})", where=file.source) from error
    if stat.S_ISDIR(mode):
        raise InputError("folder is not readable", where=file.source)
    if not stat.S_ISREG(mode):
        raise InputError("not a regular file", where=file.source)


def _once(found: Iterator[Trace | LeftOut], copies: Copies) -> Iterator[Trace | LeftOut]:
    """The same without the runs that are there a second time, which are left out."""
    for each in found:
        known = copies.earlier_run(each) if isinstance(each, Trace) else None
        if known is not None and isinstance(each, Trace):
            yield LeftOut(source=place_of(each), reason=f"same run as {known}")
        else:
            yield each


def _score(trace: Trace, assembly: Assembly, labels: frozenset[str]) -> None:
    try:
        judged = judge(trace)
    except Exception as error:  # noqa: BLE001 recorded: one run must not cost the others
        assembly.left_out(trace.id, f"hbeval failed to judge it ({error!r}); please report this")
        return
    assembly.add(judged, _labels(trace, labels))


def _labels(trace: Trace, names: frozenset[str]) -> Mapping[str, str]:
    held = trace.labels
    return {name: str(held[name]) for name in names if held.get(name) is not None}


def _label_names(group_by: Sequence[str] | Sequence[Sequence[str]]) -> frozenset[str]:
    names: set[str] = set()
    for each in group_by:
        names.update((each,) if isinstance(each, str) else each)
    return frozenset(names)


def _reason(error: InputError, source: str) -> str:
    """The message without the source, which stands beside it."""
    return str(error).removeprefix(source).lstrip(":").strip()
