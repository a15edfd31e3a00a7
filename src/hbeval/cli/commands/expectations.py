"""`hbeval expectations`: what each reference agent should show, written down beforehand, beside what it does."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from hbeval.battery.agents.expectations import (
    Comparison,
    Expectations,
    Value,
    compare_traits,
    load_expectations,
)
from hbeval.cli.console import Console
from hbeval.cli.parser import Parser, command, count, seed
from hbeval.cli.tables import text_table
from hbeval.report.document import rounded
from hbeval.report.words import number
from hbeval.stats import Interval

__all__ = ["execute", "parser"]

_AS_EXPECTED, _NOT_AS_EXPECTED = 0, 1


def parser() -> Parser:
    """The command's arguments."""
    made = command(
        "expectations",
        "What each reference agent should show, written down beforehand, beside what it shows.",
        description="Each agent has one trait. A measure that the trait should move must differ from the baseline's,\n"
        "the others must not. Exit code 1 if any result is not as expected.",
        example="hbeval expectations --repeats 1",
    )
    made.add_argument("--repeats", type=count, default=3, metavar="K", help="runs of each scenario (default 3)")
    made.add_argument("--seed", type=seed, default=7, metavar="S", help="same seed, same faults (default 7)")
    made.add_argument("--all", action="store_true", help="show every cell, also those that should stay and do")
    made.add_argument(
        "--progress", action="store_true", help="name each agent before its runs, also where nobody looks"
    )
    return made


def execute(args: argparse.Namespace, console: Console) -> int:
    """Run the agents and hold them against the table."""
    table = load_expectations()
    found = compare_traits(
        expectations=table, repeats=args.repeats, seed=args.seed, progress=_progress(console, wanted=args.progress)
    )
    failed = [each for each in found if each.found in ("not as expected", "not measured") and each.expected != "open"]
    console.document(_document(table, found, args))
    if not console.json:
        console.say(_shown(table, found, console, everything=args.all))
        staying = sum(each.expected == "stay" and each.found == "as expected" for each in found)
        moving = sum(each.expected in ("up", "down") and each.found == "as expected" for each in found)
        unsure = sum(each.expected == "open" for each in found)
        console.say("\n" + "\n".join(_legend(table)))
        console.say(
            f"\n{moving} moved and {staying} stayed as expected; {len(failed)} did not. {unsure} were left open."
        )
    return _NOT_AS_EXPECTED if failed else _AS_EXPECTED


def _progress(console: Console, *, wanted: bool) -> Callable[[str], None] | None:
    if not (wanted or console.watched):
        return None
    return lambda name: console.aside(f"running {name}")


def _shown(table: Expectations, found: Iterable[Comparison], console: Console, *, everything: bool) -> str:
    rows = [
        (
            each.trait,
            each.measure,
            each.expected,
            _value(each.baseline),
            _value(each.value),
            _interval(each.difference),
            each.found,
        )
        for each in found
        if everything or each.expected != "stay" or each.found != "as expected"
    ]
    heads = ("trait", "measure", "expected", table.baseline, "trait's", "difference", "found")
    return text_table("Expectation beside result", heads, rows, console, width=140)


def _legend(table: Expectations) -> Iterator[str]:
    """What the traits, the measures and the difference are."""
    for name, trait in table.traits.items():
        yield f"trait {name}: {trait.trait}"
    for name, meaning in table.measures.items():
        yield f"measure {name}: {meaning}"
    yield f"difference: interval of the trait's value less that of {table.baseline}; 95 %, wider where it should stay"


def _value(value: Value | None) -> str | None:
    return None if value is None else number(value.value)


def _interval(interval: Interval | None) -> str | None:
    return None if interval is None else f"{number(interval.low)} to {number(interval.high)}"


def _document(table: Expectations, found: Iterable[Comparison], args: argparse.Namespace) -> Any:
    return rounded(
        {
            "schema": "hbeval-expectation-results/1",
            "baseline": table.baseline,
            "repeats": args.repeats,
            "seed": args.seed,
            "measures": dict(table.measures),
            "not_compared": dict(table.not_compared),
            "traits": {name: each.trait for name, each in table.traits.items()},
            "comparisons": [_comparison(table, each) for each in found],
        }
    )


def _comparison(table: Expectations, each: Comparison) -> dict[str, Any]:
    return {
        "trait": each.trait,
        "measure": each.measure,
        "expected": each.expected,
        "why_open": table.traits[each.trait].open.get(each.measure),
        "baseline": _value_document(each.baseline),
        "value": _value_document(each.value),
        "difference": None if each.difference is None else [each.difference.low, each.difference.high],
        "level": each.level,
        "found": each.found,
    }


def _value_document(value: Value | None) -> dict[str, Any] | None:
    if value is None:
        return None
    return {"value": value.value, "interval": [value.interval.low, value.interval.high], "n": value.n}
