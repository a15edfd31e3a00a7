"""Which tool message answers which call: by id, else by the call it repeats; never by guess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["pair"]

_Message = Mapping[str, Any]


def pair(calls: Sequence[_Message], results: Sequence[_Message]) -> list[_Message | None]:
    """The result of each call of one turn; None for a call that has none for certain.

    Ids decide where every call has its own. Else a result belongs to the call that it repeats (`tool_call`). Equal
    calls take their results in order only if these are equal too: then the order makes no difference.
    """
    if len(calls) == 1 and len(results) == 1:
        call, result = calls[0], results[0]
        identity = call.get("id")
        return [result if (identity and result.get("tool_call_id") == identity) or _repeats(result, call) else None]
    identities = {call.get("id") for call in calls}
    by_id = {result.get("tool_call_id"): result for result in results}
    if len(identities) == len(calls) and len(by_id) == len(results) and not identities & {None, ""}:
        return [by_id.get(call["id"]) for call in calls]
    return [_by_call(index, calls, results) for index in range(len(calls))]


def _by_call(index: int, calls: Sequence[_Message], results: Sequence[_Message]) -> _Message | None:
    call = calls[index]
    own = [result for result in results if _repeats(result, call)]
    twins = [other for other, each in enumerate(calls) if _signature(each) == _signature(call)]
    if len(own) != len(twins) or any(_content(result) != _content(own[0]) for result in own):
        return None
    return own[twins.index(index)]


def _repeats(result: _Message, call: _Message) -> bool:
    repeated = result.get("tool_call") or {}
    return bool(repeated.get("function") == call["function"] and repeated.get("args") == call.get("args"))


def _signature(call: _Message) -> tuple[Any, Any]:
    return call["function"], call.get("args")


def _content(result: _Message) -> tuple[Any, Any]:
    return result.get("content"), result.get("error")
