"""Declarations of the public tools of τ-bench and τ²-bench. The logs do not hold them; ours are data."""

from __future__ import annotations

import json
from collections.abc import Set
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from hbeval.model import ToolDeclaration, decode

__all__ = ["THINK", "declarations", "domain_of"]

THINK = "think"


class _Known(NamedTuple):
    policies: dict[str, str]
    shared: tuple[ToolDeclaration, ...]
    domains: dict[str, tuple[ToolDeclaration, ...]]


def declarations(domain: str | None) -> tuple[ToolDeclaration, ...]:
    """The declared tools of a domain; of one that is not in the file, those that all domains have."""
    known = _known()
    return known.domains.get(domain or "", ()) + known.shared


def domain_of(policy: str, called: Set[str]) -> str | None:
    """The domain whose policy has this first heading; else the only one that has every called tool; else None."""
    known = _known()
    heading = policy.lstrip().partition("\n")[0].strip("# ").lower()
    if heading in known.policies:
        return known.policies[heading]
    own = called - {tool.name for tool in known.shared}
    able = [name for name, tools in known.domains.items() if own and own <= {tool.name for tool in tools}]
    return able[0] if len(able) == 1 else None


@cache
def _known() -> _Known:
    document = json.loads(files("hbeval.adapters.formats").joinpath("tau_tools.json").read_text("utf-8"))
    return _Known(
        document["policies"],
        _declared(document["shared"]),
        {domain: _declared(tools) for domain, tools in document["domains"].items()},
    )


def _declared(tools: dict[str, dict[str, object]]) -> tuple[ToolDeclaration, ...]:
    return tuple(decode(ToolDeclaration, {"name": name, **tool}, where=name) for name, tool in tools.items())
