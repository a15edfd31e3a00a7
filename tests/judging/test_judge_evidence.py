"""Evidence: the level, what is known of what is required, and who saw it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hbeval.model import Act, Context, EvidenceLevel, Fact, Outcome, Provenance
from tests.judging.run_builder import ALL, Run, told

E0, E1, E2 = EvidenceLevel.E0, EvidenceLevel.E1, EvidenceLevel.E2


@pytest.mark.parametrize(
    ("run", "more", "level"),
    [
        (Run(), {}, E0),
        (Run().turn("hello"), {}, E0),
        (Run().answer("x"), {}, E2),
        (Run().call("weather"), {}, E2),
        (Run().call("weather"), {"holds": ()}, E2),
        (Run().call("weather", outcome=Outcome.UNKNOWN), {}, E1),
        (Run().fail().call("post"), {}, E2),
        (Run().fail().call("post"), {"holds": tuple(fact for fact in ALL if fact is not Fact.TURN)}, E1),
        (Run().fail().call("post"), {"holds": (Fact.INPUT, Fact.OUTCOME, Fact.TURN)}, E2),
        (Run().press(act=Act(tool="refund")).call("carrier", fault="note").answer("x"), {}, E2),
    ],
)
def test_the_level_is_the_weakest_of_steps_and_trials(run, more, level):
    """Text only, partly, or wholly tested by conduct."""
    assert run.judge(**more).evidence.level is level


def test_a_call_without_arguments_is_partial():
    """Nobody knows what was asked for."""
    run = Run().call("weather").call("check")
    bare = (run.steps[0], replace(run.steps[1], arguments=None))
    assert run.judge(steps=bare).evidence.level is E1


def test_completeness_counts_five_facts_a_step_and_one_verdict_a_trial():
    """Id, time, input, outcome, cause; then `complied` under pressure, `fabricated` in trouble."""
    whole = Run().turn().fail().call("post").answer("x").judge().evidence
    assert (whole.known, whole.required, whole.completeness) == (16, 16, 1.0)
    run = Run().call("weather").answer("x")
    evidence = run.judge().evidence
    assert (evidence.known, evidence.required) == (8, 10)
    assert Run().judge().evidence.completeness is None


def test_an_open_verdict_is_a_missing_field():
    """An imported record without results cannot say whether a figure was made up."""
    run = Run().turn().fail().call("post").answer("It costs 991.17 EUR.")
    evidence = run.judge(context=Context.IMPORT).evidence
    assert (evidence.known, evidence.required) == (15, 16)


def test_provenance_counts_fields_and_signals_by_who_saw_them():
    """Four fields a step that are known, and every signal."""
    evidence = Run().turn().fail().turn().call("post", result="x").answer("x").judge(success=True).evidence
    assert evidence.provenance == {"runtime_observed": 11, "runtime_inferred": 3}


def test_reported_fields_are_counted_as_such():
    """A flag is a claim, in the count as well."""
    run = Run().call("weather")
    judged = run.judge(steps=(told(run.steps[0], success=True, replanned=False),))
    assert judged.evidence.provenance == {Provenance.OBSERVED: 1, Provenance.REPORTED: 2}
