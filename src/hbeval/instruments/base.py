"""What an instrument is: a versioned metric that starts accumulators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol, Self

from hbeval.errors import UsageError
from hbeval.model import INVALID_ENDINGS, Ending, JudgedTrace, Measurement

__all__ = ["UNMEASURED", "Accumulator", "Instrument", "Status", "require_same"]

Status = Literal["current", "historical", "provisional", "candidate"]

# Runs with these endings change no measurement; coverage shows them.
UNMEASURED = INVALID_ENDINGS | {Ending.CANCELLED}


class Accumulator(Protocol):
    """What one instrument has seen of some runs. Its laws are in `hbeval.instruments.checks`.

    Integers, rationals and keyed runs only, so that any sharding and order of the same runs gives the identical
    result; rounding begins in `measure`.
    """

    def update(self, judged: JudgedTrace) -> None:
        """Take in one run. A run with an ending in `UNMEASURED` changes nothing."""
        ...

    def merge(self, other: Self) -> None:
        """Take in all that `other` took in; `other` stays as it is. UsageError if it is of another instrument."""
        ...

    def measure(self, level: float = 0.95) -> Measurement:
        """The result so far; `level` is the confidence level of the interval. Changes nothing."""
        ...


class Instrument(Protocol):
    """A metric of one id and version. Changing what it measures takes a new version.

    id                short name, the key in reports ("frr")
    version           of the definition ("1.0")
    name              id@version
    title             in words
    status            place in the evolution record
    scale             lowest and highest value
    higher_is_better  direction
    definition        the formula and what it counts, complete enough to reimplement
    parameters        constants of the definition; part of the scoring fingerprint
    """

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def version(self) -> str: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def title(self) -> str: ...  # noqa: D102
    @property
    def status(self) -> Status: ...  # noqa: D102
    @property
    def scale(self) -> tuple[float, float]: ...  # noqa: D102
    @property
    def higher_is_better(self) -> bool: ...  # noqa: D102
    @property
    def definition(self) -> str: ...  # noqa: D102
    @property
    def parameters(self) -> Mapping[str, float]: ...  # noqa: D102

    def start(self) -> Accumulator:
        """A fresh accumulator: the identity of `merge`."""
        ...


def require_same(into: Instrument, other: Instrument) -> None:
    """Raise UsageError unless both are the same instrument at the same version."""
    if into.name != other.name:
        raise UsageError(f"cannot merge {other.name} into {into.name}: they measure different things")
