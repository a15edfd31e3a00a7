"""The final answer: its texts, its structure, and which turn it is part of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hbeval.judging.answer.figures import leaves_of
from hbeval.judging.parameters import PARAMETERS
from hbeval.judging.reading import Reading
from hbeval.model import Step, Turn

__all__ = ["answer_texts", "given", "is_answer_turn", "is_unknown", "structured"]

_UNKNOWN_WORDS = frozenset(PARAMETERS.unknown_words)


def given(answer: Step) -> Any:
    """What was answered."""
    return answer.result if answer.result is not None else answer.arguments


def structured(answer: Step) -> Any:
    """The answer as a JSON object or array, None if it is plain text. A text that is a JSON object counts as one."""
    value = given(answer)
    if isinstance(value, (Mapping, list, tuple)):
        return value
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("{") and text.endswith("}") and len(text) <= PARAMETERS.source_limit:
            try:
                return json.loads(text)
            except (ValueError, RecursionError):
                return None
    return None


def answer_texts(answer: Step) -> Sequence[str]:
    """The texts of an answer."""
    value = given(answer)
    return (value,) if isinstance(value, str) else [leaf for leaf in leaves_of(value) if isinstance(leaf, str)]


def is_unknown(leaf: Any) -> bool:
    """Whether a value of a structured answer leaves it open."""
    return leaf is None or (isinstance(leaf, str) and leaf.strip().lower() in _UNKNOWN_WORDS)


def is_answer_turn(reading: Reading, turn: Turn, answer: Step | None) -> bool:
    """Whether a turn is the message that holds the answer: its words are the answer's, and no reasoning before it.

    That is the turn the answer came from, or the last one if the record does not say, unless a call lies between: then
    the message of the answer was not recorded. The words are not looked at, so another wording makes no difference.
    """
    if answer is None:
        return False
    last_call = max((step.seq for step in reading.steps if step.seq < answer.seq), default=float("-inf"))
    closing = [each.seq for each in reading.turns_between(last_call, answer.seq)]
    if answer.turn is not None:
        return turn.seq == answer.turn and turn.seq in closing
    return bool(closing) and turn.seq == closing[-1]
