"""What a broken boundary raises."""

from __future__ import annotations

from typing import Any

import pytest

from hbeval.errors import HbevalError, UsageError
from hbeval.faults import BoundaryError, ServiceError, exception_for, resolve_raises

TIMED_OUT = BoundaryError(kind="timeout", message="late")
LIMITED = BoundaryError(kind="rate_limit", message="busy", status=429, retry_after_s=2.0)


class Strict(Exception):
    """A client's exception that cannot be made from a message."""

    def __init__(self, message: str, *, response: object) -> None:
        super().__init__(message)
        self.response = response


class Closed(Exception):
    """A client's exception that forbids new attributes."""

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(name)


def test_the_defaults_are_what_a_real_client_raises() -> None:
    """Of the standard library where it has a type; none of them is an error of hbeval."""
    refused = BoundaryError(kind="connection_refused", message="no")
    assert type(exception_for(TIMED_OUT, {})) is TimeoutError
    assert type(exception_for(refused, {})) is ConnectionRefusedError
    limited = exception_for(LIMITED, {})
    assert isinstance(limited, ServiceError)
    assert (limited.status, limited.status_code, limited.retry_after, str(limited)) == (429, 429, 2.0, "busy")
    assert not isinstance(limited, HbevalError)


@pytest.mark.parametrize("raises", [KeyError, "KeyError", "builtins.KeyError"])
def test_a_user_names_the_type_by_class_or_path(raises: Any) -> None:
    """For every kind of error."""
    types = resolve_raises(raises)
    assert type(exception_for(TIMED_OUT, types)) is KeyError
    assert type(exception_for(LIMITED, types)) is KeyError


def test_a_mapping_names_types_for_single_kinds() -> None:
    """The others keep their defaults; nested dotted paths lead to modules."""
    types = resolve_raises({"rate_limit": "json.decoder.JSONDecodeError", "timeout": LookupError})
    assert type(exception_for(TIMED_OUT, types)) is LookupError
    assert type(exception_for(LIMITED, types)).__name__ == "JSONDecodeError"
    assert type(exception_for(BoundaryError(kind="error", message="x", status=500), types)) is ServiceError


def test_a_type_with_other_needs_is_made_all_the_same() -> None:
    """Clients catch the type and read the status."""
    made: Any = exception_for(LIMITED, resolve_raises(Strict))
    assert type(made) is Strict
    assert (str(made), made.status, made.retry_after) == ("busy", 429, 2.0)


def test_a_type_that_forbids_attributes_still_carries_its_words() -> None:
    """Nothing breaks in the agent because of us."""
    assert str(exception_for(LIMITED, resolve_raises(Closed))) == "busy"


@pytest.mark.parametrize(
    ("raises", "message"),
    [
        (int, "is not an exception type"),
        (BaseException, "is not an exception type"),
        ("NoSuchError", "is not an exception type"),
        ("no.such.module.Error", "leads to no exception type"),
        ("json.NoSuchError", "leads to no exception type"),
        ({"time_out": KeyError}, "unknown error kind 'time_out'; kinds are timeout, connection_refused"),
        ({"timeout": 3}, "is not an exception type"),
        (ValueError("x"), "is not an exception type"),
    ],
)
def test_what_is_no_exception_type_is_refused_when_wrapping(raises: Any, message: str) -> None:
    """Not at the first fault."""
    with pytest.raises(UsageError, match=message):
        resolve_raises(raises)
