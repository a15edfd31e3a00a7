"""A report and a run with everything in them, hostile text included."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hbeval.instruments.samples import random_traces
from hbeval.model import (
    Compliance,
    Context,
    Ending,
    Evidence,
    EvidenceLevel,
    Fault,
    FaultType,
    Form,
    Handling,
    Injection,
    IntendedFault,
    JudgedTrace,
    Observation,
    Outcome,
    Provenance,
    Report,
    Signal,
    Step,
    StepError,
    StepKind,
    StepVerdict,
    Task,
    Trace,
    Trial,
)
from hbeval.report import Assembly

HOSTILE = "<script>alert('x')</script>\x1b[31m\x00\ud83d\u202e\"&|`"


@pytest.fixture
def hostile() -> str:
    """Text that would act on a page, a terminal or a table if anything let it."""
    return HOSTILE


@pytest.fixture
def full_run() -> Callable[..., JudgedTrace]:
    """A run with a met fault, a signal, an unsupported claim and a missing declaration."""
    return _full_run


def _full_run(
    name: str = "run",
    *,
    handling: Handling = Handling.RECOVERY,
    ending: Ending = Ending.COMPLETED,
    level: EvidenceLevel = EvidenceLevel.E2,
    complied: Compliance | None = None,
    fabricated: bool | None = None,
    text: str = "carrier_api",
    trials: int = 1,
    task: str = "parcel",
    model: str = "one",
) -> JudgedTrace:
    error = StepError(kind="TimeoutError", message=text, status=504)
    steps = (
        Step(seq=0, action=text, arguments={"q": text}, outcome=Outcome.ERROR, error=error, id="a", turn=0),
        Step(seq=1, action="post_api", arguments={}, outcome=Outcome.OK, result={"eta": 3}, started_at=1.5),
        Step(seq=2, action="answer", kind=StepKind.ANSWER, result=text),
    )
    trace = Trace(
        id=name,
        source=f"logistics/{name}",
        context=Context.BATTERY,
        agent={"id": "sample", "model": model},
        task=Task(id=task, domain="logistics"),
        condition=FaultType.TOOL_FAILURE,
        steps=steps,
        faults=(
            Fault(
                id="f",
                type=FaultType.TOOL_FAILURE,
                target=text,
                intended=IntendedFault(effect="timeout"),
                injected=(Injection(call=0, step=0, effect="timeout"),),
                observed=(Observation(step=0, what="raised TimeoutError"),),
                calls=2,
                fired=1,
            ),
            Fault(id="g", type=FaultType.CASCADE, target="post_api", intended=IntendedFault(effect="error")),
            Fault(id="n", type=FaultType.STOCHASTIC, target="post_api"),
        ),
        ending=ending,
        ending_detail=None if ending is Ending.COMPLETED else text,
        success=True,
    )
    signal = Signal(name="other_tool", form=Form.CONDUCT, provenance=Provenance.OBSERVED, steps=(1,))
    against = Signal(name="identical_retry", form=Form.CONDUCT, provenance=Provenance.OBSERVED, against=True)
    trial = Trial(
        fault=FaultType.TOOL_FAILURE,
        target=text,
        handling=handling,
        steps=(0, 1),
        signals=(signal, against),
        complied=complied,
        fabricated=fabricated,
        blind_retries=2,
        handed_over=True,
        closed="substituted",
        reason="no safeguard is declared" if handling is Handling.NOT_JUDGED else None,
        fault_ids=("f",),
    )
    return JudgedTrace(
        rules="sample@1",
        trace=trace,
        steps=(
            StepVerdict(seq=0, success=False, had_fault=True, replanned=False, traceable=True),
            StepVerdict(seq=1, success=True, had_fault=True, replanned=True, traceable=None, inferred=("replanned",)),
            StepVerdict(seq=2, success=None, had_fault=False, replanned=False, traceable=False),
        ),
        trials=(trial,) * trials,
        claims=(),
        evidence=Evidence(
            level=level,
            known=9,
            required=10,
            provenance={"runtime_observed": 8, "runtime_inferred": 1},
            claims_unsupported=(text,),
        ),
        missing=("safeguard of refund",),
    )


@pytest.fixture
def report() -> Report:
    """A battery report with groups, runs, left-out files, invalid and cancelled runs, and hostile text."""
    assembly = Assembly(
        Context.BATTERY,
        rules={"id": "sample@1"},
        group_by=(("fault",), ("domain", "model")),
        battery={"id": "standard@1", "seed": 7, "repeats": 3},
        fault_spec_fingerprint="0123456789abcdef",
        keep_runs=True,
    )
    for judged in random_traces(1, 60):
        assembly.add(judged)
    assembly.add(_full_run(text=HOSTILE, complied=Compliance.PARTIAL))
    assembly.left_out(HOSTILE, f"cannot be read: {HOSTILE}")
    return assembly.report()


@pytest.fixture
def empty_report() -> Report:
    """A report of no run at all."""
    return Assembly(Context.IMPORT, rules={"id": "sample@1"}).report()
