"""Files that hold many runs: each record becomes a trace or is left out with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from hbeval.errors import InputError
from hbeval.model import LeftOut, Trace

__all__ = ["each_run"]

T = TypeVar("T")


def each_run(
    records: Sequence[T],
    make: Callable[[T, int], Trace],
    *,
    source: str,
    place: Callable[[int], str],
    torn: str | None = None,
    none: str = "no run in it",
) -> Iterator[Trace | LeftOut]:
    """The runs of a list, in its order. A second run of one task and repeat is left out: it would weigh twice.

    make   the trace of a record and its index; raises InputError for what is no run
    place  what to add to `source` to name the record at an index
    torn   why the list could not be read to its end, None if it could
    none   what to say of an empty list
    """
    slots: set[tuple[str, int]] = set()
    for index, record in enumerate(records):
        try:
            trace = make(record, index)
        except InputError as error:
            where = source + place(index)
            yield LeftOut(source=where, reason=str(error).removeprefix(where).lstrip(": "))
            continue
        slot = (trace.task.id, trace.repeat)
        if slot in slots:
            reason = f"task {slot[0]} repeat {slot[1]} is there twice; the first counts"
            yield LeftOut(source=source + place(index), reason=reason)
            continue
        slots.add(slot)
        yield trace
    if torn:
        yield LeftOut(source=source, reason=torn)
    elif not records:
        yield LeftOut(source=source, reason=none)
