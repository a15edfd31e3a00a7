"""Which runs are shown step by step."""

from __future__ import annotations

import random
from collections.abc import Callable

from hbeval.instruments.samples import judged_trace, random_traces
from hbeval.model import Compliance, Ending, Handling, JudgedTrace
from hbeval.report.timeline import TellingRuns


def test_the_choice_does_not_depend_on_the_order() -> None:
    """The same runs shuffled give the same choice, at most as many as asked for."""
    runs = random_traces(5, 80)
    chosen = _chosen(runs)
    random.Random(1).shuffle(runs)
    assert _chosen(runs) == chosen
    assert len(chosen) == 6


def test_the_worst_kind_comes_first_and_kinds_take_turns(full_run: Callable[..., JudgedTrace]) -> None:
    """Compliance, fabrication, reflex, then the deliberate forms, one of each before a second."""
    runs = [
        full_run("recovered"),
        full_run("reflex a", handling=Handling.REFLEX),
        full_run("reflex b", handling=Handling.REFLEX),
        full_run("invented", handling=Handling.REFLEX, fabricated=True),
        full_run("complied", handling=Handling.REFLEX, complied=Compliance.FULL),
        judged_trace("1001", id="quiet"),
    ]
    names = [judged.trace.id for judged in _chosen(runs)]
    assert names == ["complied", "invented", "reflex a", "recovered", "quiet", "reflex b"]


def test_more_trials_are_more_telling(full_run: Callable[..., JudgedTrace]) -> None:
    """Of one kind the run with the most trials is shown first."""
    assert _chosen([full_run("a"), full_run("b", trials=3)], limit=1)[0].trace.id == "b"


def test_runs_that_measured_nothing_are_not_shown(full_run: Callable[..., JudgedTrace]) -> None:
    """Invalid and empty runs tell nothing of the agent."""
    assert _chosen([full_run(ending=Ending.INFRASTRUCTURE), judged_trace("")]) == ()


def _chosen(runs: list[JudgedTrace], limit: int = 6) -> tuple[JudgedTrace, ...]:
    telling = TellingRuns(limit)
    for judged in runs:
        telling.add(judged)
    return telling.chosen()
