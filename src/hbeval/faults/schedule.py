"""The plan at work in one run: call counts, armed stages, and what became of each fault. Safe between threads."""

from __future__ import annotations

from threading import Lock
from typing import Any

from hbeval.faults.base import Call, CannotApply, Interruption
from hbeval.faults.draw import fires, plan_part
from hbeval.faults.plan import FaultPlan, PreparedFault
from hbeval.faults.values import opened, same
from hbeval.model import Fault, Injection, Observation

__all__ = ["FaultRecord", "Hit", "Schedule"]

_REMEMBERED = 8
_KEPT = 10_000


class FaultRecord:
    """The mutable form of one `Fault` while its run goes on.

    It keeps the first 10,000 applications and counts the rest.
    """

    __slots__ = ("calls", "dropped", "failure", "fired", "injected", "key", "not_applied", "observed", "prepared")

    def __init__(self, prepared: PreparedFault, key: str) -> None:
        self.prepared, self.key = prepared, key
        self.calls = self.fired = self.dropped = self.not_applied = 0
        self.failure: str | None = None
        self.injected: list[tuple[int, int]] = []
        self.observed: list[tuple[int, str]] = []

    def frozen(self) -> Fault:
        """The fault as the trace holds it. It has a `failure` if it fired and could be applied at none of its calls."""
        planned, effect = self.prepared.planned, self.prepared.effect
        extra: dict[str, Any] = {} if planned.limit is None else {"limit": planned.limit}
        if self.not_applied:
            extra["not_applied"] = self.not_applied
        if self.dropped:
            extra["injections_dropped"] = self.dropped
        return Fault(
            id=planned.id,
            type=planned.type,
            target=planned.target,
            intended=self.prepared.intended(),
            injected=tuple(
                Injection(call=call, step=step, effect=effect.name, degraded=effect.degraded)
                for call, step in sorted(self.injected)
            ),
            observed=tuple(Observation(step=step, what=what) for step, what in sorted(self.observed)),
            pressure=planned.pressure,
            calls=self.calls,
            fired=self.fired,
            failure=None if self.injected else self.failure,
            extra=extra,
        )


class Hit:
    """One fault that fires at one call."""

    __slots__ = ("call", "interruption", "record", "schedule")

    def __init__(self, schedule: Schedule, record: FaultRecord, call: int) -> None:
        self.schedule, self.record, self.call = schedule, record, call
        interrupt = record.prepared.effect.interrupt
        self.interruption: Interruption | None = interrupt(self._call()) if interrupt else None

    def altered(self, result: Any, *, item: int | None = None) -> Any:
        """What the agent gets in place of `result`, a JSON value; `item` is the position in a stream.

        Raises CannotApply if the result leaves the effect nothing to change.
        """
        alter = self.record.prepared.effect.alter
        assert alter is not None
        changed = alter(self._call(result, item))
        if same(opened(changed)[0], opened(result)[0]):
            raise CannotApply("the effect left the result as it was")
        return changed

    def injected(self, step: int) -> None:
        """The boundary applied this hit at the step."""
        record = self.record
        if len(record.injected) < _KEPT:
            record.injected.append((self.call, step))
        else:
            record.dropped += 1

    def observed(self, step: int, what: str) -> None:
        """The runtime saw the effect leave the boundary; the next stage of a cascade is armed from here on."""
        if len(self.record.observed) < _KEPT:
            self.record.observed.append((step, what))
        stage = self.record.prepared.planned.stage
        if stage is not None:
            self.schedule.met_stages.add(stage)

    def failed(self, why: str) -> None:
        """The boundary could not apply this hit."""
        self.record.not_applied += 1
        self.record.failure = self.record.failure or why

    def _call(self, result: Any = None, item: int | None = None) -> Call:
        prepared = self.record.prepared
        target = prepared.planned.target
        earlier = tuple(self.schedule.earlier.get(target, ()))
        if item is not None:
            earlier = tuple(each[item] for each in earlier if isinstance(each, list) and len(each) > item)
        return Call(
            target=target,
            index=self.call,
            key=self.record.key,
            parameters=prepared.parameters,
            result=result,
            earlier=earlier,
        )


class Schedule:
    """The state of one plan in one run. `enter` is the only way in; one call of it per call of a tool."""

    def __init__(self, plan: FaultPlan) -> None:
        self.plan = plan
        self.met_stages: set[int] = set()
        self.earlier: dict[str, list[Any]] = {}
        dice = f"{plan.seed}:{plan_part(plan.id, plan.task)}"
        self.records = tuple(
            FaultRecord(each, f"{dice}:{each.planned.target}:{each.planned.id}") for each in plan.prepared
        )
        self._by_target: dict[str, list[FaultRecord]] = {}
        for record in self.records:
            self._by_target.setdefault(record.prepared.planned.target, []).append(record)
        self._remembered = {
            each.prepared.planned.target for each in self.records if each.prepared.effect.alter is not None
        }
        self._calls = dict.fromkeys(self._by_target, 0)
        self._lock = Lock()

    def enter(self, target: str) -> tuple[Hit, ...]:
        """Counts one call of `target` and gives the faults that fire at it, in the order of the plan.

        An error among them is the last.
        """
        records = self._by_target.get(target)
        if records is None:
            return ()
        with self._lock:
            call = self._calls[target]
            self._calls[target] = call + 1
            return self._fire(records, target, call)

    def remembers(self, target: str) -> bool:
        """Whether results of this tool should be kept for faults that hand out old ones."""
        return target in self._remembered

    def remember(self, target: str, result: Any) -> None:
        """Keeps a true result (a JSON value); the first few of a run stay."""
        kept = self.earlier.setdefault(target, [])
        if len(kept) < _REMEMBERED:
            kept.append(result)

    def faults(self) -> tuple[Fault, ...]:
        """All faults of the plan, in its order, with what became of them so far."""
        return tuple(record.frozen() for record in self.records)

    def _fire(self, records: list[FaultRecord], target: str, call: int) -> tuple[Hit, ...]:
        hits = []
        for record in records:
            planned = record.prepared.planned
            if planned.stage and planned.stage - 1 not in self.met_stages:
                continue
            record.calls += 1
            plan = self.plan
            if planned.limit is not None and record.fired >= planned.limit:
                continue
            if not fires(plan.seed, plan.id, plan.task, target, call, probability=planned.probability):
                continue
            record.fired += 1
            hit = Hit(self, record, call)
            hits.append(hit)
            if hit.interruption is not None and hit.interruption.error is not None:
                break
        return tuple(hits)
