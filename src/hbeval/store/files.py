"""Files that are either whole or not there, and the calls a platform may lack."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hbeval.errors import EnvironmentFault, UsageError

if sys.platform != "win32":
    import fcntl

__all__ = ["lock", "sync", "sync_directory", "write_whole"]


def sync(fd: int) -> None:
    """Have the file's data on the medium when this returns."""
    getattr(os, "fdatasync", os.fsync)(fd)


def sync_directory(path: Path) -> None:
    """Have the names in a directory on the medium, where the platform can say so and we may read the directory."""
    if sys.platform == "win32" or not os.access(path, os.R_OK):
        return
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def lock(fd: int, path: Path) -> None:
    """Take the exclusive lock of an open file; it goes with the process. Raises UsageError if another holds it.

    Windows has no such lock; there it is the user who keeps two processes apart.
    """
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UsageError(
            f"{path}: another process is writing to this run (or one that it left behind); "
            "wait until it has ended, or choose another directory"
        ) from error


def write_whole(path: Path, text: str) -> None:
    """Replace a file's content in one step: whoever reads sees the old text or the new, whatever happens meanwhile.

    Raises EnvironmentFault if the medium refuses; the old file is kept then.
    """
    waiting = path.with_name(f".{path.name}.tmp")
    try:
        with open(waiting, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(waiting, path)
        sync_directory(path.parent)
    except OSError as error:
        waiting.unlink(missing_ok=True)
        raise EnvironmentFault(f"{path}: cannot be written ({error.strerror}); what was there is kept") from error
