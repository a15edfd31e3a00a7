"""JSON over HTTP, held against a real server that misbehaves on purpose."""

from __future__ import annotations

import gc
import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from hbeval.endpoints import Http, Refused, Retries
from hbeval.errors import EnvironmentFault, UsageError
from tests.endpoints.scripted_server import Played, serving

FAST = Retries(times=3, first_s=0.01, longest_s=0.05)


def test_a_json_value_comes_back() -> None:
    """What is posted arrives as JSON, and the reply's JSON is given."""
    with serving([Played(body={"ok": [1, None, "ü"]})]) as server:
        client = Http(url=server.url, headers={"X-Test": "yes"})
        assert client.post({"a": "ü\ud800"}) == {"ok": [1, None, "ü"]}
        assert server.requests == [{"a": "ü\ud800"}]
        assert server.headers[0]["X-Test"] == "yes"
        client.close()


def test_connections_are_kept() -> None:
    """Posts one after the other use one connection; after `close` there is a new one."""
    with serving([Played(body={})]) as server:
        client = Http(url=server.url)
        for _ in range(3):
            client.post({})
        assert len(server.connections) == 1
        client.close()
        client.post({})
        assert len(server.connections) == 2
        client.close()


def test_a_kept_connection_that_was_closed_is_replaced() -> None:
    """A server that closes between two posts, announced or not, costs no retry."""
    replies = [Played(body={}, headers={"Connection": "close"}), Played(body={}, leave=True), Played(body={"n": 3})]
    with serving(replies) as server:
        client = Http(url=server.url, retries=Retries(times=0))
        client.post({})
        client.post({})
        time.sleep(0.05)
        assert client.post({}) == {"n": 3}
        client.close()


def test_connections_are_closed_with_the_client() -> None:
    """A client that is forgotten leaves no open socket behind (pytest turns such warnings into errors)."""
    with serving([Played(body={})]) as server:
        client = Http(url=server.url)
        client.post({})
        del client
        gc.collect()


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_trouble_that_passes_is_retried(status: int) -> None:
    """A busy or failing service is asked again, with growing waits."""
    waits: list[float] = []
    with serving([Played(status=status), Played(status=status), Played(body={"n": 3})]) as server:
        client = Http(url=server.url, retries=Retries(first_s=0.5, growth=3.0), sleep=waits.append)
        assert client.post({}) == {"n": 3}
        assert waits == [0.5, 1.5]
        client.close()


def test_retry_after_is_honoured() -> None:
    """Retry-After in seconds or as a date replaces the own wait, up to the longest one."""
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=9), usegmt=True)
    replies = [
        Played(status=429, headers={"Retry-After": "7"}),
        Played(status=503, headers={"Retry-After": soon}),
        Played(status=503, headers={"Retry-After": "when the cows come home"}),
        Played(status=429, headers={"Retry-After": "4000"}),
        Played(body={}),
    ]
    waits: list[float] = []
    with serving(replies) as server:
        client = Http(url=server.url, retries=Retries(first_s=0.5, longest_s=20), sleep=waits.append)
        client.post({})
        client.close()
    assert waits[0] == 7
    assert 6 < waits[1] <= 9
    assert waits[2:] == [2.0, 20]


def test_persistent_trouble_is_the_environments_fault() -> None:
    """After the last attempt the error says address, status, words of the service and how often it was asked."""
    with serving([Played(status=503, body={"error": {"message": "over capacity"}})]) as server:
        client = Http(url=server.url, retries=FAST)
        with pytest.raises(EnvironmentFault, match=r"replied 503 \(over capacity\) \(attempt 4") as caught:
            client.post({})
        assert server.url in str(caught.value)
        assert len(server.requests) == 4
        client.close()


def test_an_unreachable_address_is_the_environments_fault() -> None:
    """A refused connection and an unknown host are told apart, each in one line."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(EnvironmentFault, match="Connection refused"):
        Http(url=f"http://127.0.0.1:{port}/v1", retries=FAST).post({})
    with serving([Played(body={})]) as server, pytest.raises(EnvironmentFault, match=r"cannot be used: .*SSL"):
        Http(url=server.url.replace("http:", "https:"), retries=Retries(times=0)).post({})
    with pytest.raises(EnvironmentFault, match="host name is not known"):
        Http(url="http://nowhere.invalid/v1", retries=Retries(times=0)).post({})


@pytest.mark.parametrize("slow", [Played(body={}, after_s=0.6), Played(body={"a": "b" * 50}, drip_s=0.02)])
def test_the_deadline_holds(slow: Played) -> None:
    """A reply that is late, or that drips, ends at the deadline."""
    with serving([slow]) as server:
        client = Http(url=server.url, deadline_s=0.2, retries=FAST)
        began = time.monotonic()
        with pytest.raises(EnvironmentFault, match="no answer within the deadline"):
            client.post({})
        assert time.monotonic() - began < 0.5


def test_a_wait_that_would_pass_the_deadline_is_not_begun() -> None:
    """Nobody waits for something that cannot come in time."""
    waits: list[float] = []
    with serving([Played(status=429, headers={"Retry-After": "30"})]) as server:
        client = Http(url=server.url, deadline_s=5, sleep=waits.append)
        with pytest.raises(EnvironmentFault, match="429"):
            client.post({})
        assert waits == []
        client.close()


@pytest.mark.parametrize("broken", [Played(hang_up=True), Played(body={"a": "b" * 100}, cut=20)])
def test_a_connection_that_breaks_off_is_retried(broken: Played) -> None:
    """A hang-up and a reply cut short are trouble of the network, and may pass."""
    with serving([broken, Played(body={"n": 2})]) as server:
        client = Http(url=server.url, retries=FAST)
        assert client.post({}) == {"n": 2}
        client.close()
    with serving([broken]) as server:
        client = Http(url=server.url, retries=FAST)
        with pytest.raises(EnvironmentFault, match="the connection broke off"):
            client.post({})
        client.close()


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (401, {"error": {"message": "bad key", "code": "invalid_api_key"}}, r"401 \(bad key\); check the key"),
        (404, {"error": "no such model"}, r"404 \(no such model\); check the address and the model's name"),
        (400, b"<html>Bad   Request</html>", r"400 \(<html>Bad Request</html>\); check the request"),
        (422, b"", r"422; check the request"),
        (307, b"moved", r"307 \(moved\); check the address"),
    ],
)
def test_a_refusal_is_not_retried(status: int, body: object, words: str) -> None:
    """A request that is refused is asked once; the message holds the service's words and what to check."""
    with serving([Played(status=status, body=body)]) as server:
        client = Http(url=server.url, retries=FAST)
        with pytest.raises(Refused, match=words) as caught:
            client.post({})
        assert caught.value.status == status
        assert caught.value.code == ("invalid_api_key" if status == 401 else None)
        assert len(server.requests) == 1
        client.close()


def test_a_reply_that_is_no_json_is_the_environments_fault() -> None:
    """A page of a proxy in place of the endpoint is shown by its beginning."""
    with serving([Played(body=b"<html>hello</html>")]) as server:
        client = Http(url=server.url)
        with pytest.raises(EnvironmentFault, match="no JSON: '<html>hello"):
            client.post({})
        client.close()


def test_a_reply_without_end_is_not_read_to_its_end() -> None:
    """Replies are bounded."""
    endless = Played(body=b" " * (33 * 1024 * 1024))
    with serving([endless]) as server, pytest.raises(EnvironmentFault, match="larger than 33554432 bytes"):
        Http(url=server.url, retries=Retries(times=0)).post({})


def test_no_secret_is_in_any_message() -> None:
    """Neither header nor user, password or query of the address show up in errors or in the client's own text."""
    with serving([Played(status=401)]) as server:
        url = server.url.replace("http://", "http://anna:geheim@") + "?key=verborgen#frag"
        client = Http(url=url, headers={"Authorization": "Bearer sk-streng"}, retries=FAST)
        with pytest.raises(Refused) as caught:
            client.post({})
        client.close()
    text = f"{caught.value} {caught.value.__cause__} {client.shown}"
    for secret in ("anna", "geheim", "verborgen", "frag", "sk-streng"):
        assert secret not in text
    assert "sk-streng" not in repr(client)
    with pytest.raises(UsageError) as refused:
        Http(url="http://anna:geheim@[::1/v1")
    assert "geheim" not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["", "ftp://x/y", "http://", "http:///v1", "http://host:99999/", "http://ho st/", "http://[::1/"]
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    """Addresses are checked before anything is sent."""
    with pytest.raises(UsageError, match="no address of an endpoint"):
        Http(url=url)


def test_a_header_with_a_line_break_is_refused() -> None:
    """A key pasted with its line break is named without being shown."""
    with pytest.raises(UsageError, match="header Authorization") as caught:
        Http(url="http://127.0.0.1/v1", headers={"Authorization": "Bearer sk-1\n"})
    assert "sk-1" not in str(caught.value)
