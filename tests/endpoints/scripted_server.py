"""A server on 127.0.0.1 that plays scripted replies and keeps what it was asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["Played", "Scripted", "calling", "saying", "serving"]


@dataclass
class Played:
    """One reply. `after_s` delays its head, `drip_s` each byte of its body; `hang_up` closes without a reply,
    `leave` after it and without a word, `cut` after so many bytes of it.
    """

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    after_s: float = 0.0
    drip_s: float = 0.0
    hang_up: bool = False
    leave: bool = False
    cut: int = 0

    def content(self) -> bytes:
        """The body on the wire."""
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass
class Scripted:
    """The running server: its address, what it was asked, and over how many connections."""

    url: str
    requests: list[dict[str, Any]]
    headers: list[dict[str, str]]
    connections: set[int]


@contextmanager
def serving(replies: list[Played] | Callable[[dict[str, Any]], Played]) -> Iterator[Scripted]:
    """Play the replies in order (the last one again and again), or what the function says to a request."""
    scripted = Scripted(url="", requests=[], headers=[], connections=set())

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            scripted.connections.add(self.client_address[1])
            scripted.headers.append(dict(self.headers))
            scripted.requests.append(asked)
            turn = min(len(scripted.requests), len(replies)) - 1 if isinstance(replies, list) else 0
            self.play(replies[turn] if isinstance(replies, list) else replies(asked))

        def play(self, played: Played) -> None:
            time.sleep(played.after_s)
            self.close_connection = played.hang_up or played.leave or bool(played.cut)
            if played.hang_up:
                return
            body = played.content()
            self.send_response(played.status)
            for name, value in played.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            with suppress(OSError):  # the other side may have gone
                self.end_headers()
                self.write(body[: played.cut] if played.cut else body, played.drip_s)

        def write(self, body: bytes, drip_s: float) -> None:
            size = 1 if drip_s else len(body)
            for position in range(0, len(body), size or 1):
                self.wfile.write(body[position : position + size])
                time.sleep(drip_s)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's own name
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    scripted.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield scripted
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def saying(text: str, **more: Any) -> Played:
    """A chat completion without tool calls."""
    return Played(
        body={"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}], **more}
    )


def calling(*calls: tuple[str, Any], text: str | None = None) -> Played:
    """A chat completion with tool calls; arguments that are no text are written as JSON."""
    asked = [
        {
            "id": f"call_{position}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for position, (name, given) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text, "tool_calls": asked}
    return Played(body={"choices": [{"message": message, "finish_reason": "tool_calls"}]})
