"""The study of CSI on simulated agents."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def study() -> ModuleType:
    path = Path(__file__).parents[2] / "studies" / "csi_on_stationary_agents.py"
    spec = importlib.util.spec_from_file_location("csi_study", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def medians(study: ModuleType, case: int) -> tuple[float, float]:
    outcome = study.simulate(study.CASES[case], 25, seed=2)
    return study.quantile(outcome.published, 0.5), study.quantile(outcome.candidate, 0.5)


def test_the_published_form_calls_a_stationary_agent_inconsistent(study: ModuleType) -> None:
    """Its median is 0 where the candidate's is above 0.9."""
    published, candidate = medians(study, 1)
    assert published == 0.0
    assert candidate > 0.9


def test_the_candidate_sees_failures_rise(study: ModuleType) -> None:
    """From 5 % to 95 % over the runs: far down, .12 in the long run."""
    assert medians(study, 3)[1] < 0.35


def test_the_candidate_sees_correlated_conduct(study: ModuleType) -> None:
    """Correlation .3 in both inputs: about .7 squared."""
    assert medians(study, 5)[1] == pytest.approx(0.49, abs=0.12)


def test_prints_its_seed_and_every_case(study: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """The table can be made again."""
    assert study.main(["--replicates", "2", "--seed", "11"]) == 0
    printed = capsys.readouterr().out
    assert "seed 11" in printed
    assert all(case.name in printed for case in study.CASES)
