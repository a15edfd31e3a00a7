"""An agent to start from. Put a call of your own agent in place of the body of `agent`.

hbeval run agent:agent --battery battery.json
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hbeval.observe import plan, turn


def agent(task: Any, tools: dict[str, Callable[..., Any]]) -> dict[str, Any]:
    """Answer who owns a ticket and how many hours are left.

    `str(task)` is what is asked, `task.answer_schema` the form of the answer. `tools` maps names to callables; what is
    known of each is in its `.declaration`. Faults reach the agent as its tools would show them: as exceptions, or as
    results that are empty, late, cut or wrong. `turn` and `plan` leave the agent's own words in the record.
    """
    found = re.search(r"TIC-\d{4}", str(task))
    ticket = found.group() if found else ""
    for source in ("ticket_system", "ticket_mirror"):
        turn(f"I look {ticket} up in {source}, then have it confirmed.")
        try:
            record = tools[source](ticket_id=ticket)
            answer = {"owner": record["owner"], "hours_left": record["hours_left"]}
            if tools["confirm_ticket"](ticket_id=ticket, **answer)["confirmed"]:
                return answer
        except Exception as error:  # noqa: BLE001  whatever a tool raises is the agent's to handle
            plan(f"{source} did not do ({type(error).__name__}); I try another source.")
        else:
            plan(f"What {source} says was not confirmed; I try another source.")
    turn("No source is left that I could rely on; a person has to decide.")
    tools["ask_a_person"](reason=f"no source could be confirmed for {ticket}")
    return {"owner": None, "hours_left": None}
