"""Which runs a battery consists of: task × condition × repeat, stratified, the same for the same seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from hbeval.errors import UsageError
from hbeval.model import FaultType

__all__ = ["Candidate", "Scenario", "ScenarioSet", "arrange", "derived_seed"]

_MOST_RUNS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A task that scenarios may be made of, and the fault types that fit it."""

    domain: str
    task: str
    conditions: frozenset[FaultType]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One run to be done. `seed`, which decides its draws, depends on the battery's seed and on `id`, nothing else.

    `condition` is None for a nominal run. `variant` counts further scenarios of the same task and condition.
    """

    id: str
    domain: str
    task: str
    condition: FaultType | None
    variant: int
    repeat: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSet:
    """The runs of a battery in the order in which they start, repeat by repeat, and what they leave uncovered."""

    scenarios: tuple[Scenario, ...]
    gaps: tuple[str, ...]

    @property
    def digest(self) -> str:
        """SHA-256 over the ids with their seeds, in order, as 64 hexadecimal digits."""
        lines = sorted(f"{each.id} {each.seed}\n" for each in self.scenarios)
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class _Cell:
    candidate: Candidate
    condition: FaultType | None
    variant: int


def arrange(
    candidates: Sequence[Candidate],
    *,
    faults: Sequence[FaultType],
    scenarios: int | None,
    repeats: int,
    seed: int,
    none_fraction: float,
) -> ScenarioSet:
    """Stratified scenarios over `candidates`, each done `repeats` times.

    Of n scenarios, max(1, round-half-even(none_fraction · n)) are nominal, all of them if no fault type is asked for.
    The rest goes to the pairs of fault type and domain as evenly as their tasks allow; what stays uncovered is named
    in `gaps`. None = every fitting task once under every fault type. More scenarios or repeats add to the set and
    change none of it. Raises UsageError for counts below 1, for more runs than can be kept in mind (a million) and for
    a set without tasks.
    """
    for name, count in (("scenarios", scenarios), ("repeats", repeats)):
        if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
            raise UsageError(f"{name} is {count!r}; at least 1 is needed")
    if not candidates:
        raise UsageError("there is no task to make scenarios of; name at least one domain that has tasks")
    pairs = _pairs(candidates, faults, seed)
    fitting = sum(len(tasks) for _, _, tasks in pairs)
    total = scenarios or (_total_for(fitting, none_fraction) if fitting and none_fraction < 1 else len(candidates))
    if total * repeats > _MOST_RUNS:
        raise UsageError(f"{total} scenarios × {repeats} repeats are more than {_MOST_RUNS} runs; ask for fewer")
    nominal = _nominal(total, none_fraction) if fitting else total
    cells = [*islice(_nominal_cells(candidates, seed), nominal), *islice(_fault_cells(pairs), total - nominal)]
    runs = tuple(_scenario(cell, repeat, seed) for repeat in range(repeats) for cell in cells)
    return ScenarioSet(scenarios=runs, gaps=tuple(_gaps(pairs, cells, faults)))


def derived_seed(seed: int, *names: str) -> int:
    """A seed of 48 bits for something named, so that no two things named differently share a stream."""
    text = "\0".join((str(seed), *names))
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:6], "big")


_Pair = tuple[FaultType, str, list[Candidate]]


def _pairs(candidates: Sequence[Candidate], faults: Sequence[FaultType], seed: int) -> list[_Pair]:
    """Fault type × domain, types first, so that any beginning of the list is balanced; with the tasks that fit."""
    domains = _shuffled(dict.fromkeys(each.domain for each in candidates), seed, "domains")
    kinds = _shuffled(dict.fromkeys(faults), seed, "faults")
    tasks = {name: _tasks_of(name, candidates, seed) for name in domains}
    pairs: list[_Pair] = []
    for turn in range(len(domains)):
        for position, kind in enumerate(kinds):
            domain = domains[(position + turn) % len(domains)]
            start = position % len(tasks[domain])
            order = tasks[domain][start:] + tasks[domain][:start]
            pairs.append((FaultType(kind), domain, [each for each in order if kind in each.conditions]))
    return pairs


def _tasks_of(domain: str, candidates: Sequence[Candidate], seed: int) -> list[Candidate]:
    own = {each.task: each for each in candidates if each.domain == domain}
    return [own[name] for name in _shuffled(own, seed, "tasks")]


def _fault_cells(pairs: Sequence[_Pair]) -> Iterator[_Cell]:
    """Every fitting cell once, round robin over the pairs; then the same again as the next variant, without end."""
    longest = max((len(tasks) for _, _, tasks in pairs), default=0)
    variant = 0
    while longest:
        for place in range(longest):
            for kind, _, tasks in pairs:
                if place < len(tasks):
                    yield _Cell(tasks[place], kind, variant)
        variant += 1


def _nominal_cells(candidates: Sequence[Candidate], seed: int) -> Iterator[_Cell]:
    domains = _shuffled(dict.fromkeys(each.domain for each in candidates), seed, "domains")
    tasks = [_tasks_of(name, candidates, seed) for name in domains]
    variant = 0
    while True:
        for place in range(max(map(len, tasks))):
            for own in tasks:
                if place < len(own):
                    yield _Cell(own[place], None, variant)
        variant += 1


def _scenario(cell: _Cell, repeat: int, seed: int) -> Scenario:
    kind = cell.condition.value if cell.condition else "nominal"
    variant = f".{cell.variant + 1}" if cell.variant else ""
    domain, task = cell.candidate.domain, cell.candidate.task
    name = f"{task if task.startswith(domain + '/') else f'{domain}/{task}'}/{kind}{variant}"
    return Scenario(
        id=f"{name}/r{repeat}",
        domain=domain,
        task=task,
        condition=cell.condition,
        variant=cell.variant,
        repeat=repeat,
        seed=derived_seed(seed, f"{name}/r{repeat}"),
    )


def _gaps(pairs: Sequence[_Pair], cells: Sequence[_Cell], faults: Iterable[FaultType]) -> Iterator[str]:
    covered = {(cell.condition, cell.candidate.domain) for cell in cells}
    for kind in sorted(set(faults)):
        missing = sorted((domain, bool(tasks)) for each, domain, tasks in pairs if each is kind)
        for domain, fits in missing:
            if (kind, domain) not in covered:
                why = f"{len(cells)} scenarios are too few" if fits else "it fits no task there"
                yield f"{kind.value} is not covered in {domain}: {why}"


def _nominal(total: int, fraction: float) -> int:
    return min(total, max(1, round(fraction * total)))


def _total_for(fitting: int, fraction: float) -> int:
    total = fitting + 1
    while total - _nominal(total, fraction) < fitting and total <= _MOST_RUNS:
        total += 1
    return total


def _shuffled(names: Iterable[str], seed: int, what: str) -> list[str]:
    """In an order of its own for each seed; one more name moves none of the others past each other."""
    return sorted(names, key=lambda name: (derived_seed(seed, what, name), name))
