"""Flags of the agent's own code: they fill gaps, they never lift evidence, they never overrule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hbeval.model import EvidenceLevel, Handling, Provenance, StepError
from tests.judging.run_builder import Run, fields, names, told


def run_of(*flags, answer=None, turns=()):
    """Steps of which only flags tell, all on one tool."""
    run = Run()
    for _ in flags:
        run.call("carrier")
    for words in turns:
        run.turn(words)
    steps = tuple(told(step, **each) for step, each in zip(run.steps, flags, strict=True))
    if answer is not None:
        run.answer(answer)
        steps += (run.steps[-1],)
    return run.judge(steps=steps)


def test_flags_fill_what_the_runtime_did_not_see():
    """All four fields, marked as not observed, at E0."""
    judged = run_of({"success": True, "had_fault": False, "replanned": True, "traceable": True})
    (verdict,) = judged.steps
    assert (verdict.success, verdict.had_fault, verdict.replanned, verdict.traceable) == (True, False, True, True)
    assert verdict.inferred == ("success", "had_fault", "replanned", "traceable")
    assert judged.evidence.level is EvidenceLevel.E0


@pytest.mark.parametrize(
    ("flags", "handling"),
    [
        ([{"had_fault": True, "success": False, "recovered_intentionally": True}], Handling.RECOVERY),
        ([{"had_fault": True, "success": False, "handled_deliberately": True}], Handling.ABSTENTION),
        ([{"had_fault": True, "success": True, "handled_deliberately": True}], Handling.RECOVERY),
        ([{"had_fault": True, "success": False, "recovered_intentionally": False}], Handling.REFLEX),
        ([{"had_fault": True, "success": False, "handled_deliberately": False}], Handling.REFLEX),
        ([{"had_fault": True, "success": False}], Handling.NOT_JUDGED),
        ([{"had_fault": True, "success": False}, {"success": True, "handled_deliberately": True}], Handling.RECOVERY),
    ],
)
def test_a_reported_fault_is_handled_as_reported_at_e0(flags, handling):
    """One trial, marked text only."""
    judged = run_of(*flags)
    (trial,) = judged.trials
    assert trial.handling is handling
    assert judged.evidence.level is EvidenceLevel.E0
    assert all(signal.provenance is not Provenance.OBSERVED for signal in trial.signals)


@pytest.mark.parametrize(
    ("words", "handling"),
    [
        ("The carrier timed out, so I'll try the backup instead.", Handling.RECOVERY),
        ("The carrier failed and no reliable source was available.", Handling.ABSTENTION),
        ("No reliable source was at hand.", Handling.NOT_JUDGED),
        ("Der Dienst ist ausgefallen.", Handling.NOT_JUDGED),
    ],
)
def test_without_flags_words_must_name_the_fault_and_what_was_done(words, handling):
    """In a turn or in the answer."""
    for judged in (
        run_of({"had_fault": True, "success": False}, turns=(words,)),
        run_of({"had_fault": True, "success": False}, answer=words),
    ):
        assert judged.trials[0].handling is handling


def test_what_the_runtime_saw_overrules_a_flag_and_the_disagreement_is_named():
    """Success of an error, a fault that nobody saw, a re-plan that was none."""
    run = Run().fail().call("weather")
    steps = (
        replace(run.steps[0], reported={"success": True, "had_fault": True}),
        replace(run.steps[1], reported={"had_fault": True, "replanned": True}),
    )
    judged = run.judge(steps=steps)
    assert fields(judged, "success") == [False, True]
    assert fields(judged, "had_fault") == [True, False]
    assert judged.evidence.claims_unsupported == ("reported.had_fault", "reported.success")
    assert [claim.text for claim in judged.claims] == ["success=true at step 1", "had_fault=true at step 2"]
    assert judged.evidence.level is EvidenceLevel.E2


def test_a_flag_fills_a_gap_of_a_step_that_was_seen():
    """An unknown outcome with a reported success."""
    run = Run().call("weather", outcome="unknown").answer("x")
    step = replace(run.steps[0], outcome=told(run.steps[0]).outcome, reported={"success": True})
    judged = run.judge(steps=(step, run.steps[1]))
    assert judged.steps[0].success is True
    assert judged.steps[0].inferred == ("success",)


def test_flags_that_say_nothing_change_nothing():
    """None, words and unknown names are no flags."""
    run = Run().call("weather").answer("x")
    step = replace(run.steps[0], reported={"success": None, "mood": True})
    assert run.judge(steps=(step, run.steps[1])).steps == run.judge().steps


def test_a_reported_fault_at_a_step_that_was_seen_to_succeed_is_no_fault():
    """The runtime saw a result."""
    run = Run().call("weather")
    judged = run.judge(steps=(replace(run.steps[0], reported={"had_fault": True}),))
    assert judged.trials == ()


def test_a_call_that_reached_no_tool_is_trouble_and_partial_evidence():
    """The agent's loop reports it; what follows is conduct."""
    run = (
        Run().fail("carier", error=StepError(kind="UnknownTool"), provenance=Provenance.REPORTED).turn().call("carrier")
    )
    judged = run.judge()
    assert [trial.target for trial in judged.trials] == ["carier"]
    assert judged.trials[0].handling is Handling.RECOVERY
    assert judged.evidence.level is EvidenceLevel.E1


def test_the_answer_takes_its_success_from_a_flag_if_no_oracle_knows():
    """The oracle comes first."""
    run = Run().answer("x")
    flagged = (replace(run.steps[0], reported={"success": False}),)
    assert fields(run.judge(steps=flagged), "success") == [False]
    assert fields(run.judge(steps=flagged, success=True), "success") == [True]
    assert names(Run().fail().judge().trials[0]) == set()
