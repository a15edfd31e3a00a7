"""Fault resilience (FRR): how many faulted steps succeeded all the same."""

from __future__ import annotations

from typing import ClassVar

from hbeval.instruments.ratio import PooledRatio
from hbeval.model import JudgedTrace

__all__ = ["FaultResilience"]


class FaultResilience(PooledRatio):
    """frr@1.0: faulted steps that succeeded ÷ faulted steps."""

    __slots__ = ()
    key: ClassVar[str] = "frr@1.0"
    nothing: ClassVar[str] = "no faulted step"
    unknown: ClassVar[str] = "no step is known to be faulted and known to have succeeded or failed ({total} steps open)"

    def counts(self, judged: JudgedTrace) -> tuple[int, int, int]:
        """Faulted steps that succeeded, faulted steps whose success is known, steps that were or may be faulted."""
        succeeded = known = total = 0
        for step in judged.steps:
            faulted = step.had_fault
            if faulted is False:
                continue
            total += 1
            success = step.success
            if faulted and success is not None:
                known += 1
                if success:
                    succeeded += 1
        return succeeded, known, total
