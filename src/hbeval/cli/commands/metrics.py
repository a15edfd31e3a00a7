"""`hbeval metrics`: the instruments, their definitions, and how they came to be what they are."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterator

from hbeval.cli.console import Console
from hbeval.cli.parser import Parser, command, word
from hbeval.cli.suggest import unknown_word
from hbeval.cli.tables import text_table
from hbeval.errors import UsageError
from hbeval.instruments.base import Status
from hbeval.instruments.entries import Entry, read_catalogue
from hbeval.model import encode

__all__ = ["execute", "parser"]


def parser() -> Parser:
    """The command's arguments."""
    made = command(
        "metrics",
        "The instruments: what each one measures, exactly.",
        description="list names them; explain ID gives the definition, scope and limitation of one (frr, or irs@1.0);\n"
        "history is the evolution record: every version, what changed and why.",
        example="hbeval metrics explain irs",
    )
    made.add_argument("action", type=word("action", "list", "history", "explain"), metavar="list|history|explain")
    made.add_argument("id", nargs="?", metavar="ID", help="explain: a metric as a table names it, or id@version")
    return made


def execute(args: argparse.Namespace, console: Console) -> int:
    """List, tell the history or explain."""
    if args.action == "history":
        return _history(console)
    if args.action == "explain":
        return _explain(args.id, console)
    return _list(console)


def _list(console: Console) -> int:
    entries = read_catalogue().instruments
    console.document({"schema": "hbeval-metrics/1", "instruments": [_document(each) for each in entries]})
    if not console.json:
        rows = [(each.name, each.status, f"{each.scale[0]:g} to {each.scale[1]:g}", each.title) for each in entries]
        console.say(text_table("Instruments", ("instrument", "status", "scale", "title"), rows, console))
    return 0


def _document(entry: Entry) -> dict[str, object]:
    return {"name": entry.name, **encode(entry)}


def _explain(name: str | None, console: Console) -> int:
    entries = _matching(name)
    console.document({"schema": "hbeval-metrics/1", "instruments": [_document(each) for each in entries]})
    if not console.json:
        console.say("\n\n".join("\n".join(_explained(each)) for each in entries))
    return 0


def _matching(name: str | None) -> tuple[Entry, ...]:
    known = read_catalogue().instruments
    if name is None:
        raise UsageError(f"metrics explain needs an ID: one of {', '.join(each.name for each in known)}")
    wanted = _id_of(name)
    found = [each for each in known if wanted in (each.id, each.name)]
    if not found:
        words = [each.name for each in known] if "@" in name else list(dict.fromkeys(each.id for each in known))
        raise UsageError(unknown_word("metric", name, words))
    return tuple(sorted(found, key=lambda each: _ORDER.index(each.status)))


_ORDER: tuple[Status, ...] = ("current", "provisional", "historical", "candidate")


def _id_of(name: str) -> str:
    """A metric as tables and documents write it (FRR, pass^3, pass_3@1.0, success rate) as the catalogue does."""
    plain = re.sub(r"[\s^]+", "_", name.strip().lower())
    return re.sub(r"^pass_\d+(?=@|$)", "pass_k", plain)


def _explained(entry: Entry) -> Iterator[str]:
    direction = "higher is better" if entry.higher_is_better else "lower is better"
    yield f"{entry.name}  {entry.title}  ({entry.status}, since {entry.effective})"
    yield f"  scale         {entry.scale[0]:g} to {entry.scale[1]:g}, {direction}"
    threshold = read_catalogue().thresholds.values.get(entry.id)
    source = entry.source.text + (f" (doi:{entry.source.doi})" if entry.source.doi else "")
    constants = ", ".join(f"{name} = {value:g}" for name, value in entry.parameters.items())
    told = {
        "threshold": "none" if threshold is None else f"{threshold:g}. {read_catalogue().thresholds.note}",
        "definition": entry.definition,
        **({"constants": constants} if constants else {}),
        "counts": entry.counts,
        "not measured": entry.undefined_when,
        "scope": entry.scope,
        "limitation": entry.limitation or "none found so far",
        "replaced by": entry.replaced_by or "nothing",
        "compare": entry.notice,
        "source": source,
    }
    for label, text in told.items():
        wrapped = textwrap.wrap(text, 84) or [""]
        yield f"  {label:<13} {wrapped[0]}"
        yield from (f"  {'':<13} {line}" for line in wrapped[1:])


def _history(console: Console) -> int:
    changes = read_catalogue().history
    console.document(
        {
            "schema": "hbeval-metric-history/1",
            "history": [encode(each) for each in changes],
            "instruments": [_document(each) for each in read_catalogue().instruments],
        }
    )
    if not console.json:
        width = max(len(change.metric) for change in changes)
        for change in changes:
            step = f"{change.before} to {change.after}" if change.before else change.after
            console.say(f"{change.date}  {change.metric:<{width}} {change.kind:<10} {step}")
            console.say("\n".join(f"    {line}" for line in textwrap.wrap(change.text, 92)))
        for entry in read_catalogue().instruments:
            if entry.indistinguishable is not None:
                console.say(_share(entry))
    return 0


def _share(entry: Entry) -> str:
    share = entry.indistinguishable
    assert share is not None
    if share.share is None:
        beside = f"hbeval rescore RUN --profile {entry.name}"
        return (
            f"{entry.name}: what share of the battery it could not tell apart is not measured; beside a run: {beside}"
        )
    return f"{entry.name} could not tell apart {share.share:.1%} of the standard battery ({share.command})"
