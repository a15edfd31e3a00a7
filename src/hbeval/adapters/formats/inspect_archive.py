"""Inspect's `.eval` archives: a ZIP file read member by member, within bounds."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from pathlib import Path
from types import TracebackType

from hbeval.adapters.formats.documents import Document, parse_json
from hbeval.errors import InputError

__all__ = ["MEMBER_LIMIT", "TOTAL_LIMIT", "Archive"]

MEMBER_LIMIT = 512 * 1024**2
TOTAL_LIMIT = 16 * 1024**3
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)


class Archive:
    """An open archive. Raises InputError if it is no ZIP file or was not closed by its writer.

    At most `member_limit` bytes of one member and `total_limit` bytes of all of them are unpacked.
    """

    def __init__(
        self, path: Path, source: str, *, member_limit: int = MEMBER_LIMIT, total_limit: int = TOTAL_LIMIT
    ) -> None:
        self._source, self._limit, self._left = source, member_limit, total_limit
        try:
            self._zip = zipfile.ZipFile(path)
        except _UNREADABLE as error:
            raise InputError(
                f"not a readable ZIP archive ({error})", where=source, right="an Inspect .eval log"
            ) from error

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def names(self) -> tuple[str, ...]:
        """Names of the members in file order, each once; the last of those with one name is the one that counts."""
        return tuple(dict.fromkeys(self._zip.namelist()))

    def json(self, name: str) -> Document:
        """The JSON document of a member. Raises InputError for one that is missing, damaged or too large."""
        where = f"{self._source}#{name}"
        limit = min(self._limit, self._left)
        try:
            with self._zip.open(name) as member:
                data = member.read(limit + 1)
        except KeyError as error:
            raise InputError("not in the archive", where=where) from error
        except _UNREADABLE as error:
            raise InputError(f"not readable ({error})", where=where) from error
        if len(data) > limit:
            raise InputError(f"more than {limit} bytes when unpacked; not read", where=where)
        self._left -= len(data)
        return parse_json(data, where)
