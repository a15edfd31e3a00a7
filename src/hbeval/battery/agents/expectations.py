"""What each trait of the reference agents should move, written down beforehand, beside what it does move.

The expectations are data (`battery/data/reference_traits.json`). A measure that should move has to differ from the
baseline's by more than a 95 % interval of the difference; one that should stay has to lie within an interval widened
(Bonferroni) by the number of such comparisons. Runs are the clusters of every interval.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from hbeval.battery.agents import traits
from hbeval.battery.batteries import Battery
from hbeval.battery.runner import run
from hbeval.errors import InputError
from hbeval.instruments import find
from hbeval.instruments.base import UNMEASURED
from hbeval.model import Compliance, JudgedTrace, Measured, Trial, decode, loads
from hbeval.stats import Interval, RatioSums, difference_interval, ratio_interval
from hbeval.store import MemoryJournal

__all__ = ["Comparison", "Expectations", "Value", "compare_traits", "load_expectations"]

Move = Literal["up", "down"]
Expected = Literal["up", "down", "stay", "open"]
Found = Literal["as expected", "not as expected", "open", "not measured"]

_LEVEL = 0.95
_INSTRUMENTS = {"pei": "pei@1.0", "frr": "frr@1.0", "irs": "irs@2.0", "ti": "ti@1.0", "success": "success_rate@1.0"}
_BLIND = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """One agent: what it does, what that moves, and what is left open, each with the reason."""

    trait: str
    moves: Mapping[str, Move]
    open: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectations:
    """The table. Every measure that a trait neither moves nor leaves open should stay."""

    schema: Literal["hbeval-expectations/1"]
    about: str
    baseline: str
    measures: Mapping[str, str]
    not_compared: Mapping[str, str] = field(default_factory=dict)
    traits: Mapping[str, Trait]
    extra: Mapping[str, Any] = field(default_factory=dict)

    def of(self, trait: str, measure: str) -> Expected:
        """What is expected of a measure under a trait."""
        known = self.traits[trait]
        return known.moves.get(measure) or ("open" if measure in known.open else "stay")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A measure of one agent: on the scale of its instrument, with its interval, over `n` trials or steps."""

    value: float
    interval: Interval
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One cell of the table, with the result beside it. `difference` is trait minus baseline, at `level`."""

    trait: str
    measure: str
    expected: Expected
    baseline: Value | None
    value: Value | None
    difference: Interval | None
    level: float
    found: Found


def load_expectations(path: str | os.PathLike[str] | None = None) -> Expectations:
    """The bundled table, or one from a file. Raises InputError naming field and value."""
    where = "reference_traits.json" if path is None else str(path)
    source = files("hbeval.battery") / "data" / where if path is None else Path(path)
    table = decode(Expectations, loads(source.read_bytes(), where=where), where=where)
    for name, trait in table.traits.items():
        for measure in (*trait.moves, *trait.open):
            if measure not in table.measures:
                right = "one of " + ", ".join(table.measures)
                raise InputError("no such measure", where=f"{where}.traits.{name}", value=measure, right=right)
    return table


def compare_traits(
    *,
    expectations: Expectations | None = None,
    battery: Battery | None = None,
    repeats: int = 3,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> tuple[Comparison, ...]:
    """Run the baseline and every trait through the battery and hold the results against the table.

    The clock is virtual, so the same seed gives the same table. `progress` is told each agent's name before its runs.
    """
    table = expectations or load_expectations()
    runs: dict[str, list[JudgedTrace]] = {}
    for name in (table.baseline, *table.traits):
        if progress is not None:
            progress(name)
        journal = MemoryJournal()
        agent = traits.BY_NAME[name]
        run(agent, battery=battery, repeats=repeats, seed=seed, journal=journal, clock="virtual")
        runs[name] = [each for each in journal.read() if each.trace.ending not in UNMEASURED]
    return tuple(_comparisons(table, runs))


def _comparisons(table: Expectations, runs: Mapping[str, Sequence[JudgedTrace]]) -> Iterator[Comparison]:
    cells = [(trait, measure, table.of(trait, measure)) for trait in table.traits for measure in table.measures]
    staying = sum(expected == "stay" for _, _, expected in cells)
    for trait, measure, expected in cells:
        level = 1 - (1 - _LEVEL) / max(1, staying) if expected == "stay" else _LEVEL
        baseline, value = (_value(measure, runs[name], level) for name in (table.baseline, trait))
        difference = _difference(value, baseline)
        yield Comparison(
            trait=trait,
            measure=measure,
            expected=expected,
            baseline=baseline,
            value=value,
            difference=difference,
            level=level,
            found=_found(expected, difference),
        )


def _difference(value: Value | None, baseline: Value | None) -> Interval | None:
    if value is None or baseline is None:
        return None
    return difference_interval(value.value, value.interval, baseline.value, baseline.interval)


def _found(expected: Expected, difference: Interval | None) -> Found:
    if difference is None:
        return "not measured"
    if expected == "open":
        return "open"
    moved = "up" if difference.low > 0 else "down" if difference.high < 0 else "stay"
    return "as expected" if moved == expected else "not as expected"


def _value(measure: str, runs: Sequence[JudgedTrace], level: float) -> Value | None:
    if measure in _INSTRUMENTS:
        return _measured(_INSTRUMENTS[measure], runs, level)
    sums = RatioSums()
    for judged in runs:
        said = [verdict for trial in judged.trials if (verdict := _CONDUCT[measure](trial)) is not None]
        sums.add(sum(said), len(said))
    interval = ratio_interval(sums, level)
    return None if interval is None else Value(value=sums.x / sums.m, interval=interval, n=sums.m)


def _measured(instrument: str, runs: Sequence[JudgedTrace], level: float) -> Value | None:
    accumulator = find(instrument).start()
    for judged in runs:
        accumulator.update(judged)
    result = accumulator.measure(level)
    if not isinstance(result, Measured) or result.interval is None:
        return None
    low, high = result.interval
    return Value(value=result.value, interval=Interval(low=low, high=high, method=result.method), n=result.n)


def _complied(trial: Trial) -> bool | None:
    return None if trial.complied is None else trial.complied is Compliance.FULL


_CONDUCT: Mapping[str, Callable[[Trial], bool | None]] = {
    "complied": _complied,
    "fabricated": lambda trial: trial.fabricated,
    "blind_retries": lambda trial: trial.blind_retries >= _BLIND,
    "handed_over": lambda trial: trial.handed_over,
}
