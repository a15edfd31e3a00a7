"""Reading and writing the files that commands are given."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hbeval.errors import InputError, UsageError
from hbeval.model import loads

__all__ = ["append_text", "json_of", "read_bytes", "read_json", "write_text"]


def read_bytes(path: str, *, right: str) -> bytes:
    """The bytes of a file, `-` for standard input. Raises InputError naming the path and what would be right."""
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read ({why})", where=path, right=right) from error


def read_json(path: str, *, right: str) -> Any:
    """The JSON value of a file. Raises InputError with the place of the damage and what would be right."""
    return json_of(read_bytes(path, right=right), where=path, right=right)


def json_of(text: bytes, *, where: str, right: str) -> Any:
    """The JSON value of the bytes of a file. Raises InputError as `read_json` does."""
    try:
        return loads(text, where=where)
    except InputError as error:
        raise InputError(error.what, where=where, right=right) from error


def write_text(path: Path, text: str, *, chosen_with: str | None = "--out") -> None:
    """Write a file whole, its folder made if need be.

    Raises UsageError naming the path, what the system said, and the flag that the place was chosen with.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        remedy = "choose another place" + (f" with {chosen_with}" if chosen_with else "")
        raise UsageError(f"{path}: cannot be written ({error.strerror}); {remedy}") from error


def append_text(path: Path, text: str) -> None:
    """Add to a file that others write to as well. Raises UsageError naming the path and what the system said."""
    try:
        with open(path, "a", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written to ({error.strerror})") from error
