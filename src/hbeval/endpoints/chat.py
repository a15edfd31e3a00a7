"""Chat completions: messages in, a reply with text and tool calls out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hbeval.endpoints.http import Http, Refused, Retries
from hbeval.errors import EnvironmentFault, InputError, LimitReached
from hbeval.model import dumps, loads

__all__ = ["ChatEndpoint", "Reply", "ToolCall"]

_TOO_LONG = "context_length_exceeded"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call that the model asks for.

    `arguments` is the JSON object it wrote; if it wrote anything else, `malformed` is true and `arguments` is what it
    wrote, unchanged.
    """

    id: str
    name: str
    arguments: Any
    malformed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One reply of the model. `message` is what goes back into the conversation; counts are None where not given."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    message: Mapping[str, Any]
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class ChatEndpoint:
    """A model behind an OpenAI-compatible address.

    url      up to and including the version ("https://host/v1"), or the whole address of chat completions
    key      sent as a bearer token; appears in no message
    options  further fields of each request (temperature, max_tokens, seed …)

    Raises UsageError for an address that is none.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str | None = None,
        deadline_s: float = 60.0,
        retries: Retries | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.model = model
        self._options = dict(options or {})
        self._http = Http(
            url=_completions(url),
            headers={"Authorization": f"Bearer {key}"} if key else {},
            deadline_s=deadline_s,
            retries=retries or Retries(),
        )

    @property
    def shown(self) -> str:
        """The address as messages show it."""
        return self._http.shown

    def reply(self, messages: Sequence[Mapping[str, Any]], *, tools: Sequence[Mapping[str, Any]] = ()) -> Reply:
        """The model's reply to a conversation.

        Raises as `Http.post`, and LimitReached if the conversation has outgrown the model.
        """
        request: dict[str, Any] = {"model": self.model, "messages": list(messages), **self._options}
        if tools:
            request["tools"] = list(tools)
        try:
            return _reply(self._http.post(request), self.shown)
        except Refused as refusal:
            if refusal.code == _TOO_LONG:
                raise LimitReached(f"the conversation is too long for {self.model}: {refusal}") from None
            raise

    def close(self) -> None:
        """Close the connections that are kept. The endpoint stays usable."""
        self._http.close()


def _completions(url: str) -> str:
    """The whole address, a query kept at its end."""
    base, mark, query = url.partition("?")
    base = base.rstrip("/")
    whole = base if base.endswith("/chat/completions") else f"{base}/chat/completions"
    return whole + mark + query


def _reply(value: Any, where: str) -> Reply:
    try:
        choice = value["choices"][0]
        message = choice["message"]
        text, calls = message.get("content"), message.get("tool_calls") or []
        if not isinstance(calls, list):
            raise TypeError
        dumps(_kept(message))  # it goes back with the next request
    except InputError as error:
        raise EnvironmentFault(f"{where} replied with what is no JSON ({error})") from error
    except (LookupError, TypeError, AttributeError) as error:
        begin = repr(value)[:80]
        raise EnvironmentFault(
            f"{where} replied without choices[0].message: {begin}; is it an endpoint for chat?"
        ) from error
    usage = value.get("usage")
    return Reply(
        text=_text(text),
        calls=tuple([_call(each, position) for position, each in enumerate(calls)]),
        message=_kept(message),
        finish_reason=choice.get("finish_reason"),
        prompt_tokens=_count(usage, "prompt_tokens"),
        completion_tokens=_count(usage, "completion_tokens"),
    )


def _text(content: Any) -> str:
    """Content as text; some services give it as a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return "" if content is None else str(content)


def _call(value: Any, position: int) -> ToolCall:
    call = value if isinstance(value, Mapping) else {}
    function = call.get("function")
    function = function if isinstance(function, Mapping) else {}
    arguments, malformed = _arguments(function.get("arguments"))
    return ToolCall(
        id=str(call.get("id") or f"call-{position}"),
        name=str(function.get("name") or ""),
        arguments=arguments,
        malformed=malformed,
    )


def _arguments(raw: Any) -> tuple[Any, bool]:
    """The object written, or what was written and that it is no object. No text at all is no object either."""
    if isinstance(raw, Mapping):
        return dict(raw), False
    if isinstance(raw, str):
        try:
            value = loads(raw)
        except InputError:
            return raw, True
        if isinstance(value, dict):
            return value, False
    return raw, True


def _kept(message: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a reply that a service takes back."""
    kept = {"role": "assistant", "content": message.get("content")}
    if message.get("tool_calls"):
        kept["tool_calls"] = message["tool_calls"]
    return kept


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
