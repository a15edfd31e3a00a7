"""The journal file: what it keeps, what it repairs, what it refuses."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from hbeval.errors import EnvironmentFault, HarnessError, InputError, UsageError
from hbeval.model import Ending, JudgedTrace
from hbeval.store import FileJournal, MemoryJournal
from hbeval.store.checks import check_journal

HOLDER = """
import pathlib, sys, time
from hbeval.store import FileJournal
journal = FileJournal(pathlib.Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def outage(judged, name: str, number: int = 1) -> JudgedTrace:
    """A run that something outside kept from measuring."""
    made = judged(name, extra={"attempt": number})
    return replace(made, trace=replace(made.trace, ending=Ending.INFRASTRUCTURE, success=None))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "traces.jsonl"


def test_the_file_keeps_the_laws(tmp_path: Path, judged):
    """The file is a journal."""
    places = (tmp_path / f"{i}.jsonl" for i in range(9))
    check_journal(lambda: FileJournal(next(places)), [*(judged(f"r{i}") for i in range(3)), outage(judged, "r3")])
    check_journal(lambda: FileJournal(next(places)), [outage(judged, "r0"), judged("r1"), outage(judged, "r2")])


def test_memory_keeps_the_laws(judged):
    """And so is the one without a file."""
    check_journal(MemoryJournal, [judged("r0"), outage(judged, "r1"), judged("r2"), judged("r3")])


def test_the_laws_catch_a_journal_that_takes_a_run_twice(judged):
    """A check that cannot fail checks nothing."""

    class Forgetful(MemoryJournal):
        def append(self, run):
            self._runs.pop(run.trace.id, None)
            super().append(run)

    class Lossy(MemoryJournal):
        def append(self, run):
            pass

    with pytest.raises(AssertionError, match="a second time"):
        check_journal(Forgetful, [judged("r0")])
    with pytest.raises(AssertionError, match="once `append` has returned"):
        check_journal(Lossy, [judged("r0")])


def test_a_run_is_in_the_file_before_append_returns(path: Path, judged):
    """Another reader sees it at once, whole."""
    journal = FileJournal(path)
    for count in range(1, 4):
        journal.append(judged(f"r{count}"))
        data = path.read_bytes()
        assert data.count(b"\n") == count
        assert data.endswith(b"}\n")
    journal.close()


def test_odd_text_and_unknown_fields_come_back(path: Path, judged):
    """Lone surrogates, separators of lines, NULs, and fields of a later version."""
    run = judged("r0", text="half \ud83d, \u2028\x00\n end", extra={"later": {"x": [1, None]}})
    with FileJournal(path) as journal:
        journal.append(run)
    with FileJournal(path) as journal:
        assert list(journal.read()) == [run]
    assert b"later" in path.read_bytes()


def test_the_same_runs_give_the_same_bytes_after_a_round_trip(tmp_path: Path, judged):
    """Read and written again, a journal does not change."""
    with FileJournal(tmp_path / "a") as first, FileJournal(tmp_path / "b") as second:
        for i in range(3):
            first.append(judged(f"r{i}", extra={"k": i}))
        for run in first.read():
            second.append(run)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("after", [b"", b"\n", b"\x00" * 9, b"\n\n"])
def test_opening_repairs_a_torn_last_line_and_says_so(path: Path, judged, after: bytes):
    """The run of that line is not finished; the next append continues after the intact ones."""
    with FileJournal(path) as journal:
        journal.append(judged("r0"))
        whole = path.read_bytes()
        journal.append(judged("r1"))
    path.write_bytes(path.read_bytes()[:-30] + after)
    with FileJournal(path) as journal:
        assert journal.repaired is not None
        assert journal.repaired.line == 2
        assert path.read_bytes() == whole
        journal.append(judged("r1"))
        assert [run.trace.id for run in journal.read()] == ["r0", "r1"]


def test_opening_gives_an_intact_last_line_its_newline(path: Path, judged):
    """Nothing is cut off."""
    with FileJournal(path) as journal:
        journal.append(judged("r0"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with FileJournal(path) as journal:
        assert journal.repaired is not None
        assert journal.repaired.unterminated
    assert path.read_bytes() == whole


def test_damage_in_the_middle_is_an_error_and_changes_nothing(path: Path, judged):
    """Not even the file's length; and the lock is free again."""
    with FileJournal(path) as journal:
        for i in range(3):
            journal.append(judged(f"r{i}"))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    for _ in range(2):
        with pytest.raises(InputError, match=r"traces\.jsonl:2: line 2 is damaged"):
            FileJournal(path)
    assert path.read_bytes() == bytes(data)


def test_a_run_recorded_twice_is_an_error(path: Path, judged):
    """Two lines with one id are never both counted."""
    with FileJournal(path) as journal:
        journal.append(judged("r0"))
    path.write_bytes(path.read_bytes() * 2)
    with (
        FileJournal(path) as journal,
        pytest.raises(InputError, match=r"traces\.jsonl:2: a run is recorded twice.*'r0'"),
    ):
        list(journal.read())


def test_the_next_try_of_a_run_that_could_not_be_measured_takes_its_place(path: Path, judged):
    """Both stay in the file; read, each scenario comes once, and a measured one is final."""
    for number in (1, 2):
        with FileJournal(path) as journal:
            journal.append(outage(judged, "r0", number))
            assert [run.trace.extra["attempt"] for run in journal.read()] == [number]
    with FileJournal(path) as journal:
        journal.append(judged("r0"))
        journal.append(judged("r1"))
        assert [run.trace.ending for run in journal.read()] == [Ending.COMPLETED] * 2
        with pytest.raises(HarnessError, match="'r0' was appended twice"):
            journal.append(outage(judged, "r0", 3))
    assert path.read_bytes().count(b"\n") == 4


def test_a_line_whose_verdicts_belong_to_other_steps_is_an_error(path: Path, judged):
    """Every table and every chart takes them for a pair."""
    with FileJournal(path) as journal:
        journal.append(replace(judged("r0"), steps=()))
        with pytest.raises(InputError, match=r"traces\.jsonl:1: verdicts and steps do not belong together, got 'r0'"):
            list(journal.read())


def test_a_resumed_journal_knows_the_ids_that_are_there(path: Path, judged):
    """Also when nobody has read it first."""
    with FileJournal(path) as journal:
        journal.append(judged("r0"))
    with FileJournal(path) as journal, pytest.raises(HarnessError, match="'r0' was appended twice"):
        journal.append(judged("r0"))


def test_an_intact_line_that_holds_no_run_is_an_error_with_its_place(path: Path):
    """The checksum is right, the content is not."""
    from hbeval.store.lines import frame

    path.write_bytes(frame(b'{"rules":1}'))
    with FileJournal(path) as journal, pytest.raises(InputError, match=r"traces\.jsonl:1.*wrong type"):
        list(journal.read())


def test_a_second_writer_is_refused_while_the_first_lives(path: Path, judged):
    """In this process and in another; the lock goes when the holder is killed."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(UsageError, match="another process is writing to this run"):
            FileJournal(path)
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait(timeout=10)
        holder.stdout.close()
    with FileJournal(path) as journal:
        journal.append(judged("r0"))
        with pytest.raises(UsageError, match="another process"):
            FileJournal(path)


def test_a_short_write_is_taken_back_and_the_runs_before_it_are_kept(path: Path, judged):
    """The medium takes part of a line and then no more (a file size limit stands for a full disk)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    journal = FileJournal(path)
    journal.append(judged("r0"))
    whole = path.read_bytes()
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 100, hard))
    try:
        with pytest.raises(EnvironmentFault, match=r"File too large.*1 finished runs are kept.*resume"):
            journal.append(judged("r1"))
        assert path.read_bytes() == whole
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    journal.append(judged("r1"))
    journal.close()
    with FileJournal(path) as again:
        assert again.repaired is None
        assert [run.trace.id for run in again.read()] == ["r0", "r1"]


def test_a_file_that_cannot_be_opened_is_a_usage_error(tmp_path: Path):
    """A directory in its place, a folder that does not exist."""
    with pytest.raises(UsageError, match="cannot be opened for writing"):
        FileJournal(tmp_path)
    with pytest.raises(UsageError, match="No such file"):
        FileJournal(tmp_path / "no" / "traces.jsonl")


def synced(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Moments at which the file was brought to the medium; the call itself still happens."""
    moments: list[float] = []
    real = os.fdatasync

    def fdatasync(fd: int) -> None:
        real(fd)
        moments.append(time.monotonic())

    monkeypatch.setattr(os, "fdatasync", fdatasync)
    return moments


def test_what_was_written_is_on_the_medium_within_a_second(path: Path, judged, monkeypatch: pytest.MonkeyPatch):
    """Also if nothing is appended afterwards, and once for many runs."""
    moments = synced(monkeypatch)
    with FileJournal(path) as journal:
        begun = time.monotonic()
        for i in range(50):
            journal.append(judged(f"r{i}"))
        while not moments and time.monotonic() < begun + 5:
            time.sleep(0.01)
        assert moments
        assert moments[0] - begun < 1.0
        assert len(moments) <= 2
    assert len(moments) >= 2


def test_durable_brings_each_run_to_the_medium_before_append_returns(
    path: Path, judged, monkeypatch: pytest.MonkeyPatch
):
    """One call a run."""
    moments = synced(monkeypatch)
    with FileJournal(path, durable=True) as journal:
        for i in range(3):
            journal.append(judged(f"r{i}"))
            assert len(moments) == i + 1


@pytest.mark.parametrize("durable", [False, True])
def test_a_medium_that_fails_to_sync_is_said(path: Path, judged, monkeypatch: pytest.MonkeyPatch, durable: bool):
    """At the next append, or at once if durable."""

    def fails(fd: int) -> None:
        raise OSError(5, "Input/output error")

    journal = FileJournal(path, durable=durable)
    monkeypatch.setattr(os, "fdatasync", fails)

    def append_until_said() -> None:
        for i in range(200):
            journal.append(judged(f"r{i}"))
            time.sleep(0.01)

    with pytest.raises(EnvironmentFault, match=r"brought to the medium.*Input/output error"):
        append_until_said()
    with pytest.raises(EnvironmentFault):
        journal.close()
    journal.close()


def test_closing_leaves_no_thread_behind(path: Path, judged):
    """The helper that syncs ends with the journal."""
    import threading

    before = set(threading.enumerate())
    with FileJournal(path) as journal:
        journal.append(judged("r0"))
    assert set(threading.enumerate()) == before


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_fork_of_the_writer_writes_nothing(path: Path, judged):
    """An agent that forks comes back twice; the copy must not record its run again."""
    journal = FileJournal(path)
    journal.append(judged("r0"))
    child = os.fork()
    if child == 0:
        try:
            journal.append(judged("r1"))
        except HarnessError as error:
            os._exit(7 if "this one is a fork" in str(error) else 1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    journal.append(judged("r1"))
    journal.close()
    assert path.read_bytes().count(b"\n") == 2
