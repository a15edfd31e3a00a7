"""Which importer reads a file, and why."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hbeval.adapters.formats.base import Importer
from hbeval.adapters.formats.builtin import BUILTIN
from hbeval.errors import InputError, UsageError

__all__ = ["HEAD_BYTES", "Detected", "detect", "importer_named"]

HEAD_BYTES = 64 * 1024


class Detected(NamedTuple):
    """An importer and what it recognised the file by."""

    importer: Importer
    reason: str


def detect(path: Path, importers: Sequence[Importer] = BUILTIN, *, where: str | None = None) -> Detected:
    """The first importer that knows the file, by its ending and its first 64 KiB.

    Raises InputError, with the reason, for a file that none knows or that cannot be read. `where` names it in messages.
    """
    where = str(path) if where is None else where
    able = [each for each in importers if path.name.lower().endswith(each.suffixes)]
    if not able:
        endings = sorted({suffix for each in importers for suffix in each.suffixes})
        raise InputError("no format has this file ending", where=where, value=path.suffix, right=" or ".join(endings))
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError as error:
        raise InputError(f"not readable ({error.strerror})", where=where) from error
    for importer in able:
        reason = importer.detect(path, head)
        if reason is not None:
            return Detected(importer, reason)
    raise InputError(_unknown(head), where=where, right=" or ".join(each.name for each in able))


def importer_named(name: str, importers: Sequence[Importer] = BUILTIN) -> Importer:
    """The importer of a format. Raises UsageError naming those there are."""
    for importer in importers:
        if importer.name == name:
            return importer
    known = ", ".join(each.name for each in importers)
    raise UsageError(f"format {name!r} is not known; use auto or one of: {known}")


def _unknown(head: bytes) -> str:
    if not head.strip():
        return "empty file"
    if b"\0" in head[:4096]:
        return "unknown format: binary data"
    if head.lstrip()[:1] not in b"{[":
        return "unknown format: not JSON"
    return "unknown format: JSON without the marks of a known log"
