"""Reading and writing the files that commands are given."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hbeval.errors import InputError, UsageError
from hbeval.model import loads

__all__ = ["read_bytes", "read_json", "write_text"]


def read_bytes(path: str, *, right: str) -> bytes:
    """The bytes of a file, `-` for standard input. Raises InputError naming the path and what would be right."""
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read ({why})", where=path, right=right) from error


def read_json(path: str, *, right: str) -> Any:
    """The JSON value of a file. Raises InputError with the place of the damage."""
    return loads(read_bytes(path, right=right), where=path)


def write_text(path: Path, text: str) -> None:
    """Write a file whole, its folder made if need be. Raises UsageError naming the path and what the system said."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror}); choose another place with --out") from error
