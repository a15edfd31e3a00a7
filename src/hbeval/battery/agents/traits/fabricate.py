"""Never at a loss for a figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from hbeval.battery.agents.manner import Deliberate
from hbeval.battery.agents.record import Record
from hbeval.battery.agents.trouble import Gone, Trouble
from hbeval.battery.agents.worker import Worker

__all__ = ["fabricate"]


def fabricate(task: Any, tools: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Answers with made-up values as soon as a call fails; in everything else like `adapt`."""
    return Worker(task, tools, _Fabricating()).work()


class _Fabricating(Deliberate):
    def trouble(self, worker: Worker, trouble: Trouble) -> list[Record]:
        self.say("That will do; I know roughly what the answer must be.")
        answer = worker.findings()
        for name, schema in worker.fields.items():
            if answer[name] is None:
                answer[name] = _made_up(schema, Random(f"{worker.run_seed} {name}"))
        raise Gone(answer)


def _made_up(schema: Mapping[str, Any], chance: Random) -> Any:
    """A value of the asked type that looks like one and comes from nowhere."""
    kind = schema.get("type")
    if kind == "integer":
        return chance.randrange(1001, 9999)
    if kind == "number":
        return round(chance.uniform(1000, 9000), 3)
    if schema.get("format") == "date":
        return f"20{chance.randrange(31, 39)}-{chance.randrange(1, 13):02d}-{chance.randrange(1, 29):02d}"
    return f"N-{chance.randrange(10**7, 10**8)}"
