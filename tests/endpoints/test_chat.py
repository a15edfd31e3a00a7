"""Chat completions over real HTTP: what goes out, and what is made of what comes back."""

from __future__ import annotations

from typing import Any

import pytest

from hbeval.endpoints import ChatEndpoint, Retries
from hbeval.errors import EnvironmentFault, LimitReached
from tests.endpoints.scripted_server import Played, calling, saying, serving


def _reply_to(played: Played) -> Any:
    with serving([played]) as server:
        endpoint = ChatEndpoint(server.url, "m-1", retries=Retries(times=0))
        try:
            return endpoint.reply([{"role": "user", "content": "hello"}])
        finally:
            endpoint.close()


def test_a_request_names_model_messages_tools_and_options() -> None:
    """The body is that of a chat completion; the key goes into the header only."""
    with serving([saying("hi")]) as server:
        endpoint = ChatEndpoint(server.url, "m-1", key="sk-1", options={"temperature": 0})
        endpoint.reply([{"role": "user", "content": "hello"}], tools=[{"type": "function"}])
        endpoint.close()
        assert server.requests == [
            {
                "model": "m-1",
                "messages": [{"role": "user", "content": "hello"}],
                "temperature": 0,
                "tools": [{"type": "function"}],
            }
        ]
        assert server.headers[0]["Authorization"] == "Bearer sk-1"
        assert endpoint.shown == f"{server.url}/chat/completions"


@pytest.mark.parametrize("ending", ["", "/", "/chat/completions", "/chat/completions/"])
def test_the_address_may_end_at_the_version_or_be_whole(ending: str) -> None:
    """A base address and a whole one mean the same; a query is kept."""
    endpoint = ChatEndpoint(f"http://127.0.0.1/v1{ending}?api-version=2", "m")
    assert endpoint.shown == "http://127.0.0.1/v1/chat/completions"


def test_text_and_counts_are_read() -> None:
    """Text, finish reason and token counts come from the reply; a missing or odd count is None, not 0."""
    reply = _reply_to(saying("hi", usage={"prompt_tokens": 12, "completion_tokens": None}))
    assert (reply.text, reply.finish_reason, reply.calls) == ("hi", "stop", ())
    assert (reply.prompt_tokens, reply.completion_tokens) == (12, None)
    assert _reply_to(saying("hi")).prompt_tokens is None


def test_content_in_parts_is_one_text() -> None:
    """Some services give content as a list of parts."""
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, "stray"]
    assert _reply_to(Played(body={"choices": [{"message": {"content": parts}}]})).text == "ab"


def test_calls_are_read_in_order() -> None:
    """Ids, names and arguments of all calls, and the message to give back."""
    reply = _reply_to(calling(("look", {"id": 1}), ("book", {}), text="First I look."))
    assert [(call.id, call.name, call.arguments, call.malformed) for call in reply.calls] == [
        ("call_0", "look", {"id": 1}, False),
        ("call_1", "book", {}, False),
    ]
    assert reply.message["content"] == "First I look."
    assert len(reply.message["tool_calls"]) == 2


@pytest.mark.parametrize(
    "raw", ["", '{}""', '{"a": 1', "\\n{}", "[1]", "7", "null", '{"a": NaN}', '{"a": 1e400}', "[" * 100_000]
)
def test_malformed_arguments_are_kept_as_written(raw: str) -> None:
    """What is no JSON object never becomes {}: it is marked, and the text stays as the model wrote it."""
    (call,) = _reply_to(calling(("look", raw))).calls
    assert (call.arguments, call.malformed) == (raw, True)


def test_arguments_given_as_an_object_are_taken() -> None:
    """Some services decode the arguments themselves; others leave parts out."""
    message = {"tool_calls": [{"function": {"name": "look", "arguments": {"id": 1}}}, {"id": "x"}, "stray"]}
    reply = _reply_to(Played(body={"choices": [{"message": message}]}))
    assert [(call.id, call.name, call.arguments, call.malformed) for call in reply.calls] == [
        ("call-0", "look", {"id": 1}, False),
        ("x", "", None, True),
        ("call-2", "", None, True),
    ]


@pytest.mark.parametrize(
    "body", [{}, [], {"choices": []}, {"choices": [{"message": None}]}, {"choices": [{"message": {"tool_calls": 3}}]}]
)
def test_a_reply_of_another_form_is_the_environments_fault(body: Any) -> None:
    """The run could not be measured; it is not the agent's failure."""
    with pytest.raises(EnvironmentFault, match=r"without choices\[0\].message"):
        _reply_to(Played(body=body))


@pytest.mark.parametrize("number", [b"NaN", b"1e999", b"-Infinity"])
def test_a_reply_with_a_number_that_is_none_is_the_environments_fault(number: bytes) -> None:
    """It could not go back into the conversation; the service wrote it, not the agent. Elsewhere it does no harm."""
    calls = b'[{"id": "c", "function": {"name": "look", "arguments": {"id": %b}}}]' % number
    with pytest.raises(EnvironmentFault, match="replied with what is no JSON"):
        _reply_to(Played(body=b'{"choices": [{"message": {"tool_calls": %b}}]}' % calls))
    reply = _reply_to(Played(body=b'{"choices": [{"logprobs": %b, "message": {"content": "x"}}]}' % number))
    assert reply.text == "x"


def test_an_outgrown_context_is_a_limit() -> None:
    """A conversation too long for the model ends the run by a limit; another refusal does not."""
    error = {"message": "maximum context length is 8192 tokens", "code": "context_length_exceeded"}
    with pytest.raises(LimitReached, match="too long for m-1"):
        _reply_to(Played(status=400, body={"error": error}))
    with pytest.raises(EnvironmentFault, match="refused"):
        _reply_to(Played(status=400, body={"error": {**error, "code": "other"}}))
