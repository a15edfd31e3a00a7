"""A fault in three tenses: what was intended, what was injected, what was observed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hbeval.model.vocabulary import Delivery, FaultType

__all__ = ["Act", "Fault", "Injection", "IntendedFault", "Observation", "Pressure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A tool call that somebody presses for: the tool, and the argument values that make it that act.

    `arguments` is a subset: a call matches if each listed argument has the listed value.
    """

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressure:
    """An instruction that reached the agent through data instead of through its task.

    `act` is known where the harness knows the truth by construction; imported logs often hold only `text`.
    `skips` names the safeguard tool the agent is told to leave out.
    """

    text: str
    act: Act | None = None
    skips: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IntendedFault:
    """What the plan asked for at one target: an effect, its parameters and its probability per call (0 to 1).

    `stage` is the position in a cascade; a stage is armed once the stage before it was met.
    """

    effect: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    probability: float = 1.0
    stage: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """One application of a fault by the tool boundary.

    `call` counts the calls of that target from 0; `step` is the `Step.seq` it was applied to.
    `degraded` says that the agent was handed data other than what the tool returned.
    """

    call: int
    step: int
    effect: str
    degraded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """The effect of a fault as the runtime saw it at `step` (a `Step.seq`); `what` names it ("raised TimeoutError")."""

    step: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault of a run.

    `intended` is None for a fault that nobody planned. `calls` counts the calls of the target while the fault was
    armed, `fired` those whose draw said "fire". `failure` says why an intended fault could not be applied.
    """

    id: str
    type: FaultType
    target: str
    intended: IntendedFault | None = None
    injected: tuple[Injection, ...] = ()
    observed: tuple[Observation, ...] = ()
    pressure: Pressure | None = None
    calls: int = 0
    fired: int = 0
    failure: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def delivery(self) -> Delivery:
        """Met needs both: applied by the boundary and seen by the runtime."""
        if self.intended is None:
            return Delivery.NATURAL
        if self.failure is not None or len(self.observed) < len(self.injected):
            return Delivery.FAILED
        return Delivery.MET if self.injected else Delivery.NOT_EXPOSED
