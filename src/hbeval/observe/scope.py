"""Which recording the running code belongs to."""

from __future__ import annotations

from contextvars import ContextVar

from hbeval.observe.recorder import Recorder

__all__ = ["CURRENT", "Scope", "active_scope"]


class Scope:
    """A recording, and the step of the tool in which the code runs, if it runs in one. One is made per call."""

    __slots__ = ("recorder", "within")

    def __init__(self, recorder: Recorder, within: int | None = None) -> None:
        self.recorder, self.within = recorder, within


CURRENT: ContextVar[Scope | None] = ContextVar("hbeval_scope", default=None)


def active_scope() -> Scope | None:
    """The scope of the running code, None outside a recording and after its end."""
    scope = CURRENT.get()
    return None if scope is None or scope.recorder.closed else scope
