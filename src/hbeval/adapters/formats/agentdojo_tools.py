"""Declarations of AgentDojo's public tools. The logs do not hold them; ours are data, in our own words."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from hbeval.model import ToolDeclaration, decode

__all__ = ["declarations"]


def declarations(suite: str) -> tuple[ToolDeclaration, ...]:
    """The declared tools of a suite; none for a suite that is not in the file."""
    return _all().get(suite, ())


@cache
def _all() -> dict[str, tuple[ToolDeclaration, ...]]:
    name = "agentdojo_tools.json"
    document = json.loads(files("hbeval.adapters.formats").joinpath(name).read_text("utf-8"))
    tools = {
        key: decode(ToolDeclaration, {"name": key, **value}, where=key) for key, value in document["tools"].items()
    }
    return {suite: tuple(tools[key] for key in keys) for suite, keys in document["suites"].items()}
