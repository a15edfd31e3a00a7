"""From a trace to a judged trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hbeval.judging.episodes import Episode, find_episodes
from hbeval.judging.evidence import evidence_of
from hbeval.judging.handling.signals import finding
from hbeval.judging.reading import Reading
from hbeval.judging.reported import disagreements
from hbeval.judging.rules import RULES
from hbeval.judging.steps import Derived, derive
from hbeval.judging.text.claims import Claims, find_claims
from hbeval.judging.trials import TrialView, judge_trials
from hbeval.model import Claim, JudgedTrace, Provenance, StepVerdict, Trace

__all__ = ["judge"]

_OF_RECOVERY = frozenset({"retried", "switched", "verified", "replanned"})


def judge(trace: Trace) -> JudgedTrace:
    """What each step of a trace amounts to, how each fault was handled, and what the agent claimed without doing it.

    Total: every well-formed trace has a judgement, and the same trace always the same. `steps` is aligned with
    `trace.steps`. Nothing depends on the agent's labels, the source, the id, the condition or the labels of the trace.
    """
    reading = Reading(trace)
    if reading.troubles or reading.delivered:
        episodes = find_episodes(reading)
        derived = derive(reading, *_places(reading, episodes))
        trials: Sequence[TrialView] = judge_trials(reading, episodes)
    else:
        derived, trials = derive(reading), ()
    claims = find_claims(reading, derived, trials)
    if derived.flagged:
        claims = _with_disagreements(claims, reading, derived)
    if trials and claims.unsupported:
        trials = _against_words(trials, claims)
    return JudgedTrace(
        rules=RULES,
        trace=trace,
        steps=_aligned(reading, derived),
        trials=tuple([view.trial for view in trials]),
        claims=claims.found,
        evidence=evidence_of(reading, derived, trials, claims),
        missing=_missing(trials) if trials else (),
    )


def _places(reading: Reading, episodes: Sequence[Episode]) -> tuple[set[int], set[int]]:
    """Places of steps that belong to an episode, and of those on which a fault itself was seen."""
    members = {place for episode in episodes for place in episode.members}
    delivered = {seq for each in reading.delivered for seq in each.seen}
    told = {episode.opening for episode in episodes if episode.reported}
    seen = {place for place in members if place in reading.troubles or reading.steps[place].seq in delivered}
    return members, seen - told


def _with_disagreements(claims: Claims, reading: Reading, derived: Derived) -> Claims:
    """Claims, and flags that say other than what the runtime saw."""
    flagged: list[Claim] = []
    for step, verdict in zip(reading.steps, derived.verdicts, strict=True):
        if step.reported and step.provenance is not Provenance.REPORTED:
            for name in ("success", "had_fault", "replanned", "traceable"):
                flagged += disagreements(step, name, getattr(verdict, name))
    return Claims((*claims.found, *flagged), claims.reconciled)


def _against_words(trials: Sequence[TrialView], claims: Claims) -> Sequence[TrialView]:
    """Trials of trouble with the signal that words without conduct speak against a recovery in words."""
    if _OF_RECOVERY.isdisjoint(claims.unsupported):
        return trials
    signal = finding("claimed_without_conduct", ("turn", -1)).signal
    return [
        view
        if view.episode.demand is not None
        else replace(view, trial=replace(view.trial, signals=(*view.trial.signals, signal)))
        for view in trials
    ]


def _aligned(reading: Reading, derived: Derived) -> tuple[StepVerdict, ...]:
    if isinstance(reading.positions, range):
        return tuple(derived.verdicts)
    pairs = sorted(zip(reading.positions, derived.verdicts, strict=True), key=lambda pair: pair[0])
    return tuple([verdict for _, verdict in pairs])


def _missing(trials: Sequence[TrialView]) -> tuple[str, ...]:
    """Declarations whose absence kept a verdict open, sorted."""
    return tuple(sorted({name for view in trials if not view.trial.handling.deliberate for name in view.missing}))
