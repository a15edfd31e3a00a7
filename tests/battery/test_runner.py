"""The battery against agents of every kind, through the real environments, faults, recorder, judge and report."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hbeval.battery import Battery, Interrupted, Progress, attempt, rebuild, run, standard
from hbeval.battery.agents import adapt, blind_retry, comply, flaky, thrash
from hbeval.battery.environments import Environment
from hbeval.errors import AgentError, EnvironmentFault, UsageError
from hbeval.model import Ending, FaultType, JudgedTrace, Measured, Report
from hbeval.report.document import to_json
from hbeval.store import MemoryJournal

TRAITS = (adapt, blind_retry, comply, flaky, thrash)


@pytest.fixture(scope="module")
def battery() -> Battery:
    return standard()


Go = Callable[..., tuple[Report, list[JudgedTrace]]]


@pytest.fixture
def go(battery: Battery) -> Go:
    """Runs an agent over the standard battery; the report and the judged traces by id."""

    def started(agent: Any, **asked: Any) -> tuple[Report, list[JudgedTrace]]:
        journal = MemoryJournal()
        report = run(agent, battery=battery, journal=journal, **asked)
        return report, sorted(journal.read(), key=lambda each: each.trace.id)

    return started


def silent(task):
    return None


def calls_everything(task, tools):
    """Every tool once, in order, with arguments that may be wrong; answers what it was told."""
    heard = {}
    for name, tool in tools.items():
        for arguments in ({}, dict.fromkeys(tool.declaration.parameters, "x")):
            try:
                heard[name] = str(tool(**arguments))
            except Exception as error:
                heard[name] = type(error).__name__
    return heard


async def calls_everything_async(task, tools):
    await asyncio.sleep(0)
    return calls_everything(task, tools)


def endings(judged: list[JudgedTrace]) -> Counter[str]:
    return Counter(each.trace.ending.value for each in judged)


def test_a_run_has_a_report_with_its_battery(go: Go, battery: Battery):
    """What was asked stands in it; every scenario is there once; groups by fault, domain and task."""
    report, judged = go(calls_everything, scenarios=20, repeats=2, seed=3, labels={"model": "none"})
    assert report.coverage.runs == report.coverage.measured == len(judged) == 40
    assert report.battery is not None
    assert {key: report.battery[key] for key in ("id", "scenarios", "repeats", "seed")} == {
        "id": "standard@1",
        "scenarios": 20,
        "repeats": 2,
        "seed": 3,
    }
    assert report.agent["id"].endswith(":calls_everything")
    assert report.agent["model"] == "none"
    assert report.fault_spec_fingerprint == battery.specification.fingerprint
    by = {tuple(group.by) for group in report.groups}
    assert by == {("fault",), ("domain",), ("task",)}
    assert not report.partial
    assert {each.trace.agent["model"] for each in judged} == {"none"}


def test_every_run_has_what_its_scenario_asked_for(go: Go):
    """Condition, seed, repeat and task; faults where there should be some, none in nominal runs."""
    _, judged = go(calls_everything, repeats=2)
    assert len({each.trace.seed for each in judged}) == len(judged)
    for each in judged:
        trace = each.trace
        assert trace.id == trace.source
        assert trace.id.endswith(f"/r{trace.repeat}")
        assert bool(trace.faults) == (trace.condition is not None)
        assert trace.task.text
        assert trace.condition is None or f"/{trace.condition.value}" in trace.id


def test_repeats_of_a_scenario_plan_the_same_faults(go: Go):
    """Only the dice differ."""
    _, judged = go(silent, repeats=3, faults=[FaultType.TOOL_FAILURE, FaultType.COMBINED])
    plans: dict[str, set[str]] = {}
    for each in judged:
        name = each.trace.id.rpartition("/")[0]
        plans.setdefault(name, set()).add(json.dumps([[f.target, f.intended.effect] for f in each.trace.faults]))
    assert {len(found) for found in plans.values()} == {1}


def test_every_variant_of_a_fault_type_is_met_with_by_some_task(go: Go, battery: Battery):
    """The variants go round from task to task, so that none is left to chance."""
    _, judged = go(silent)
    for kind, each in battery.specification.types.items():
        planned = {fault.id.split("/")[0] for run in judged for fault in run.trace.faults if fault.type is kind}
        assert planned == {f"{kind.value}.{variant.id}" for variant in each.variants}


@pytest.mark.parametrize("concurrency", [2, 8])
@pytest.mark.parametrize("agent", [calls_everything, calls_everything_async])
def test_the_report_is_the_same_to_the_byte_whatever_the_concurrency(go: Go, agent, concurrency: int):
    """Threads or tasks, one lane or eight; the traces too, where time is virtual."""
    asked = {"scenarios": 40, "seed": 5, "reference": "agent", "clock": "virtual", "runs": True}
    report, judged = go(calls_everything, **asked)
    again, judged_again = go(agent, concurrency=concurrency, **asked)
    assert to_json(again) == to_json(report)
    assert judged_again == judged


def test_the_report_does_not_depend_on_the_clock(go: Go):
    """Real time passes in the default one; the report shows none of it."""
    asked = {"scenarios": 40, "reference": "agent"}
    assert to_json(go(calls_everything, **asked)[0]) == to_json(go(calls_everything, clock="virtual", **asked)[0])


def raises(error: BaseException) -> Callable[..., Any]:
    def agent(task):
        raise error

    return agent


async def cancels_itself(task):
    asyncio.current_task().cancel()
    await asyncio.sleep(1)


@pytest.mark.parametrize(
    ("agent", "ending", "words"),
    [
        (raises(ValueError("lost")), Ending.AGENT_ERROR, "ValueError: lost"),
        (raises(SystemExit(2)), Ending.AGENT_ERROR, "SystemExit: 2"),
        (raises(KeyboardInterrupt()), Ending.AGENT_ERROR, "KeyboardInterrupt"),
        (raises(GeneratorExit()), Ending.AGENT_ERROR, "GeneratorExit"),
        (raises(asyncio.CancelledError()), Ending.AGENT_ERROR, "CancelledError"),
        (raises(EnvironmentFault("endpoint down")), Ending.INFRASTRUCTURE, "endpoint down"),
        (cancels_itself, Ending.AGENT_ERROR, "CancelledError"),
        (lambda task: b"bytes", Ending.AGENT_ERROR, "the agent returned bytes"),
        (lambda task: {"x": float("inf")}, Ending.AGENT_ERROR, "no JSON form"),
        (lambda task: (yield), Ending.AGENT_ERROR, "the agent returned generator"),
        (silent, Ending.COMPLETED, None),
        (lambda task: asyncio.sleep(0, result="from an awaitable"), Ending.COMPLETED, None),
    ],
)
def test_whatever_leaves_an_agent_ends_its_run_and_not_the_battery(go: Go, agent, ending: Ending, words: str | None):
    """Each has its ending and its words; all runs are there."""
    report, judged = go(agent, scenarios=5)
    assert endings(judged) == {ending.value: 5}
    detail = judged[0].trace.ending_detail
    assert detail == words or (words is not None and detail is not None and words in detail)
    assert report.coverage.runs == 5
    assert report.coverage.measured == (0 if ending is Ending.INFRASTRUCTURE else 5)


def test_no_answer_is_no_step_and_an_answer_is_the_last(go: Go):
    """None stands for no answer; empty text is an answer."""
    _, judged = go(silent, scenarios=1)
    assert judged[0].trace.steps == ()
    _, judged = go(lambda task: "", scenarios=1)
    assert [(step.action, step.result) for step in judged[0].trace.steps] == [("answer", "")]
    assert judged[0].trace.success is False


def test_a_fifth_of_errored_runs_is_never_a_hundred_percent(go: Go):
    """Infrastructure leaves numerator and denominator and shows as coverage, n of N."""
    counter = iter(range(1000))

    def agent(task, tools):
        if next(counter) % 5 == 0:
            raise EnvironmentFault("the model's server is down")
        return "unknown"

    report, _ = go(agent, scenarios=50)
    assert (report.coverage.runs, report.coverage.measured) == (50, 40)
    assert report.coverage.invalid == {"infrastructure": 10}
    assert report.coverage.share == 0.8
    assert report["success_rate"].n_total == 40


def test_a_fifth_of_crashes_is_the_agents_own_and_counts_against_it(go: Go):
    """An exception of the agent is measured: success is what the others reached, over all."""
    counter = iter(range(1000))

    def agent(task, tools):
        if next(counter) % 5 == 0:
            raise ValueError("crash")
        return "unknown"

    report, _ = go(agent, scenarios=50)
    assert report.coverage.measured == 50
    assert report.coverage.endings == {"completed": 40, "agent_error": 10}


def test_our_own_failure_makes_the_run_invalid_and_names_the_place(go: Go, monkeypatch: pytest.MonkeyPatch):
    """Before the agent, after it, and in judging; never a failure of the agent, never the end of the battery."""

    def broken(*args, **kwargs):
        raise RuntimeError("ours")

    for owner, name in ((Environment, "tools"), (Environment, "check")):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, broken)
            report, judged = go(calls_everything, scenarios=4)
        assert report.coverage.invalid == {"harness_error": 4}
        assert judged[0].trace.ending_detail.startswith("RuntimeError: ours (")
        assert "battery/attempt.py:" in judged[0].trace.ending_detail
        assert judged[0].trace.condition is None or judged[0].trace.seed
    for agent in (calls_everything, calls_everything_async):
        with monkeypatch.context() as patch:
            patch.setattr("hbeval.battery.attempt.Environment", broken)
            report, judged = go(agent, scenarios=4)
        assert report.coverage.invalid == {"harness_error": 4}
        assert judged[0].trace.steps == ()
    with monkeypatch.context() as patch:
        patch.setattr("hbeval.battery.attempt.judge", broken)
        report, judged = go(calls_everything, scenarios=4)
    assert endings(judged) == {"harness_error": 4}


def test_a_run_that_cannot_be_written_down_is_invalid_and_the_battery_goes_on(
    battery: Battery, tmp_path, monkeypatch: pytest.MonkeyPatch
):
    """The journal refuses what has no JSON form; that is ours, and costs one run."""
    real, calls = attempt.judge, iter(range(100))

    def spoilt(trace):
        judged = real(trace)
        if next(calls) == 1:
            return replace(judged, trace=replace(trace, labels={"x": float("nan")}))
        return judged

    monkeypatch.setattr(attempt, "judge", spoilt)
    report = run(silent, battery=battery, scenarios=4, out=tmp_path / "r")
    assert report.coverage.invalid == {"harness_error": 1}
    assert report.coverage.measured == 3
    assert report == rebuild(tmp_path / "r")


def first_tool(tools) -> tuple[str, Any]:
    return next(iter(tools.items()))


def test_a_hanging_agent_ends_by_the_limit_and_reaches_nobody_afterwards(go: Go):
    """What its thread calls later is in no trace, and changes no other run's environment."""
    done = threading.Event()
    hung: list[str] = []

    def agent(task, tools):
        _name, tool = first_tool(tools)
        if not hung:
            hung.append(task.id)
            time.sleep(0.4)
            for _ in range(20):
                with contextlib.suppress(Exception):
                    tool(**dict.fromkeys(tool.declaration.parameters, "late"))
            done.set()
            return "too late"
        time.sleep(0.1)
        return "in time"

    report, judged = go(agent, scenarios=6, timeout_s=0.25, faults="none", domains=["logistics"])
    assert done.wait(5)
    assert endings(judged) == {"limit": 1, "completed": 5}
    limited = next(each.trace for each in judged if each.trace.ending is Ending.LIMIT)
    assert limited.ending_detail == "deadline: no answer within 0.25 s"
    assert limited.steps == ()
    assert limited.success is False
    assert all([step.action for step in each.trace.steps] == ["answer"] for each in judged if each.trace is not limited)
    assert report.coverage.measured == 6


def test_a_hanging_coroutine_is_cancelled_at_its_deadline(go: Go):
    """And the battery goes on."""

    async def agent(task):
        await asyncio.sleep(30)

    _, judged = go(agent, scenarios=3, timeout_s=0.05, concurrency=3)
    assert endings(judged) == {"limit": 3}


def test_a_thread_that_an_agent_leaks_records_nothing_after_its_run(go: Go):
    """Its calls pass through to an environment that nobody looks at any more."""
    threads: list[threading.Thread] = []
    called: list[str] = []

    def agent(task, tools):
        _name, tool = first_tool(tools)

        def later() -> None:
            time.sleep(0.1)
            with contextlib.suppress(Exception):
                tool(**dict.fromkeys(tool.declaration.parameters, "leak"))
            called.append(task.id)

        threads.append(threading.Thread(target=later))
        threads[-1].start()
        return "done"

    _, judged = go(agent, scenarios=5)
    for thread in threads:
        thread.join(5)
    assert len(called) == 5
    assert all([step.action for step in each.trace.steps] == ["answer"] for each in judged)


def test_an_agent_that_changes_what_tools_give_changes_no_other_run(go: Go):
    """Every run has its own environment, also if results are overwritten in place."""
    seen: dict[str, set[str]] = {}

    def agent(task, tools):
        from hbeval.battery.environments import load_domain

        plan = load_domain(task.domain).task(task.id).plan
        for place, call in enumerate(plan):
            result = tools[call.tool](**call.arguments)
            seen.setdefault(f"{task.id}:{place}", set()).add(json.dumps(result))
            for key in list(result):
                value = result[key]
                if isinstance(value, (list, dict)):
                    value.clear()
                result[key] = "spoilt"
        task.answer_schema.clear()
        return "done"

    _, judged = go(agent, faults="none", repeats=3)
    assert {each.trace.ending for each in judged} <= {Ending.COMPLETED, Ending.HANDED_OVER}
    assert seen
    assert {len(found) for found in seen.values()} == {1}


def test_a_run_that_ends_with_a_declared_hand_over_is_handed_over(go: Go):
    """The last call that was carried out passed the case to a human; the declaration says so, not the name."""

    def agent(task, tools):
        tool = next(each for each in tools.values() if each.declaration.handover)
        tool(**dict.fromkeys(tool.declaration.parameters, "no reliable source"))
        return {"passed": "on"}

    report, judged = go(agent, faults="none", scenarios=6)
    assert endings(judged) == {"handed_over": 6}
    assert report.coverage.measured == 6


def test_every_fault_that_fired_at_a_called_tool_is_met(go: Go, battery: Battery, capsys: pytest.CaptureFixture[str]):
    """Over a full battery: what fired was applied and seen; what was never called is not exposed; nothing failed."""
    totals: Counter[str] = Counter()
    for agent in TRAITS:
        report, judged = go(agent, seed=1)
        faults = [fault for each in judged for fault in each.trace.faults]
        assert report.faults.failed == 0, [f.failure for f in faults if f.failure]
        assert report.faults.fired == report.faults.applied
        fired = [fault for fault in faults if fault.fired]
        assert all(fault.delivery.value == "met" for fault in fired)
        assert all(len(fault.observed) == len(fault.injected) == fault.fired for fault in fired)
        totals.update(intended=report.faults.intended, fired=report.faults.fired, met=len(fired))
        totals["not_exposed"] += report.faults.not_exposed
    with capsys.disabled():
        print(f"\n  delivery over {len(TRAITS)} batteries: {dict(totals)}; met of those that fired: 100 %")
    assert totals["fired"] > 500


def decisions(judged: list[JudgedTrace]) -> dict[str, list[Any]]:
    return {
        each.trace.id: [[f.id, f.calls, f.fired, [i.call for i in f.injected]] for f in each.trace.faults]
        for each in judged
    }


def test_one_unrelated_extra_call_changes_no_decision(go: Go):
    """The draws belong to (seed, plan, task, target, call), whatever else is called in between."""

    def planned(extra: bool):
        def agent(task, tools):
            from hbeval.battery.environments import load_domain

            domain = load_domain(task.domain)
            targets = domain.task(task.id).faults
            used = {targets.primary, targets.backup, targets.later, targets.carrier}
            used.add(targets.reader.tool if targets.reader else None)
            other = next((name for name in tools if name not in used), None)
            for call in domain.task(task.id).plan * 3:
                if extra and other:
                    with contextlib.suppress(Exception):
                        tools[other](**dict.fromkeys(tools[other].declaration.parameters, "x"))
                with contextlib.suppress(Exception):
                    tools[call.tool](**call.arguments)
            return "done"

        return agent

    _, plain = go(planned(extra=False), seed=2)
    _, disturbed = go(planned(extra=True), seed=2)
    assert sum(len(each.trace.steps) for each in disturbed) > sum(len(each.trace.steps) for each in plain)
    assert decisions(plain) == decisions(disturbed)
    assert sum(fault[2] for faults in decisions(plain).values() for fault in faults) > 50


def test_the_waits_of_injected_faults_pass_at_once_unless_the_clock_is_real(go: Go):
    """A timeout of five seconds is in the trace and not in the tester's day."""
    begun = time.monotonic()
    _, judged = go(calls_everything, faults=[FaultType.TOOL_FAILURE], scenarios=10)
    assert time.monotonic() - begun < 3
    waited = [
        step.ended_at - step.started_at for each in judged for step in each.trace.steps if step.kind.value == "tool"
    ]
    assert max(waited) >= 4


def test_the_agents_context_is_the_callers(go: Go):
    """And a running event loop of the caller is in nobody's way."""

    async def caller() -> Report:
        return run(calls_everything_async, scenarios=3)

    assert asyncio.run(caller()).coverage.measured == 3


def test_a_class_is_made_anew_for_each_run(go: Go):
    """Also where several run at once."""

    class Agent:
        def __init__(self):
            self.calls = 0

        def __call__(self, task):
            self.calls += 1
            return {"calls": self.calls}

    _, judged = go(Agent, scenarios=10, concurrency=4)
    assert {each.trace.steps[-1].result["calls"] for each in judged} == {1}


def test_progress_is_told_in_the_callers_thread(go: Go):
    """Counts only; the last one is complete."""
    heard: list[tuple[Progress, threading.Thread]] = []

    def agent(task):
        time.sleep(0.05)
        return "x"

    go(agent, scenarios=8, progress=lambda each: heard.append((each, threading.current_thread())))
    assert {thread for _, thread in heard} == {threading.current_thread()}
    assert len(heard) >= 3
    assert heard[-1][0] == Progress(done=8, total=8, resumed=0, endings={"completed": 8})
    assert [each.done for each, _ in heard] == sorted(each.done for each, _ in heard)


def test_a_progress_that_raises_stops_the_battery_and_comes_out(go: Go):
    """It is the caller's own code."""

    def broken(progress: Progress) -> None:
        raise LookupError("no terminal")

    with pytest.raises(LookupError, match="no terminal"):
        go(lambda task: time.sleep(0.02), scenarios=50, progress=broken)


def test_an_interrupt_gives_a_partial_report(go: Go):
    """Marked so, with what was done; the interrupt itself is not swallowed."""

    def interrupts(progress: Progress) -> None:
        if progress.done >= 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        go(lambda task: time.sleep(0.05), scenarios=40, progress=interrupts)
    report = caught.value.report
    assert report.partial
    assert 2 <= report.coverage.runs < 40
    assert report.notes[0] == f"{40 - report.coverage.runs} of 40 runs were not done"


def test_gaps_are_named_in_the_report(go: Go):
    """Three scenarios cannot cover six types in two domains."""
    report, _ = go(silent, scenarios=3)
    assert sum("is not covered in" in note for note in report.notes) == 10


def test_faults_none_is_all_nominal(go: Go):
    """In each of its spellings."""
    for spelling in ("none", ["none"], [], ()):
        report, judged = go(silent, faults=spelling)
        assert {each.trace.condition for each in judged} == {None}
        assert report.faults.intended == 0
        assert not isinstance(report["frr"], Measured)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"domains": ["space"]}, r"standard@1 has no domain 'space'; it has logistics, healthcare"),
        ({"faults": ["gremlins"]}, r"no fault type 'gremlins'; there are tool_failure, .*combined, and none"),
        ({"scenarios": 0}, "scenarios is 0"),
        ({"repeats": 0}, "repeats is 0"),
        ({"concurrency": 0}, "concurrency is 0"),
        ({"timeout_s": 0}, "timeout_s is 0"),
        ({"timeout_s": float("nan")}, "timeout_s is nan"),
        ({"timeout_s": float("inf")}, "timeout_s is inf"),
        ({"timeout_s": "5"}, "timeout_s is '5'"),
        ({"concurrency": 1.5}, "concurrency is 1.5"),
        ({"scenarios": 10**9}, "1000000000 scenarios × 1 repeats are more than 1000000 runs"),
        ({"repeats": 10**7}, "more than 1000000 runs"),
        ({"seed": "7"}, "seed is '7'; give an integer"),
        ({"seed": 2**53}, "seed is outside of"),
        ({"seed": -(10**5000)}, "seed is outside of"),
        ({"clock": "sun"}, "clock is 'sun'; it can be elapsed, virtual, real"),
        ({"labels": {"model": 3}}, "label 'model' is 3"),
        ({"resume": True}, "give out="),
        ({"durable": True}, "give out="),
    ],
)
def test_what_cannot_be_asked_is_refused_before_the_first_run(battery: Battery, asked, message: str):
    """With the value, and what there is."""

    def never(task):
        raise AssertionError("called")

    with pytest.raises(UsageError, match=message):
        run(never, battery=battery, **asked)


def test_what_is_no_agent_is_refused(battery: Battery):
    """Before the first run."""
    with pytest.raises(AgentError, match="cannot be called"):
        run("agent", battery=battery)


def test_a_battery_while_everything_is_switched_off_is_refused(battery: Battery, monkeypatch: pytest.MonkeyPatch):
    """It would record nothing, and report runs without faults."""
    monkeypatch.setenv("HBEVAL_DISABLE", "1")
    with pytest.raises(UsageError, match="HBEVAL_DISABLE is set"):
        run(silent, battery=battery, scenarios=1)


def test_a_journal_and_a_directory_are_not_asked_for_together(battery: Battery, tmp_path):
    """One place for the runs."""
    with pytest.raises(UsageError, match="two places"):
        run(silent, battery=battery, out=tmp_path, journal=MemoryJournal())
