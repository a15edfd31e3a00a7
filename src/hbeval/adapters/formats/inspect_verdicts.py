"""How a sample of an Inspect log ended, and what its scorers say."""

from __future__ import annotations

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import Any

from hbeval.adapters.formats.chat import Transcript
from hbeval.adapters.formats.documents import object_at
from hbeval.adapters.formats.run_errors import ending_of_error
from hbeval.model import Ending

__all__ = ["ending_of", "scores_of", "verdict"]

_GRADES: Mapping[str, bool] = MappingProxyType({"C": True, "I": False, "N": False})
_CUT_OFF = ("max_tokens", "model_length")


def ending_of(sample: Mapping[str, Any], transcript: Transcript) -> tuple[Ending, str | None]:
    """The ending and its detail; the first rule that fits."""
    if sample.get("invalidation"):
        why = object_at(sample, "invalidation").get("reason") or "no reason given"
        return Ending.HARNESS_ERROR, f"declared invalid by its evaluators: {why}"
    if sample.get("error"):
        return ending_of_error(str(object_at(sample, "error").get("message") or sample["error"]))
    if sample.get("limit"):
        limit = object_at(sample, "limit")
        name = str(limit.get("type") or sample["limit"])
        detail = f"{name} limit" + (f" {limit['limit']:g}" if isinstance(limit.get("limit"), (int, float)) else "")
        return (Ending.CANCELLED if name == "operator" else Ending.LIMIT), detail
    if not (transcript.spoke or transcript.steps):
        return Ending.EMPTY, "the agent said and did nothing"
    choices = object_at(sample, "output").get("choices")
    stop = object_at(choices[0]).get("stop_reason") if isinstance(choices, list) and choices else None
    if stop in _CUT_OFF:
        return Ending.LIMIT, f"the last output was cut off: {stop}"
    return Ending.COMPLETED, None


def scores_of(sample: Mapping[str, Any]) -> dict[str, Any]:
    """The value that each scorer gave; the oldest logs hold one score without a name."""
    scores = object_at(sample, "scores") or ({"score": sample["score"]} if sample.get("score") else {})
    return {name: object_at(score).get("value") for name, score in scores.items()}


def verdict(scores: Mapping[str, Any], accuracies: Set[str]) -> tuple[bool | None, str | None]:
    """Success and the oracle: the scorers whose value is a verdict, where they agree; None where they do not."""
    said = {name: _verdict(value, name in accuracies) for name, value in scores.items()}
    known = {name: told for name, told in said.items() if told is not None}
    if len(set(known.values())) != 1:
        return None, None
    return next(iter(known.values())), " + ".join(sorted(known))


def _verdict(value: Any, is_accuracy: bool) -> bool | None:
    """C is a success, I and N are none, P is neither. Numbers say it only where their mean is called accuracy."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _GRADES.get(value)
    if is_accuracy and isinstance(value, (int, float)) and value in (0, 1):
        return value == 1
    return None
