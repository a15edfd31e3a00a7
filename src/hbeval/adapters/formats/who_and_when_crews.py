"""The two halves of Who&When: how their entries become turns, plan events and steps, and how their runs ended."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hbeval.adapters.formats.chat import Transcript
from hbeval.adapters.formats.who_and_when_signs import last_exception, said_by
from hbeval.model import Ending, Outcome, PlanEvent, Provenance, Step, StepKind

__all__ = ["Crew", "directed", "group_chat"]

_Entries = Sequence[Mapping[str, Any]]
_DIRECTOR = "Orchestrator"
_ORDER = "Orchestrator (-> "
_PLANS = ("Initial plan:", "New plan:")
_LEDGER = "Updated Ledger:"
_FLAGS = ("is_request_satisfied", "is_in_loop", "is_progress_being_made")
_FINAL = re.compile(r"FINAL ANSWER:[ \t]*(.*?)\s*(?:\nSCENARIO\.PY |\nRUN\.SH |\Z)", re.DOTALL)
_CRASH = re.compile(r"^Error processing publish message$|^SCENARIO\.PY EXITED WITH CODE: (?!0\b)", re.MULTILINE)
_OWN_LIMIT = re.compile(r"Max (?:rounds|time) \([^)]*\) reached|Replan counter exceeded", re.IGNORECASE)
_SATISFIED = "Request satisfied."
_TERMINAL = "Computer_terminal"
_ASSIGNMENT = "You are given:"
_OVER = "TERMINATE"
_CODE = re.compile(r"```[\w+-]*[ \t]*\n(.*?)```", re.DOTALL)


class Crew(NamedTuple):
    """What one half's shape makes of a history.

    plans_held  whether this half writes its plans down
    extra       facts that have no field of their own
    """

    name: str
    half: str
    plans_held: bool
    transcript: Transcript
    ending: Ending
    detail: str | None
    extra: dict[str, Any]


def directed(history: _Entries) -> Crew:
    """The hand-crafted half: one orchestrator that plans, keeps a ledger and sends workers out one by one."""
    transcript = Transcript()
    orders: dict[str, tuple[int, str]] = {}
    extra: dict[str, Any] = {}
    for index, entry in enumerate(history):
        role, content, origin = entry["role"], entry["content"], f"/history/{index}"
        if role == "human":
            transcript.say("user", content)
        elif role.startswith(_DIRECTOR):
            _direct(transcript, orders, role, content)
            _close(transcript, content, origin, last=index == len(history) - 1)
        else:
            turn, order = orders.pop(role, (None, None))
            arguments = None if order is None else {"instruction": order}
            transcript.steps.append(_step(transcript.seq, role, content, arguments, turn=turn, origin=origin))
            final = _FINAL.search(content)
            if final and index == len(history) - 1:
                extra["answer_on_console"] = final.group(1)
    lost = sum(entry["role"].startswith(_ORDER) for entry in history) - sum(
        step.arguments is not None for step in transcript.steps if step.kind is StepKind.TOOL
    )
    if lost:
        extra["orders_without_an_entry"] = lost
    ending, detail = _end_of_directed(history)
    return Crew("Magentic-One", "hand-crafted", True, transcript, ending, detail, extra)


def _direct(transcript: Transcript, orders: dict[str, tuple[int, str]], role: str, content: str) -> None:
    """Take in what the orchestrator thinks, plans or orders."""
    if content.startswith(_PLANS):
        transcript.plans.append(PlanEvent(seq=transcript.seq, text=content, provenance=Provenance.INFERRED))
        return
    seq = transcript.say("agent", content, extra=_ledger(content))
    if role.startswith(_ORDER):
        orders[role.removeprefix(_ORDER).rstrip(")")] = (seq, content)


def _close(transcript: Transcript, content: str, origin: str, *, last: bool) -> None:
    """The answer is printed into the orchestrator's last entry."""
    final = _FINAL.search(content) if last else None
    if final:
        transcript.steps.append(_answer(transcript, final.group(1), origin))


def _ledger(content: str) -> dict[str, Any] | None:
    """The flags of a ledger, as the orchestrator answered them."""
    if not content.startswith(_LEDGER):
        return None
    try:
        ledger, _ = json.JSONDecoder().raw_decode(content[len(_LEDGER) :].lstrip())
        return {"ledger": {flag: ledger[flag]["answer"] for flag in _FLAGS if flag in ledger}}
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _end_of_directed(history: _Entries) -> tuple[Ending, str | None]:
    """How the run ended; the first rule that fits."""
    last = history[-1]["content"]
    if _CRASH.search(last):
        raised = last_exception(last)
        return Ending.AGENT_ERROR, "crashed" if raised is None else f"crashed: {raised[0]}: {raised[1]}"
    for entry in reversed(history[-2:]):
        limit = _OWN_LIMIT.search(entry["content"])
        if limit and entry["role"].startswith(_DIRECTOR):
            return Ending.LIMIT, limit.group(0)
    if any(entry["content"].startswith(_SATISFIED) for entry in history[-2:]):
        return Ending.COMPLETED, _SATISFIED
    return Ending.LIMIT, "ended without a closing entry"


def group_chat(history: _Entries) -> Crew:
    """The algorithm-generated half: experts in a group chat, and a terminal that runs the code of the entry before."""
    transcript = Transcript()
    closing = max((i for i, entry in enumerate(history) if i and entry["name"] != _TERMINAL), default=None)
    for index, entry in enumerate(history):
        name, content, origin = entry["name"], entry["content"], f"/history/{index}"
        if name == _TERMINAL:
            asked = history[index - 1] if index else None
            code = [] if asked is None or asked["name"] == _TERMINAL else _CODE.findall(asked["content"])
            turn = transcript.turns[-1].seq if transcript.turns else None
            transcript.steps.append(_step(transcript.seq, name, content, {"code": code}, turn=turn, origin=origin))
            continue
        is_task = index == 0 and content.startswith(_ASSIGNMENT)
        transcript.say("user" if is_task else name, content)
        if index == closing:
            transcript.steps.append(_answer(transcript, content, origin))
    over = closing is not None and _OVER in history[closing]["content"]
    ending, detail = (Ending.COMPLETED, _OVER) if over else (Ending.LIMIT, "ended before an expert said TERMINATE")
    return Crew("CaptainAgent", "algorithm-generated", False, transcript, ending, detail, {})


def _step(
    seq: int, worker: str, content: str, arguments: dict[str, Any] | None, *, turn: int | None, origin: str
) -> Step:
    """The entry of a worker as its attempt. A terminal that found no code was given none, whatever stood there."""
    said = said_by(content)
    if arguments and "code" in arguments and said.exit_code is None:
        arguments = {"code": []}
    return Step(
        seq=seq,
        action=worker,
        arguments=arguments,
        result=said.words,
        outcome=said.outcome,
        error=said.error,
        turn=turn,
        origin=origin,
        provenance=Provenance.INFERRED,
        extra={} if said.exit_code is None else {"exit_code": said.exit_code},
    )


def _answer(transcript: Transcript, text: str, origin: str) -> Step:
    return Step(
        seq=transcript.seq,
        action="answer",
        kind=StepKind.ANSWER,
        result=text,
        outcome=Outcome.OK,
        turn=transcript.turns[-1].seq if transcript.turns else None,
        origin=origin,
        provenance=Provenance.INFERRED,
    )
