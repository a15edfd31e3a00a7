"""Which turns hold words: a message that only carries a call has none, and the task once more is nothing new."""

from __future__ import annotations

import json
import re

from hbeval.judging.arguments import same_value
from hbeval.judging.reading import Reading, is_agent
from hbeval.model import Turn

__all__ = ["anything_said", "words_between"]

_MARKUP = re.compile(r"<[^<>]*>|```\w*")


def words_between(reading: Reading, low: float, high: float) -> list[Turn]:
    """Turns of agents with words, with `low` < seq < `high`, in order."""
    return [turn for turn in reading.turns_between(low, high) if turn.text and not _only_carries(reading, turn)]


def anything_said(reading: Reading, low: float, high: float) -> bool:
    """Whether words stand between `low` and `high`: of an agent, or of others, who did not just repeat the task."""
    task = reading.trace.task.text.strip()
    for turn in reading.turns:
        if low < turn.seq < high and turn.text:
            empty = _only_carries(reading, turn) if is_agent(turn) else turn.text.strip() in ("", task)
            if not empty:
                return True
    return False


def _only_carries(reading: Reading, turn: Turn) -> bool:
    """Whether a turn is blank, or holds nothing but a call that it issued: JSON, with tags or a fence around it."""
    text = turn.text.strip()
    if text[-1:] in (">", "`"):
        text = _MARKUP.sub(" ", text).strip()
    if not text:
        return True
    if not (text.startswith("{") and text.endswith("}")):
        return False
    try:
        written = json.loads(text)
    except (ValueError, RecursionError):
        return False
    candidates = (written, *written.values())
    carried = [step.arguments for step in reading.steps if step.turn == turn.seq]
    return any(same_value(candidate, each) for candidate in candidates for each in carried)
