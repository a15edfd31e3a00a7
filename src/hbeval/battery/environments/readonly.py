"""Objects that all runs share and that no agent can change for the others."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, NoReturn

__all__ = ["ReadOnly", "read_only"]


class ReadOnly(dict[str, Any]):
    """A JSON object that refuses changes; a copy of it, by `dict`, `copy` or `deepcopy`, is an ordinary one."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a tool's declaration is shared by all runs and cannot be changed; change a copy of it")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self) -> dict[str, Any]:
        return dict(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return {key: deepcopy(value, memo) for key, value in self.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


def read_only(value: Any) -> Any:
    """The JSON value with every object in it read-only. Lists are left as they are."""
    if isinstance(value, dict):
        return ReadOnly({key: read_only(each) for key, each in value.items()})
    return [read_only(each) for each in value] if isinstance(value, list) else value
