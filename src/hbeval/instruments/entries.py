"""The catalogue's texts and numbers as records. They stand once, in `catalogue.json`; all else reads them from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import ClassVar, Literal

from hbeval.errors import InputError
from hbeval.instruments.base import Status
from hbeval.model import decode, loads

__all__ = ["Catalogue", "Change", "Described", "Entry", "Share", "Source", "Thresholds", "entry", "read_catalogue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a definition comes from; `doi` is None for what this project or nobody in particular defined."""

    text: str
    doi: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Share (0 to 1) of the standard battery that a version could not tell apart; None until `command` measures it."""

    share: float | None
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One instrument version as the evolution record shows it.

    counts           what n, n_total and k of its measurements count
    effective        year and month since which this version is in use
    scope            what it stays valid for
    limitation       what was found that it cannot do, None if nothing was
    notice           with what its values must not be compared
    indistinguishable  set for a version whose limitation was that it could not tell things apart
    """

    id: str
    version: str
    title: str
    status: Status
    definition: str
    parameters: Mapping[str, float] = field(default_factory=dict)
    scale: tuple[float, float]
    higher_is_better: bool
    counts: str
    undefined_when: str
    source: Source
    effective: str
    scope: str
    limitation: str | None
    replaced_by: str | None
    notice: str
    indistinguishable: Share | None = None

    @property
    def name(self) -> str:
        """id@version."""
        return f"{self.id}@{self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One line of the evolution record. `metric` is "judging" for a change of the judging rules."""

    date: str
    metric: str
    kind: Literal["published", "revised", "unchanged", "candidate", "added"]
    before: str | None
    after: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Values from which a metric is looked at more closely, by metric id; wherever one is shown, so is `note`."""

    note: str
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All instrument versions, the changes between them in order of date, and the starting thresholds."""

    schema: Literal["hbeval-catalogue/1"]
    instruments: tuple[Entry, ...]
    history: tuple[Change, ...]
    thresholds: Thresholds


@cache
def read_catalogue() -> Catalogue:
    """The catalogue that ships with this version."""
    path = Path(__file__).with_name("catalogue.json")
    return decode(Catalogue, loads(path.read_bytes(), where=path.name), where=path.name)


@cache
def entry(name: str) -> Entry:
    """The entry of an instrument, by id@version ("pass_k@1.0" for every pass_1, pass_2, …). InputError if unknown."""
    for each in read_catalogue().instruments:
        if each.name == name:
            return each
    known = ", ".join(each.name for each in read_catalogue().instruments)
    raise InputError("unknown instrument", value=name, right=f"one of {known}")


class Described:
    """An instrument whose words and numbers are an entry of the catalogue; `key` names it.

    Without state of its own; two of one class and name are equal.
    """

    __slots__ = ()
    key: ClassVar[str]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Described) and type(self) is type(other) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<instrument {self.name}>"

    @property
    def entry(self) -> Entry:
        """Its entry in the catalogue."""
        return entry(self.key)

    @property
    def id(self) -> str:
        """Short name, the key in reports."""
        return self.entry.id

    @property
    def version(self) -> str:
        """Version of the definition."""
        return self.entry.version

    @property
    def name(self) -> str:
        """id@version."""
        return f"{self.id}@{self.version}"

    @property
    def title(self) -> str:
        """Name in words."""
        return self.entry.title

    @property
    def status(self) -> Status:
        """Place in the evolution record."""
        return self.entry.status

    @property
    def scale(self) -> tuple[float, float]:
        """Lowest and highest value."""
        return self.entry.scale

    @property
    def higher_is_better(self) -> bool:
        """Direction."""
        return self.entry.higher_is_better

    @property
    def definition(self) -> str:
        """The formula and what it counts."""
        return self.entry.definition

    @property
    def parameters(self) -> Mapping[str, float]:
        """Constants of the definition."""
        return self.entry.parameters
