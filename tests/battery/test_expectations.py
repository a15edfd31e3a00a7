"""The table of the reference agents: read strictly, held against results, and a table that is wrong fails."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hbeval.battery.agents.expectations import Comparison, Trait, compare_traits, load_expectations
from hbeval.battery.agents.traits import BY_NAME
from hbeval.errors import InputError
from hbeval.model import encode


@pytest.fixture(scope="module")
def comparisons() -> tuple[Comparison, ...]:
    return compare_traits(repeats=1, seed=20270105)


def _cell(comparisons: tuple[Comparison, ...], trait: str, measure: str) -> Comparison:
    return next(each for each in comparisons if (each.trait, each.measure) == (trait, measure))


def test_the_table_covers_every_agent_and_measure() -> None:
    """Every bundled agent but the baseline has a row; each measure is moved, open with a reason, or stays."""
    table = load_expectations()
    assert {table.baseline, *table.traits} == set(BY_NAME)
    for trait in table.traits.values():
        assert trait.moves
        assert not trait.moves.keys() & trait.open.keys()
        assert all(trait.open.values())
    assert table.of("thrash", "pei") == "down"
    assert table.of("thrash", "frr") == "stay"
    assert table.of("comply", "frr") == "open"


def test_what_should_move_moves_and_what_should_stay_stays(comparisons: tuple[Comparison, ...]) -> None:
    """One battery per agent: every cell of the table comes out as written down beforehand."""
    table = load_expectations()
    assert len(comparisons) == len(table.traits) * len(table.measures)
    assert [each for each in comparisons if each.found == "not as expected"] == []
    assert [each for each in comparisons if each.found == "not measured"] == []


def test_cells_that_stay_are_held_against_a_wider_interval(comparisons: tuple[Comparison, ...]) -> None:
    """Bonferroni over the cells that should stay; those that should move get 95 %."""
    staying = [each for each in comparisons if each.expected == "stay"]
    assert {each.level for each in staying} == {1 - 0.05 / len(staying)}
    assert {each.level for each in comparisons if each.expected != "stay"} == {0.95}
    cell = _cell(comparisons, "thrash", "pei")
    assert cell.value is not None
    assert cell.difference is not None
    assert cell.value.interval.low < cell.value.value < cell.value.interval.high
    assert cell.difference.high < 0


def test_a_table_that_is_wrong_fails() -> None:
    """Expecting the opposite, or no movement where there is one, is found out."""
    table = load_expectations()
    wrong = replace(
        table,
        traits={
            "thrash": Trait(trait="x", moves={"pei": "up"}),
            "untraceable": Trait(trait="x", moves={"pei": "down"}),
        },
        measures={"pei": "", "ti": ""},
    )
    found = compare_traits(expectations=wrong, repeats=1, seed=1)
    assert _cell(found, "thrash", "pei").found == "not as expected"
    assert _cell(found, "thrash", "ti").found == "as expected"
    assert _cell(found, "untraceable", "pei").found == "not as expected"
    assert _cell(found, "untraceable", "ti").found == "not as expected"


def test_a_measure_without_trials_is_not_measured() -> None:
    """A battery without faults says nothing of fault trials, and nothing is not "stays"."""
    from hbeval.battery import standard

    battery = standard()
    table = replace(load_expectations(), traits={"resist": Trait(trait="x", moves={})})
    quiet = {domain.name: domain for domain in battery.domains}
    tasks = {
        name: replace(domain, tasks={key: _without_faults(task) for key, task in domain.tasks.items()})
        for name, domain in quiet.items()
    }
    found = compare_traits(
        expectations=table, battery=replace(battery, domains=tuple(tasks.values())), repeats=1, seed=1
    )
    assert _cell(found, "resist", "irs").found == "not measured"
    assert _cell(found, "resist", "complied").difference is None
    assert _cell(found, "resist", "success").found == "as expected"


def _without_faults(task: Any) -> Any:
    from hbeval.model import FaultType

    return replace(task, faults_for={kind.value: None for kind in FaultType})


def test_progress_is_told_each_agents_name() -> None:
    """The baseline first, then the rows in their order."""
    told: list[str] = []
    table = replace(load_expectations(), traits={"flaky": Trait(trait="x", moves={})}, measures={"ti": ""})
    compare_traits(expectations=table, repeats=1, progress=told.append)
    assert told == ["adapt", "flaky"]


def test_a_table_with_an_unknown_measure_is_refused(tmp_path: Path) -> None:
    """The message names the row and the measures there are."""
    value = encode(load_expectations())
    value["traits"]["thrash"]["moves"] = {"speed": "down"}
    path = tmp_path / "table.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(InputError, match=r"traits.thrash: no such measure, got 'speed'; expected one of pei"):
        load_expectations(path)
