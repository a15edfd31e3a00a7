"""The recorder of one run: what happened at the tool boundary, in one order, and the faults of the plan at work."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hbeval.faults import FaultPlan, Hit, Schedule
from hbeval.model import (
    Context,
    Ending,
    FaultType,
    Outcome,
    PlanEvent,
    Provenance,
    Step,
    StepError,
    StepKind,
    Task,
    ToolDeclaration,
    Trace,
    Turn,
)
from hbeval.observe.clock import Clock, Sleep
from hbeval.observe.live_step import LiveStep, error_of, is_cancellation
from hbeval.observe.snapshot import snapshot

__all__ = ["Recorder"]

_TEXT = 100_000


class Recorder:
    """Collects one trace. Safe between threads; does no I/O; raises nothing into the agent.

    task    what the agent is asked
    plan    the faults to inject, None = record only
    tools   declarations the trace starts with; tools called without one add their own
    clock   seconds since the Unix epoch
    sleep   lets so many seconds pass, in sync and async tools alike, without blocking. None = `time.sleep` in sync
            tools, `asyncio.sleep` in async ones. For faults that take no time:
            `virtual = VirtualClock(); Recorder(task, clock=virtual, sleep=virtual.sleep)`
    max_steps   later calls still meet the plan's faults, but they and later words are only counted
            (`extra["steps_dropped"]`, `extra["words_dropped"]`)
    """

    def __init__(
        self,
        task: Task,
        *,
        plan: FaultPlan | None = None,
        tools: Iterable[ToolDeclaration] = (),
        clock: Clock = time.time,
        sleep: Sleep | None = None,
        max_steps: int = 100_000,
    ) -> None:
        self.task, self.plan_of_faults, self.clock, self.sleep = task, plan, clock, sleep
        self.schedule = Schedule(plan) if plan is not None and plan.faults else None
        self.closed = False
        self.started_at = clock()
        self._tools = {each.name: each for each in tools}
        self._numbers = itertools.count()
        self._steps: list[LiveStep] = []
        self._turns: list[Turn] = []
        self._plans: list[PlanEvent] = []
        self._reported: list[Step] = []
        self._last_turn: int | None = None
        self._max_steps = max_steps
        self._dropped = self._words_dropped = 0
        self._on_close: list[Callable[[], None]] = []

    def turn(self, text: str, *, speaker: str = "agent") -> None:
        """Something said. The event is observed; its text is only the speaker's words."""
        if self.closed or self._is_full():
            return
        seq, who = next(self._numbers), _words(speaker)
        self._turns.append(Turn(seq=seq, speaker=who, text=_bounded(text), id=f"turn-{seq}", at=self.clock()))
        if who == "agent":
            self._last_turn = seq

    def plan(self, text: str) -> None:
        """A plan, or a change of plan."""
        if not self.closed and not self._is_full():
            self._plans.append(PlanEvent(seq=next(self._numbers), text=_bounded(text), at=self.clock()))

    def attempt(
        self, action: str, arguments: Any = None, *, error: str, message: str = "", malformed: bool = False
    ) -> None:
        """A call that reached no tool: an unknown name, arguments that are no JSON. Reported by the agent's loop.

        `error` names the kind of error the agent was told of, `message` its words.
        """
        if self.closed or self._is_full():
            return
        now = self.clock()
        seq = next(self._numbers)
        step = Step(
            seq=seq,
            action=_words(action),
            arguments=snapshot(arguments),
            malformed=malformed is not False,
            outcome=Outcome.ERROR,
            error=StepError(kind=_words(error), message=_bounded(message)),
            id=f"step-{seq}",
            started_at=now,
            ended_at=now,
            turn=self._last_turn,
            provenance=Provenance.REPORTED,
        )
        self._reported.append(step)

    def open(self, declaration: ToolDeclaration, arguments: Any, within: int | None) -> LiveStep:
        """A call begins."""
        name = declaration.name
        step = LiveStep(next(self._numbers), name, snapshot(arguments), self.clock(), self._last_turn)
        step.within = within
        if name not in self._tools:
            self._tools[name] = declaration
        if len(self._steps) < self._max_steps:
            self._steps.append(step)
        else:
            self._dropped += 1
        return step

    def enter(self, target: str) -> tuple[Hit, ...]:
        """The faults that fire at this call of `target`, which is hereby counted."""
        return self.schedule.enter(target) if self.schedule is not None else ()

    def returned(self, step: LiveStep, result: Any, *, untouched: bool = True) -> None:
        """A call ends with a result. `untouched` says that it is the tool's own."""
        step.ended_at = self.clock()
        step.result = copy = snapshot(result)
        step.outcome = Outcome.OK
        if untouched and self.schedule is not None and self.schedule.remembers(step.action):
            self.schedule.remember(step.action, copy)

    def failed(self, step: LiveStep, error: BaseException) -> None:
        """A call ends with an exception. If the caller gave up, what the tool would have done is unknown."""
        step.ended_at = self.clock()
        step.error = error_of(error)
        step.outcome = Outcome.UNKNOWN if is_cancellation(error) else Outcome.ERROR

    def on_close(self, what: Callable[[], None]) -> None:
        """Do this once when the recorder closes."""
        self._on_close.append(what)

    def close(self) -> None:
        """From here on nothing is recorded and nothing is injected. May be called more than once, from any thread."""
        self.closed = True
        try:
            while True:
                self._on_close.pop()()
        except IndexError:
            return

    def finish(
        self,
        *,
        id: str,  # noqa: A002 - the trace's own word for it
        source: str,
        ending: Ending,
        ending_detail: str | None = None,
        answer: Any = None,
        answered: bool = False,
        success: bool | None = None,
        oracle: str | None = None,
        context: Context = Context.BATTERY,
        agent: Mapping[str, str] | None = None,
        repeat: int = 0,
        seed: int | None = None,
        condition: FaultType | None = None,
        labels: Mapping[str, Any] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> Trace:
        """Closes the recorder and gives the trace. If `answered`, the answer is its last step, with `answer` as result.

        All faults of the plan appear, with what became of them. Calls still going on are steps without an outcome.
        """
        self.close()
        ended_at = self.clock()
        steps = [step.frozen() for step in tuple(self._steps)] + self._reported
        steps.sort(key=lambda step: step.seq)
        if answered:
            steps.append(self._answer(answer, ended_at))
        notes = dict(extra or {})
        if self._dropped:
            notes["steps_dropped"] = self._dropped
        if self._words_dropped:
            notes["words_dropped"] = self._words_dropped
        if self.plan_of_faults is not None:
            notes["plan_fingerprint"] = self.plan_of_faults.fingerprint
        return Trace(
            id=id,
            source=source,
            context=context,
            agent=agent or {},
            task=self.task,
            repeat=repeat,
            seed=seed,
            condition=condition,
            tools=tuple(self._tools.values()),
            turns=tuple(self._turns),
            plans=tuple(self._plans),
            steps=tuple(steps),
            faults=self.schedule.faults() if self.schedule is not None else (),
            ending=ending,
            ending_detail=ending_detail,
            success=success,
            oracle=oracle,
            started_at=self.started_at,
            ended_at=ended_at,
            labels=labels or {},
            extra=notes,
        )

    def _is_full(self) -> bool:
        if len(self._turns) + len(self._plans) + len(self._reported) < self._max_steps:
            return False
        self._words_dropped += 1
        return True

    def _answer(self, answer: Any, at: float) -> Step:
        seq = next(self._numbers)
        return Step(
            seq=seq,
            action="answer",
            kind=StepKind.ANSWER,
            result=snapshot(answer),
            outcome=Outcome.OK,
            id=f"step-{seq}",
            started_at=at,
            ended_at=at,
            turn=self._last_turn,
        )


def _bounded(text: object) -> str:
    words = _words(text)
    return words if len(words) <= _TEXT else f"{words[:_TEXT]}…[{len(words) - _TEXT} characters cut]"


def _words(value: object) -> str:
    """Text as it is, anything else as it shows itself. Raises nothing into the agent that left it."""
    if type(value) is str:
        return value
    try:
        return str.__str__(value) if isinstance(value, str) else repr(value)
    except Exception as error:  # noqa: BLE001 - foreign code; the record says what it did
        return f"({type(error).__name__} while reading a {type(value).__name__})"
