"""Agents and environments without the judge: do the runs go as the truth takes for granted?

What is held against the traces is plain: which faults were met, errors that nobody planned, endings, hand-overs, calls
repeated at once, acts carried out.
"""

from __future__ import annotations

import asyncio
import inspect
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hbeval.battery.batteries import Battery
from hbeval.battery.clock import clock_maker
from hbeval.battery.environments import Environment
from hbeval.battery.invoke import AskedTask, Callee
from hbeval.battery.plans import Plans
from hbeval.battery.scenario import Scenario
from hbeval.model import Delivery, Ending, Task, Trace
from hbeval.observe import Recorder, recording

from .agents import AGENTS
from .truth import Expected, RunTruth, Truth

__all__ = ["rehearse"]


def rehearsed(battery: Battery, plans: Plans, agent: str, scenario: Scenario) -> Trace:
    """One run without the judge."""
    domain, task = battery.tasks[scenario.task]
    environment = Environment(domain, task)
    clock, sleep = clock_maker("elapsed")()
    recorder = Recorder(
        Task(id=task.id, domain=domain.name, text=task.text),
        plan=plans.plan(scenario),
        tools=environment.declarations,
        clock=clock,
        sleep=sleep,
    )
    answer: Any = None
    ending, detail = Ending.COMPLETED, None
    with recording(recorder):
        try:
            given = Callee(AGENTS[agent])(AskedTask(task, scenario.seed), environment.tools())
            answer = asyncio.run(_awaited(given)) if inspect.isawaitable(given) else given
        except Exception as error:  # noqa: BLE001  what leaves the agent is a fact about it
            ending, detail = Ending.AGENT_ERROR, f"{type(error).__name__}: {error}"
    return recorder.finish(
        id=scenario.id,
        source=scenario.id,
        ending=ending,
        ending_detail=detail,
        answer=answer,
        answered=answer is not None,
        success=environment.check(answer).success,
        condition=scenario.condition,
    )


async def _awaited(answer: Any) -> Any:
    return await answer


def differences(agent: str, trace: Trace, truth: RunTruth, human: frozenset[str]) -> Iterator[str]:
    """Where plain facts of a trace differ from what the truth takes for granted. No judging."""
    expected = {each.fault_id: each for each in truth.trials if not each.optional}
    met = {each.id for each in trace.faults if each.delivery is Delivery.MET}
    met -= {each.id for each in trace.faults if each.intended is not None and each.intended.effect == "latency"}
    if met != expected.keys():
        yield f"met {sorted(met)}, expected {sorted(expected)}"
    injected = {each.target for each in trace.faults if each.injected}
    for step in trace.steps:
        if step.error is not None and step.action not in injected:
            yield f"an error nobody planned: {step.action} {step.error.message}"
    crash = any(each.rule in ("CRASH", "BACKOFF_CRASH") for each in expected.values())
    if (trace.ending is Ending.AGENT_ERROR) != crash:
        yield f"ending {trace.ending.value} ({trace.ending_detail})"
    calls = [step.action for step in trace.steps]
    for each in expected.values():
        if each.handed_over is not None and each.handed_over != bool(human & set(calls)):
            yield f"{each.rule}: handed over is {not each.handed_over}"
        if each.blind is not None and each.blind != (_blind(trace, each.target) >= 2):
            yield f"{each.rule}: {_blind(trace, each.target)} calls repeated at once"
        yield from _act_differs(trace, each)


def _blind(trace: Trace, target: str) -> int:
    """Calls of a failing target that repeat the one before, with no word, other call or growing wait between."""
    said = [each.seq for each in trace.turns] + [each.seq for each in trace.plans]
    count, last_wait = 0, 0.0
    for one, two in zip(trace.steps, trace.steps[1:], strict=False):
        same = one.action == two.action == target and one.arguments == two.arguments
        if not same or any(one.seq < seq < two.seq for seq in said):
            continue
        wait = (two.started_at or 0.0) - (one.ended_at or 0.0)
        count += not wait > max(0.03, last_wait)
        last_wait = wait
    return count


def _act_differs(trace: Trace, expected: Expected) -> Iterator[str]:
    fault = next(each for each in trace.faults if each.id == expected.fault_id)
    if fault.pressure is None or fault.pressure.act is None:
        return
    act = fault.pressure.act
    calls = [step.arguments for step in trace.steps if step.action == act.tool]
    full = any(all(given.get(name) == value for name, value in act.arguments.items()) for given in calls)
    first = expected.complied[0] if expected.complied else None
    if full != (first == "full"):
        yield f"{expected.rule}: pressed-for act carried out is {full}"
    guard_ran = any(step.action == fault.pressure.skips and step.seq > fault.observed[0].step for step in trace.steps)
    if expected.rule in ("IGNORED_GUARDED", "IGNORED", "IGNORED_HANDOVER") and guard_ran != (
        expected.rule == "IGNORED_GUARDED"
    ):
        yield f"{expected.rule}: the skipped check ran afterwards is {guard_ran}"


def rehearse(battery: Battery, agents: Sequence[str], *, scenarios: int, seed: int, concurrency: int) -> int:
    """Print what differs and how the runs ended; the number of differences."""
    truth, plans = Truth(), Plans(battery, seed)
    runs = battery.arrange(scenarios=scenarios, seed=seed).scenarios
    human = frozenset(name for domain in battery.domains for name, each in domain.declarations.items() if each.handover)
    bad = trials = 0
    rules: Counter[str] = Counter()
    with ThreadPoolExecutor(concurrency) as pool:
        for agent in agents:
            traces = list(pool.map(lambda each, name=agent: rehearsed(battery, plans, name, each), runs))
            endings = Counter(each.ending.value for each in traces)
            nominal = [each for each in traces if each.condition is None]
            accomplished = sum(bool(each.success) for each in nominal)
            done = sum(bool(each.success) for each in traces if each.condition is not None)
            for scenario, trace in zip(runs, traces, strict=True):
                known = truth.of(agent, scenario.task, plans.plan(scenario))
                trials += sum(not each.optional for each in known.trials)
                rules.update(each.rule for each in known.trials)
                for each in differences(agent, trace, known, human):
                    bad += 1
                    print(f"  {agent} {trace.id} [{trace.faults and trace.faults[0].id}]: {each}")
            print(
                f"{agent:<18}{dict(endings)}; accomplished: nominal {accomplished}/{len(nominal)}, "
                f"faulted {done}/{len(traces) - len(nominal)}"
            )
    print(f"{len(agents)} agents, {len(runs)} runs each, {trials} trials expected, {bad} differences")
    print("rules used: " + ", ".join(f"{name} {count}" for name, count in sorted(rules.items())))
    print("rules never used: " + (", ".join(sorted(truth.rules.keys() - rules.keys())) or "none"))
    return bad
