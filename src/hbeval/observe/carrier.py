"""Recordings follow work into threads, which context variables do not.

While at least one recording is active, `Thread.start` and `ThreadPoolExecutor.submit` hand the caller's scope, and
nothing else of its context, to what they start. With the last recording the originals come back.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import wraps
from threading import Lock, Thread
from typing import Any

from hbeval.observe.scope import CURRENT, Scope, active_scope

__all__ = ["CARRIER", "Carrier"]


class Carrier:
    """Patches the two methods while anyone holds it. What somebody else patched on top meanwhile is left alone."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._holders = 0
        self._patches = (
            _Patch(Thread, "start", _carrying_start),
            _Patch(ThreadPoolExecutor, "submit", _carrying_submit),
        )

    def hold(self) -> None:
        """One more recording is active."""
        with self._lock:
            self._holders += 1
            if self._holders == 1:
                for patch in self._patches:
                    patch.apply()

    def release(self) -> None:
        """One recording less."""
        with self._lock:
            self._holders -= 1
            if self._holders == 0:
                for patch in self._patches:
                    patch.undo()


class _Patch:
    """One method of one class, and what stands in its place for a while."""

    def __init__(self, owner: type, name: str, make: Callable[[Any], Any]) -> None:
        self._owner, self._name, self._make = owner, name, make
        self._original: Any = None
        self._ours: Any = None

    def apply(self) -> None:
        present = vars(self._owner)[self._name]
        if present is not self._original:
            self._original, self._ours = present, self._make(present)
        setattr(self._owner, self._name, self._ours)

    def undo(self) -> None:
        if vars(self._owner)[self._name] is self._ours:
            setattr(self._owner, self._name, self._original)


def _carrying_start(original: Callable[[Thread], None]) -> Callable[[Thread], None]:
    @wraps(original)
    def start(self: Thread) -> None:
        scope = active_scope()
        if scope is None:
            return original(self)
        own = vars(self).get("run")
        run = self.run

        def restore() -> None:
            vars(self).pop("run", None)
            if own is not None:
                vars(self)["run"] = own

        def run_in_scope() -> None:
            restore()
            CURRENT.set(scope)
            run()

        vars(self)["run"] = run_in_scope
        try:
            return original(self)
        except BaseException:
            restore()
            raise

    return start


def _carrying_submit(original: Callable[..., Future[Any]]) -> Callable[..., Future[Any]]:
    @wraps(original)
    def submit(self: ThreadPoolExecutor, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        scope = active_scope()
        if scope is None:
            return original(self, fn, *args, **kwargs)
        token = CURRENT.set(None)  # a worker thread that this call starts outlives the recording
        try:
            return original(self, _in_scope(scope, fn), *args, **kwargs)
        finally:
            CURRENT.reset(token)

    return submit


def _in_scope(scope: Scope, fn: Callable[..., Any]) -> Callable[..., Any]:
    def run_in_scope(*args: Any, **kwargs: Any) -> Any:
        token = CURRENT.set(scope)
        try:
            return fn(*args, **kwargs)
        finally:
            CURRENT.reset(token)

    return run_in_scope


CARRIER = Carrier()
"""The one of this process: what it patches belongs to the process too."""
