"""Who&When logs: one JSON file is one run of a crew. The rule behind every field: docs/formats/who_and_when.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hbeval.adapters.formats.chat import natural_faults
from hbeval.adapters.formats.documents import Document, read_json, starts_with
from hbeval.adapters.formats.who_and_when_crews import Crew, directed, group_chat
from hbeval.errors import InputError
from hbeval.model import Context, Ending, Fact, LeftOut, Task, Trace

__all__ = ["WhoAndWhen", "trace_of"]

_HOLDS = (Fact.INPUT, Fact.OUTCOME, Fact.TURN)
_QUESTION = (b'"question_ID"', b'"ground_truth"', b'"question"')
_BLAME = (b'"mistake_agent"', b'"mistake_step"')
_ORCHESTRATOR = (b'"human"', b'"Orchestrator (')
_LABELS = ("mistake_agent", "mistake_reason", "mistake_type", "level", "ground_truth")


class WhoAndWhen:
    """Importer of Who&When logs."""

    name: str = "who_and_when"
    suffixes: tuple[str, ...] = (".json",)

    def detect(self, path: Path, head: bytes) -> str | None:
        """A history with a question, blame, or an orchestrator; a long history hides the keys that follow it."""
        if not starts_with(head, b"{") or b'"history"' not in head:
            return None
        if all(sign in head for sign in _QUESTION):
            return "keys history, question_ID and ground_truth"
        if all(sign in head for sign in _BLAME):
            return "keys history, mistake_agent and mistake_step"
        if all(sign in head for sign in _ORCHESTRATOR):
            return "key history, roles human and Orchestrator (…)"
        return None

    def read(self, path: Path, source: str) -> Iterator[Trace | LeftOut]:
        """The one run of the file. Raises InputError if it is not one, or not whole."""
        document = read_json(path, source)
        if document.torn:
            raise InputError(document.torn, where=source, right="a whole run")
        yield trace_of(document, source)


def trace_of(document: Document, source: str) -> Trace:
    """The trace of one decoded log. Raises InputError naming what is not as the format has it."""
    log = document.value
    if not isinstance(log, dict) or not isinstance(log.get("history"), list):
        raise InputError("not a Who&When log", where=source, right="an object with a history")
    crew = _crew(log["history"], source)
    success = None if crew.ending is Ending.EMPTY else _success(log)
    task = log.get("question_ID")
    extra = {**crew.extra, **({"nulled_in_file": document.nulled} if document.nulled else {})}
    return Trace(
        id=source,
        source=source,
        context=Context.IMPORT,
        format=WhoAndWhen.name,
        agent={"id": crew.name},
        task=Task(
            id=f"{crew.half}/{task if isinstance(task, str) and task else source}",
            domain=crew.half,
            text=_text(log.get("question")),
        ),
        turns=tuple(crew.transcript.turns),
        plans=tuple(crew.transcript.plans),
        steps=tuple(crew.transcript.steps),
        faults=natural_faults(crew.transcript.steps),
        ending=crew.ending,
        ending_detail=crew.detail,
        success=success,
        oracle=None if success is None else "human label",
        holds=(*_HOLDS, Fact.PLAN) if crew.plans_held else _HOLDS,
        labels=_labels(log, crew),
        extra=extra,
    )


def _crew(history: list[Any], source: str) -> Crew:
    for index, entry in enumerate(history):
        if not (isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in ("role", "content"))):
            raise InputError("an entry has no role or no content", where=f"{source}#/history/{index}", value=entry)
    if not history:
        raise InputError("the history is empty", where=source, right="at least one entry")
    named = [isinstance(entry.get("name"), str) for entry in history]
    crew = group_chat(history) if all(named) else directed(history)
    if not crew.transcript.steps and not any(turn.speaker != "user" for turn in crew.transcript.turns):
        return crew._replace(ending=Ending.EMPTY, detail="the crew said and did nothing")
    return crew


def _success(log: Mapping[str, Any]) -> bool | None:
    """What people said of the answer, however the key is spelt; a blamed run has failed."""
    flag = log.get("is_correct", log.get("is_corrected"))
    words = str(flag).strip().lower()
    if words in ("true", "false"):
        return words == "true"
    return False if log.get("mistake_agent") else None


def _labels(log: Mapping[str, Any], crew: Crew) -> dict[str, Any]:
    labels = {"half": crew.half, **{key: log[key] for key in _LABELS if log.get(key) is not None}}
    blamed = _text(log.get("mistake_step")).strip()
    if blamed:
        labels["mistake_step"] = int(blamed) if blamed.isdecimal() else blamed
    return labels


def _text(value: Any) -> str:
    return "" if value is None else str(value)
