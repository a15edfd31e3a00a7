"""JSON over HTTP with a deadline, retries and kept connections. Standard library only.

Messages of errors name the address without user, password and query, and never a header.
"""

from __future__ import annotations

import http.client
import itertools
import json
import re
import socket
import ssl
import time
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from hbeval.errors import EnvironmentFault, UsageError
from hbeval.model import dumps

__all__ = ["Http", "Refused", "Retries"]

_AGAIN = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
_LARGEST_REPLY = 32 * 1024 * 1024
_SHOWN = 300
_SECRET_PARTS = re.compile(r"(?<=//)[^/@]*@|[?#].*", re.DOTALL)


class Refused(EnvironmentFault):
    """The endpoint refuses the request itself, so that asking again is no use. `code` is its own word for why."""

    def __init__(self, message: str, *, status: int, code: str | None = None) -> None:
        super().__init__(message)
        self.status, self.code = status, code


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """When to ask again: at most `times` more, after `first_s`, then `growth` times as long, at most `longest_s`.

    A Retry-After of the service counts instead, up to `longest_s`. A wait that would pass the deadline is not begun.
    """

    times: int = 4
    first_s: float = 0.5
    growth: float = 2.0
    longest_s: float = 30.0

    def wait_s(self, attempt: int, retry_after_s: float | None) -> float:
        """Seconds to wait before attempt number `attempt` (the first retry is 1)."""
        own = self.first_s * self.growth ** (attempt - 1)
        return min(own if retry_after_s is None else max(retry_after_s, 0.0), self.longest_s)


@dataclass(slots=True, kw_only=True)
class _Answer:
    status: int
    body: bytes
    retry_after_s: float | None


@dataclass(kw_only=True, eq=False)
class Http:
    """A client for one address. Safe between threads, each of which has a connection to itself while it posts.

    headers     sent with every request; secrets belong here, they appear in no message
    deadline_s  for one `post`, retries and waits included
    clock, sleep   monotonic seconds, and the waiting between attempts

    Raises UsageError for an address that is none.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    deadline_s: float = 60.0
    retries: Retries = field(default_factory=Retries)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _idle: list[http.client.HTTPConnection] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        if not _is_address(self.url):
            raise UsageError(f"{self.shown!r} is no address of an endpoint; expected http(s)://host[:port]/path")
        for name, value in self.headers.items():
            if not value.isprintable() or not value.isascii():
                raise UsageError(f"header {name} holds characters that no header may hold; check for line breaks")
        weakref.finalize(self, _close_all, self._idle)

    @property
    def shown(self) -> str:
        """The address as messages show it: without user, password, query and fragment."""
        return _SECRET_PARTS.sub("", self.url)

    def post(self, value: Any) -> Any:
        """Send a JSON value and give the JSON value that comes back.

        Raises EnvironmentFault if the endpoint cannot be reached, keeps failing (429, 5xx), passes the deadline or
        replies in something else than JSON; Refused if it will not have the request (other 4xx).
        """
        body = dumps(value).encode("ascii")
        ends_at = self.clock() + self.deadline_s
        for attempt in itertools.count(1):
            retry_after_s = None
            try:
                answer = self._once(body, ends_at)
            except (OSError, http.client.HTTPException) as error:
                trouble = _network_words(error)
            else:
                if answer.status < 300:
                    return self._decoded(answer.body)
                if answer.status not in _AGAIN:
                    raise self._refusal(answer)
                trouble = f"it replied {answer.status}{_said(answer.body)[0]}"
                retry_after_s = answer.retry_after_s
            wait_s = self.retries.wait_s(attempt, retry_after_s)
            if attempt > self.retries.times or self.clock() + wait_s >= ends_at:
                after = f"attempt {attempt}, deadline {self.deadline_s:g} s"
                raise EnvironmentFault(f"{self.shown} cannot be used: {trouble} ({after})")
            self.sleep(wait_s)
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Close the connections that are kept. The client stays usable."""
        _close_all(self._idle)

    def _once(self, body: bytes, ends_at: float) -> _Answer:
        """One attempt. A kept connection that the other side has closed meanwhile is replaced once."""
        with suppress(IndexError, http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            return self._exchange(self._idle.pop(), body, ends_at)
        return self._exchange(self._connection(), body, ends_at)

    def _connection(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.url)
        assert parts.hostname is not None
        if parts.scheme == "https":
            return http.client.HTTPSConnection(parts.hostname, parts.port, context=ssl.create_default_context())
        return http.client.HTTPConnection(parts.hostname, parts.port)

    def _exchange(self, connection: http.client.HTTPConnection, body: bytes, ends_at: float) -> _Answer:
        left_s = ends_at - self.clock()
        if left_s <= 0:
            raise TimeoutError("the deadline has passed")
        connection.timeout = left_s
        if connection.sock is not None:
            connection.sock.settimeout(left_s)
        try:
            connection.request("POST", _target(self.url), body=body, headers=self._all_headers())
            sock = connection.sock
            response = connection.getresponse()
            answer = _Answer(
                status=response.status,
                body=self._read(response, sock, ends_at),
                retry_after_s=_seconds(response.getheader("Retry-After")),
            )
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._idle.append(connection)
        return answer

    def _read(self, response: http.client.HTTPResponse, sock: socket.socket, ends_at: float) -> bytes:
        """The whole body, within the deadline however slowly it drips, and within a size."""
        parts: list[bytes] = []
        size = 0
        while chunk := response.read1(65536):
            size += len(chunk)
            parts.append(chunk)
            if size > _LARGEST_REPLY:
                raise OSError(f"the reply is larger than {_LARGEST_REPLY} bytes")
            left_s = ends_at - self.clock()
            if left_s <= 0:
                raise TimeoutError("the deadline has passed")
            sock.settimeout(left_s)
        if response.length:
            raise http.client.IncompleteRead(b"".join(parts), response.length)
        response.close()  # a body read to its end does not do so by itself; until then the connection is not free
        return b"".join(parts)

    def _all_headers(self) -> dict[str, str]:
        return {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": "hbeval",
            **self.headers,
        }

    def _refusal(self, answer: _Answer) -> Refused:
        words, code = _said(answer.body)
        message = f"{self.shown} refused the request with {answer.status}{words}; {_remedy(answer.status)}"
        return Refused(message, status=answer.status, code=code)

    def _decoded(self, body: bytes) -> Any:
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:
            begin = body[:80].decode("utf-8", "replace")
            raise EnvironmentFault(f"{self.shown} replied with something that is no JSON: {begin!r}") from error


def _close_all(connections: list[http.client.HTTPConnection]) -> None:
    while connections:
        connections.pop().close()


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port is not False
    except ValueError:
        return False
    return known and url.isascii() and url.isprintable() and " " not in url


def _target(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _network_words(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "no answer within the deadline"
    if isinstance(error, socket.gaierror):
        return "its host name is not known"
    if isinstance(error, http.client.HTTPException):
        return f"the connection broke off ({type(error).__name__})"
    return f"{error.strerror or error}" if isinstance(error, OSError) else str(error)


def _said(body: bytes) -> tuple[str, str | None]:
    """What a service says of its trouble, cut short and in brackets, and its code for it."""
    text, code = " ".join(body[: _SHOWN * 4].decode("utf-8", "replace").split()), None
    try:
        said = json.loads(body)["error"]
        text, code = (str(said["message"]), said.get("code")) if isinstance(said, Mapping) else (str(said), None)
    except (ValueError, LookupError, TypeError, RecursionError):
        pass  # not the usual form; the beginning of what it said will do
    return (f" ({text[:_SHOWN]})" if text else ""), code if isinstance(code, str) else None


def _remedy(status: int) -> str:
    if status in (401, 403):
        return "check the key"
    if status == 404 or status < 400:
        return "check the address and the model's name"
    return "check the request"


def _seconds(header: str | None) -> float | None:
    """Retry-After as seconds: a number, or a date."""
    if header is None:
        return None
    try:
        return float(header)
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(header)
    except (ValueError, TypeError):
        return None
    return (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
