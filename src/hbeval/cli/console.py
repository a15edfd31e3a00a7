"""Where output goes: one JSON document or human text on standard output, everything else on standard error."""

from __future__ import annotations

import io
import json as json_
import os
import re
import shutil
import sys
from typing import Any, TextIO

__all__ = ["Console"]

_ACTING = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""Characters that act on a terminal instead of standing on it."""

_SAMPLE = "–━●·─…"


class Console:
    """The process's streams. A reader that went away (`| head`) silences the stream and changes nothing else.

    With `json` standard output holds one JSON document and human text goes to standard error.
    """

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None, *, json: bool = False) -> None:
        self._out = _able(out if out is not None else sys.stdout)
        self._err = _able(err if err is not None else sys.stderr)
        self.json = json

    def say(self, text: str) -> None:
        """Text for people."""
        self._write(self._err if self.json else self._out, text if text.endswith("\n") else text + "\n")

    def aside(self, text: str) -> None:
        """Text for people that is not the result: hints, progress, where a file was written."""
        self._write(self._err, text if text.endswith("\n") else text + "\n")

    def error(self, text: str) -> None:
        """One line, prefixed with the command's name."""
        line = _ACTING.sub(lambda found: f"\\x{ord(found[0]):02x}", " ".join(text.split("\n")).strip())
        self._write(self._err, f"hbeval: {line}\n")

    def document(self, value: Any) -> None:
        """The one JSON document, if JSON was asked for."""
        if self.json:
            # As the model's codec writes, without importing the model: `--help` has no use for it.
            self._write(self._out, json_.dumps(value, ensure_ascii=True, allow_nan=False, indent=2) + "\n")

    def raw(self, text: str) -> None:
        """Text for standard output, whatever was asked for: a rendered document."""
        self._write(self._out, text)

    def overwrite(self, text: str) -> None:
        """Replace the current line of standard error (a terminal); the empty text clears it."""
        self._write(self._err, f"\r\x1b[K{text}")

    @property
    def unicode(self) -> bool:
        """Whether human text may hold more than ASCII."""
        return _encodes(self._err if self.json else self._out)

    @property
    def unicode_aside(self) -> bool:
        """The same for what goes to standard error."""
        return _encodes(self._err)

    @property
    def color(self) -> bool:
        """Whether human text may be set apart: a terminal, and NO_COLOR not set."""
        stream = self._err if self.json else self._out
        return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    @property
    def terminal(self) -> bool:
        """Whether standard output is a terminal."""
        return self._out.isatty()

    @property
    def watched(self) -> bool:
        """Whether standard error is a terminal, so that progress has somebody to look at it."""
        return self._err.isatty()

    @property
    def width(self) -> int:
        """Columns for human text: the terminal's, within 60 and 160; 100 elsewhere."""
        return min(160, max(60, shutil.get_terminal_size((100, 24)).columns)) if self.terminal else 100

    def _write(self, stream: TextIO, text: str) -> None:
        try:
            stream.write(text)
            stream.flush()
        except BrokenPipeError:
            self._silence(stream)

    def _silence(self, stream: TextIO) -> None:
        """Point the stream's descriptor nowhere, so that the interpreter's last flush has nothing to complain of."""
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
        except io.UnsupportedOperation:
            return


def _encodes(stream: TextIO) -> bool:
    try:
        _SAMPLE.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _able(stream: TextIO | None) -> TextIO:
    """A stream that can write any text: what its encoding lacks becomes a visible escape."""
    if stream is None:
        return io.StringIO()
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream
