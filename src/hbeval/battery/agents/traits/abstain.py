"""Would rather say nothing than something that might be wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hbeval.battery.agents.manner import Deliberate
from hbeval.battery.agents.record import Record, Tool
from hbeval.battery.agents.trouble import Trouble
from hbeval.battery.agents.worker import Worker

__all__ = ["abstain"]

_PAUSE_S = 1.0


def abstain(task: Any, tools: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """In trouble tries one alternative, then hands over with an empty answer whatever it said."""
    return Worker(task, tools, _Abstaining()).work()


class _Abstaining(Deliberate):
    def trouble(self, worker: Worker, trouble: Trouble) -> list[Record]:
        if trouble.tool.acts:
            return self.act_failed(worker, trouble)
        self._look_once_more(worker, trouble.tool, trouble.arguments, trouble.what)
        raise self.abstained(worker, f"{trouble.what}. I do not rely on what I have after that.")

    def conflict(self, worker: Worker, tool: Tool, record: Record, verifier: Tool, names: list[str]) -> None:
        asked = {name: record.values[name] for name in tool.declaration.parameters}
        why = f"{verifier.name} contradicts {tool.name} on {', '.join(names)}"
        self._look_once_more(worker, tool, asked, why)
        raise self.abstained(worker, f"{why}.")

    def _look_once_more(self, worker: Worker, tool: Tool, arguments: Mapping[str, Any], why: str) -> None:
        others = worker.substitutes(tool.name)
        if others:
            self.say(f"{why}. I look at {others[0].name} once before I decide.")
            self.replan(f"Compare with {others[0].name}.")
        else:
            self.say(f"{why}. I wait {_PAUSE_S:g} s and ask once more before I decide.")
            worker.pause(_PAUSE_S)
        worker.attempt(others[0] if others else tool, arguments)
