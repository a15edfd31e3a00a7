"""Acts well and says nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hbeval.battery.agents.manner import Deliberate
from hbeval.battery.agents.worker import Worker

__all__ = ["untraceable"]


def untraceable(task: Any, tools: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Leaves no reasoning in the record, so no call can be traced to what caused it; otherwise like `adapt`."""
    return Worker(task, tools, _Silent()).work()


class _Silent(Deliberate):
    def say(self, text: str) -> None:
        """Keep it to oneself."""
