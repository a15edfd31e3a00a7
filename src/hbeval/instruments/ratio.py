"""The shared form of every metric that is a ratio of counts pooled over runs."""

from __future__ import annotations

from typing import ClassVar

from hbeval.instruments.base import UNMEASURED, require_same
from hbeval.instruments.entries import Described
from hbeval.model import JudgedTrace, Measured, Measurement, NotMeasured
from hbeval.stats import RatioSums, ratio_interval

__all__ = ["PooledRatio", "RatioAccumulator"]


class PooledRatio(Described):
    """A ratio of counts, summed over runs before dividing, times the top of its scale.

    `nothing` is the reason given when there was nothing to count, `unknown` when none of {total} could be counted.
    """

    __slots__ = ()
    nothing: ClassVar[str]
    unknown: ClassVar[str]

    def counts(self, judged: JudgedTrace) -> tuple[int, int, int]:
        """Of one run: the count behind the value, the trials whose outcome is known, and all trials."""
        raise NotImplementedError

    def start(self) -> RatioAccumulator:
        """A fresh accumulator."""
        return RatioAccumulator(self)


class RatioAccumulator:
    """Counts of one pooled ratio, run by run."""

    __slots__ = ("instrument", "sums", "total")

    def __init__(self, instrument: PooledRatio) -> None:
        self.instrument = instrument
        self.sums = RatioSums()
        self.total = 0

    def update(self, judged: JudgedTrace) -> None:
        """Take in one run."""
        if judged.trace.ending in UNMEASURED:
            return
        k, n, total = self.instrument.counts(judged)
        self.total += total
        self.sums.add(k, n)

    def merge(self, other: RatioAccumulator) -> None:
        """Take in the runs of `other`."""
        require_same(self.instrument, other.instrument)
        self.total += other.total
        self.sums.merge(other.sums)

    def measure(self, level: float = 0.95) -> Measurement:
        """The ratio k ÷ n on the instrument's scale, with runs as clusters."""
        sums, instrument = self.sums, self.instrument
        if not sums.m:
            reason = instrument.unknown.format(total=self.total) if self.total else instrument.nothing
            return NotMeasured(reason=reason, n=0, n_total=self.total, instrument=instrument.name)
        top = instrument.scale[1]
        interval = ratio_interval(sums, level)
        return Measured(
            value=top * sums.x / sums.m,
            n=sums.m,
            n_total=self.total,
            k=sums.x,
            interval=(top * interval.low, top * interval.high) if interval else None,
            level=level,
            method=interval.method if interval else "none",
            instrument=instrument.name,
            no_interval=None if interval else "one run",
        )
