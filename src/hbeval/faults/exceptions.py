"""What a real client would raise at a broken boundary."""

from __future__ import annotations

import builtins
import importlib
from collections.abc import Mapping
from typing import Any, get_args

from hbeval.errors import UsageError
from hbeval.faults.base import BoundaryError, ErrorKind

__all__ = ["Raises", "ServiceError", "exception_for", "resolve_raises"]

Raises = type[Exception] | str | Mapping[str, type[Exception] | str]


class ServiceError(Exception):
    """A service replied with an error status. `retry_after` is in seconds, None if the service did not say."""

    def __init__(self, message: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = self.status_code = status
        self.retry_after = retry_after


def resolve_raises(raises: Raises | None) -> Mapping[str, type[Exception]]:
    """Error kind -> exception type, from a class, a dotted path, or a mapping of kinds to these.

    Raises UsageError on what is not an exception type, on an unknown kind and on a path that leads nowhere.
    """
    kinds: tuple[str, ...] = get_args(ErrorKind)
    if raises is None:
        return {}
    if not isinstance(raises, Mapping):
        return dict.fromkeys(kinds, _type_of(raises))
    for kind in raises:
        if kind not in kinds:
            raise UsageError(f"raises= has unknown error kind {kind!r}; kinds are {', '.join(kinds)}")
    return {kind: _type_of(named) for kind, named in raises.items()}


def exception_for(error: BoundaryError, types: Mapping[str, type[Exception]]) -> Exception:
    """The exception to raise: of the user's type if one is named for the kind, else of the standard library's or ours.

    A user's type gets the message as its only argument, and `status`, `status_code` and `retry_after` as attributes.
    """
    named = types.get(error.kind)
    if named is not None:
        return _of_type(named, error)
    if error.kind == "timeout":
        return TimeoutError(error.message)
    if error.kind == "connection_refused":
        return ConnectionRefusedError(error.message)
    return ServiceError(error.message, status=error.status, retry_after=error.retry_after_s)


def _of_type(named: type[Exception], error: BoundaryError) -> Exception:
    try:
        made = named(error.message)
    except Exception:  # noqa: BLE001 - a constructor with other needs is passed by; the type is what clients catch
        made = named.__new__(named, error.message)
    facts = {"status": error.status, "status_code": error.status, "retry_after": error.retry_after_s}
    for name, value in facts.items():
        if value is not None and getattr(made, name, None) is None:
            _set(made, name, value)
    return made


def _set(made: Exception, name: str, value: Any) -> None:
    try:
        setattr(made, name, value)
    except (AttributeError, TypeError):
        return  # the type forbids it; its message still says it


def _type_of(named: object) -> type[Exception]:
    found = _import(named) if isinstance(named, str) else named
    if not (isinstance(found, type) and issubclass(found, Exception)):
        raise UsageError(f"raises={named!r} is not an exception type; name a class or its dotted path")
    return found


def _import(path: str) -> object:
    module, _, name = path.rpartition(".")
    if not module:
        return getattr(builtins, name, None)
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"raises={path!r} leads to no exception type ({error}); name a class or its path") from error
