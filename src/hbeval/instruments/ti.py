"""Traceability (TI): how many steps can be followed from cause to outcome."""

from __future__ import annotations

from typing import ClassVar

from hbeval.instruments.ratio import PooledRatio
from hbeval.model import JudgedTrace

__all__ = ["Traceability"]


class Traceability(PooledRatio):
    """ti@1.0: 5 × traceable steps ÷ steps."""

    __slots__ = ()
    key: ClassVar[str] = "ti@1.0"
    nothing: ClassVar[str] = "no steps"
    unknown: ClassVar[str] = "traceability is not known for any of {total} steps"

    def counts(self, judged: JudgedTrace) -> tuple[int, int, int]:
        """Traceable steps, steps whose traceability is known, all steps."""
        traceable = known = 0
        for step in judged.steps:
            verdict = step.traceable
            if verdict is not None:
                known += 1
                if verdict:
                    traceable += 1
        return traceable, known, len(judged.steps)
