"""`hbeval faults`: the fault types and effects there are, and what a plan would inject where."""

from __future__ import annotations

import argparse
from typing import Any

from hbeval.battery.tasks import STANDARD, BatteryTask, Domain, Environment, load_domain
from hbeval.cli.console import Console
from hbeval.cli.parser import Parser, command, count, seed, word
from hbeval.cli.suggest import choose
from hbeval.cli.tables import text_table
from hbeval.errors import UsageError
from hbeval.faults import BUILTIN, FaultTargets, Meeting, Specification, plan_for, preview
from hbeval.model import FaultType, dumps, encode

__all__ = ["execute", "parser"]


def parser() -> Parser:
    """The command's arguments."""
    made = command(
        "faults",
        "Fault types, effects and plans.",
        description="list shows the six fault types and every effect at the tool boundary with its parameters;\n"
        "preview shows what would be injected where, call by call, for one task and seed. Nothing is run.",
        example="hbeval faults preview cascade --domain logistics --seed 7",
    )
    made.add_argument("action", type=word("action", "list", "preview"), metavar="list|preview")
    made.add_argument("type", nargs="?", metavar="TYPE", help="preview: the fault type")
    made.add_argument("--domain", default=STANDARD[0], help="preview: the domain of the task (default %(default)s)")
    made.add_argument("--task", metavar="ID", help="preview: the task (default: the domain's first that fits)")
    made.add_argument("--variant", help="preview: the variant (default: drawn from the seed)")
    made.add_argument("--seed", type=seed, default=7, help="preview: the seed (default %(default)s)")
    made.add_argument("--calls", type=count, default=5, metavar="N", help="preview: calls per target (default 5)")
    return made


def execute(args: argparse.Namespace, console: Console) -> int:
    """List or preview."""
    return _list(console) if args.action == "list" else _preview(args, console)


def _list(console: Console) -> int:
    specification = Specification.load()
    types = [
        {"type": kind.value, "title": each.title, "meaning": each.meaning, "variants": [v.id for v in each.variants]}
        for kind, each in specification.types.items()
    ]
    effects = [
        {
            "effect": each.name,
            "meaning": each.meaning,
            "degrades": each.degraded,
            "parameters": [{"name": p.name, "meaning": p.meaning, "right": p.right} for p in each.parameters],
        }
        for each in BUILTIN
    ]
    console.document({"schema": "hbeval-faults/1", "types": types, "effects": effects})
    if not console.json:
        rows = [(each["type"], len(each["variants"]), each["meaning"]) for each in types]
        console.say(text_table("Fault types", ("type", "variants", "meaning"), rows, console, width=160) + "\n")
        lines = [(each.name, each.meaning, ", ".join(p.name for p in each.parameters) or None) for each in BUILTIN]
        console.say(text_table("Effects at a tool", ("effect", "meaning", "parameters"), lines, console, width=160))
    return 0


def _preview(args: argparse.Namespace, console: Console) -> int:
    if args.type is None:
        raise UsageError(f"faults preview needs a TYPE: one of {', '.join(FaultType)}")
    fault_type = FaultType(choose("fault type", args.type, FaultType))
    domain = load_domain(args.domain)
    task, targets = _task(fault_type, domain, args.task)
    plan = plan_for(fault_type, targets, seed=args.seed, task=task.id, id=f"preview-{fault_type}", variant=args.variant)
    meetings = [*preview(plan, calls=args.calls, samples=_samples(domain, task))]
    console.document(
        {
            "schema": "hbeval-plan-preview/1",
            "type": fault_type.value,
            "domain": domain.name,
            "task": task.id,
            "seed": plan.seed,
            "plan": plan.id,
            "fingerprint": plan.fingerprint,
            "faults": [encode(each) for each in plan.faults],
            "meetings": [_meeting(each) for each in meetings],
        }
    )
    if not console.json:
        console.say(f"{fault_type.value} on task {task.id} of {domain.name}, seed {plan.seed}\n")
        rows = [(each.target, each.call, each.effect, _met(each)) for each in meetings]
        console.say(text_table("", ("target", "call", "effect", "what the agent meets"), rows, console, width=160))
        console.say("Nothing was run. Calls not listed pass untouched; a later stage waits for the one before.")
    return 0


def _task(fault_type: FaultType, domain: Domain, wanted: str | None) -> tuple[BatteryTask, FaultTargets]:
    """The task asked for, else the domain's first that the type fits, and where its faults go."""
    names = [choose("task", wanted, domain.tasks)] if wanted else list(domain.tasks)
    for name in names:
        targets = domain.tasks[name].targets(fault_type)
        if targets is not None:
            return domain.tasks[name], targets
    raise UsageError(f"{fault_type.value} does not fit {', '.join(names)} of {domain.name}; choose another task")


def _samples(domain: Domain, task: BatteryTask) -> dict[str, Any]:
    """What each tool of the task's shortest plan returns when nothing is wrong."""
    tools = Environment(domain, task).tools()
    return {each.tool: tools[each.tool](**each.arguments) for each in task.plan}


def _meeting(meeting: Meeting) -> dict[str, Any]:
    return {
        "fault": meeting.fault,
        "target": meeting.target,
        "effect": meeting.effect,
        "call": meeting.call,
        "stage": meeting.stage,
        "fires": meeting.fires,
        "wait_s": meeting.wait_s,
        "raises": meeting.raises,
        "true_result": meeting.true_result,
        "result": meeting.result,
        "failure": meeting.failure,
    }


def _met(meeting: Meeting) -> str:
    if not meeting.fires:
        return "untouched"
    if meeting.failure is not None:
        return f"cannot be applied: {meeting.failure}"
    wait = f"waits {meeting.wait_s:g} s, " if meeting.wait_s else ""
    if meeting.raises is not None:
        return f"{wait}raises {meeting.raises}"
    same = meeting.result == meeting.true_result
    return f"{wait}{'then untouched' if same else f'gets {dumps(meeting.result)}'}"
