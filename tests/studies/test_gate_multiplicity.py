"""The study of a whole gate, on one small setting."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "studies"))
    return importlib.import_module("gate_multiplicity")


def test_many_tests_keep_the_rate_of_one(study: ModuleType) -> None:
    """Without a correction an equal candidate would fail far more often than stated."""
    rows = list(study.rows(60, 3, settings=((4, 10),)))
    assert [each.candidate for each in rows] == ["equal", "one metric worse", "all worse", "one task broken"]
    assert not [each for each in rows if each.missed]
    equal, *_, broken = rows
    assert equal.failed["no correction"] > 0.1
    assert broken.failed["Holm in two halves"] > 0.6


def test_a_missed_bar_is_an_exit_code(study: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table can say no."""
    row = study.Row(
        tasks=4, runs=10, candidate="equal", passed=0.0, failed=dict.fromkeys(study.WAYS, 0.5), replicates=100
    )
    assert row.missed
    monkeypatch.setattr(study, "rows", lambda replicates, seed: iter([row]))
    assert study.main([]) == 1
