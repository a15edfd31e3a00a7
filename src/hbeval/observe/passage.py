"""One call on its way through the faults that fire at it.

What waits and what calls is left to the boundary, so that sync and async tools share every decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from hbeval.faults import CannotApply, Hit, exception_for
from hbeval.model import is_marked
from hbeval.observe.live_step import LiveStep
from hbeval.observe.recorder import Recorder
from hbeval.observe.snapshot import snapshot

__all__ = ["Passage", "altered"]

_SEEN_SHARE = 0.5


class Passage:
    """The faulted call of one step.

    Order of use: call the tool if `carried_out`; `waits()`, a wait after each; raise `ending()` if there is one; else
    call the tool and hand out `passed(result)`. Every exception on the way is shown to `left(error)`.
    """

    __slots__ = ("_delays", "_injected", "_raises", "_recorder", "_step", "_unsettled", "_waiting")

    def __init__(
        self, recorder: Recorder, step: LiveStep, hits: tuple[Hit, ...], raises: Mapping[str, type[Exception]]
    ) -> None:
        self._recorder, self._step, self._raises = recorder, step, raises
        self._unsettled = list(hits)
        self._injected: tuple[Hit, Exception] | None = None
        self._waiting: tuple[Hit, float] | None = None
        self._delays: list[tuple[Hit, float]] = []

    @property
    def carried_out(self) -> bool:
        """Whether the tool is to do its work before the error that takes its reply away."""
        last = self._unsettled[-1].interruption if self._unsettled else None
        return last is not None and last.error is not None and last.carried_out

    def waits(self) -> Iterator[float]:
        """Seconds to wait, one wait after another. Asking for the next one says that the wait is over."""
        clock = self._recorder.clock
        for hit in tuple(self._unsettled):
            interruption = hit.interruption
            if interruption is None:
                continue
            began = clock()
            if interruption.wait_s > 0:
                self._waiting = (hit, began)
                yield interruption.wait_s
                self._waiting = None
            if interruption.error is None:
                self._delays.append((hit, clock() - began))
                self._unsettled.remove(hit)

    def ending(self) -> Exception | None:
        """The exception to raise in place of a result, if there is one."""
        hit = self._unsettled[-1] if self._unsettled else None
        if hit is None or hit.interruption is None or hit.interruption.error is None:
            return None
        error = exception_for(hit.interruption.error, self._raises)
        self._injected = (hit, error)
        hit.injected(self._step.seq)
        self._unsettled.pop()
        return error

    def passed(self, result: Any) -> Any:
        """What the agent gets in place of the tool's result."""
        self._see_delays("returned")
        self._remember(result)
        for hit in self._unsettled:
            result = self._changed(hit, result)
        self._unsettled = []
        return result

    def alterations(self) -> tuple[Hit, ...]:
        """Hands the altering faults over to whoever passes on the items of a stream."""
        self._see_delays("began")
        hits, self._unsettled = tuple(self._unsettled), []
        return hits

    def left(self, error: BaseException) -> None:
        """An exception leaves the boundary: the runtime sees what the agent gets."""
        name, seq = type(error).__name__, self._step.seq
        self._see_delays(f"raised {name}")
        if self._injected is not None and error is self._injected[1]:
            self._injected[0].observed(seq, f"raised {name}")
        elif self._waiting is not None:
            hit, began = self._waiting
            hit.injected(seq)
            hit.observed(seq, f"raised {name} after {self._recorder.clock() - began:.3f} s of waiting")
            self._unsettled.remove(hit)
        for hit in self._unsettled:
            hit.failed(f"the call ended before it could be applied ({name})")
        self._unsettled = []

    def _see_delays(self, what: str) -> None:
        for hit, waited_s in self._delays:
            seq = self._step.seq
            hit.injected(seq)
            asked_s = hit.interruption.wait_s if hit.interruption else 0.0
            if not asked_s:
                hit.observed(seq, "passed unchanged")
            elif waited_s >= asked_s * _SEEN_SHARE:
                hit.observed(seq, f"{what} {waited_s:.3f} s late")
        self._delays = []

    def _remember(self, result: Any) -> None:
        schedule = self._recorder.schedule
        if schedule is not None and schedule.remembers(self._step.action):
            schedule.remember(self._step.action, snapshot(result))

    def _changed(self, hit: Hit, result: Any) -> Any:
        try:
            changed = altered(hit, result)
        except CannotApply as failure:
            hit.failed(str(failure))
            return result
        hit.injected(self._step.seq)
        hit.observed(self._step.seq, f"returned altered data ({hit.record.prepared.effect.name})")
        return changed


def altered(hit: Hit, result: Any, *, item: int | None = None) -> Any:
    """The altered form of a result, or of an item of a stream. Raises CannotApply, and nothing else."""
    effect = hit.record.prepared.effect
    copy = snapshot(result)
    if effect.needs_data and is_marked(copy):
        raise CannotApply(f"the result ({type(result).__name__}) has no complete JSON form")
    try:
        return _in_form_of(result, hit.altered(copy, item=item))
    except CannotApply:
        raise
    except Exception as error:  # a broken effect is the fault's failure, not the agent's
        raise CannotApply(f"effect {effect.name} failed ({type(error).__name__}: {error})") from error


def _in_form_of(result: Any, changed: Any) -> Any:
    """The changed fields in a dataclass of the same type, where the tool gave one and all fields are there."""
    if not is_dataclass(result) or isinstance(result, type) or not isinstance(changed, dict):
        return changed
    complete = {each.name for each in fields(result) if each.init} == set(changed)
    return replace(result, **changed) if complete else changed
