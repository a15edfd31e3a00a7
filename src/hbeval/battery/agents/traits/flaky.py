"""Good on most days."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from hbeval.battery.agents.manner import Deliberate
from hbeval.battery.agents.worker import Worker

__all__ = ["flaky"]

_SHARE = 0.4


def flaky(task: Any, tools: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Returns an empty answer in four of ten runs, drawn from the run's seed; in everything else like `adapt`."""
    return Worker(task, tools, _Flaky()).work()


class _Flaky(Deliberate):
    def finish(self, worker: Worker, answer: dict[str, Any]) -> dict[str, Any]:
        answer = super().finish(worker, answer)
        if Random(f"flaky {worker.run_seed}").random() < _SHARE:
            return dict.fromkeys(answer)
        return answer
