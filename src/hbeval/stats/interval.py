"""An interval: two ends and how it was made."""

from __future__ import annotations

from dataclasses import dataclass

from hbeval.errors import UsageError

__all__ = ["Interval", "tail"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Two ends, low < high, on the scale of what was estimated; `method` names the construction."""

    low: float
    high: float
    method: str


def tail(level: float) -> float:
    """Cumulative probability at the upper end of a two-sided interval: 0.975 for level 0.95.

    Raises UsageError unless 0 < level < 1 (NaN and percentages such as 95 included).
    """
    if not 0.0 < level < 1.0:
        raise UsageError(f"confidence level must lie between 0 and 1, got {level!r}; write 0.95 for 95 %")
    return 0.5 + level / 2.0
