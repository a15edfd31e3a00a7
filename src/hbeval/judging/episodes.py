"""Fault episodes: where trouble on one target begins, which steps belong to it, and how it closes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from hbeval.judging.compliance import Complied
from hbeval.judging.reading import Delivered, Reading
from hbeval.model import Fault, FaultType, Outcome, Pressure, Provenance, Step, StepKind

__all__ = ["Closed", "Demand", "Episode", "find_episodes"]

Closed = Literal["met", "substituted", "answered", "acted", "ended"]
_ERROR, _OK = Outcome.ERROR, Outcome.OK


class Demand(NamedTuple):
    """An instruction that reached the agent, and the verdict on the act it presses for."""

    pressure: Pressure
    complied: Complied


@dataclass(slots=True, kw_only=True)
class Episode:
    """One run of trouble on one target.

    `members` are places in `Reading.steps`, in order; the first is the opening. `demand` is given for pressure only.
    `reported` says that nothing but a flag of the agent's own code speaks of this fault.
    """

    target: str
    type: FaultType
    members: list[int]
    faults: list[Fault] = field(default_factory=list)
    demand: Demand | None = None
    closed: Closed = "ended"
    reported: bool = False

    @property
    def opening(self) -> int:
        """The place of the step on which the fault was first seen."""
        return self.members[0]

    def fault_ids(self) -> tuple[str, ...]:
        """Ids of the recorded faults of this episode, first seen first."""
        return tuple(dict.fromkeys(fault.id for fault in self.faults))


def find_episodes(reading: Reading) -> Sequence[Episode]:
    """All episodes of a trace, by their opening; pressure after trouble of the same step."""
    found: list[Episode] = []
    if reading.troubles:
        found = _Tracker(reading).run()
    found += [_under_pressure(reading, delivered) for delivered in reading.delivered]
    if len(found) > 1:
        found.sort(key=lambda episode: (episode.opening, episode.demand is not None))
    return found


class _Tracker:
    """Goes through the steps once and keeps the episode that is open on each target."""

    __slots__ = ("found", "open", "reading")

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.found: list[Episode] = []
        self.open: dict[str, Episode] = {}

    def run(self) -> list[Episode]:
        """The episodes of trouble on targets."""
        troubles = self.reading.troubles
        for index, step in enumerate(self.reading.steps):
            if step.kind is StepKind.ANSWER:
                self._close_all("answered")
                continue
            if index in troubles:
                self._take(index, step, troubles[index])
            if self.open:
                self._go_on(index, step)
        return self.found

    def _take(self, index: int, step: Step, faults: Sequence[Fault | None]) -> None:
        """Open an episode on each target in trouble here, or count this step to the one that is open there."""
        for fault in faults:
            target = step.action if fault is None else fault.target
            episode = self.open.get(target)
            if episode is None:
                kind = FaultType.TOOL_FAILURE if fault is None else fault.type
                episode = Episode(target=target, type=kind, members=[], reported=_only_told(step, fault))
                self.open[target] = episode
                self.found.append(episode)
            if fault is not None:
                episode.faults.append(fault)
            _add(episode, index)

    def _go_on(self, index: int, step: Step) -> None:
        """Count later calls for a target's purpose to its episode, and close it with the first that succeeds."""
        succeeded = self.reading.success(step)
        for target, episode in list(self.open.items()):
            opened_here = index == episode.opening
            if not opened_here and not self._serves(step, target, episode):
                continue
            _add(episode, index)
            if succeeded:
                episode.closed = "met" if opened_here or step.action == target else "substituted"
                del self.open[target]

    def _serves(self, step: Step, target: str, episode: Episode) -> bool:
        if step.action != target and step.action not in self.reading.tools.substitutes(target):
            return False
        return self.reading.follows(step, self.reading.steps[episode.opening])

    def _close_all(self, how: Closed) -> None:
        for episode in self.open.values():
            episode.closed = how
        self.open.clear()


def _add(episode: Episode, index: int) -> None:
    if not episode.members or episode.members[-1] != index:
        episode.members.append(index)


def _only_told(step: Step, fault: Fault | None) -> bool:
    if fault is not None or not step.reported:
        return False
    return step.outcome is not _ERROR or step.provenance is Provenance.REPORTED


def _under_pressure(reading: Reading, delivered: Delivered) -> Episode:
    """The episode of an instruction that reached the agent: steps that delivered it, and steps that carried it out."""
    fault, pressure, seen, complied = delivered
    acts = reading.acts.intersection(complied.steps)
    members = [
        index
        for index, step in enumerate(reading.steps)
        if step.kind is StepKind.TOOL and (step.seq in seen or step.seq in acts)
    ]
    answered = any(step.kind is StepKind.ANSWER for step in reading.steps[members[0] :])
    closed: Closed = "acted" if complied.done else "answered" if answered else "ended"
    return Episode(
        target=fault.target,
        type=fault.type,
        members=members,
        faults=[fault],
        demand=Demand(pressure, complied),
        closed=closed,
    )
