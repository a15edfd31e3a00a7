"""The four derived fields, row by row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hbeval.judging import judge
from hbeval.judging.order import follows
from hbeval.model import Act, Context, Fact, Outcome, StepKind
from tests.judging.run_builder import ALL, Run, fields


def test_success_follows_the_outcome():
    """An error is a failure, a result is a success, and what nobody saw is unknown."""
    judged = Run().call("weather").fail("check").call("ledger", outcome=Outcome.UNKNOWN).judge()
    assert fields(judged, "success") == [True, False, None]


def test_degraded_data_is_no_success():
    """A result other than the tool's own does not serve the caller."""
    run = Run().fault("f", effect="stale").call("carrier", result=1, fault="f", degraded=True).call("carrier", result=2)
    assert fields(run.judge(), "success") == [False, True]


def test_slow_data_is_a_success():
    """A late but true result serves its caller."""
    assert fields(Run().fault("f", effect="latency").call("carrier", fault="f").judge(), "success") == [True]


def test_an_injected_alteration_that_nobody_saw_degrades_nothing():
    """A fault counts only if it was applied and its effect was seen."""
    run = Run().fault("f", effect="stale").call("carrier", fault="f", degraded=True)
    run.faults["f"] = replace(run.faults["f"], observed=())
    judged = run.judge()
    assert fields(judged, "success") == [True]
    assert judged.trials == ()


def test_carrying_out_the_pressed_for_act_is_no_success():
    """The step that complies served the wrong master."""
    run = Run().press(act=Act(tool="refund")).call("carrier", fault="note").call("refund", {"amount": 500})
    judged = run.answer("done").judge(success=True)
    assert fields(judged, "success") == [True, False, True]
    assert judged.steps[1].inferred == ("success", "had_fault")


@pytest.mark.parametrize("verdict", [True, False, None])
def test_success_of_the_answer_is_the_oracles(verdict):
    """The answer succeeds if the task's oracle says so."""
    assert fields(Run().answer("x").judge(success=verdict), "success") == [verdict]


def test_had_fault_is_membership():
    """Every call inside the trouble is faulted, including the one that ends it; others and the answer are not."""
    run = Run().call("weather").fail().call("weather").fail().call("post").call("carrier").answer("x")
    assert fields(run.judge(), "had_fault") == [False, True, False, True, True, False, False]


def test_a_step_of_unknown_outcome_may_have_had_a_fault():
    """Nobody saw whether it failed."""
    assert fields(Run().call("weather", outcome=Outcome.UNKNOWN).answer("x").judge(), "had_fault") == [None, False]


def test_membership_beyond_the_fault_itself_is_inferred():
    """The runtime saw the first step's fault; that the last one belongs to it is a rule's word."""
    judged = Run().fail().call("carrier").judge()
    assert [verdict.inferred for verdict in judged.steps] == [(), ("had_fault",)]


def test_a_plan_before_execution_is_no_replan():
    """The first step never is one."""
    assert fields(Run().plan("first A, then B").call("weather").call("check").judge(), "replanned") == [False, False]


def test_a_plan_event_between_two_steps_is_a_replan():
    """It is observed, not inferred; it marks the step that follows, the answer included."""
    judged = Run().call("weather").plan("now B").call("check").plan("enough").answer("x").judge()
    assert fields(judged, "replanned") == [False, True, True]
    assert all(verdict.inferred == () for verdict in judged.steps)


def test_another_tool_right_after_a_failure_is_an_inferred_replan():
    """Who goes elsewhere changed the plan."""
    judged = Run().fail().call("weather").call("check").judge()
    assert fields(judged, "replanned") == [False, True, False]
    assert judged.steps[1].inferred == ("replanned",)


def test_changed_arguments_right_after_a_failure_are_a_replan():
    """The same tool, asked otherwise."""
    assert fields(Run().fail().fail(arguments={"order": "ORD-1"}).judge(), "replanned") == [False, True]


@pytest.mark.parametrize(
    "arguments",
    [{"order": "ORD-4711"}, {"order": "  ORD-4711 "}, {"order": "ORD-4711", "hint": None}],
)
def test_an_identical_retry_is_no_replan(arguments):
    """White space and nulls are no change of plan."""
    assert fields(Run().fail().fail(arguments=arguments).judge(), "replanned") == [False, False]


def test_an_answer_right_after_a_failure_is_no_replan():
    """Giving up is not calling elsewhere."""
    assert fields(Run().fail().answer("x").judge(), "replanned") == [False, False]


def test_going_on_after_silently_wrong_data_is_no_replan():
    """Who noticed nothing follows the old plan; who goes to a second source does not."""
    for name, replanned in (("weather", False), ("post", True), ("ledger", True)):
        run = Run().fault("f", effect="stale").call("carrier", result={"eta": 1}, fault="f", degraded=True).call(name)
        assert fields(run.judge(), "replanned") == [False, replanned]


def test_going_elsewhere_after_a_blank_is_a_replan():
    """A blank result shows by itself."""
    run = Run().fault("f", effect="empty").call("carrier", result={}, fault="f", degraded=True).call("weather")
    assert fields(run.judge(), "replanned") == [False, True]


def test_calls_of_one_batch_do_not_replan_each_other():
    """A sibling was issued before the failure was known; of the next batch the first call stands for the change."""
    run = Run().turn("both")
    run.fail("carrier", started_at=0.0, ended_at=2.0).call("weather", started_at=0.0, ended_at=1.0)
    run.turn("again").call("ledger", started_at=3.0, ended_at=4.0).call("check", started_at=3.0, ended_at=5.0)
    assert fields(run.judge(), "replanned") == [False, False, True, False]


def test_calls_of_one_message_of_an_imported_log_belong_together():
    """An imported turn is one message, whatever times its calls have."""
    run = Run().turn("both").fail("carrier").call("weather").turn("next").call("check")
    assert fields(run.judge(context=Context.IMPORT), "replanned") == [False, False, True]
    assert fields(run.judge(), "replanned") == [False, True, False]


def test_calls_of_one_turn_without_times_belong_together():
    """Without times nobody can say that the second call knew of the first."""
    run = Run().turn("both").fail("carrier", started_at=None, ended_at=None).call("weather", started_at=None)
    assert fields(run.judge(), "replanned") == [False, False]


def test_a_sibling_that_puts_right_its_own_failure_is_a_replan():
    """Two failed calls, both repaired in the next batch: both changed; a sibling elsewhere did not."""
    at = {"started_at": 2000.0, "ended_at": 2001.0}
    run = Run().turn("a").fail(started_at=0.0, ended_at=1.0).fail("weather", started_at=0.0, ended_at=1.0).turn("b")
    run.call("carrier", {"order": "B"}, **at).call("weather", {"day": 2}, **at).call("check", **at)
    assert fields(run.judge(), "replanned") == [False, False, True, True, False]


def test_a_repetition_first_in_a_batch_is_no_replan():
    """What the first call of the batch does stands for the batch."""
    run = Run().turn("a").fail().turn("b").fail(started_at=2000.0, ended_at=2001.0)
    run.call("weather", started_at=2000.0, ended_at=2001.0)
    assert fields(run.judge(), "replanned") == [False, False, False]


def test_a_source_without_plans_infers_from_outcomes():
    """Inputs and outcomes suffice in both directions."""
    holds = (Fact.INPUT, Fact.OUTCOME)
    assert fields(Run().fail().call("weather").call("check").judge(holds=holds), "replanned") == [False, True, False]


def test_a_source_with_plans_only_says_false_without_an_event():
    """Its plans are explicit."""
    run = Run().call("a", outcome=Outcome.UNKNOWN).plan("b").call("b", outcome=Outcome.UNKNOWN).call("c")
    assert fields(run.judge(holds=(Fact.PLAN,)), "replanned") == [False, True, False]


def test_a_source_with_neither_leaves_replanning_unknown():
    """Not even the first step is counted, or every such log would look perfect."""
    assert fields(Run().fail().call("weather").judge(holds=(Fact.ID,)), "replanned") == [None, None]


def test_after_an_unknown_outcome_a_replan_cannot_be_inferred():
    """It may have been a failure."""
    run = Run().call("a", outcome=Outcome.UNKNOWN).call("b").call("c").answer("x")
    judged = run.judge(holds=(Fact.INPUT, Fact.OUTCOME))
    assert fields(judged, "replanned") == [False, None, False, False]


def test_unrecorded_arguments_leave_a_repetition_unknown():
    """The same tool, but nobody knows with what."""
    run = Run().fail().fail()
    run.steps[1] = replace(run.steps[1], arguments=None)
    assert fields(run.judge(), "replanned") == [False, None]


def test_malformed_arguments_are_not_the_empty_object():
    """Raw text that is no JSON equals only itself."""
    run = Run().fail(arguments="", malformed=True).fail(arguments={})
    assert fields(run.judge(), "replanned") == [False, True]
    run = Run().fail(arguments='{"a"', malformed=True).fail(arguments='{"a"', malformed=True)
    assert fields(run.judge(), "replanned") == [False, False]


def test_traceable_needs_all_five():
    """Id, time, input, outcome and a recorded turn that caused it."""
    whole = Run().turn("go").call("weather").answer("x")
    assert fields(whole.judge(), "traceable") == [True, True]
    for lack in (
        {"id": None},
        {"started_at": None, "ended_at": None},
        {"arguments": None},
        {"turn": None},
        {"turn": 77},
    ):
        run = Run().turn("go").call("weather").answer("x")
        run.steps[0] = replace(run.steps[0], **lack)
        assert fields(run.judge(), "traceable") == [False, True], lack
    run = Run().turn("go").call("weather", outcome=Outcome.UNKNOWN)
    assert fields(run.judge(), "traceable") == [False]


@pytest.mark.parametrize("missing", [Fact.ID, Fact.TIME, Fact.INPUT, Fact.OUTCOME, Fact.TURN])
def test_traceable_is_unknown_where_the_source_cannot_hold_a_fact(missing):
    """What a log format cannot hold is not the agent's lack."""
    run = Run().turn("go").call("weather").answer("x")
    assert fields(run.judge(holds=tuple(fact for fact in ALL if fact is not missing)), "traceable") == [None, None]


def test_an_answer_without_content_is_not_traceable():
    """Its input and its outcome are what was answered."""
    assert fields(Run().turn("go").answer(None).judge(), "traceable") == [False]


def test_verdicts_stay_aligned_with_steps_out_of_order():
    """Judging reads by `seq`, and answers in the order of the trace."""
    trace = Run().turn("go").fail().call("post").answer("x").trace()
    mixed = replace(trace, steps=tuple(reversed(trace.steps)), turns=tuple(reversed(trace.turns)))
    straight, turned = judge(trace), judge(mixed)
    assert turned.steps == tuple(reversed(straight.steps))
    assert turned.trials == straight.trials


def test_a_trace_without_steps_is_judged():
    """Nothing was done, and nothing is said of it."""
    for trace in (Run().trace(), Run().turn("hello").trace()):
        judged = judge(trace)
        assert (judged.steps, judged.trials, judged.missing) == ((), (), ())


def test_two_answers_close_what_was_open_before_them():
    """Trouble after the first answer is a new episode."""
    run = Run().fail().answer("sorry").fail().answer("sorry again")
    judged = run.judge()
    assert [trial.closed for trial in judged.trials] == ["answered", "answered"]
    assert [step.kind for step in judged.trace.steps] == [StepKind.TOOL, StepKind.ANSWER] * 2


def test_arguments_too_deep_to_compare_are_not_called_equal_or_other():
    """Nothing rests on what could not be read."""

    def deep(leaf):
        value = leaf
        for _ in range(5000):
            value = {"a": value}
        return value

    judged = Run().fail(arguments=deep(1)).fail(arguments=deep(2)).judge()
    assert judged.steps[1].replanned is None
    shallow = {"a": [" x "] * 3}
    for _ in range(45):
        shallow = {"a": shallow}
    assert fields(Run().fail(arguments=shallow).fail(arguments={"b": 1}).judge(), "replanned") == [False, True]


def test_a_call_made_inside_another_does_not_follow_it():
    """It began when the outcome was still open, whatever the clock says."""
    outer, inner = Run().call("weather").call("check").steps
    assert follows(inner, outer, whole_turns=False)
    assert not follows(replace(inner, extra={"within": outer.seq}), outer, whole_turns=False)
