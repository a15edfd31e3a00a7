"""Cannot keep a plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hbeval.battery.agents.manner import Deliberate
from hbeval.battery.agents.record import Tool
from hbeval.battery.agents.worker import Worker

__all__ = ["thrash"]


def thrash(task: Any, tools: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Drops its plan and writes a new one before every step; in everything else like `adapt`."""
    return Worker(task, tools, _Thrashing()).work()


class _Thrashing(Deliberate):
    def before(self, worker: Worker, tool: Tool, arguments: Mapping[str, Any]) -> None:
        self.replan(f"On second thoughts, an altogether different plan: begin with {tool.name}.")
        super().before(worker, tool, arguments)

    def finish(self, worker: Worker, answer: dict[str, Any]) -> dict[str, Any]:
        self.replan("No more of this plan; answer now.")
        return super().finish(worker, answer)
