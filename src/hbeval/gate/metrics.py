"""The metrics that a gate can test: counts pooled over runs, on their own scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from hbeval.errors import UsageError
from hbeval.instruments.catalogue import BUILTIN, CURRENT
from hbeval.instruments.ratio import PooledRatio

__all__ = ["DEFAULT", "Metric", "gated", "metric"]

# What is asked where only a baseline is given.
DEFAULT = ("pei", "frr", "irs", "ti")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A gated metric: `name` is the instrument's id@version; the scale runs from 0 to `top`, higher is better."""

    id: str
    name: str
    top: float

    @property
    def scale(self) -> str:
        """The scale in words: "0 to 5"."""
        return f"0 to {self.top:g}"

    def written(self, share: float) -> str:
        """A share of the scale as a value of it: "0.700", "3.50 of 5"."""
        return f"{share:.3f}" if self.top == 1 else f"{share * self.top:.2f} of {self.top:g}"


@cache
def gated() -> Mapping[str, Metric]:
    """The gated metrics by id: pooled ratios of runs, current ones and the success rate."""
    five = {each.id for each in CURRENT}
    ratios = [each for each in BUILTIN if isinstance(each, PooledRatio)]
    chosen = [each for each in ratios if each in CURRENT or each.id not in five]
    return {each.id: Metric(id=each.id, name=each.name, top=float(each.scale[1])) for each in chosen}


def metric(name: str) -> Metric:
    """The gated metric of this id. Raises UsageError naming those there are, and why others cannot be tested."""
    known = gated()
    if name in known:
        return known[name]
    names = ", ".join(known)
    if name in {each.id for each in BUILTIN} or name.startswith("pass_"):
        raise UsageError(
            f"{name} cannot be gated: it is no ratio of counts pooled over runs, so there is no test for it; "
            f"a gate tests {names}"
        )
    raise UsageError(f"unknown metric {name!r}; a gate tests {names}")
