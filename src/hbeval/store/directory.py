"""The run directory: what was asked, what happened, and the report that follows from the two."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hbeval.errors import InputError, UsageError
from hbeval.model import JudgedTrace, dumps, loads
from hbeval.store.files import sync_directory, write_whole
from hbeval.store.journal import FileJournal, read_runs
from hbeval.store.lines import Torn

__all__ = ["RunDirectory"]


class RunDirectory:
    """`manifest.json`, `traces.jsonl` and `report.json` under one path. Making one touches nothing."""

    MANIFEST, TRACES, REPORT = "manifest.json", "traces.jsonl", "report.json"

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.torn: Torn | None = None

    @property
    def begun(self) -> bool:
        """Whether a run was started here."""
        return (self.path / self.MANIFEST).exists()

    def open(self, *, durable: bool = False) -> FileJournal:
        """The journal, created if need be and locked. Raises UsageError if the path cannot hold a run or is in use."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be a run directory ({error.strerror}); choose another") from error
        journal = FileJournal(self.path / self.TRACES, durable=durable)
        if not self.begun and os.path.getsize(self.path / self.TRACES):
            journal.close()
            raise InputError(
                f"{self.TRACES} holds runs, but there is no {self.MANIFEST} to say what was asked",
                where=str(self.path),
                right="both files of a run, or a new directory",
            )
        return journal

    def manifest(self) -> dict[str, Any]:
        """What was asked. Raises InputError if there is no manifest or it is not a JSON object."""
        path = self.path / self.MANIFEST
        value = loads(self._read(path), where=str(path))
        if not isinstance(value, dict):
            raise InputError("a manifest is a JSON object", where=str(path), value=value)
        return value

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Say what is asked, before the first run."""
        write_whole(self.path / self.MANIFEST, dumps(dict(manifest), indent=2) + "\n")
        sync_directory(self.path.absolute().parent)

    def traces(self) -> Iterator[JudgedTrace]:
        """The finished runs, also while they are being written. Changes nothing on disk.

        When it is exhausted, `torn` says what of the last line was left out. Raises InputError on any other damage.
        """
        self.torn = yield from read_runs(self.path / self.TRACES)

    def write_report(self, text: str) -> None:
        """Put the result document beside what it follows from."""
        write_whole(self.path / self.REPORT, text)

    def report(self) -> str:
        """The text of the result document. Raises InputError if there is none."""
        return self._read(self.path / self.REPORT).decode("utf-8")

    @staticmethod
    def _read(path: Path) -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})", where=str(path), right="a run directory") from error
