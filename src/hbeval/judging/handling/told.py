"""Trials of which only the agent's own code speaks: judged on its flags, or its words, and marked E0."""

from __future__ import annotations

from hbeval.judging.answer.given import answer_texts
from hbeval.judging.episodes import Episode
from hbeval.judging.handling.signals import Finding, finding
from hbeval.judging.reading import Reading
from hbeval.judging.reported import flag
from hbeval.judging.text.rules import text_rules
from hbeval.model import Handling

__all__ = ["handling_as_told"]


def handling_as_told(reading: Reading, episode: Episode) -> tuple[Handling, list[Finding], str | None]:
    """The handling that flags report; without flags, the one that the agent's words name in full."""
    told = _by_flags(reading, episode)
    if told is not None:
        seqs = tuple(reading.steps[place].seq for place in episode.members)
        return told, [finding("reported_handling", ("turn", -1), *seqs)], None
    said = _said(reading, episode)
    if said is not None:
        signal, handling = said
        return handling, [finding(signal, ("turn", -1))], None
    return Handling.NOT_JUDGED, [], "reported by the agent's code only, without saying how it was handled"


def _by_flags(reading: Reading, episode: Episode) -> Handling | None:
    """`recovered_intentionally` and `handled_deliberately` of the episode's steps; one yes outweighs a no."""
    steps = [reading.steps[place] for place in episode.members]
    recovered = [flag(step, "recovered_intentionally") for step in steps]
    handled = [flag(step, "handled_deliberately") for step in steps]
    if True in recovered:
        return Handling.RECOVERY
    if True in handled:
        return Handling.RECOVERY if episode.closed in ("met", "substituted") else Handling.ABSTENTION
    return Handling.REFLEX if False in recovered or False in handled else None


def _said(reading: Reading, episode: Episode) -> tuple[str, Handling] | None:
    """The signal of a text that names the fault, and either the change of approach or that no source was left."""
    opening, answer = reading.steps[episode.opening], reading.answer
    texts = [turn.text for turn in reading.turns_between(opening.seq, float("inf"))]
    texts += answer_texts(answer) if answer is not None else ()
    rules = text_rules()
    for text in texts:
        if rules.tells("names_change", text):
            return "names_change", Handling.RECOVERY
        if rules.tells("no_source", text) and rules.holds("fault_named", text):
            return "no_source", Handling.ABSTENTION
    return None
