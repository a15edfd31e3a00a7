"""The run directory: three files, each whole or not there."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from hbeval.errors import EnvironmentFault, InputError, UsageError
from hbeval.store import RunDirectory
from hbeval.store.files import write_whole


def test_a_run_directory_holds_what_was_put_in(tmp_path: Path, judged):
    """Manifest, traces and report come back as they were."""
    run = RunDirectory(tmp_path / "out" / "r1")
    assert not run.begun
    with run.open() as journal:
        run.write_manifest({"seed": 7, "later": [1]})
        journal.append(judged("r0"))
    run.write_report("{}\n")
    assert run.begun
    assert run.manifest() == {"seed": 7, "later": [1]}
    assert [each.trace.id for each in run.traces()] == ["r0"]
    assert run.report() == "{}\n"
    assert sorted(os.listdir(run.path)) == ["manifest.json", "report.json", "traces.jsonl"]


def test_making_the_record_touches_nothing(tmp_path: Path):
    """Only opening does."""
    run = RunDirectory(tmp_path / "x")
    assert not run.begun
    assert not run.path.exists()


def test_reading_leaves_a_torn_line_where_it_is_and_says_so(tmp_path: Path, judged):
    """A reader of a run that is still being written must not repair it."""
    run = RunDirectory(tmp_path)
    with run.open() as journal:
        journal.append(judged("r0"))
        journal.append(judged("r1"))
    traces = tmp_path / "traces.jsonl"
    torn = traces.read_bytes()[:-9]
    traces.write_bytes(torn)
    assert [each.trace.id for each in run.traces()] == ["r0"]
    assert run.torn is not None
    assert run.torn.line == 2
    assert traces.read_bytes() == torn


def test_what_is_missing_is_named(tmp_path: Path):
    """Each file by its path."""
    run = RunDirectory(tmp_path)
    for read in (run.manifest, run.report, lambda: list(run.traces())):
        with pytest.raises(InputError, match=r"(manifest|report|traces)\.jsonl?: cannot be read.*a run directory"):
            read()


def test_a_manifest_that_is_not_an_object_is_refused(tmp_path: Path):
    """Named with its value."""
    (tmp_path / "manifest.json").write_text("[1]")
    with pytest.raises(InputError, match=r"manifest\.json: a manifest is a JSON object, got \[1\]"):
        RunDirectory(tmp_path).manifest()


def test_traces_without_a_manifest_are_refused(tmp_path: Path, judged):
    """Nobody knows what was asked; an empty file is only a run that was killed at birth."""
    run = RunDirectory(tmp_path)
    with run.open() as journal:
        journal.append(judged("r0"))
    with pytest.raises(InputError, match=r"traces\.jsonl holds runs, but there is no manifest\.json"):
        run.open()
    (tmp_path / "traces.jsonl").write_bytes(b"")
    run.open().close()


def test_a_path_that_cannot_be_a_directory_is_a_usage_error(tmp_path: Path):
    """A file in the way."""
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be a run directory"):
        RunDirectory(tmp_path / "file").open()


def test_a_failed_write_keeps_the_old_file(tmp_path: Path):
    """And leaves nothing half-written beside it (a file size limit stands for a full disk)."""
    path = tmp_path / "report.json"
    write_whole(path, "old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        with pytest.raises(EnvironmentFault, match=r"cannot be written \(File too large\); what was there is kept"):
            write_whole(path, "new" * 10)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_text() == "old"
    write_whole(path, "new")
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["report.json"]
