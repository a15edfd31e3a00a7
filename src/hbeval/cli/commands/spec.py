"""`hbeval spec`: the fault specification, its fingerprint, and documents of others."""

from __future__ import annotations

import argparse
from pathlib import Path

from hbeval.cli.console import Console
from hbeval.cli.files import read_json, write_text
from hbeval.cli.parser import Parser, command, word
from hbeval.cli.tables import text_table
from hbeval.errors import UsageError
from hbeval.faults import Specification
from hbeval.faults.published import PUBLISHED_FINGERPRINT, import_published
from hbeval.faults.specification import VariantFault
from hbeval.model import dumps, fingerprint

__all__ = ["execute", "parser"]


def parser() -> Parser:
    """The command's arguments."""
    made = command(
        "spec",
        "The fault specification: what a battery injects.",
        description="show prints it; fingerprint prints the 16 hex digits that name it, or those of FILE;\n"
        "import reads the battery document that others published and writes it where --out says.",
        example="hbeval spec fingerprint",
    )
    made.add_argument("action", type=word("action", "show", "fingerprint", "import"), metavar="show|fingerprint|import")
    made.add_argument("file", nargs="?", metavar="FILE", help="a specification document; ours if not given")
    made.add_argument("--out", type=Path, metavar="FILE", help="import: where to write the document")
    return made


def execute(args: argparse.Namespace, console: Console) -> int:
    """Show, name or import a specification."""
    if args.action == "import":
        return _import(args, console)
    if args.action == "fingerprint":
        return _fingerprint(args, console)
    return _show(args, console)


def _fingerprint(args: argparse.Namespace, console: Console) -> int:
    if args.file is None:
        name = Specification.load().fingerprint
    else:
        name = fingerprint(read_json(args.file, right="a JSON document"))
    console.document({"schema": "hbeval-fingerprint/1", "file": args.file, "fingerprint": name})
    if not console.json:
        console.say(name)
    return 0


def _show(args: argparse.Namespace, console: Console) -> int:
    specification = Specification.load(args.file)
    console.document(dict(specification.document))
    rows = []
    for fault_type, each in specification.types.items():
        for variant in each.variants:
            what = "; then ".join(_fault_words(fault) for fault in variant.faults)
            rows.append((fault_type.value, variant.id, what))
        if not each.variants:
            rows.append((fault_type.value, "–", "in words only"))
    if not console.json:
        console.say(f"{specification.id}  fingerprint {specification.fingerprint}")
        console.say(f"nominal share {specification.nominal_share:g}\n")
        console.say(text_table("", ("fault type", "variant", "effects"), rows, console))
    return 0


def _fault_words(fault: VariantFault) -> str:
    chance = "" if fault.probability == 1 else f" with probability {fault.probability:g}"
    return f"{fault.effect} at the {fault.at}{chance}"


def _import(args: argparse.Namespace, console: Console) -> int:
    if args.file is None:
        raise UsageError("spec import needs a FILE: the published battery document as JSON")
    document = import_published(read_json(args.file, right="the published battery document as JSON"), where=args.file)
    name = fingerprint(document)
    same = name == PUBLISHED_FINGERPRINT
    if args.out is not None:
        write_text(args.out, dumps(document, indent=2) + "\n")
    console.document(
        {
            "schema": "hbeval-specification-import/1",
            "file": args.file,
            "fingerprint": name,
            "published": same,
            "written": None if args.out is None else str(args.out),
        }
    )
    if not console.json:
        known = "the published battery document" if same else f"not the published one ({PUBLISHED_FINGERPRINT})"
        console.say(f"{name}  {known}")
        console.say("It words faults in prompts only; it has no effects at tools.")
        if args.out is not None:
            console.say(f"written to {args.out}")
    return 0
