"""Messages of an AgentDojo log as turns and steps, in one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hbeval.adapters.formats.agentdojo_pairs import pair
from hbeval.adapters.formats.chat import id_of, name_of
from hbeval.errors import InputError
from hbeval.model import Outcome, Step, StepError, StepKind, Turn

__all__ = ["Reading"]

_WITHHELD = "<Data omitted because a prompt injection was detected>"
_Message = Mapping[str, Any]


class Reading:
    """What one pass over the messages found. Raises InputError naming a message that is not as the format has it.

    turns, calls  what was said, and the tool calls as steps
    answer        the last message as a step, if it is an answer
    task          the text of the first user message
    unpaired      tool messages that belong to no call for certain
    spoke         whether the agent said or called anything
    outstanding   whether the last message holds calls that were never run
    all_ids       whether every call has an id of its own
    """

    __slots__ = ("all_ids", "answer", "calls", "outstanding", "spoke", "task", "turns", "unpaired")

    def __init__(self, messages: Any, source: str) -> None:
        if not isinstance(messages, list):
            raise InputError("messages is not a list", where=source, value=messages)
        self.turns: list[Turn] = []
        self.calls: list[Step] = []
        self.answer: Step | None = None
        self.task = ""
        self.unpaired = 0
        self.spoke = self.outstanding = False
        position = 0
        try:
            while position < len(messages):
                position = self._read(messages, position)
        except (KeyError, TypeError, AttributeError) as error:
            what = f"not a message as AgentDojo writes it ({error!r})"
            raise InputError(what, where=f"{source}#/messages/{position}") from error
        ids = {step.id for step in self.calls}
        self.all_ids = None not in ids and len(ids) == len(self.calls)

    def _read(self, messages: Sequence[_Message], position: int) -> int:
        """Take in the message at a position and the results that follow it; the position after them."""
        message = messages[position]
        role, content = message["role"], message.get("content")
        text = content if isinstance(content, str) else _text(content)
        if role == "tool":
            self.unpaired += 1
            return position + 1
        turn = len(self.turns) + len(self.calls)
        if role != "assistant":
            self.turns.append(Turn(seq=turn, speaker=name_of(role), text=text))
            if role == "user" and not self.task:
                self.task = text
            return position + 1
        self.turns.append(Turn(seq=turn, speaker="agent", text=text))
        calls = message.get("tool_calls")
        if calls:
            self.spoke = True
            return self._read_calls(messages, position, calls, turn)
        self.spoke = self.spoke or bool(text)
        if position + 1 == len(messages):
            self.answer = _answer(text, turn, position)
        return position + 1

    def _read_calls(self, messages: Sequence[_Message], position: int, calls: Sequence[_Message], turn: int) -> int:
        after = position + 1
        while after < len(messages) and messages[after]["role"] == "tool":
            after += 1
        results = messages[position + 1 : after]
        self.outstanding = not results and after == len(messages)
        paired = pair(calls, results)
        self.unpaired += len(results) - len(paired) + paired.count(None)
        for index, (call, result) in enumerate(zip(calls, paired, strict=True)):
            self.calls.append(_call(call, result, turn + 1 + index, turn, f"/messages/{position}/tool_calls/{index}"))
        return after


def _answer(text: str, turn: int, position: int) -> Step:
    return Step(
        seq=turn + 1,
        action="answer",
        kind=StepKind.ANSWER,
        result=text,
        outcome=Outcome.OK,
        turn=turn,
        origin=f"/messages/{position}",
    )


def _call(call: _Message, result: _Message | None, seq: int, turn: int, origin: str) -> Step:
    arguments = call.get("args")
    content, error, outcome = None, None, Outcome.UNKNOWN
    if result is not None:
        content = result.get("content")
        content = content if isinstance(content, str) else _text(content)
        error = _error(result.get("error"), content)
        outcome = Outcome.OK if error is None else Outcome.ERROR
    return Step(
        seq=seq,
        action=name_of(call["function"]),
        arguments=arguments,
        malformed=not isinstance(arguments, dict),
        result=content,
        outcome=outcome,
        error=error,
        id=id_of(call.get("id")),
        turn=turn,
        origin=origin,
    )


def _error(error: Any, content: str) -> StepError | None:
    """AgentDojo writes the exception's name, a colon and its message; a detector writes a sentence in place of data."""
    if error is None:
        return StepError(kind="withheld", message=_WITHHELD) if content.startswith(_WITHHELD) else None
    kind, colon, message = str(error).partition(":")
    if colon and kind.isidentifier():
        return StepError(kind=kind, message=message.strip())
    return StepError(kind="unknown", message=str(error))


def _text(content: Any) -> str:
    """Content that is no string: null, or a list of blocks, of which those of text are joined."""
    if content is None:
        return ""
    return "".join(
        block.get("content") or block.get("text") or "" for block in content if block.get("type", "text") == "text"
    )
