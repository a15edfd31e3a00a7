"""Judged traces to put into journals."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hbeval.model import (
    Context,
    Ending,
    Evidence,
    EvidenceLevel,
    JudgedTrace,
    Outcome,
    Step,
    StepVerdict,
    Task,
    Trace,
)

Make = Callable[..., JudgedTrace]


def make_judged(name: str, text: str = "", extra: dict[str, object] | None = None) -> JudgedTrace:
    """One finished run with one step."""
    trace = Trace(
        id=name,
        source=name,
        context=Context.BATTERY,
        task=Task(id="shop/1", domain="shop", text=text),
        steps=(Step(seq=1, action="look", arguments={"q": text}, result=[1, None], outcome=Outcome.OK, id="c1"),),
        ending=Ending.COMPLETED,
        success=True,
        oracle="check",
        extra=extra or {},
    )
    verdict = StepVerdict(seq=1, success=True, had_fault=False, replanned=None, traceable=True)
    evidence = Evidence(level=EvidenceLevel.E2, known=1, required=1)
    return JudgedTrace(rules="r@1", trace=trace, steps=(verdict,), trials=(), claims=(), evidence=evidence)


@pytest.fixture(scope="session")
def judged() -> Make:
    """The maker of finished runs."""
    return make_judged
