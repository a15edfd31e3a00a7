"""The tool boundary for generators and async generators. A step lasts from the first item asked for to the end."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Iterator
from itertools import islice
from typing import Any

from hbeval.model import MARK_CUT
from hbeval.observe.boundary import Boundary, wait, wait_async
from hbeval.observe.passage import Passage
from hbeval.observe.scope import CURRENT, Scope
from hbeval.observe.snapshot import snapshot
from hbeval.observe.stream_passage import StreamPassage

__all__ = ["stream", "stream_async"]

_ITEMS = 1_000
_CARRIED_OUT = 10_000


def stream(boundary: Boundary, scope: Scope, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Generator[Any, Any, Any]:
    """A generator tool inside a recording."""
    run = _Run(boundary, scope, args, kwargs)
    sent: Any = None
    thrown: BaseException | None = None
    returned: Any = None
    try:
        if run.carried_out:
            for _ in islice(boundary.function(*args, **kwargs), _CARRIED_OUT):
                pass
        for seconds in run.waits():
            wait(scope.recorder, seconds)
        run.begin()
        source = boundary.function(*args, **kwargs)
        while not run.ended:
            before = CURRENT.get()
            CURRENT.set(run.inner)
            try:
                item = source.send(sent) if thrown is None else source.throw(thrown)
            except StopIteration as done:
                returned = done.value
                break
            finally:
                CURRENT.set(before)
            sent = thrown = None
            for given in run.given(item):
                try:
                    sent = yield given
                except GeneratorExit:
                    source.close()
                    raise
                except BaseException as error:  # noqa: BLE001 - it is thrown into the tool, as without us
                    thrown = error
                    break
        else:
            source.close()
        for given in run.rest():
            yield given
    except BaseException as error:
        run.failed(error)
        raise
    run.finished(returned)
    return returned


async def stream_async(
    boundary: Boundary, scope: Scope, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> AsyncGenerator[Any, Any]:
    """An async generator tool inside a recording."""
    run = _Run(boundary, scope, args, kwargs)
    sent: Any = None
    thrown: BaseException | None = None
    try:
        if run.carried_out:
            await _exhaust(boundary.function(*args, **kwargs))
        for seconds in run.waits():
            await wait_async(scope.recorder, seconds)
        run.begin()
        source = boundary.function(*args, **kwargs)
        while not run.ended:
            before = CURRENT.get()
            CURRENT.set(run.inner)
            try:
                item = await (source.asend(sent) if thrown is None else source.athrow(thrown))
            except StopAsyncIteration:
                break
            finally:
                CURRENT.set(before)
            sent = thrown = None
            for given in run.given(item):
                try:
                    sent = yield given
                except GeneratorExit:
                    await source.aclose()
                    raise
                except BaseException as error:  # noqa: BLE001 - it is thrown into the tool, as without us
                    thrown = error
                    break
        else:
            await source.aclose()
        for given in run.rest():
            yield given
    except BaseException as error:
        run.failed(error)
        raise
    run.finished(None)


async def _exhaust(source: AsyncGenerator[Any, Any]) -> None:
    taken = 0
    async for _ in source:
        taken += 1
        if taken >= _CARRIED_OUT:
            return


class _Run:
    """The record and the faults of one stream, the same for both kinds."""

    __slots__ = ("_items", "_left_out", "_passage", "_true", "inner", "step")

    def __init__(self, boundary: Boundary, scope: Scope, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        recorder = scope.recorder
        self.step = recorder.open(boundary.declaration, boundary.arguments(args, kwargs), scope.within)
        self.step.items = []
        hits = recorder.enter(boundary.name)
        self.inner = Scope(recorder, self.step.seq)
        self._passage = Passage(recorder, self.step, hits, boundary.raises) if hits else None
        self._items: StreamPassage | None = None
        schedule = recorder.schedule
        self._true: list[Any] | None = [] if schedule and schedule.remembers(boundary.name) else None
        self._left_out = 0

    @property
    def carried_out(self) -> bool:
        """Whether the tool is to run to its end before the error that takes its items away."""
        return self._passage is not None and self._passage.carried_out

    @property
    def ended(self) -> bool:
        """Whether a fault ends the stream here."""
        return self._items is not None and self._items.ended

    def waits(self) -> Iterator[float]:
        """Seconds to wait before the first item."""
        return self._passage.waits() if self._passage is not None else iter(())

    def begin(self) -> None:
        """Raises the injected error if there is one; from here on items flow."""
        if self._passage is None:
            return
        ending = self._passage.ending()
        if ending is not None:
            raise ending
        hits = self._passage.alterations()
        self._items = StreamPassage(self.step, hits) if hits else None

    def given(self, item: Any) -> Iterator[Any]:
        """What to hand out for one item of the tool, recorded as it is handed out."""
        if self._true is not None and len(self._true) < _ITEMS:
            self._true.append(snapshot(item))
        for given in self._items.take(item) if self._items is not None else (item,):
            self._record(given)
            yield given

    def rest(self) -> Iterator[Any]:
        """What to hand out when the tool has no more."""
        for given in self._items.end() if self._items is not None else ():
            self._record(given)
            yield given

    def failed(self, error: BaseException) -> None:
        """The stream ended by an exception, or the caller left it."""
        if self._passage is not None:
            self._passage.left(error)
        if self._items is not None:
            self._items.left(error)
        self._mark_left_out()
        self.inner.recorder.failed(self.step, error)

    def finished(self, returned: Any) -> None:
        """The stream ended by itself."""
        recorder = self.inner.recorder
        self._mark_left_out()
        if returned is not None:
            self.step.returned = snapshot(returned)
        if self._true is not None and recorder.schedule is not None:
            recorder.schedule.remember(self.step.action, self._true)
        recorder.returned(self.step, None, untouched=False)

    def _record(self, item: Any) -> None:
        assert self.step.items is not None
        if len(self.step.items) < _ITEMS:
            self.step.items.append(snapshot(item))
        else:
            self._left_out += 1

    def _mark_left_out(self) -> None:
        if self._left_out and self.step.items is not None:
            self.step.items.append({MARK_CUT: f"{self._left_out} more items"})
