"""Recordings begin and end here; agents leave their words here."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from hbeval.errors import UsageError
from hbeval.faults import FaultPlan
from hbeval.model import Task
from hbeval.observe.carrier import CARRIER
from hbeval.observe.clock import Clock, Sleep
from hbeval.observe.recorder import Recorder
from hbeval.observe.scope import CURRENT, Scope, active_scope

__all__ = ["attempt", "current_recorder", "disabled", "permit_faults", "plan", "recording", "turn"]


@contextmanager
def recording(recorder: Recorder) -> Iterator[Recorder]:
    """Tools called inside are recorded, and meet the faults of the recorder's plan.

    "Inside" follows asyncio tasks, threads and thread pools that the body starts or submits to. The recorder closes at
    the end; calls that are made later pass through. Raises UsageError for a recorder that is closed already.
    """
    if recorder.closed:
        raise UsageError("this recorder is closed; make a new one for each run")
    if disabled():
        yield recorder
        recorder.close()
        return
    CARRIER.hold()
    recorder.on_close(CARRIER.release)
    before = CURRENT.get()
    CURRENT.set(Scope(recorder))
    try:
        yield recorder
    finally:
        CURRENT.set(before)
        recorder.close()


@contextmanager
def permit_faults(plan: FaultPlan, *, clock: Clock = time.time, sleep: Sleep | None = None) -> Iterator[Recorder]:
    """Explicit permission to inject outside a battery: tools called inside meet the faults of `plan`.

    `recorder.schedule.faults()` of the recorder it gives says what became of them.
    """
    with recording(Recorder(Task(id=plan.task or plan.id), plan=plan, clock=clock, sleep=sleep)) as recorder:
        yield recorder


def current_recorder() -> Recorder | None:
    """The recorder of the recording that the running code belongs to, if any."""
    scope = active_scope()
    return None if scope is None else scope.recorder


def turn(text: str, *, speaker: str = "agent") -> None:
    """Leave what was said in the record; does nothing outside a recording."""
    scope = active_scope()
    if scope is not None:
        scope.recorder.turn(text, speaker=speaker)


def plan(text: str) -> None:
    """Leave a plan, or a change of plan, in the record; does nothing outside a recording."""
    scope = active_scope()
    if scope is not None:
        scope.recorder.plan(text)


def attempt(action: str, arguments: Any = None, *, error: str, message: str = "", malformed: bool = False) -> None:
    """Leave a call that reached no tool in the record; see `Recorder.attempt`. Does nothing outside a recording."""
    scope = active_scope()
    if scope is not None:
        scope.recorder.attempt(action, arguments, error=error, message=message, malformed=malformed)


def disabled() -> bool:
    """Whether HBEVAL_DISABLE switches recording and injection off. Said once in the log."""
    if os.environ.get("HBEVAL_DISABLE", "") in ("", "0"):
        return False
    _say_disabled()
    return True


@cache
def _say_disabled() -> None:
    logging.getLogger("hbeval").warning("HBEVAL_DISABLE is set: tools pass through, nothing is recorded or injected")
