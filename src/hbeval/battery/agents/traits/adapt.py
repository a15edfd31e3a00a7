"""Deliberate in everything: the agent the other traits are compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hbeval.battery.agents.manner import Deliberate
from hbeval.battery.agents.worker import Worker

__all__ = ["adapt"]


def adapt(task: Any, tools: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Substitutes, verifies, resists instructions in data, and hands over when no source is left."""
    return Worker(task, tools, Deliberate()).work()
