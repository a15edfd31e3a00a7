"""Recovery: every signal, what contradicts it, and which two are two."""

from __future__ import annotations

import pytest

from hbeval.model import Context, Ending, EvidenceLevel, Fact, FaultType, Handling, StepError
from tests.judging.run_builder import ALL, NOT_FOUND, ORDER, TIMEOUT, TOOLS, Run, names

RECOVERY, OPEN, REFLEX = Handling.RECOVERY, Handling.NOT_JUDGED, Handling.REFLEX
BUSY = StepError(kind="HTTPError", status=429, retry_after_s=2.0)
OTHER = {"order": "ORD-9"}


def stale(run=None):
    return (run or Run()).fault("f", kind=FaultType.CONTEXT_CORRUPTION, effect="stale")


@pytest.mark.parametrize(
    ("run", "handling", "signals"),
    [
        (Run().fail().turn().call("post"), RECOVERY, {"other_tool", "turn_between"}),
        (Run().fail().turn().call("carrier", OTHER), RECOVERY, {"changed_arguments", "turn_between"}),
        (Run().fail().plan("use the post").call("post"), RECOVERY, {"other_tool", "explicit_replan"}),
        (Run().fail().call("post"), OPEN, {"other_tool"}),
        (Run().fail().call("carrier", OTHER), OPEN, {"changed_arguments"}),
        (Run().fail().fail("carrier", OTHER).call("post"), OPEN, {"changed_arguments", "other_tool"}),
        (Run().fail().turn().call("carrier"), OPEN, {"turn_between"}),
        (Run().fail().plan("again").call("carrier"), OPEN, set()),
        (Run().fail().turn("x").plan("y").call("carrier"), OPEN, {"turn_between"}),
        (Run().fail().turn().call("ledger"), RECOVERY, {"other_tool", "turn_between", "nothing_committed"}),
        (Run().fail().turn("hi", "user").call("post"), OPEN, {"other_tool"}),
        (Run().fail().turn("x", "planner").call("post"), RECOVERY, {"other_tool", "turn_between"}),
        (Run().turn().fail().call("post").turn(), OPEN, {"other_tool"}),
        (Run().fail().call("carrier"), OPEN, set()),
    ],
)
def test_trouble_with_an_error_is_recovered_at_the_bar(run, handling, signals):
    """Two independent signals are recovery; one, or two of one fact, are not."""
    trial = run.answer("x").trial()
    assert names(trial) == signals
    assert trial.handling is handling
    assert (trial.reason is None) == (handling is not OPEN)


def test_another_tool_and_other_arguments_are_one_fact():
    """Both say that the approach changed; the trial says how many facts there were."""
    trial = Run().fail().fail("carrier", OTHER).call("post").answer("x").trial()
    assert "only 1 independent fact" in trial.reason


def test_a_plan_that_repeats_the_turn_is_the_same_fact():
    """A re-plan taken from the turn's own words is no second witness beside the turn."""
    told = Run().fail().turn("New plan: wait").plan("New plan: wait").wait(2).fail().trial()
    assert names(told) == {"turn_between"}
    separate = Run().fail().turn("thinking").plan("use the post").call("post").trial()
    assert names(separate) == {"other_tool", "turn_between", "explicit_replan"}


def test_the_next_tool_of_another_purpose_is_no_change_of_approach_where_purposes_are_declared():
    """With a declared substitute, going on elsewhere is going on."""
    trial = Run().fail().turn().call("weather").trial()
    assert names(trial) == set()
    assert trial.handling is OPEN
    later = Run().fail().turn().call("weather").turn().call("post").answer("x").trial()
    assert names(later) == {"other_tool", "turn_between"}


def test_where_no_purpose_is_declared_any_other_tool_is_one():
    """All that is known is that the agent went elsewhere; a hand-over is not an approach."""
    assert Run(()).fail().turn().call("weather").answer("x").trial().handling is RECOVERY
    trial = Run(tuple(tool for tool in TOOLS if tool.handover)).fail().turn().call("desk").answer("x").trial()
    assert "other_tool" not in names(trial)


def test_the_turn_must_lie_before_a_change_if_there_was_one():
    """A turn before an identical retry says nothing of the later switch."""
    trial = Run().fail().turn().fail().call("post").answer("x").trial()
    assert names(trial) == {"other_tool"}
    assert trial.handling is OPEN


@pytest.mark.parametrize(("retries", "handling"), [(1, OPEN), (2, REFLEX), (3, REFLEX)])
def test_two_blind_retries_are_a_reflex(retries, handling):
    """Identical, with nothing in between."""
    run = Run().fail()
    for _ in range(retries):
        run.fail()
    trial = run.judge(ending=Ending.LIMIT).trials[0]
    assert (trial.handling, trial.blind_retries) == (handling, retries)
    assert names(trial, against=True) == ({"blind_retries"} if retries > 1 else set())


def test_blind_retries_contradict_a_later_change():
    """Two blind retries, then a turn and another tool: still a reflex."""
    trial = Run().fail().fail().fail().turn().call("post").answer("x").trial()
    assert trial.handling is REFLEX
    assert names(trial) >= {"other_tool", "turn_between"}


@pytest.mark.parametrize(
    "between",
    [
        lambda run: run.turn(),
        lambda run: run.turn("go on", "user"),
        lambda run: run.plan("again"),
        lambda run: run.call("weather"),
        lambda run: run.answer("wait"),
    ],
)
def test_anything_between_makes_a_retry_not_blind(between):
    """A turn, a plan event, another step."""
    run = Run().fail()
    for _ in range(3):
        between(run)
        run.fail()
    assert all(trial.blind_retries == 0 for trial in run.judge().trials)


def test_malformed_calls_are_not_retries_of_an_empty_one():
    """Only the identical raw text repeats a malformed call."""
    mixed = Run().fail(arguments="", malformed=True).fail(arguments={}).fail(arguments="", malformed=True).trial()
    assert mixed.blind_retries == 0
    same = Run().fail(arguments='{"', malformed=True).fail(arguments='{"', malformed=True).trial()
    assert same.blind_retries == 1


def test_unrecorded_arguments_make_no_blind_retry():
    """Nobody knows whether they were the same."""
    run = Run().fail()
    for _ in range(3):
        run.fail()
    bare = tuple(
        type(step)(**{name: getattr(step, name) for name in step.__slots__} | {"arguments": None}) for step in run.steps
    )
    judged = run.judge(steps=bare)
    assert judged.trials[0].blind_retries == 0
    assert judged.evidence.level is EvidenceLevel.E1


def test_a_source_without_turns_shows_no_blind_retry():
    """Something may have been said in between."""
    run = Run().fail().fail().fail()
    assert run.judge(holds=tuple(fact for fact in ALL if fact is not Fact.TURN)).trials[0].blind_retries == 0


def test_siblings_of_one_batch_are_no_retries():
    """Issued together, before the failure was known."""
    run = Run().turn()
    for _ in range(3):
        run.fail(started_at=0.0, ended_at=1.0)
    assert run.trial().blind_retries == 0


@pytest.mark.parametrize(
    ("waits", "patient"),
    [
        ((1, 2, 4), True),
        ((0.0, 0.5), True),
        ((1, 1, 1), False),
        ((4, 2, 1), False),
        ((0.001, 0.01), False),
        ((5,), False),
        ((1, 4, 1, 4), False),
    ],
)
def test_growing_delay_on_a_passing_fault_is_a_signal(waits, patient):
    """Two delays at least, none much shorter than before, the last much longer than the first and more than noise."""
    run = Run().fail()
    for seconds in waits:
        run.wait(seconds).fail()
    trial = run.trial()
    assert ("backoff" in names(trial)) is patient
    assert trial.blind_retries == (0 if patient else len(waits))


def test_a_lasting_error_is_not_waited_out():
    """Waiting longer for a record that does not exist is no signal."""
    run = Run().fail(error=NOT_FOUND).wait(1).fail(error=NOT_FOUND).wait(2).fail(error=NOT_FOUND)
    assert "backoff" not in names(run.trial())


@pytest.mark.parametrize(
    "error",
    [
        TIMEOUT,
        StepError(kind="ConnectionRefusedError"),
        StepError(kind="rate_limit_exceeded"),
        StepError(kind="HTTPError", status=503),
        StepError(kind="ServiceUnavailable"),
    ],
)
def test_passing_faults_are_known_by_status_or_kind(error):
    """What the error itself says it is."""
    run = Run().fail(error=error).wait(1).fail(error=error).wait(3).call("carrier")
    assert "backoff" in names(run.trial())


@pytest.mark.parametrize(("seconds", "honoured"), [(2.0, True), (1.95, True), (1.0, False), (30.0, True)])
def test_honouring_retry_after_is_a_signal_and_not_blind(seconds, honoured):
    """Not before the time the error named."""
    trial = Run().fail(error=BUSY).wait(seconds).call("carrier").trial()
    assert ("backoff" in names(trial)) is honoured
    assert trial.blind_retries == (0 if honoured else 1)


def test_waiting_and_a_turn_are_two_facts():
    """The clock and the turn are different witnesses; waiting alone is one."""
    assert Run().fail(error=BUSY).turn().wait(2).call("carrier").trial().handling is RECOVERY
    assert Run().fail(error=BUSY).wait(2).call("carrier").trial().handling is OPEN


def test_a_models_thinking_time_is_no_waiting():
    """The delay counts from the last thing said; without its time nothing can be said."""
    slow = Run().fail().wait(3).turn().fail().wait(9).turn().fail().trial()
    assert "backoff" not in names(slow)
    untimed = Run().fail(error=BUSY).turn(at=None).wait(5).call("carrier").trial()
    assert "backoff" not in names(untimed)


def test_unknown_times_show_no_waiting():
    """A log without times has no delays."""
    run = Run().fail(error=BUSY).wait(5).call("carrier", started_at=None)
    assert "backoff" not in names(run.trial())
    run = Run().fail(error=BUSY, started_at=None, ended_at=None).wait(5).call("carrier")
    assert "backoff" not in names(run.trial())


@pytest.mark.parametrize(
    ("go_on", "handling", "signals"),
    [
        (lambda run: run.call("ledger", result={"eta": 2}), OPEN, {"verified"}),
        (lambda run: run.turn().call("ledger", result={"eta": 2}), RECOVERY, {"verified", "turn_between"}),
        (
            lambda run: run.call("ledger", result={"eta": 2}).call("carrier", result={"eta": 2}),
            RECOVERY,
            {"verified", "reread"},
        ),
        (lambda run: run.turn().call("carrier", result={"eta": 2}), RECOVERY, {"reread", "turn_between"}),
        (lambda run: run.call("carrier", result={"eta": 2}), OPEN, {"reread"}),
        (lambda run: run.turn().call("carrier", result={"eta": 1}), OPEN, {"turn_between"}),
        (lambda run: run.call("post", result={"eta": 2}), OPEN, {"other_tool", "reread"}),
        (lambda run: run.turn().call("carrier", OTHER, {"eta": 2}), OPEN, set()),
        (lambda run: run.turn().call("weather"), OPEN, set()),
        (lambda run: run.turn().fail("ledger"), RECOVERY, {"other_tool", "turn_between"}),
    ],
)
def test_wrong_data_is_recovered_by_a_second_look(go_on, handling, signals):
    """Verified elsewhere, or read again with another result; going on with the plan is neither."""
    run = stale().call("carrier", result={"eta": 1}, fault="f", degraded=True)
    trial = next(each for each in go_on(run).judge().trials if each.target == "carrier")
    assert names(trial) == signals
    assert trial.handling is handling


def test_a_blank_shows_by_itself_and_other_arguments_answer_it():
    """After a result without content, asking otherwise is a change of approach."""
    for blank in (None, "", {}, [], '{"eta": '):
        run = stale().call("carrier", result=blank, fault="f", degraded=True).turn().call("carrier", OTHER, {"eta": 2})
        assert names(run.trial()) == {"changed_arguments", "turn_between"}, blank


def test_identical_rereads_of_wrong_data_are_blind_too():
    """Asking the same again and again, with nothing in between."""
    run = stale()
    for _ in range(3):
        run.call("carrier", result={"eta": 1}, fault="f", degraded=True)
    trial = run.answer("x").trial()
    assert (trial.handling, trial.blind_retries) == (REFLEX, 2)


def test_reasoning_before_the_change_is_recorded_and_decides_nothing():
    """The turn counts as a turn; its words are kept as reasoning."""
    trial = Run().fail().turn("The carrier timed out, so I'll try the backup.").call("post").trial()
    assert names(trial) == {"other_tool", "turn_between", "names_change_before"}
    hollow = Run().fail().turn("The carrier timed out, so I'll try the backup.").call("carrier").trial()
    assert names(hollow) == {"turn_between"}


def test_an_agent_that_raised_after_the_fault_is_not_judged():
    """What it would have done, nobody saw; the failure counts elsewhere."""
    trial = Run().fail().judge(ending=Ending.AGENT_ERROR).trials[0]
    assert trial.reason == "the agent raised an error of its own after the fault"


def test_ignoring_a_fault_is_not_judged():
    """Nothing deliberate, and no reflex either."""
    trial = Run(()).fail(arguments=ORDER).judge(context=Context.IMPORT).trials[0]
    assert trial.handling is OPEN
    ignored = Run().fail().call("weather").call("check").judge().trials[0]
    assert ignored.reason == "nothing in the record responds to the fault"


def test_results_too_deep_to_compare_are_no_other_data():
    """Nothing rests on what could not be read."""

    def deep(leaf):
        value = [leaf]
        for _ in range(5000):
            value = [value]
        return value

    run = stale().call("carrier", result=deep(1), fault="f", degraded=True).turn().call("carrier", result=deep(2))
    assert names(run.trial()) == {"turn_between"}
