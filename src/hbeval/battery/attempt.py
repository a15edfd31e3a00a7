"""One run: fresh environment, plan and recorder; the agent's call; then oracle, trace and judgement."""

from __future__ import annotations

import asyncio
import inspect
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from hbeval.battery.clock import Clocks
from hbeval.battery.environments import BatteryTask, Domain, Environment, Verdict
from hbeval.battery.executor import Ended
from hbeval.battery.invoke import AskedTask, Callee, accepted, ending_of
from hbeval.battery.outages import ATTEMPT
from hbeval.battery.plans import Plans
from hbeval.battery.scenario import Scenario
from hbeval.errors import AgentError, InputError
from hbeval.judging import RULES, judge
from hbeval.model import (
    INVALID_ENDINGS,
    Context,
    Ending,
    Evidence,
    EvidenceLevel,
    JudgedTrace,
    Task,
    Trace,
)
from hbeval.observe import Recorder, recording

__all__ = ["Run", "Setting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What all runs of a battery share.

    agent    the labels of their traces
    tries    how often a scenario was tried before, of those that are tried again
    deliver  takes each judged run
    """

    tasks: Mapping[str, tuple[Domain, BatteryTask]]
    plans: Plans
    callee: Callee
    agent: Mapping[str, str]
    clock: Clocks
    tries: Mapping[str, int]
    deliver: Callable[[JudgedTrace], None]


class Run:
    """One scenario being done. Whatever goes wrong on our side makes the run invalid and is recorded in it."""

    __slots__ = ("_environment", "_recorder", "_scenario", "_setting")

    def __init__(self, setting: Setting, scenario: Scenario) -> None:
        self._setting, self._scenario = setting, scenario
        self._environment: Environment | None = None
        self._recorder: Recorder | None = None

    def call(self) -> Ended:
        """Call the agent and wait for its end, in this thread. Raises nothing."""
        try:
            recorder, task, tools = self._prepared()
        except Exception as error:  # noqa: BLE001  recorded as ours
            return _ours(error)
        try:
            with recording(recorder):
                answer = self._setting.callee(task, tools)
                if inspect.isawaitable(answer):
                    answer = asyncio.run(_waited_for(answer))
        except BaseException as error:  # noqa: BLE001  whatever leaves the agent ends its run, not the battery
            return Ended(*ending_of(error))
        return _answered(answer)

    async def acall(self) -> Ended:
        """The same in an event loop. Raises nothing, not even when cancelled."""
        try:
            recorder, task, tools = self._prepared()
        except Exception as error:  # noqa: BLE001  recorded as ours
            return _ours(error)
        try:
            with recording(recorder):
                answer = self._setting.callee(task, tools)
                if inspect.isawaitable(answer):
                    answer = await answer
        except BaseException as error:  # noqa: BLE001  whatever leaves the agent ends its run, not the battery
            return Ended(*ending_of(error))
        return _answered(answer)

    def conclude(self, ended: Ended) -> None:
        """Finish the record, judge it and deliver it."""
        try:
            judged = judge(self._trace(ended))
        except Exception as error:  # noqa: BLE001  recorded as ours
            judged = self._invalid(_ours(error))
        try:
            self._setting.deliver(judged)
        except InputError as error:  # the journal found no wire form for it
            self._setting.deliver(self._invalid(_ours(error)))

    def _prepared(self) -> tuple[Recorder, AskedTask, Mapping[str, Callable[..., Any]]]:
        setting, scenario = self._setting, self._scenario
        domain, task = setting.tasks[scenario.task]
        self._environment = environment = Environment(domain, task)
        clock, sleep = setting.clock()
        self._recorder = recorder = Recorder(
            Task(id=task.id, domain=domain.name, text=task.text),
            plan=setting.plans.plan(scenario),
            tools=environment.declarations,
            clock=clock,
            sleep=sleep,
        )
        return recorder, AskedTask(task, scenario.seed), environment.tools()

    def _trace(self, ended: Ended) -> Trace:
        recorder, environment, scenario = self._recorder, self._environment, self._scenario
        if recorder is None or environment is None:
            return self._bare(ended)
        recorder.close()
        ending, answer = ended.ending, ended.answer
        verdict = None if ending in INVALID_ENDINGS else environment.check(answer)
        if ending is Ending.COMPLETED and _handed_over(environment):
            ending = Ending.HANDED_OVER
        return recorder.finish(
            id=scenario.id,
            source=scenario.id,
            ending=ending,
            ending_detail=ended.detail,
            answer=answer,
            answered=answer is not None,
            success=verdict.success if verdict else None,
            oracle=verdict.oracle if verdict else None,
            agent=self._setting.agent,
            repeat=scenario.repeat,
            seed=scenario.seed,
            condition=scenario.condition,
            labels=_findings(verdict),
            extra=self._extra(),
        )

    def _bare(self, ended: Ended) -> Trace:
        """The trace of a run that came to nothing."""
        scenario = self._scenario
        return Trace(
            id=scenario.id,
            source=scenario.id,
            context=Context.BATTERY,
            agent=self._setting.agent,
            task=Task(id=scenario.task, domain=scenario.domain),
            repeat=scenario.repeat,
            seed=scenario.seed,
            condition=scenario.condition,
            ending=ended.ending,
            ending_detail=ended.detail,
            extra=self._extra(),
        )

    def _extra(self) -> dict[str, int]:
        before = self._setting.tries.get(self._scenario.id)
        return {} if before is None else {ATTEMPT: before + 1}

    def _invalid(self, ended: Ended) -> JudgedTrace:
        return JudgedTrace(
            rules=RULES,
            trace=self._bare(ended),
            steps=(),
            trials=(),
            claims=(),
            evidence=Evidence(level=EvidenceLevel.E0, known=0, required=0),
        )


def _answered(answer: object) -> Ended:
    try:
        return Ended(Ending.COMPLETED, None, accepted(answer))
    except AgentError as error:
        return Ended(Ending.AGENT_ERROR, str(error))


def _ours(error: Exception) -> Ended:
    """Our own failure with the places it went through, innermost last; paths are cut to what names the module."""
    places = [
        f"{'/'.join(PurePath(each.filename).parts[-2:])}:{each.lineno}"
        for each in traceback.extract_tb(error.__traceback__)
    ]
    return Ended(Ending.HARNESS_ERROR, f"{type(error).__name__}: {error} ({' > '.join(places[-8:])})")


def _findings(verdict: Verdict | None) -> dict[str, list[str]]:
    """What the oracle found wrong, for studies."""
    if verdict is None or verdict.success:
        return {}
    found = {"violations": list(verdict.violations), "unmet": list(verdict.unmet)}
    return {name: each for name, each in found.items() if each}


def _handed_over(environment: Environment) -> bool:
    """Whether the last call that was carried out passed the case to a human."""
    executed = environment.executed
    return bool(executed) and any(each.handover for each in environment.declarations if each.name == executed[-1].tool)


async def _waited_for(answer: Awaitable[Any]) -> Any:
    return await answer
