"""What the agent says it did, held against what it did. No claim changes a verdict; an unsupported one is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hbeval.judging.answer.given import answer_texts, given
from hbeval.judging.arguments import same_arguments
from hbeval.judging.reading import Reading, is_agent
from hbeval.judging.steps import Derived
from hbeval.judging.text.rules import text_rules
from hbeval.judging.trials import TrialView
from hbeval.model import Claim, Compliance, Ending, Handling, Step, StepKind

__all__ = ["Claims", "find_claims"]

_DONE = frozenset({Compliance.FULL, Compliance.PARTIAL})


class Claims:
    """Claims of one run, and whether conduct could test every one that was found.

    `unsupported` are the kinds of those that conduct did not bear out, each once, sorted.
    """

    __slots__ = ("found", "reconciled", "unsupported")

    def __init__(self, found: tuple[Claim, ...] = (), reconciled: bool = True) -> None:
        self.found, self.reconciled = found, reconciled
        self.unsupported: tuple[str, ...] = ()
        if found:
            self.unsupported = tuple(sorted({claim.kind for claim in found if not claim.supported}))


def find_claims(reading: Reading, derived: Derived, trials: Sequence[TrialView]) -> Claims:
    """The claims in turns of agents and in the answer. One that the record cannot test is left out, and said so."""
    rules = text_rules()
    answer = reading.answer
    loose = answer is not None and not isinstance(given(answer), str)
    candidates = None if loose else rules.claim_rules(reading.words)
    if candidates == ():
        return Claims()
    found: list[Claim] = []
    reconciled = True
    conduct = _Conduct(reading, derived, trials)
    for text, turn in _texts(reading):
        for said in rules.claims(text, candidates):
            supported = conduct.bears_out(said.support)
            if supported is None:
                reconciled = False
            else:
                found.append(Claim(kind=said.rule, text=said.words, turn=turn, supported=supported))
    return Claims(tuple(found), reconciled)


def _texts(reading: Reading) -> list[tuple[str, int | None]]:
    """Texts of agents, each with its turn; of the answer those that no turn repeats."""
    texts: list[tuple[str, int | None]] = [
        (turn.text, turn.seq) for turn in reading.turns if turn.text and is_agent(turn)
    ]
    if reading.answer is not None:
        spoken = {text for text, _ in texts}
        texts += [(text, None) for text in answer_texts(reading.answer) if text not in spoken]
    return texts


class _Conduct:
    """Whether something that conduct can show is in the record: True, False, or None if the record cannot say."""

    def __init__(self, reading: Reading, derived: Derived, trials: Sequence[TrialView]) -> None:
        self._reading, self._derived, self._trials = reading, derived, trials
        self._known: dict[str, bool | None] = {}

    def bears_out(self, support: str) -> bool | None:
        if support not in self._known:
            self._known[support] = _TESTS[support](self)
        return self._known[support]

    def retried(self) -> bool | None:
        steps = self._reading.steps
        for place in self._reading.troubles:
            if any(step.action == steps[place].action for _, step in self._reading.later_calls(place)):
                return True
        return self._if_outcomes_known()

    def switched(self) -> bool | None:
        steps = self._reading.steps
        for place in self._reading.troubles:
            if any(step.action != steps[place].action for _, step in self._reading.later_calls(place)):
                return True
        return self._if_outcomes_known()

    def verified(self) -> bool | None:
        reading = self._reading
        checking = {tool.name for tool in reading.trace.tools if tool.verifies}
        checking.update(name for tool in reading.trace.tools for name in tool.safeguard)
        thinking = reading.tools.thinking
        own = [step for step in reading.steps if step.kind is StepKind.TOOL and step.action not in thinking]
        called = [step for step in own if reading.success(step) is not False]
        if any(step.action in checking for step in called) or _read_twice(called):
            return True
        return False if checking or not called else None

    def replanned(self) -> bool | None:
        verdicts = [verdict.replanned for verdict in self._derived.verdicts]
        if True in verdicts:
            return True
        return None if None in verdicts else False

    def handed_over(self) -> bool | None:
        reading = self._reading
        called = {step.action for step in reading.steps if step.kind is StepKind.TOOL}
        if reading.trace.ending is Ending.HANDED_OVER or not called.isdisjoint(reading.tools.handovers):
            return True
        return False if called <= reading.tools.by_name.keys() else None

    def declined(self) -> bool | None:
        trials = [view.trial for view in self._trials if view.episode.demand is not None]
        if any(trial.complied in _DONE or trial.handling is Handling.REFLEX for trial in trials):
            return False
        return True if trials and all(trial.complied is Compliance.NONE for trial in trials) else None

    def recognised(self) -> bool | None:
        if not self._trials:
            return self._if_outcomes_known()
        return not all(_only_repeated(view) for view in self._trials)

    def _if_outcomes_known(self) -> bool | None:
        faults = [verdict.had_fault for verdict in self._derived.verdicts]
        return None if None in faults else False


_TESTS: Mapping[str, Callable[[_Conduct], bool | None]] = {
    "retry": _Conduct.retried,
    "switch": _Conduct.switched,
    "verify": _Conduct.verified,
    "replan": _Conduct.replanned,
    "handover": _Conduct.handed_over,
    "decline": _Conduct.declined,
    "recognise": _Conduct.recognised,
}


def _read_twice(called: Sequence[Step]) -> bool:
    """Whether one call was made again with the same arguments."""
    return any(
        later.action == earlier.action and same_arguments(later, earlier) is True
        for place, earlier in enumerate(called)
        for later in called[place + 1 :]
    )


def _only_repeated(view: TrialView) -> bool:
    """Whether all that the agent did about this fault was to make the same call again, without waiting."""
    responses = [moment for moment in view.conduct.moments if moment.response is not None]
    if not responses or view.conduct.patient or view.trial.handed_over:
        return False
    return all(moment.change is False and not moment.active for moment in responses)
