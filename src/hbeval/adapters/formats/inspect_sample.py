"""One sample of an Inspect log as a trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hbeval.adapters.formats.chat import (
    AGENT,
    Transcript,
    arguments_of,
    epoch_of,
    id_of,
    name_of,
    natural_faults,
    partner_of,
    results_after,
    text_of,
)
from hbeval.adapters.formats.documents import object_at
from hbeval.adapters.formats.inspect_events import UNNAMED, Events, error_of
from hbeval.adapters.formats.inspect_parts import Log, References, message_of
from hbeval.adapters.formats.inspect_verdicts import ending_of, scores_of, verdict
from hbeval.errors import InputError
from hbeval.model import (
    INVALID_ENDINGS,
    Context,
    Fact,
    Outcome,
    Step,
    Task,
    ToolDeclaration,
    Trace,
    Turn,
)

__all__ = ["FORMAT", "trace_of"]

FORMAT = "inspect"
_HOLDS = (Fact.ID, Fact.TIME, Fact.INPUT, Fact.OUTCOME, Fact.TURN)


def trace_of(sample: Any, log: Log, *, source: str, name: str, origin: str, nulled: int = 0) -> Trace:
    """The trace of one sample. `name` is its place in the file, `origin` the beginning of the pointers into it.

    Raises InputError for what is no sample.
    """
    if not isinstance(sample, dict) or type(sample.get("id")) not in (int, str):
        raise InputError("not a sample", right="an object with id, epoch and output")
    references = References(sample)
    try:
        transcript, tools = _read(sample, references, origin)
        _answer(transcript, sample, references, origin)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"not a sample as Inspect writes it ({error!r})") from error
    scores = scores_of(sample)
    ending, detail = ending_of(sample, transcript)
    success, oracle = (None, None) if ending in INVALID_ENDINGS else verdict(scores, log.accuracies)
    started, ended = _times(sample)
    epoch = sample.get("epoch")
    return Trace(
        id=_identity(sample, log) or f"{source}#{name}",
        source=source,
        context=Context.IMPORT,
        format=FORMAT,
        agent=log.agent,
        task=Task(id=f"{log.task}/{sample['id']}", domain=log.task or None, text=_question(sample, references)),
        repeat=epoch - 1 if type(epoch) is int and epoch > 0 else 0,
        seed=log.seed,
        tools=tuple(tools.values()),
        turns=tuple(transcript.turns),
        steps=tuple(transcript.steps),
        faults=natural_faults(transcript.steps),
        ending=ending,
        ending_detail=detail,
        success=success,
        oracle=oracle,
        holds=_HOLDS,
        started_at=started,
        ended_at=ended,
        labels=_labels(sample, scores),
        extra=_extra(sample, log, nulled),
    )


def _identity(sample: Mapping[str, Any], log: Log) -> str | None:
    """What names this run in every copy of its log: its own id, else its place in the evaluation it is part of."""
    if isinstance(sample.get("uuid"), str) and sample["uuid"]:
        return str(sample["uuid"])
    run, task = log.identity.get("run_id"), log.identity.get("task_id")
    return f"{run}/{task}/{sample['id']}/{sample.get('epoch', 1)}" if run and task else None


def _read(
    sample: Mapping[str, Any], references: References, origin: str
) -> tuple[Transcript, dict[str, ToolDeclaration]]:
    """What was said and called: from the events, or from the messages of a log that keeps none."""
    for events, place in (
        (sample.get("events"), "events"),
        (object_at(sample, "transcript").get("events"), "transcript/events"),
    ):
        if isinstance(events, list) and any(event.get("event") in ("model", "tool") for event in events):
            reading = Events(references)
            reading.read(events, f"{origin}/{place}")
            return reading.transcript, reading.tools
    messages = sample.get("messages")
    return _read_messages(messages if isinstance(messages, list) else [], references, f"{origin}/messages"), {}


def _read_messages(messages: Sequence[Any], references: References, origin: str) -> Transcript:
    """Calls and results of a log without events. A result without its call is a step too: somebody attempted one."""
    transcript = Transcript()
    position = 0
    while position < len(messages):
        message = messages[position]
        if message["role"] == "tool":
            _add(transcript, None, message, references, f"{origin}/{position}")
            position += 1
            continue
        speaker = AGENT if message["role"] == "assistant" else name_of(message["role"])
        transcript.say(speaker, text_of(references.resolve(message.get("content"))), id=id_of(message.get("id")))
        calls = message.get("tool_calls") or ()
        results = results_after(messages, position)
        ids, found = [call.get("id") for call in calls], [result.get("tool_call_id") for result in results]
        partners = [partner_of(index, ids, found) for index in range(len(calls))]
        for index, (call, partner) in enumerate(zip(calls, partners, strict=True)):
            result = None if partner is None else results[partner]
            _add(transcript, call, result, references, f"{origin}/{position}/tool_calls/{index}")
        for index, result in enumerate(results):
            if index not in partners:
                _add(transcript, None, result, references, f"{origin}/{position + 1 + index}")
        position += 1 + len(results)
    return transcript


def _add(transcript: Transcript, call: Any, result: Any, references: References, origin: str) -> None:
    arguments, malformed = arguments_of(references.resolve(object_at(call).get("arguments")))
    error = error_of(object_at(result).get("error"))
    transcript.steps.append(
        Step(
            seq=transcript.seq,
            action=name_of(object_at(call).get("function") or object_at(result).get("function") or UNNAMED),
            arguments=arguments,
            malformed=malformed,
            result=None if result is None else text_of(references.resolve(result.get("content"))),
            outcome=Outcome.UNKNOWN if result is None else Outcome.OK if error is None else Outcome.ERROR,
            error=error,
            id=id_of(object_at(call).get("id") or object_at(result).get("tool_call_id")),
            turn=None if call is None else transcript.turns[-1].seq,
            origin=origin,
        )
    )


def _answer(transcript: Transcript, sample: Mapping[str, Any], references: References, origin: str) -> None:
    """The output is the answer, unless it holds calls or the run broke off with an error."""
    message = message_of(sample.get("output"))
    if not message or message.get("tool_calls") or sample.get("error"):
        return
    text = text_of(references.resolve(message.get("content")))
    identity = id_of(message.get("id"))
    transcript.answer(text, f"{origin}/output", _turn_of(transcript, identity, text), identity)


def _turn_of(transcript: Transcript, identity: Any, text: str) -> Turn | None:
    for turn in reversed(transcript.turns):
        if turn.speaker == AGENT and (turn.id == identity if identity and turn.id else turn.text == text):
            return turn
    return None


def _question(sample: Mapping[str, Any], references: References) -> str:
    given = references.resolve(sample.get("input"))
    if not isinstance(given, list):
        return text_of(given)
    asked = [text_of(message.get("content")) for message in given if object_at(message).get("role") == "user"]
    return asked[-1] if asked else ""


def _times(sample: Mapping[str, Any]) -> tuple[float | None, float | None]:
    events = sample.get("events") or object_at(sample, "transcript").get("events")
    seen = [epoch_of(object_at(event).get("timestamp")) for event in events] if isinstance(events, list) else []
    known = [moment for moment in seen if moment is not None]
    started, ended = epoch_of(sample.get("started_at")), epoch_of(sample.get("completed_at"))
    return (
        started if started is not None else min(known, default=None),
        ended if ended is not None else max(known, default=None),
    )


def _labels(sample: Mapping[str, Any], scores: Mapping[str, Any]) -> dict[str, Any]:
    labels: dict[str, Any] = {"scores": dict(scores)} if scores else {}
    if sample.get("target") is not None:
        labels["target"] = sample["target"]
    return labels


def _extra(sample: Mapping[str, Any], log: Log, nulled: int) -> dict[str, Any]:
    extra: dict[str, Any] = {"log_status": log.status, **log.identity}
    if sample.get("error_retries"):
        extra["error_retries"] = len(sample["error_retries"])
    if nulled:
        extra["nulled_in_sample"] = nulled
    return extra
