"""What a tool can do: six general operations that turn arguments into a result, over the state of one run.

read      fields of one record, or of several records joined by their keys, with figures computed from them
search    the rows that match the arguments, in a stated order
verify    compares values the caller claims with a second source
total     figures over a list of records
commit    changes the world: checks that it can be done, changes rows, gives a receipt
handover  passes the case to a human and gives a receipt
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hbeval.battery.environments.acts import Commit, Handover
from hbeval.battery.environments.reads import Read, Search, Total, Verify
from hbeval.errors import InputError
from hbeval.model import decode

__all__ = ["OPERATIONS", "Operation", "read_operation"]

Operation = Read | Search | Verify | Total | Commit | Handover
OPERATIONS: dict[str, type[Operation]] = {
    "read": Read,
    "search": Search,
    "verify": Verify,
    "total": Total,
    "commit": Commit,
    "handover": Handover,
}


def read_operation(value: Mapping[str, Any], where: str) -> Operation:
    """The operation of a tool document. Raises InputError on an unknown kind, field or expression."""
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in OPERATIONS:
        right = "one of " + ", ".join(OPERATIONS)
        raise InputError("no such operation", where=f"{where}.kind", value=kind, right=right)
    operation = decode(OPERATIONS[kind], value, where=where)
    for name in operation.extra:
        right = f"a field of the operation {kind!r}; see docs/environments.md"
        raise InputError("unknown field", where=where, value=name, right=right)
    return operation
