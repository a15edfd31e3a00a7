"""The events of an Inspect sample as turns and steps; model calls of scorers are not the agent's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from hbeval.adapters.formats.chat import AGENT, Transcript, epoch_of, id_of, name_of, span_of, text_of
from hbeval.adapters.formats.documents import object_at
from hbeval.adapters.formats.inspect_parts import References, message_of
from hbeval.model import Outcome, Step, StepError, ToolDeclaration

__all__ = ["UNNAMED", "Events", "error_of"]

UNNAMED = "(unnamed)"
_SCORING = ("scorer", "scorers")
_Event = Mapping[str, Any]


class _Call(NamedTuple):
    """A call a model asked for: the turn, and why its arguments could not be parsed."""

    turn: int
    parse_error: str | None


class Events:
    """One pass over the events of a sample. `tools` are those that a model was offered, as the log describes them."""

    __slots__ = (
        "_asked",
        "_begun",
        "_legacy",
        "_makers",
        "_references",
        "_scoring",
        "_seen",
        "_within",
        "tools",
        "transcript",
    )

    def __init__(self, references: References) -> None:
        self.transcript = Transcript()
        self.tools: dict[str, ToolDeclaration] = {}
        self._references = references
        self._asked: dict[str, _Call] = {}
        self._seen: set[str] = set()
        self._scoring: set[str] = set()
        self._legacy: list[str] = []
        self._begun: list[tuple[str, str, str | None]] = []
        self._makers: dict[str, int] = {}
        self._within: dict[str, str | None] = {}

    def read(self, events: Iterable[_Event], origin: str, within: int | None = None) -> None:
        """Take in events. `within` is the `seq` of the tool call that they are part of."""
        for index, event in enumerate(events):
            kind = event.get("event")
            if kind in ("span_begin", "step"):
                self._structure(event)
            elif kind == "model" and not self._is_scoring(event):
                self._model(event)
            elif kind == "tool" and not self._is_scoring(event):
                self._tool(event, f"{origin}/{index}", within)

    def _structure(self, event: _Event) -> None:
        kind = str(event.get("type") or "")
        if event["event"] == "step":
            if event.get("action") == "begin":
                self._legacy.append(kind)
            elif self._legacy:
                self._legacy.pop()
            return
        span, parent = str(event.get("id")), event.get("parent_id")
        self._within[span] = parent
        if kind in _SCORING or parent in self._scoring:
            self._scoring.add(span)
        if kind == "tool":
            self._begun.append((span, str(event.get("name")), parent))

    def _is_scoring(self, event: _Event) -> bool:
        return event.get("span_id") in self._scoring or any(kind in _SCORING for kind in self._legacy)

    def _model(self, event: _Event) -> None:
        self._heard(event)
        self._offered(event.get("tools"))
        message = message_of(event.get("output"))
        if not message:
            return
        turn = self.transcript.say(
            AGENT,
            text_of(self._references.resolve(message.get("content"))),
            id=id_of(message.get("id")),
            at=epoch_of(event.get("completed") or event.get("timestamp")),
        )
        for call in message.get("tool_calls") or ():
            self._asked[str(call.get("id"))] = _Call(turn, call.get("parse_error"))

    def _heard(self, event: _Event) -> None:
        """Messages of the user and the system that no model of this sample was given before."""
        fresh = []
        for message in reversed(self._references.input_of(event)):
            if message.get("role") in ("assistant", "tool") and self.transcript.turns:
                break
            if message.get("role") in ("user", "system"):
                fresh.append(message)
        for message in reversed(fresh):
            text = text_of(self._references.resolve(message.get("content")))
            key = str(message.get("id") or text)
            if key not in self._seen:
                self._seen.add(key)
                self.transcript.say(message["role"], text, id=id_of(message.get("id")))

    def _offered(self, tools: Any) -> None:
        for tool in tools if isinstance(tools, list) else ():
            name = object_at(tool).get("name")
            if isinstance(name, str) and name not in self.tools:
                self.tools[name] = ToolDeclaration(
                    name=name,
                    description=str(self._references.resolve(tool.get("description") or "")),
                    parameters=object_at(tool, "parameters"),
                )

    def _tool(self, event: _Event, origin: str, within: int | None) -> None:
        seq = self.transcript.seq
        call = self._asked.get(str(event.get("id")))
        name = name_of(event.get("function") or UNNAMED)
        arguments, malformed = self._references.resolve(event.get("arguments")), False
        if call is not None and call.parse_error:
            arguments, malformed = arguments or call.parse_error, True
        started, ended = span_of(event.get("timestamp"), event.get("completed"))
        outcome, error = _outcome(event)
        around = self._maker_of(event, name, seq) if within is None else within
        self.transcript.steps.append(
            Step(
                seq=seq,
                action=name,
                arguments=arguments,
                malformed=malformed or not (arguments is None or isinstance(arguments, dict)),
                result=_result(self._references.resolve(event.get("result"))),
                outcome=outcome,
                error=error,
                id=id_of(event.get("id")),
                started_at=started,
                ended_at=ended,
                turn=None if call is None else call.turn,
                origin=origin,
                extra={} if around is None else {"within": around},
            )
        )
        nested = event.get("events")
        if isinstance(nested, list) and nested:
            self.read(nested, f"{origin}/events", seq)

    def _maker_of(self, event: _Event, name: str, seq: int) -> int | None:
        """The `seq` of the tool call in whose span this one lies. This call's own span is the first begun for it."""
        span = event.get("span_id")
        own = next((each for each in self._begun if each[1] == name and span in (each[0], each[2])), None)
        if own is not None:
            self._begun.remove(own)
            self._makers[own[0]] = seq
            span = self._within.get(span) if span == own[0] else span
        passed = set()
        while span is not None and span not in passed:
            if span in self._makers:
                return self._makers[span]
            passed.add(span)
            span = self._within.get(span)
        return None


def error_of(error: Any) -> StepError | None:
    """The error of a call, named by Inspect's own word for its type."""
    if not error:
        return None
    told = object_at(error)
    return StepError(kind=str(told.get("type") or "unknown"), message=str(told.get("message") or ""))


def _outcome(event: _Event) -> tuple[Outcome, StepError | None]:
    error = error_of(event.get("error"))
    if error is not None:
        return Outcome.ERROR, error
    if event.get("failed"):
        return Outcome.ERROR, StepError(kind="unknown", message="the tool failed")
    if event.get("pending") or event.get("result") is None:
        return Outcome.UNKNOWN, None
    return Outcome.OK, None


def _result(result: Any) -> Any:
    return text_of(result) if isinstance(result, list) else result
