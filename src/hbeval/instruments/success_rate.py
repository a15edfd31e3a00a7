"""Success rate: how many runs met their task."""

from __future__ import annotations

from typing import ClassVar

from hbeval.instruments.ratio import PooledRatio
from hbeval.model import JudgedTrace

__all__ = ["SuccessRate"]


class SuccessRate(PooledRatio):
    """success_rate@1.0: runs whose task's oracle says true ÷ runs about which it says anything."""

    __slots__ = ()
    key: ClassVar[str] = "success_rate@1.0"
    nothing: ClassVar[str] = "no run"
    unknown: ClassVar[str] = "success is not known for any of {total} runs"

    def counts(self, judged: JudgedTrace) -> tuple[int, int, int]:
        """One run, as one trial."""
        success = judged.trace.success
        return (0, 0, 1) if success is None else (int(success), 1, 1)
