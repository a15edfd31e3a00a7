"""What an Inspect log says for all its samples, and the references that its samples hold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from hbeval.adapters.formats.documents import object_at

__all__ = ["Log", "References", "message_of"]

_REFERENCE = re.compile(r"(?:attachment|tc)://([0-9a-f]{32})")


class Log:
    """The header of a log.

    accuracies  scorers whose values are averaged as accuracy
    planned     ids of the samples that were to run, each `epochs` times; none where the log does not list them
    """

    __slots__ = ("accuracies", "agent", "epochs", "identity", "planned", "seed", "status", "task")

    def __init__(self, header: Mapping[str, Any]) -> None:
        about = object_at(header, "eval")
        self.status = str(header.get("status") or "started")
        self.task = str(about.get("task") or "")
        self.agent = _agent(header, about)
        self.identity = {key: about[key] for key in ("eval_id", "run_id", "task_id") if about.get(key)}
        seed = object_at(about, "model_generate_config").get("seed")
        self.seed = seed if type(seed) is int else None
        self.accuracies = frozenset(_accuracies(header, about))
        ids, epochs = object_at(about, "dataset").get("sample_ids"), object_at(about, "config").get("epochs")
        self.planned = frozenset(str(each) for each in ids) if isinstance(ids, list) else frozenset()
        self.epochs = epochs if type(epochs) is int else 1


class References:
    """Texts that a sample holds once and refers to, and the pool of messages that its events refer to."""

    __slots__ = ("_pool", "_texts")

    def __init__(self, sample: Mapping[str, Any]) -> None:
        self._texts = {**object_at(sample, "transcript", "content"), **object_at(sample, "attachments")}
        pool = sample.get("message_pool")
        self._pool: list[Any] = pool if isinstance(pool, list) else []

    def resolve(self, value: Any) -> Any:
        """The value with every known reference replaced by its text, at any depth."""
        if not self._texts:
            return value
        if isinstance(value, str):
            return _REFERENCE.sub(self._text, value) if "://" in value else value
        if isinstance(value, list):
            return [self.resolve(each) for each in value]
        if isinstance(value, dict):
            return {key: self.resolve(each) for key, each in value.items()}
        return value

    def input_of(self, event: Mapping[str, Any]) -> list[Any]:
        """The messages a model was given: its own, or ranges of the pool."""
        own = event.get("input")
        messages = list(own) if isinstance(own, list) else []
        for span in event.get("input_refs") or ():
            messages += self._pool[slice(*span)]
        return messages

    def _text(self, found: re.Match[str]) -> str:
        text = self._texts.get(found.group(1))
        return text if isinstance(text, str) else found.group(0)


def message_of(output: Any) -> Mapping[str, Any]:
    """The message of a model's first choice; an empty one where there is none."""
    choices = object_at(output).get("choices")
    return object_at(choices[0], "message") if isinstance(choices, list) and choices else {}


def _agent(header: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, str]:
    steps = object_at(header, "plan").get("steps")
    plan = [object_at(step).get("solver") for step in steps] if isinstance(steps, list) else []
    told = {
        "id": about.get("model"),
        "model": about.get("model"),
        "solver": about.get("solver") or " + ".join(name for name in plan if isinstance(name, str)),
        "commit": object_at(about, "revision").get("commit"),
        "inspect_ai": object_at(about, "packages").get("inspect_ai"),
    }
    return {key: value for key, value in told.items() if isinstance(value, str) and value}


def _accuracies(header: Mapping[str, Any], about: Mapping[str, Any]) -> Sequence[str]:
    scorers, results = about.get("scorers"), object_at(header, "results").get("scores")
    return [
        str(name)
        for listed in (scorers, results)
        if isinstance(listed, list)
        for scorer in listed
        if "accuracy" in _metrics(object_at(scorer).get("metrics"))
        for name in (object_at(scorer).get("name"), object_at(scorer).get("scorer"))
        if name
    ]


def _metrics(metrics: Any) -> set[str]:
    """Names of metrics without their package; they come as an object of them, or as a list of names or objects."""
    if isinstance(metrics, dict):
        return {str(key).rpartition("/")[2] for key in metrics}
    if not isinstance(metrics, list):
        return set()
    return {str(object_at(each).get("name", each)).rpartition("/")[2] for each in metrics}
