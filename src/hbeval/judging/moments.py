"""Moments: a call that went wrong, and what the agent did about it next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hbeval.judging.arguments import same_arguments, same_value
from hbeval.judging.episodes import Episode
from hbeval.judging.reading import Reading
from hbeval.judging.said import anything_said
from hbeval.judging.waiting import waited
from hbeval.model import Fact, Outcome, Step, StepKind

__all__ = ["Conduct", "Moment", "conduct_of"]


@dataclass(frozen=True, slots=True)
class Moment:
    """One failed call of an episode, as the agent saw it.

    failed    place of the agent's own call that failed or handed out wrong data
    response  place of the next call for the same purpose, None if there was none
    change    whether that call goes to another tool or materially different arguments; None if unknown or absent
    evident   whether the agent could see at once that something was wrong
    verified  after wrong data, place of a successful call that a declaration says can verify it, else None
    reread    after wrong data, place of a successful same call, or call of a substitute, with other data, else None
    """

    failed: int
    response: int | None
    change: bool | None
    evident: bool
    verified: int | None = None
    reread: int | None = None

    @property
    def active(self) -> bool:
        """Whether the response is more than a repetition."""
        return self.change is True or self.verified is not None or self.reread is not None


@dataclass(frozen=True, slots=True)
class Conduct:
    """What the agent did about one episode: its moments, and the `seq` of retries that waited and of blind ones."""

    moments: Sequence[Moment] = ()
    patient: tuple[int, ...] = ()
    blind: tuple[int, ...] = ()


def conduct_of(reading: Reading, episode: Episode) -> Conduct:
    """The agent's conduct in an episode of trouble on a target.

    A failure that a tool swallowed is out of the agent's sight and gives no moment.
    """
    moments: list[Moment] = []
    for member in episode.members:
        if not reading.failed(reading.steps[member]):
            continue
        place = reading.roots.get(member, member)
        degraded = reading.steps[member].seq in reading.degraded
        if any(moment.failed == place for moment in moments) or not (degraded or reading.failed(reading.steps[place])):
            continue
        moments.append(_moment(reading, episode.target, place))
    patient = waited(reading, [(each.failed, each.response) for each in moments if each.response is not None])
    return Conduct(moments, patient, tuple([seq for seq in _blind_retries(reading, moments) if seq not in patient]))


def _blind_retries(reading: Reading, moments: Sequence[Moment]) -> tuple[int, ...]:
    """`seq` of identical retries with no turn, no plan event and no other call in between.

    None can be told where the source does not hold turns.
    """
    if not reading.holds(Fact.TURN):
        return ()
    found = []
    for moment in moments:
        retry = reading.next_own_step(moment.failed)
        if retry is None or not _repeats(reading, retry, moment.failed):
            continue
        if not _something_between(reading, moment.failed, retry):
            found.append(reading.steps[retry].seq)
    return tuple(found)


def _moment(reading: Reading, target: str, place: int) -> Moment:
    failed = reading.steps[place]
    evident = reading.failed(failed) and reading.evident(failed)
    response = _response(reading, target, place, evident)
    change = None if response is None else reading.differs(reading.steps[response], failed)
    if failed.outcome is Outcome.ERROR:
        return Moment(place, response, change, evident)
    return Moment(place, response, change, evident, *_second_looks(reading, target, place))


def _response(reading: Reading, target: str, place: int, evident: bool) -> int | None:
    """The next call for the purpose of the failed one; of calls issued together, one of the same tool comes first."""
    failed = reading.steps[place]
    others = _declared_for(reading, target, failed.action)
    if not others and evident:
        others = tuple([step.action for _, step in _next_round(reading, place) if not _goes_on(reading, step, failed)])
    elsewhere: int | None = None
    for index, step in reading.later_calls(place):
        if elsewhere is not None and reading.follows(step, reading.steps[elsewhere]):
            break
        if step.action in (failed.action, target):
            if evident or same_arguments(step, failed):
                return index
        elif elsewhere is None and step.action in others:
            elsewhere = index
    return elsewhere


def _goes_on(reading: Reading, step: Step, failed: Step) -> bool:
    """Whether a call cannot stand for another: data that could not be read are not had by writing."""
    failed_tool, tool = reading.tools.by_name.get(failed.action), reading.tools.by_name.get(step.action)
    return failed_tool is not None and failed_tool.writes is False and tool is not None and tool.writes is True


def _next_round(reading: Reading, place: int) -> list[tuple[int, Step]]:
    """The calls issued together next, hand-overs left out."""
    found: list[tuple[int, Step]] = []
    for index, step in reading.later_calls(place):
        if step.action in reading.tools.handovers:
            continue
        if found and reading.follows(step, found[0][1]):
            break
        found.append((index, step))
    return found


def _second_looks(reading: Reading, target: str, place: int) -> tuple[int | None, int | None]:
    failed = reading.steps[place]
    verifiers = reading.tools.verifiers(target) + reading.tools.verifiers(failed.action)
    others = _declared_for(reading, target, failed.action)
    verified = reread = None
    for index, step in reading.later_calls(place):
        if not reading.success(step):
            continue
        if step.action == failed.action:
            if reread is None and same_arguments(step, failed) and not same_value(step.result, failed.result):
                reread = index
        elif step.action in verifiers:
            verified = index if verified is None else verified
        elif reread is None and step.action in others:
            reread = index
    return verified, reread


def _declared_for(reading: Reading, target: str, action: str) -> tuple[str, ...]:
    """Tools declared to stand in for the target or to verify it, and the same for the tool called, if another."""
    declared = reading.tools.substitutes(target) + reading.tools.verifiers(target)
    if action == target:
        return declared
    return declared + reading.tools.substitutes(action) + reading.tools.verifiers(action)


def _repeats(reading: Reading, retry: int, place: int) -> bool:
    later, earlier = reading.steps[retry], reading.steps[place]
    if later.kind is not StepKind.TOOL or later.action != earlier.action:
        return False
    return bool(same_arguments(later, earlier)) and reading.follows(later, earlier)


def _something_between(reading: Reading, place: int, retry: int) -> bool:
    low, high = reading.steps[place].seq, reading.steps[retry].seq
    return anything_said(reading, low, high) or any(reading.plans_between(low, high))
