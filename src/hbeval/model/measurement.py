"""A result is measured, or it is not. There is no third thing, and not measured is never a number."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Measured", "Measurement", "NotMeasured"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A value with its unit.

    value       on the instrument's scale
    n, n_total  trials (or steps, or tasks) whose outcome is known, and all of them
    k           the count behind the value (the numerator, before any scaling)
    interval    [low, high] on the instrument's scale, or None with `no_interval` saying why
    level       confidence level of the interval
    method      how the interval was made
    instrument  id@version
    """

    value: float
    n: int
    n_total: int
    k: float
    interval: tuple[float, float] | None
    level: float
    method: str
    instrument: str
    no_interval: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotMeasured:
    """No value, and why. `n` is what was known, out of `n_total`."""

    reason: str
    n: int
    n_total: int
    instrument: str


Measurement = Measured | NotMeasured
