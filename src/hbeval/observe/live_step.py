"""The mutable form of a step while its call goes on. Outside this room there is only the frozen `Step`."""

from __future__ import annotations

from typing import Any

from hbeval.model import Outcome, Step, StepError

__all__ = ["CANCELLED", "LiveStep", "error_of", "is_cancellation"]

CANCELLED = "cancelled"
_MESSAGE = 2_000
_CANCELLATIONS = ("CancelledError", "GeneratorExit", "KeyboardInterrupt")


class LiveStep:
    """One call, from its start to its end.

    `within` is the step of the tool that made the call, if one did. A stream has `items` in place of a `result`, and
    what it `returned` at its end.
    """

    __slots__ = (
        "action",
        "arguments",
        "ended_at",
        "error",
        "items",
        "malformed",
        "outcome",
        "result",
        "returned",
        "seq",
        "started_at",
        "turn",
        "within",
    )

    def __init__(self, seq: int, action: str, arguments: Any, started_at: float, turn: int | None) -> None:
        self.seq, self.action, self.arguments = seq, action, arguments
        self.started_at, self.turn = started_at, turn
        self.ended_at: float | None = None
        self.outcome: Outcome | None = None
        self.error: StepError | None = None
        self.items: list[Any] | None = None
        self.malformed = False
        self.result: Any = None
        self.returned: Any = None
        self.within: int | None = None

    def frozen(self) -> Step:
        """The step as the trace holds it; a call still going on is unknown, and says so."""
        outcome = self.outcome
        extra: dict[str, Any] = {}
        if self.within is not None:
            extra["within"] = self.within
        if outcome is None:
            extra["unfinished"] = True
        if self.returned is not None:
            extra["returned"] = self.returned
        return Step(
            seq=self.seq,
            action=self.action,
            arguments=self.arguments,
            malformed=self.malformed,
            result=self.result if self.items is None else list(self.items),
            outcome=Outcome.UNKNOWN if outcome is None else outcome,
            error=self.error,
            id=f"step-{self.seq}",
            started_at=self.started_at,
            ended_at=self.ended_at,
            turn=self.turn,
            extra=extra,
        )


def is_cancellation(error: BaseException) -> bool:
    """Whether an exception says that the caller gave up, rather than that the tool failed."""
    return not isinstance(error, Exception) and any(kind.__name__ in _CANCELLATIONS for kind in type(error).__mro__)


def error_of(error: BaseException) -> StepError:
    """What an exception says of itself: its type's name, message, and status and retry-after where it carries them."""
    if is_cancellation(error):
        return StepError(kind=CANCELLED, message=type(error).__name__)
    return StepError(
        kind=type(error).__name__,
        message=_message(error),
        status=_status(error),
        retry_after_s=_retry_after(error),
    )


def _message(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception as worse:  # noqa: BLE001 - foreign code; the record says what it did
        return f"({type(worse).__name__} while reading the message)"
    return text if len(text) <= _MESSAGE else f"{text[:_MESSAGE]}…"


def _status(error: BaseException) -> int | None:
    for holder in (error, _attribute(error, "response")):
        for name in ("status", "status_code"):
            value = _attribute(holder, name)
            if isinstance(value, int) and not isinstance(value, bool):
                return int(value)
    return None


def _retry_after(error: BaseException) -> float | None:
    """Seconds: a `retry_after` attribute, else a Retry-After header given in seconds."""
    value = _attribute(error, "retry_after")
    if value is None:
        headers = _attribute(_attribute(error, "response"), "headers")
        try:
            value = headers.get("retry-after") or headers.get("Retry-After")
        except Exception:  # noqa: BLE001 - whatever `headers` is, it is no reason to disturb the agent
            value = None
    try:
        seconds = float(value) if isinstance(value, (int, float, str)) else None
    except ValueError:  # an HTTP date
        return None
    return seconds if seconds is not None and 0 <= seconds < float("inf") else None


def _attribute(holder: Any, name: str) -> Any:
    try:
        return getattr(holder, name, None)
    except Exception:  # noqa: BLE001 - a property of foreign code
        return None
