"""Reliability gap: how much success a fault costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hbeval.instruments.base import UNMEASURED, require_same
from hbeval.instruments.entries import Described
from hbeval.model import Delivery, JudgedTrace, Measured, Measurement, NotMeasured, Trace
from hbeval.stats import newcombe

__all__ = ["ReliabilityGap"]


class ReliabilityGap(Described):
    """reliability_gap@1.0: share of successful runs without a fault − share of successful runs under fault."""

    __slots__ = ()
    key: ClassVar[str] = "reliability_gap@1.0"

    def start(self) -> _Accumulator:
        """A fresh accumulator."""
        return _Accumulator(self)


@dataclass(slots=True)
class _Arm:
    """Runs of one condition whose success is known."""

    k: int = 0
    n: int = 0

    def add(self, k: int, n: int) -> None:
        self.k += k
        self.n += n


class _Accumulator:
    __slots__ = ("faulted", "instrument", "nominal", "total")

    def __init__(self, instrument: ReliabilityGap) -> None:
        self.instrument = instrument
        self.nominal, self.faulted = _Arm(), _Arm()
        self.total = 0

    def update(self, judged: JudgedTrace) -> None:
        trace = judged.trace
        if trace.ending in UNMEASURED:
            return
        self.total += 1
        if trace.success is None:
            return
        if trace.condition is None:
            self.nominal.add(trace.success, 1)
        elif _landed(trace):
            self.faulted.add(trace.success, 1)

    def merge(self, other: _Accumulator) -> None:
        require_same(self.instrument, other.instrument)
        self.total += other.total
        self.nominal.add(other.nominal.k, other.nominal.n)
        self.faulted.add(other.faulted.k, other.faulted.n)

    def measure(self, level: float = 0.95) -> Measurement:
        nominal, faulted, n = self.nominal, self.faulted, self.nominal.n + self.faulted.n
        if not (nominal.n and faulted.n):
            return NotMeasured(reason=self._lacks(), n=n, n_total=self.total, instrument=self.instrument.name)
        value = (nominal.k * faulted.n - faulted.k * nominal.n) / (nominal.n * faulted.n)
        several = min(nominal.n, faulted.n) > 1
        interval = newcombe(nominal.k, nominal.n, faulted.k, faulted.n, level) if several else None
        return Measured(
            value=value,
            n=n,
            n_total=self.total,
            k=value * n,
            interval=(interval.low, interval.high) if interval else None,
            level=level,
            method=interval.method if interval else "none",
            instrument=self.instrument.name,
            no_interval=None if interval else "one run without or under fault",
        )

    def _lacks(self) -> str:
        if not self.total:
            return "no run"
        missing = [
            words
            for words, arm in (("without a fault", self.nominal), ("under a fault that landed", self.faulted))
            if not arm.n
        ]
        return f"no run {' and none '.join(missing)} whose success is known"


def _landed(trace: Trace) -> bool:
    """Whether a planned fault of the run was met; where none was planned (imports), whether the runtime saw one."""
    planned = [fault for fault in trace.faults if fault.intended is not None]
    if planned:
        return any(fault.delivery is Delivery.MET for fault in planned)
    return any(fault.observed for fault in trace.faults)
