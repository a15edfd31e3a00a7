"""What a battery is made of: a fault specification and domains with their tasks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from hbeval.battery.environments import BatteryTask, Domain
from hbeval.battery.scenario import Candidate, ScenarioSet, arrange
from hbeval.battery.tasks import STANDARD, load_domain
from hbeval.errors import InputError, UsageError
from hbeval.faults import Specification, fitting_variants
from hbeval.model import FaultType, decode, loads

__all__ = ["Battery", "load", "standard"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Battery:
    """A fault specification and the domains it is put on. `id` names the task set and its version."""

    id: str
    specification: Specification
    domains: tuple[Domain, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for name in [name for domain in self.domains for name in (domain.name, *domain.tasks)]:
            if name in seen:
                raise UsageError(
                    f"battery {self.id}: {name!r} is there twice; domains and tasks need names of their own"
                )
            seen.add(name)

    @property
    def tasks(self) -> dict[str, tuple[Domain, BatteryTask]]:
        """All tasks by id, in order, each with its domain."""
        return {name: (domain, task) for domain in self.domains for name, task in domain.tasks.items()}

    def chosen(self, names: Sequence[str] | None) -> tuple[Domain, ...]:
        """The domains of these names in the battery's order, all if None. Raises UsageError naming those there are."""
        known = {domain.name: domain for domain in self.domains}
        for name in known if names is None else names:
            if name not in known:
                raise UsageError(f"battery {self.id} has no domain {name!r}; it has {', '.join(known)}")
        return tuple(each for name, each in known.items() if names is None or name in names)

    def arrange(
        self,
        *,
        scenarios: int | None = None,
        repeats: int = 1,
        seed: int = 0,
        domains: Sequence[str] | None = None,
        faults: Sequence[FaultType] = tuple(FaultType),
    ) -> ScenarioSet:
        """The scenarios of a run over these domains and fault types; see `hbeval.battery.scenario.arrange`."""
        tasks = [task for domain in self.chosen(domains) for task in domain.tasks.values()]
        return arrange(
            [Candidate(domain=each.domain, task=each.id, conditions=self._conditions(each)) for each in tasks],
            faults=faults,
            scenarios=scenarios,
            repeats=repeats,
            seed=seed,
            none_fraction=self.specification.nominal_share,
        )

    def _conditions(self, task: BatteryTask) -> frozenset[FaultType]:
        fits = []
        for kind in FaultType:
            targets = task.targets(kind)
            if targets is not None and fitting_variants(self.specification, kind, targets):
                fits.append(kind)
        return frozenset(fits)


def standard() -> Battery:
    """The bundled battery: our fault specification on the bundled domains."""
    return _battery("standard@1", None, STANDARD)


def load(path: str | os.PathLike[str]) -> Battery:
    """The battery of a file: `{"schema": "hbeval-battery/1", "id": text, "domains": [names or paths]}`.

    `specification` names a file too; without it, it is ours. Paths are relative to the file. Raises InputError naming
    file, field and value.
    """
    where = str(path)
    try:
        text = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "no name of a file"
        raise InputError(f"cannot be read ({why})", where=where, right="a battery file") from error
    document = decode(_BatteryDocument, loads(text, where=where), where=where)
    for name in document.extra:
        raise InputError("unknown field", where=where, value=name, right="schema, id, domains, specification")
    folder = Path(path).parent
    specification = None if document.specification is None else folder / document.specification
    names = [name if name in STANDARD else str(folder / name) for name in document.domains]
    return _battery(document.id, specification, names)


@dataclass(frozen=True, slots=True, kw_only=True)
class _BatteryDocument:
    schema: Literal["hbeval-battery/1"]
    id: str
    domains: tuple[str, ...]
    specification: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


def _battery(name: str, specification: Path | None, domains: Iterable[str]) -> Battery:
    return Battery(
        id=name,
        specification=Specification.load(specification),
        domains=tuple(load_domain(each) for each in domains),
    )
