"""Inspect logs, `.eval` archives and `.json` files: every sample is a run. The rules: docs/formats/inspect.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hbeval.adapters.formats.documents import object_at, read_json, starts_with
from hbeval.adapters.formats.inspect_archive import Archive
from hbeval.adapters.formats.inspect_parts import Log
from hbeval.adapters.formats.inspect_sample import FORMAT, trace_of
from hbeval.adapters.formats.records import each_run
from hbeval.errors import InputError
from hbeval.model import LeftOut, Trace

__all__ = ["Inspect"]

_ZIP = b"PK\x03\x04"
_MEMBERS = (b"header.json", b"_journal/", b"samples/")
_HEADER = (b'"version"', b'"status"', b'"eval"', b'"task"')
_EVENTS = (b'"events"', b'"event"')
_EVENT_WORDS = (b'"span_begin"', b'"sample_init"', b'"working_start"')
_NO_LOG = "events without a log: no task, no sample and no ending; not a run"


class Inspect:
    """Importer of Inspect logs."""

    name: str = FORMAT
    suffixes: tuple[str, ...] = (".eval", ".json")

    def detect(self, path: Path, head: bytes) -> str | None:
        """An archive with Inspect's members, the header of a log in JSON, or bare events that are no log."""
        if head.startswith(_ZIP):
            return "a ZIP archive with members of an Inspect log" if any(name in head for name in _MEMBERS) else None
        if not starts_with(head, b"{"):
            return None
        if all(sign in head for sign in _HEADER):
            return "keys version, status, eval and task"
        if all(sign in head for sign in _EVENTS) and any(word in head for word in _EVENT_WORDS):
            return "events of an Inspect transcript"
        return None

    def read(self, path: Path, source: str) -> Iterator[Trace | LeftOut]:
        """The runs of the log, in file order; then how many samples were planned and are not there."""
        if _is_archive(path, source):
            return _from_archive(path, source)
        return _from_json(path, source)


def _is_archive(path: Path, source: str) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_ZIP)) == _ZIP or path.suffix.lower() == ".eval"
    except OSError as error:
        raise InputError(f"not readable ({error.strerror})", where=source) from error


def _from_archive(path: Path, source: str) -> Iterator[Trace | LeftOut]:
    with Archive(path, source) as archive:
        names = archive.names()
        header = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
        if header is None:
            raise InputError("no header in the archive", where=source, right="an Inspect .eval log")
        log = Log(object_at(archive.json(header).value))
        samples = [name for name in names if name.startswith("samples/") and name.endswith(".json")]

        def make(name: str, _: int) -> Trace:
            document = archive.json(name)
            if document.torn:
                raise InputError(document.torn)
            return trace_of(document.value, log, source=source, name=name, origin=f"{name}#", nulled=document.nulled)

        runs = each_run(samples, make, source=source, place=lambda index: f"#{samples[index]}", none=_no_samples(log))
        yield from _with_missing(runs, log, source)


def _from_json(path: Path, source: str) -> Iterator[Trace | LeftOut]:
    document = read_json(path, source)
    header = object_at(document.value)
    if "eval" not in header:
        if "events" in header:
            yield LeftOut(source=source, reason=_NO_LOG)
            return
        raise InputError("no eval in it", where=source, right="an Inspect log")
    log = Log(header)
    samples = header.get("samples")

    def make(sample: Any, index: int) -> Trace:
        pointer = f"/samples/{index}"
        return trace_of(sample, log, source=source, name=pointer, origin=pointer, nulled=document.nulled)

    runs = each_run(
        samples if isinstance(samples, list) else [],
        make,
        source=source,
        place=lambda index: f"#/samples/{index}",
        torn=document.torn,
        none=_no_samples(log),
    )
    yield from _with_missing(runs, log, source)


def _no_samples(log: Log) -> str:
    return f"no samples in it (status {log.status})"


def _with_missing(runs: Iterator[Trace | LeftOut], log: Log, source: str) -> Iterator[Trace | LeftOut]:
    """The runs, and how many were planned beyond them: samples that never ran or were never written."""
    found: Counter[str] = Counter()
    for each in runs:
        if isinstance(each, Trace):
            found[each.task.id] += 1
        yield each
    missing = sum(max(0, log.epochs - found[f"{log.task}/{sample}"]) for sample in log.planned)
    if found and missing:
        reason = f"{missing} of {len(log.planned) * log.epochs} planned samples have no run in it (status {log.status})"
        yield LeftOut(source=source, reason=reason)
