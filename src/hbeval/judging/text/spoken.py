"""Words as evidence: reasoning where they stand before what was then done, text anywhere else."""

from __future__ import annotations

from collections.abc import Iterator

from hbeval.judging.answer.given import answer_texts, given, is_answer_turn
from hbeval.judging.handling.signals import Finding, finding
from hbeval.judging.reading import Reading
from hbeval.judging.text.rules import text_rules

__all__ = ["spoken"]


def spoken(reading: Reading, since: int, done_at: float, *, before: str, text: str) -> Iterator[Finding]:
    """What agents said after the step `since` (a `seq`) that is the text signal `text`: each kind of finding once.

    In a turn before `done_at` (a `seq`) that does not hold the answer, it is the reasoning signal `before`.
    """
    if not _may_be_said(reading, text):
        return
    answer, rules = reading.answer, text_rules()
    reasoned = told = False
    for turn in reading.turns_between(since, float("inf")):
        is_reasoning = turn.seq < done_at and not is_answer_turn(reading, turn, answer)
        if (reasoned if is_reasoning else told) or not rules.tells(text, turn.text):
            continue
        if is_reasoning:
            reasoned = True
            yield finding(before, ("turn", turn.seq), since)
        else:
            told = True
            yield finding(text, ("turn", turn.seq), since)
    if not told and answer is not None and any(rules.tells(text, each) for each in answer_texts(answer)):
        yield finding(text, ("answer", answer.seq), answer.seq)


def _may_be_said(reading: Reading, signal: str) -> bool:
    """Whether a text of this run may be a signal of this name; texts inside a structured answer are not looked at."""
    answer = reading.answer
    if answer is not None and not isinstance(given(answer), str):
        return True
    return text_rules().may_tell(signal, reading.words)
