"""While an agent runs in this process: what it prints goes aside, and a request to end is an interrupt."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

__all__ = ["agents_output_aside", "termination_as_interrupt"]

_OUT, _ERR = 1, 2


@contextmanager
def agents_output_aside() -> Iterator[None]:
    """What agents, their libraries and their child processes print goes to standard error.

    Standard output is for the result alone: a stray `print` would break the one JSON document.
    """
    before = sys.stdout
    descriptor = _moved_aside(before)
    sys.stdout = _own_standard_error()
    try:
        yield
    finally:
        _flushed(sys.stdout)
        sys.stdout = before
        if descriptor is not None:
            _flushed(before)  # what was written past `sys.stdout` still goes aside
            os.dup2(descriptor, _OUT)
            os.close(descriptor)


@contextmanager
def termination_as_interrupt() -> Iterator[None]:
    """SIGTERM does what Ctrl-C does: what was measured is kept and reported. Only in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def _moved_aside(stream: TextIO | None) -> int | None:
    """Point descriptor 1 to standard error; a duplicate of what it was. None where there are no such descriptors."""
    try:
        if stream is None or stream.fileno() != _OUT:
            return None
        stream.flush()
        kept = os.dup(_OUT)
    except (OSError, ValueError):
        return None
    try:
        os.dup2(_ERR, _OUT)
    except OSError:
        os.close(kept)
        return None
    return kept


def _own_standard_error() -> TextIO:
    """A stream to standard error that an agent may close without closing ours."""
    try:
        if sys.stderr.fileno() == _ERR:
            return open(os.dup(_ERR), "w", encoding="utf-8", errors="backslashreplace", buffering=1)
    except (OSError, ValueError, AttributeError):
        pass  # no such descriptor: the stream itself has to do
    return sys.stderr if sys.stderr is not None else io.StringIO()


def _flushed(stream: TextIO | None) -> None:
    with suppress(OSError, ValueError, AttributeError):
        if stream is not None:
            stream.flush()
