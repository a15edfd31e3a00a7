"""The run journal as a file: one judged trace a line, append only."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator, Iterator
from pathlib import Path

from hbeval.errors import EnvironmentFault, HarnessError, InputError, UsageError
from hbeval.model import JudgedTrace, decode, loads
from hbeval.store.base import may_come_again
from hbeval.store.files import lock, sync
from hbeval.store.lines import Scan, Torn, frame
from hbeval.store.wire import Wire

__all__ = ["FileJournal", "read_runs"]

_SYNC_EVERY_S = 0.5


class FileJournal:
    """The journal in one file, which it creates if need be and locks against a second writer.

    Each run is written by one `write` of its whole line before `append` returns, so it survives the death of the
    process; the medium has it within a second, or before `append` returns if `durable`. The lock ends with the process.
    Opening repairs: a torn last line is cut off, or given the newline that it lacks, and `repaired` says so.
    Raises UsageError if the file cannot be opened or another process writes to it, InputError on any other damage.
    """

    def __init__(self, path: Path, *, durable: bool = False) -> None:
        self._path, self._durable, self._owner = path, durable, os.getpid()
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise UsageError(f"{path}: cannot be opened for writing ({error.strerror})") from error
        try:
            lock(self._fd, path)
        except BaseException:
            os.close(self._fd)
            raise
        self._ids: dict[str, bool] | None = None
        self._size = 0
        self._wire = Wire()
        self._flusher: _Flusher | None = None
        self._closed = False
        self.repaired: Torn | None = None
        try:
            lock(self._fd, path)
            self._repair()
        except BaseException:
            os.close(self._fd)
            raise

    def read(self) -> Iterator[JudgedTrace]:
        """The finished runs in the order in which they were appended. Raises InputError on one that is no run.

        Those that may come again come last, as they ended the last time.
        """
        ids: dict[str, bool] = {}
        with open(self._path, "rb") as file:
            yield from _runs(Scan(file, str(self._path)), ids)
        self._ids = ids

    def append(self, judged: JudgedTrace, text: str | None = None) -> None:
        """Write one finished run. Raises HarnessError, InputError or EnvironmentFault; the runs before it are kept."""
        if os.getpid() != self._owner:
            raise HarnessError(f"{self._path}: only the process that opened a journal writes to it; this one is a fork")
        if self._ids is None:
            self._ids = {judged.trace.id: may_come_again(judged) for judged in self.read()}
        name = judged.trace.id
        if not self._ids.get(name, True):
            raise HarnessError(f"run {name!r} was appended twice; every run of a battery has its own id")
        self._write(frame((text or self._wire.text(judged)).encode("ascii")))
        self._ids[name] = may_come_again(judged)
        if self._durable:
            self._sync()
        else:
            self._sync_soon()

    def close(self) -> None:
        """Have everything on the medium, release the lock and close the file. Closing twice is harmless."""
        if self._closed:
            return
        self._closed = True
        try:
            if self._flusher is not None:
                self._flusher.stop()
            self._sync()
        finally:
            os.close(self._fd)

    def __enter__(self) -> FileJournal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _repair(self) -> None:
        with open(self._path, "rb") as file:
            scan = Scan(file, str(self._path))
            for _ in scan:
                pass
        self.repaired, self._size = scan.torn, scan.end
        if scan.torn is None:
            return
        if scan.torn.unterminated:
            self._write(b"\n")
        else:
            os.ftruncate(self._fd, scan.end)
        self._sync()

    def _write(self, line: bytes) -> None:
        try:
            written = os.write(self._fd, line)
            while written < len(line):
                written += os.write(self._fd, line[written:])
        except OSError as error:
            self._take_back()
            raise self._failed("cannot be written to", error) from error
        self._size += len(line)

    def _take_back(self) -> None:
        try:
            os.ftruncate(self._fd, self._size)
        except OSError:
            return  # the part of a line that stays is torn, and the next reader repairs it

    def _sync(self) -> None:
        try:
            sync(self._fd)
        except OSError as error:
            raise self._failed("cannot be brought to the medium", error) from error

    def _sync_soon(self) -> None:
        if self._flusher is None:
            self._flusher = _Flusher(self._fd)
            self._flusher.start()
        if self._flusher.error is not None:
            raise self._failed("cannot be brought to the medium", self._flusher.error)
        if not self._flusher.wanted.is_set():
            self._flusher.wanted.set()

    def _failed(self, what: str, error: OSError) -> EnvironmentFault:
        kept = len(self._ids or ())
        return EnvironmentFault(
            f"{self._path}: {what} ({error.strerror}); {kept} finished runs are kept, the run being written is not; "
            "put that right and resume"
        )


class _Flusher(threading.Thread):
    """Brings written lines to the medium within a second, beside the runs, which need not wait for it."""

    def __init__(self, fd: int) -> None:
        super().__init__(name="hbeval-journal-sync", daemon=True)
        self._fd = fd
        self._stopping = threading.Event()
        self.wanted = threading.Event()
        self.error: OSError | None = None

    def run(self) -> None:
        while self.wanted.wait() and not self._stopping.wait(_SYNC_EVERY_S):
            self.wanted.clear()
            try:
                sync(self._fd)
            except OSError as error:
                self.error = error
                return

    def stop(self) -> None:
        self._stopping.set()
        self.wanted.set()
        self.join()


def read_runs(path: Path) -> Generator[JudgedTrace, None, Torn | None]:
    """The finished runs of a journal that somebody else may be writing; returns what of the last line was left out."""
    try:
        with open(path, "rb") as file:
            scan = Scan(file, str(path))
            yield from _runs(scan, {})
            return scan.torn
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path), right="a run directory") from error


def _runs(scan: Scan, ids: dict[str, bool]) -> Iterator[JudgedTrace]:
    """The runs of a journal; `ids` takes their ids, with whether each may come again."""
    waiting: dict[str, JudgedTrace] = {}
    for number, payload in scan:
        where = f"{scan.where}:{number}"
        judged = decode(JudgedTrace, loads(payload, where=where), where=where)
        name = judged.trace.id
        if not ids.get(name, True):
            raise InputError("a run is recorded twice", where=where, value=name, right="one line for each scenario")
        if [each.seq for each in judged.steps] != [each.seq for each in judged.trace.steps]:
            right = "one verdict for each step, in their order"
            raise InputError("verdicts and steps do not belong together", where=where, value=name, right=right)
        waiting.pop(name, None)
        ids[name] = may_come_again(judged)
        if ids[name]:
            waiting[name] = judged
        else:
            yield judged
    yield from waiting.values()
