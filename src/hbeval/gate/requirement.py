"""What a gate asks: floors, "not worse than the baseline by a margin", and combinations of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from hbeval.errors import InputError, UsageError
from hbeval.gate.metrics import DEFAULT, metric
from hbeval.gate.quantity import share_of_scale
from hbeval.model import EvidenceLevel
from hbeval.report.tally import MINIMUM_COVERAGE

__all__ = [
    "DEFAULT_MARGIN",
    "All",
    "AnyOf",
    "Floor",
    "NotWorse",
    "Requirement",
    "Requirements",
    "Single",
    "default_requirements",
    "floor",
    "not_worse",
    "parse_requirement",
    "singles",
]

DEFAULT_MARGIN = 0.05
_EVIDENCE = (EvidenceLevel.E1.value, EvidenceLevel.E2.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """The metric is at least `least`, a share of its scale. With `every_task`, one task below it fails the gate too."""

    metric: str
    least: float
    every_task: bool = False

    def __str__(self) -> str:
        everywhere = " in every task" if self.every_task else ""
        return f"{self.metric} >= {_on_scale(self.metric, self.least)}{everywhere}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NotWorse:
    """The metric is not worse than the baseline's by `margin`, a share of its scale."""

    metric: str
    margin: float

    def __str__(self) -> str:
        return f"{self.metric} not worse by {_on_scale(self.metric, self.margin)}"


Single: TypeAlias = Floor | NotWorse


@dataclass(frozen=True, slots=True, kw_only=True)
class All:
    """Every part holds."""

    parts: tuple[Requirement, ...]

    def __str__(self) -> str:
        return _joined(" and ", self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple[Requirement, ...]

    def __str__(self) -> str:
        return _joined(" or ", self.parts)


Requirement: TypeAlias = Floor | NotWorse | All | AnyOf


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirements:
    """A whole gate.

    all              every part must hold; never empty
    alpha            error rate of each test
    min_coverage     least share of runs that must have been measured
    min_known        least share of a metric's trials whose outcome must be known
    accept_evidence  evidence levels that count
    quarantine       scenarios to leave out, each on evidence of flakiness only
    by_task          decide by the tasks' paired differences (needs 20 tasks) instead of by runs
    """

    all: tuple[Requirement, ...]
    alpha: float = 0.05
    min_coverage: float = MINIMUM_COVERAGE
    min_known: float = 0.5
    accept_evidence: tuple[str, ...] = _EVIDENCE
    quarantine: tuple[str, ...] = field(default=())
    by_task: bool = False

    def __post_init__(self) -> None:
        if not self.all:
            raise UsageError(
                "no requirement: a gate without one cannot fail; give a floor ('frr >= 0.70') or a baseline"
            )

    @property
    def words(self) -> str:
        """All of it in one line."""
        return str(self.all[0]) if len(self.all) == 1 else str(All(parts=self.all))


def floor(name: str, least: Any, *, every_task: bool = False, where: str = "floor") -> Floor:
    """A floor as people write it. Raises UsageError on an unknown metric or a number that cannot decide."""
    known = metric(name)
    value = share_of_scale(known, least, where=where)
    if value == 0:
        raise InputError("a floor of 0 cannot fail", where=where, value=least, right="a floor above 0")
    if value == 1:
        raise InputError(
            "a floor at the top cannot pass: no number of runs shows that nothing ever goes wrong",
            where=where,
            value=least,
            right=f"a floor below the top of {known.id}'s scale of {known.scale}",
        )
    return Floor(metric=name, least=value, every_task=every_task)


def not_worse(name: str, margin: Any, *, where: str = "margin") -> NotWorse:
    """A margin as people write it. Raises UsageError on an unknown metric or a number that cannot decide."""
    value = share_of_scale(metric(name), margin, where=where, example=DEFAULT_MARGIN)
    if not 0 < value < 1:
        why = "asks for proof of being better" if value == 0 else "is the whole scale, so it cannot fail"
        raise InputError(
            f"a margin of {value:g} {why}",
            where=where,
            value=margin,
            right="the loss that would be too much, such as '5%' (of the scale)",
        )
    return NotWorse(metric=name, margin=value)


_FORM = re.compile(
    r"(?P<metric>[A-Za-z_][\w@.-]*)\s*"
    r"(?:(?:>=|≥)\s*(?P<floor>.+?)(?P<everywhere>\s+in\s+every\s+task)?"
    r"|\s+not\s+worse\s+by\s+(?P<margin>.+))",
    re.IGNORECASE,
)


def parse_requirement(text: str, *, where: str | None = None) -> Requirement:
    """A requirement in words: "frr >= 0.70", "irs not worse by 0.05", several joined by "and", or by "or".

    Raises InputError naming the text and what would be right.
    """
    place = where or repr(text)
    alternatives, conditions = (re.split(rf"\s+{word}\s+", text.strip(), flags=re.IGNORECASE) for word in ("or", "and"))
    if len(alternatives) > 1 and len(conditions) > 1:
        raise InputError(
            "'and' beside 'or' can be read in two ways", where=place, right="the file form, with all and any"
        )
    if len(alternatives) > 1:
        return AnyOf(parts=tuple(_single(each, place) for each in alternatives))
    if len(conditions) > 1:
        return All(parts=tuple(_single(each, place) for each in conditions))
    return _single(text, place)


def default_requirements() -> tuple[Requirement, ...]:
    """What is asked where only a baseline is given: PEI, FRR, IRS and TI not worse by 0.05 of the scale."""
    return tuple(NotWorse(metric=each, margin=DEFAULT_MARGIN) for each in DEFAULT)


def singles(requirement: Requirement) -> Iterator[Single]:
    """The floors and margins in a requirement, in order."""
    if isinstance(requirement, (All, AnyOf)):
        for part in requirement.parts:
            yield from singles(part)
    else:
        yield requirement


def _single(text: str, where: str) -> Single:
    match = _FORM.fullmatch(text.strip())
    if match is None:
        raise InputError(
            "not a requirement", where=where, value=text.strip(), right="'frr >= 0.70' or 'irs not worse by 0.05'"
        )
    name = match["metric"].lower()
    if match["margin"] is not None:
        return not_worse(name, match["margin"], where=where)
    return floor(name, match["floor"], every_task=match["everywhere"] is not None, where=where)


def _on_scale(name: str, value: float) -> str:
    """A share as the grammar takes it back: on the scale where that is 0 to 1, with the scale's end elsewhere."""
    top = metric(name).top
    return f"{value:.12g}" if top == 1 else f"{value * top:.12g} of {top:g}"


def _joined(word: str, parts: tuple[Requirement, ...]) -> str:
    return word.join(f"({each})" if isinstance(each, (All, AnyOf)) else str(each) for each in parts)
