"""Does the same again and hopes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hbeval.battery.agents.manner import Deliberate
from hbeval.battery.agents.record import Record, Tool
from hbeval.battery.agents.trouble import Gone, Trouble
from hbeval.battery.agents.worker import Worker

__all__ = ["blind_retry"]

_TIMES = 3


def blind_retry(task: Any, tools: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Repeats a failed call at once and unchanged, then gives up; insists on a source that is contradicted."""
    return Worker(task, tools, _Retrying()).work()


class _Retrying(Deliberate):
    def trouble(self, worker: Worker, trouble: Trouble) -> list[Record]:
        for _ in range(_TIMES):
            found = worker.attempt(trouble.tool, trouble.arguments)
            if not isinstance(found, Trouble):
                return found
        self.say(f"{trouble.what}. The operation failed.")
        raise Gone

    def conflict(self, worker: Worker, tool: Tool, record: Record, verifier: Tool, names: list[str]) -> None:
        asked = {name: record.values[name] for name in tool.declaration.parameters}
        for _ in range(_TIMES):
            worker.attempt(tool, asked)
        self.say(f"{tool.name} says what it says.")
