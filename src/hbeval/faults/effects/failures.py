"""The tool gives an error instead of a result: timeout, error status, rate limit, refused connection, now and then."""

from __future__ import annotations

from hbeval.faults.base import BoundaryError, Call, Effect, Interruption, Parameter

__all__ = ["CONNECTION_REFUSED", "ERROR", "INTERMITTENT", "RATE_LIMIT", "TIMEOUT"]

_REASONS = {
    400: "bad request",
    401: "not authorised",
    403: "forbidden",
    404: "not found",
    409: "conflict",
    429: "too many requests",
    500: "internal error",
    502: "bad gateway",
    503: "service unavailable",
    504: "gateway timeout",
}

_AFTER = Parameter(
    name="after_s", kind="number", meaning="seconds until the error arrives", default=0.0, low=0, high=3600
)
_CARRIED_OUT = Parameter(
    name="carried_out",
    kind="flag",
    meaning="the tool does its work all the same; only the reply is lost",
    default=False,
)
_STATUS = Parameter(
    name="status", kind="integer", meaning="status of the service's reply", default=503, low=400, high=599
)
_RETRY_AFTER = Parameter(
    name="retry_after_s",
    kind="number",
    meaning="seconds after which the service asks to be called again",
    default=2.0,
    low=0,
    high=86400,
)


def _timed_out(call: Call) -> Interruption:
    after_s = call.parameters["after_s"]
    return Interruption(
        wait_s=after_s,
        error=BoundaryError(kind="timeout", message=f"{call.target} did not answer within {after_s:g} s"),
        carried_out=call.parameters["carried_out"],
    )


def _errored(call: Call) -> Interruption:
    status = call.parameters["status"]
    return Interruption(
        wait_s=call.parameters["after_s"],
        error=BoundaryError(kind="error", message=_reply(call.target, status), status=status),
        carried_out=call.parameters["carried_out"],
    )


def _rate_limited(call: Call) -> Interruption:
    status, retry_after_s = call.parameters["status"], call.parameters["retry_after_s"]
    message = f"{_reply(call.target, status)}; retry after {retry_after_s:g} s"
    return Interruption(
        error=BoundaryError(kind="rate_limit", message=message, status=status, retry_after_s=retry_after_s)
    )


def _refused(call: Call) -> Interruption:
    return Interruption(error=BoundaryError(kind="connection_refused", message=f"{call.target} refused the connection"))


def _now_and_then(call: Call) -> Interruption:
    given = call.parameters
    if given["kind"] == "connection_refused":
        return _refused(call)
    if given["kind"] == "timeout":
        message = f"{call.target} did not answer within {given['after_s']:g} s"
        return Interruption(wait_s=given["after_s"], error=BoundaryError(kind="timeout", message=message))
    message = _reply(call.target, given["status"])
    return Interruption(
        wait_s=given["after_s"], error=BoundaryError(kind="error", message=message, status=given["status"])
    )


def _reply(target: str, status: int) -> str:
    return f"{target} replied {status} ({_REASONS.get(status, 'error')})"


TIMEOUT = Effect(
    name="timeout",
    meaning="no answer arrives in time",
    parameters=(
        Parameter(
            name="after_s", kind="number", meaning="seconds until the client gives up", default=5.0, low=0, high=3600
        ),
        _CARRIED_OUT,
    ),
    interrupt=_timed_out,
)
ERROR = Effect(
    name="error",
    meaning="the service replies with an error status",
    parameters=(_STATUS, _AFTER, _CARRIED_OUT),
    interrupt=_errored,
)
RATE_LIMIT = Effect(
    name="rate_limit",
    meaning="the service turns the call away and says when to come back",
    parameters=(
        Parameter(
            name="status", kind="integer", meaning="status of the service's reply", default=429, low=400, high=599
        ),
        _RETRY_AFTER,
    ),
    interrupt=_rate_limited,
)
CONNECTION_REFUSED = Effect(
    name="connection_refused", meaning="nothing listens where the service should be", interrupt=_refused
)
INTERMITTENT = Effect(
    name="intermittent",
    meaning="a call fails now and then; how often is the fault's probability",
    parameters=(
        Parameter(
            name="kind",
            kind="word",
            meaning="how it fails when it does",
            default="error",
            words=("error", "timeout", "connection_refused"),
        ),
        _STATUS,
        _AFTER,
    ),
    interrupt=_now_and_then,
)
