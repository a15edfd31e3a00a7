"""What a run would do: how many runs of what, which tools are there to be called, and what that may cost."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

from hbeval.battery import Battery
from hbeval.cli.console import Console
from hbeval.cli.tables import text_table
from hbeval.model import FaultType

__all__ = ["dry_run"]


def dry_run(args: argparse.Namespace, battery: Battery, console: Console) -> int:
    """Say it; 0. The agent is not even imported."""
    kinds = tuple(FaultType) if args.faults is None else tuple(FaultType(x) for x in args.faults if x != "none")
    chosen = battery.arrange(
        scenarios=args.scenarios, repeats=args.repeats, seed=args.seed, domains=args.domains, faults=kinds
    )
    cells = Counter((each.domain, each.condition.value if each.condition else "none") for each in chosen.scenarios)
    tools = _tools(args, battery)
    longest = len(chosen.scenarios) * args.timeout_s / args.concurrency
    document = {
        "schema": "hbeval-dry-run/1",
        "agent": args.agent,
        "battery": battery.id,
        "scenario_set_digest": chosen.digest,
        "fault_spec_fingerprint": battery.specification.fingerprint,
        "runs": len(chosen.scenarios),
        "cells": [{"domain": domain, "fault": fault, "runs": runs} for (domain, fault), runs in sorted(cells.items())],
        "gaps": list(chosen.gaps),
        "tools": tools,
        "longest_s": longest,
        "cost": None,
        "cost_reason": "what a call of the agent costs is not known here",
    }
    console.document(document)
    if not console.json:
        _say(document, console)
    return 0


def _tools(args: argparse.Namespace, battery: Battery) -> list[dict[str, Any]]:
    return [
        {"tool": name, "domain": domain.name, "writes": declaration.writes, "handover": declaration.handover}
        for domain in battery.chosen(args.domains)
        for name, declaration in domain.declarations.items()
    ]


def _say(document: dict[str, Any], console: Console) -> None:
    console.say(f"{document['agent']}: {document['runs']} runs of {document['battery']}; nothing is called now")
    rows = [(each["domain"], each["fault"], each["runs"]) for each in document["cells"]]
    console.say("\n" + text_table("", ("domain", "fault", "runs"), rows, console))
    for gap in document["gaps"]:
        console.say(f"not covered: {gap}")
    console.say(
        f"\nAt least {document['runs']} calls of the agent; at most {document['longest_s']:g} s at its deadline."
    )
    console.say("Cost: not known here; it is runs × what one run of your agent costs.")
    writing = [each["tool"] for each in document["tools"] if each["writes"]]
    console.say(f"The battery's tools act on the memory of one run only; these write to it: {', '.join(writing)}.")
    console.say("WARNING: tools of your own that your agent calls are real. Those that write will write.")
