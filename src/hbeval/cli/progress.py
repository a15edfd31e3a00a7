"""How far a battery is, on standard error: one line that moves on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable

from hbeval.battery import Progress
from hbeval.cli.console import Console

__all__ = ["files_progress_for", "progress_for"]

_BAR = 24
_EVERY_S = 2.0


def progress_for(console: Console, name: str, *, wanted: bool) -> Callable[[Progress], None] | None:
    """What to call with each progress: nothing where nobody looks and nobody asked."""
    if console.watched:
        return _Line(console, name)
    return _Log(console, name) if wanted else None


def files_progress_for(console: Console, *, wanted: bool) -> Callable[[int, int, str], None] | None:
    """The same for files that are read one after the other."""
    shown = progress_for(console, "score", wanted=wanted)
    if shown is None:
        return None
    return lambda done, total, _: shown(Progress(done=done, total=total))


class _Line:
    """Redraws one line; leaves a last one when done."""

    def __init__(self, console: Console, name: str) -> None:
        self._console, self._name = console, name
        self._finished = False

    def __call__(self, progress: Progress) -> None:
        if self._finished:
            return
        full, empty = ("━", "·") if self._console.unicode_aside else ("=", ".")
        filled = _BAR * progress.done // progress.total if progress.total else _BAR
        bar = full * filled + empty * (_BAR - filled)
        self._console.overwrite(f"{self._name}  {bar}  {_words(progress)}")
        if progress.done >= progress.total:
            self._finished = True
            self._console.aside("")


class _Log:
    """Writes a line every two seconds and at the end."""

    def __init__(self, console: Console, name: str) -> None:
        self._console, self._name = console, name
        self._last = time.monotonic()
        self._finished = False

    def __call__(self, progress: Progress) -> None:
        done = progress.done >= progress.total
        if self._finished or (not done and time.monotonic() - self._last < _EVERY_S):
            return
        self._last = time.monotonic()
        self._finished = done
        self._console.aside(f"{self._name}: {_words(progress)}")


def _words(progress: Progress) -> str:
    parts = [f"{progress.done} of {progress.total}"]
    parts += [f"{progress.resumed} from before"] if progress.resumed else []
    parts += [
        f"{count} {ending}".replace("_", " ") for ending, count in progress.endings.items() if ending != "completed"
    ]
    return ", ".join(parts)
