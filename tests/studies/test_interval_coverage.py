"""The coverage study, on a smaller grid."""

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

REPLICATES = 400


@pytest.fixture(scope="module")
def study() -> ModuleType:
    path = Path(__file__).parents[2] / "studies" / "interval_coverage.py"
    spec = importlib.util.spec_from_file_location("interval_coverage_study", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_ratio_interval_keeps_its_bar(study: ModuleType) -> None:
    """At 400 replicates a coverage of .93 has a standard error of .013: a cell may fall short by three of them."""
    cells = list(study.ratio_cells(REPLICATES, 7, shares=(0.05, 0.5, 0.9), trials=((1, 1), (3, 10)), runs=(5, 19, 40)))
    assert len(cells) == 27
    assert not [cell for cell in cells if cell.missed()]
    mean = sum(cell.coverage for cell in cells) / len(cells)
    assert 0.95 <= mean <= 0.99


def test_the_mean_interval_keeps_its_bar(study: ModuleType) -> None:
    """For the values that pass^k and CSI take."""
    cells = list(study.mean_cells(REPLICATES, 7, tasks=(5, 20)))
    assert len(cells) == 12
    assert not [cell for cell in cells if cell.missed()]


def test_a_cell_that_misses_is_seen(study: ModuleType) -> None:
    """Coverage of .85 or, where there is a ceiling, of 1 is outside .92–.99 whatever the simulation's error."""
    for coverage, missed in ((0.85, True), (0.915, False), (0.95, False), (1.0, False)):
        cell = study.Cell(row="", column="", coverage=coverage, replicates=REPLICATES, bar=(0.92, 0.99))
        assert cell.missed() is missed
    assert study.Cell(row="", column="", coverage=1.0, replicates=4000, bar=(0.92, 0.99)).missed()


def test_draws_have_the_share_and_the_correlation(study: ModuleType) -> None:
    """Otherwise the table would speak of other agents than it says."""
    for correlation in (0.0, 0.3):
        runs = study.run_sampler(0.2, correlation, (2, 2))(random.Random(3), 40_000)
        share = sum(x for x, _ in runs) / 80_000
        both = sum(x == 2 for x, _ in runs) / 40_000
        assert share == pytest.approx(0.2, abs=0.01)
        assert (both - share**2) / (share * (1 - share)) == pytest.approx(correlation, abs=0.03)


def test_the_exit_code_says_whether_the_bar_was_met(
    study: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 with the promise, 1 with a promise that cannot be kept."""
    few = list(study.ratio_cells(100, 1, shares=(0.5,), trials=((1, 1),), runs=(20,)))
    monkeypatch.setattr(study, "ratio_cells", lambda replicates, seed: few)
    monkeypatch.setattr(study, "mean_cells", lambda replicates, seed: few)
    assert study.main(["--replicates", "100"]) == 0
    monkeypatch.setattr(study.Cell, "missed", lambda self: True)
    assert study.main(["--replicates", "100", "--seed", "4"]) == 1
    assert "seed 4" in capsys.readouterr().out
