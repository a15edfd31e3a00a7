"""What several formats share: messages of a chat as turns, calls and results, in one sequence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from hbeval.errors import InputError
from hbeval.model import (
    Fault,
    FaultType,
    Observation,
    Outcome,
    PlanEvent,
    Step,
    StepKind,
    ToolDeclaration,
    Turn,
    loads,
)

__all__ = [
    "AGENT",
    "Transcript",
    "arguments_of",
    "epoch_of",
    "id_of",
    "name_of",
    "natural_faults",
    "partner_of",
    "results_after",
    "span_of",
    "text_of",
]

AGENT = "agent"


class Transcript:
    """Turns, plan events and steps of one run under construction.

    `unpaired` counts results that belong to no call for certain.
    """

    __slots__ = ("plans", "steps", "turns", "unpaired")

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.plans: list[PlanEvent] = []
        self.steps: list[Step] = []
        self.unpaired = 0

    @property
    def seq(self) -> int:
        """The next free place in the sequence."""
        return len(self.turns) + len(self.plans) + len(self.steps)

    @property
    def spoke(self) -> bool:
        """Whether the agent said or called anything."""
        return any(turn.speaker == AGENT for turn in self.turns)

    def say(
        self,
        speaker: str,
        text: str,
        *,
        id: str | None = None,  # noqa: A002 the model's word
        at: float | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> int:
        """Add a turn; its `seq`."""
        seq = self.seq
        self.turns.append(Turn(seq=seq, speaker=speaker, text=text, id=id, at=at, extra=extra or {}))
        return seq

    def answer(self, text: str, origin: str, turn: Turn | None, id: str | None = None) -> None:  # noqa: A002
        """Add the answer. `turn` is where it was said, if that is recorded; `id` is its own, if not the turn's."""
        self.steps.append(
            Step(
                seq=self.seq,
                action="answer",
                kind=StepKind.ANSWER,
                result=text,
                outcome=Outcome.OK,
                id=id or (turn.id if turn else None),
                started_at=turn.at if turn else None,
                turn=turn.seq if turn else None,
                origin=origin,
            )
        )

    def answer_last(self, messages: Sequence[Mapping[str, Any]], origin: str) -> None:
        """Add the answer: the agent's last message, unless it holds calls. `origin` points to the list of messages."""
        for position in range(len(messages) - 1, -1, -1):
            if messages[position]["role"] == "assistant":
                if not messages[position].get("tool_calls"):
                    turn = next(turn for turn in reversed(self.turns) if turn.speaker == AGENT)
                    self.answer(turn.text, f"{origin}/{position}", turn)
                return

    def first_words_of(self, speaker: str) -> str:
        """The text of the speaker's first turn that has any, else the empty text."""
        return next((turn.text for turn in self.turns if turn.speaker == speaker and turn.text), "")


def results_after(messages: Sequence[Mapping[str, Any]], position: int) -> Sequence[Mapping[str, Any]]:
    """The tool messages that follow directly on the message at `position`."""
    end = position + 1
    while end < len(messages) and messages[end]["role"] == "tool":
        end += 1
    return messages[position + 1 : end]


def name_of(value: Any) -> str:
    """A name as the model has it. Raises TypeError for what is none, as for any other wrong type in a message."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is no name")
    return value


def id_of(value: Any) -> str | None:
    """An id, None for an empty one. Raises TypeError for what is neither a text nor a whole number."""
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise TypeError(f"{value!r:.40} is no id")
    return str(value)


def text_of(content: Any) -> str:
    """The text of a message's content: a text, nothing, or blocks of which those with text are joined."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(block if isinstance(block, str) else _text_of_block(block) for block in content)
    return "" if content is None else str(content)


def _text_of_block(block: Any) -> str:
    text = block.get("text", block.get("content")) if isinstance(block, dict) else None
    return text if isinstance(text, str) else ""


def arguments_of(raw: Any) -> tuple[Any, bool]:
    """The arguments of a call, and whether they are malformed: no JSON object, kept as they were sent."""
    if isinstance(raw, str):
        try:
            value = loads(raw)
        except InputError:
            return raw, True
        return (value, False) if isinstance(value, dict) else (raw, True)
    return raw, not (raw is None or isinstance(raw, dict))


def partner_of(position: int, calls: Sequence[str | None], results: Sequence[str | None]) -> int | None:
    """The place among `results` of the one that belongs to the call at `position`; None if that is not certain.

    Both are the ids of the calls of one turn and of the results that follow it. Where one of them lacks its id, a
    single result belongs to a single call.
    """
    mine = calls[position]
    if len(calls) == len(results) == 1:
        return 0 if not mine or not results[0] or results[0] == mine else None
    if not mine or calls.count(mine) > 1 or results.count(mine) != 1:
        return None
    return results.index(mine)


def epoch_of(moment: Any) -> float | None:
    """Seconds since the epoch of an ISO 8601 time, whatever zone this machine is in; one without a zone is UTC."""
    if not isinstance(moment, str):
        return None
    try:
        parsed = datetime.fromisoformat(moment)
    except ValueError:
        return None
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).timestamp()


def span_of(begin: Any, end: Any) -> tuple[float | None, float | None]:
    """Both times of a span. An end before its beginning is no end."""
    started, ended = epoch_of(begin), epoch_of(end)
    if started is not None and ended is not None and ended < started:
        ended = None
    return started, ended


def natural_faults(steps: Iterable[Step], tools: Iterable[ToolDeclaration] = ()) -> tuple[Fault, ...]:
    """One fault per tool that gave an error, with every observation. A hand-over is never a fault."""
    handovers = {tool.name for tool in tools if tool.handover}
    seen: dict[str, list[Observation]] = {}
    for step in steps:
        if step.error is not None and step.action not in handovers:
            seen.setdefault(step.action, []).append(Observation(step=step.seq, what=f"error {step.error.kind}"))
    return tuple(
        Fault(id=f"natural:{tool}", type=FaultType.TOOL_FAILURE, target=tool, observed=tuple(observed))
        for tool, observed in seen.items()
    )
