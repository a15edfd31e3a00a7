"""The page on faults holds every type, effect, parameter and kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hbeval.faults import BUILTIN, Effect, Specification
from hbeval.model import FaultType

PAGE = (Path(__file__).parents[2] / "docs" / "faults.md").read_text("utf-8")
ROWS = ("effects", "opens the episode", "closes it", "success of a step", "import sources")


@pytest.mark.parametrize("kind", FaultType)
def test_every_fault_type_has_its_table(kind: FaultType) -> None:
    """Which effects, what opens and closes the episode, what success is, what imports use instead."""
    section = PAGE.split(f"### {kind.value}\n", 1)[1].split("\n##", 1)[0]
    for row in ROWS:
        assert re.search(rf"^\| {row} \| \S", section, re.MULTILINE), row
    effects = next(line for line in section.splitlines() if line.startswith("| effects |"))
    used = {fault.effect for variant in Specification.load().types[kind].variants for fault in variant.faults}
    assert set(re.findall(r"`(\w+)`", effects)) == used


@pytest.mark.parametrize("each", BUILTIN, ids=lambda each: each.name)
def test_every_effect_has_its_row(each: Effect) -> None:
    """With whether it degrades, every parameter and every kind."""
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{each.name}` |"))
    _, _, _, degrades, parameters, _ = row.split("|")
    assert degrades.strip() == ("yes" if each.degraded else "no")
    for parameter in each.parameters:
        assert f"`{parameter.name}`" in parameters
        for word in parameter.words:
            assert f"`{word}`" in parameters


def test_the_page_has_no_row_for_an_effect_that_is_not_there() -> None:
    """Documentation of yesterday's effects misleads."""
    table = PAGE.split("## Effects", 1)[1].split("\n- ", 1)[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [each.name for each in BUILTIN]
