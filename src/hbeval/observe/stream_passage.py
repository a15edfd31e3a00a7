"""Items of a stream on their way through altering faults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hbeval.faults import CannotApply, Hit
from hbeval.observe.live_step import LiveStep
from hbeval.observe.passage import altered

__all__ = ["StreamPassage"]


class StreamPassage:
    """Each item of the tool goes in by `take`, the stream's own end by `end`; both give the items to hand out.

    Once `ended` is true the stream is to end, whatever the tool still has.
    """

    __slots__ = ("_stages", "ended")

    def __init__(self, step: LiveStep, hits: Iterable[Hit]) -> None:
        self._stages = [_Stage(step, hit) for hit in hits]
        self.ended = False

    def take(self, item: Any) -> list[Any]:
        """What one item of the tool becomes."""
        items = self._through([item], 0)
        self.ended = any(stage.stopped for stage in self._stages)
        return items

    def end(self) -> list[Any]:
        """What is still to be handed out."""
        items: list[Any] = []
        for position, stage in enumerate(self._stages):
            items += self._through(stage.end(), position + 1)
        return items

    def left(self, error: BaseException) -> None:
        """An exception leaves the boundary before the stream's end."""
        for stage in self._stages:
            stage.give_up(f"the stream ended before it could be applied ({type(error).__name__})")

    def _through(self, items: list[Any], position: int) -> list[Any]:
        for stage in self._stages[position:]:
            items = [given for item in items for given in stage.take(item)]
        return items


class _Stage:
    """One altering fault and how far it has come."""

    __slots__ = ("_applied", "_hit", "_mode", "_seen", "_step", "_why", "held", "stopped")

    def __init__(self, step: LiveStep, hit: Hit) -> None:
        self._step, self._hit = step, hit
        self._mode = hit.record.prepared.effect.stream
        self._seen = 0
        self._applied = self.stopped = False
        self._why = "the stream held no item"
        self.held: list[Any] = []

    def take(self, item: Any) -> list[Any]:
        """What goes on to the next stage."""
        position, self._seen = self._seen, self._seen + 1
        if self._mode == "none":
            self.stopped = True
            self._apply("stream ended before its first item")
            return []
        if self._mode == "cut":
            return self._cut(item)
        if self._mode == "first" and self._applied:
            return [item]
        return [self._changed(item, position)]

    def end(self) -> list[Any]:
        """What is left to go on when the tool's stream is over."""
        held, self.held = self.held, []
        items = [self._changed(item, 0) for item in held] if not self.stopped else []
        self.give_up(self._why)
        return items

    def give_up(self, why: str) -> None:
        """Nothing more will come; a fault that was not applied by now never will be."""
        if not self._applied:
            self._applied = True
            self._hit.failed(why)

    def _cut(self, item: Any) -> list[Any]:
        if not self.held:
            self.held = [item]
            return []
        self.stopped = True
        self._apply("stream ended after its first item")
        held, self.held = self.held, []
        return held

    def _changed(self, item: Any, position: int) -> Any:
        try:
            changed = altered(self._hit, item, item=position)
        except CannotApply as failure:
            self._why = str(failure)
            return item
        self._apply(f"stream altered at item {position}")
        return changed

    def _apply(self, what: str) -> None:
        if not self._applied:
            self._applied = True
            self._hit.injected(self._step.seq)
            self._hit.observed(self._step.seq, what)
