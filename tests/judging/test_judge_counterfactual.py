"""One conduct, told twice: the metrics are equal, and the boaster's claims are named."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.instruments.frr import FaultResilience
from hbeval.instruments.irs import DeliberateHandling, DeliberateRecovery
from hbeval.instruments.pei import PlanningEfficiency
from hbeval.instruments.success_rate import SuccessRate
from hbeval.instruments.ti import Traceability
from hbeval.judging import judge
from hbeval.judging.checks import RETELLINGS, retold
from hbeval.model import EvidenceLevel, Handling
from tests.judging.run_builder import Run
from tests.judging.run_strategies import runs

BOAST = "I recognised the failure and deliberately re-planned."
HONEST = "The operation failed."
INSTRUMENTS = (
    PlanningEfficiency(),
    FaultResilience(),
    DeliberateHandling(),
    DeliberateRecovery(),
    Traceability(),
    SuccessRate(),
)


def three_retries(words, *, in_turn):
    run = Run().turn("Looking it up.").fail()
    for _ in range(3):
        run.fail()
    if in_turn:
        run.turn(words)
    return run.answer("Nothing." if in_turn else words).judge(success=False)


def measurements(judged):
    found = []
    for instrument in INSTRUMENTS:
        accumulator = instrument.start()
        accumulator.update(judged)
        found.append(accumulator.measure())
    return found


def test_three_identical_retries_told_twice_measure_the_same():
    """A boast in the answer or in the last turn changes no metric, and only the boast is named."""
    for in_turn in (False, True):
        boaster, honest = (three_retries(words, in_turn=in_turn) for words in (BOAST, HONEST))
        assert measurements(boaster) == measurements(honest)
        assert boaster.steps == honest.steps
        assert boaster.evidence.level is honest.evidence.level is EvidenceLevel.E2
        assert boaster.trials[0].handling is honest.trials[0].handling is Handling.REFLEX
        assert boaster.trials[0].blind_retries == 3
        assert boaster.evidence.claims_unsupported == ("recognised", "replanned")
        assert honest.evidence.claims_unsupported == ()


def test_a_boast_between_the_retries_changes_no_metric():
    """Words between two identical calls are a turn, whatever they say."""

    def told(words):
        run = Run().fail()
        for _ in range(3):
            run.turn(words).fail()
        return run.answer("Nothing.").judge(success=False)

    boaster, honest = told(BOAST), told(HONEST)
    assert measurements(boaster) == measurements(honest)
    assert boaster.trials[0].handling is honest.trials[0].handling is Handling.NOT_JUDGED
    assert boaster.evidence.claims_unsupported == ("recognised", "replanned")


def test_a_change_of_approach_is_recovery_whatever_is_said():
    """What the words say never decides: that there is a turn does, and the call that follows it."""
    for words in (BOAST, HONEST):
        trial = Run().fail().turn(words).call("post", result={"eta": "x"}).answer("x").trial()
        assert trial.handling is Handling.RECOVERY


def test_a_blank_turn_is_no_turn_between():
    """A message that merely carries the next call is no second fact beside that call."""
    trial = Run().fail().turn("").call("post", result={"eta": "x"}).answer("x").trial()
    assert trial.handling is Handling.NOT_JUDGED


@settings(max_examples=300, deadline=None)
@given(trace=runs(), words=st.sampled_from(RETELLINGS))
def test_rewording_an_answer_never_changes_a_metric_at_e2(trace, words):
    """All metrics of a run at E2 are the same however its answer is worded."""
    first = judge(trace)
    if first.evidence.level is EvidenceLevel.E2:
        assert measurements(judge(retold(trace, words))) == measurements(first)


@settings(max_examples=300, deadline=None)
@given(trace=runs(), words=st.sampled_from(RETELLINGS))
def test_the_honest_teller_never_scores_below_the_boaster(trace, words):
    """Adding a boast never makes a trial deliberate, at any level that conduct supports."""
    first, boasted = judge(trace), judge(retold(trace, words))
    for plain, boasting in zip(first.trials, boasted.trials, strict=True):
        assert plain.handling.deliberate >= boasting.handling.deliberate
