"""`hbeval export`: tidy tables of a run for analysis elsewhere."""

from __future__ import annotations

import argparse
from pathlib import Path

from hbeval.battery.keeping import without_secrets
from hbeval.cli.console import Console
from hbeval.cli.parser import Parser, command
from hbeval.cli.redaction import add_redaction_flag
from hbeval.cli.results import run_directory
from hbeval.errors import UsageError
from hbeval.report.export import CODEBOOK, write_csv

__all__ = ["execute", "parser"]


def parser() -> Parser:
    """The command's arguments."""
    made = command(
        "export",
        "Tidy tables of a run: one row per run, per fault trial and per step, with a codebook.",
        description="An empty cell is null: not recorded, not measured or not judged.",
        example="hbeval export out/demo/adapt --csv --out tables",
    )
    made.add_argument("run", type=Path, metavar="RUN", help="a run directory")
    made.add_argument("--csv", action="store_true", help="comma-separated values (the default)")
    made.add_argument("--parquet", action="store_true", help="Parquet; not available yet")
    add_redaction_flag(made)
    made.add_argument("--out", type=Path, metavar="DIR", help="where to write (default: RUN/tables)")
    return made


def execute(args: argparse.Namespace, console: Console) -> int:
    """Write the tables."""
    if args.parquet:
        raise UsageError("export --parquet needs an extra that hbeval does not have yet; use --csv")
    directory = run_directory(args.run)
    out: Path = args.out or args.run / "tables"
    try:
        out.mkdir(parents=True, exist_ok=True)
        traces = directory.traces()
        counts = write_csv(map(without_secrets, traces) if args.redacts else traces, out)
    except OSError as error:
        raise UsageError(f"{out}: cannot be written ({error.strerror}); choose another place with --out") from error
    files = {name: str(out / f"{name}.csv") for name in counts}
    console.document({"schema": "hbeval-export/1", "rows": counts, "files": files, "codebook": str(out / CODEBOOK)})
    if not console.json:
        for name, count in counts.items():
            console.say(f"{count:>8} rows  {files[name]}")
        console.say(f"          codebook  {out / CODEBOOK}")
    if directory.torn is not None:
        console.aside(f"hbeval: {directory.torn}")
    return 0
