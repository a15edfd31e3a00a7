"""What the text of a run-level error says about how the run ended."""

from __future__ import annotations

from hbeval.model import Ending

__all__ = ["ending_of_error"]

_CANCELLED = ("cancellederror", "keyboardinterrupt", "cancelled by", "interrupted by")
_CONTEXT = (
    "context_length",
    "context length",
    "context window",
    "maximum context",
    "prompt is too long",
    "too many tokens",
)
_INFRASTRUCTURE = (
    "server error",
    "internal error",
    "servererror",
    "status_code: 5",
    "error code: 5",
    "service unavailable",
    "serviceunavailable",
    "overloaded",
    "bad gateway",
    "gateway time",
    "timed out",
    "timeout",
    "connection",
    "rate limit",
    "rate_limit",
    "ratelimit",
    "too many requests",
    "insufficient_quota",
    "authenticationerror",
    "permissiondenied",
    "docker",
    "container",
    "no space left",
)


def ending_of_error(text: str) -> tuple[Ending, str]:
    """The ending and its detail. The first group of signs that occurs decides.

    An error that shows none of them is taken for one of the harness: invalid, until somebody knows better.
    """
    words = text.lower()
    line = text.strip().splitlines()[-1] if text.strip() else "no message"
    for ending, signs, says in (
        (Ending.CANCELLED, _CANCELLED, ""),
        (Ending.LIMIT, _CONTEXT, "context length: "),
        (Ending.INFRASTRUCTURE, _INFRASTRUCTURE, ""),
    ):
        if any(sign in words for sign in signs):
            return ending, says + line
    return Ending.HARNESS_ERROR, f"unknown run error: {line}"
