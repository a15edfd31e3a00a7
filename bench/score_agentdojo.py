"""How fast AgentDojo logs are scored in process: bytes → JSON → trace → judged → five instruments → report.

Files are read into memory first. `json.loads` alone runs beside it, in the same process, on the same bytes. Each figure
is the best of a few passes over all files, one core, interval arithmetic included.

    python bench/score_agentdojo.py [FOLDER] [--passes 5]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from hbeval.adapters.formats.agentdojo import trace_of
from hbeval.adapters.formats.documents import parse_json
from hbeval.errors import InputError
from hbeval.judging import judge
from hbeval.model import Context
from hbeval.report import Assembly

TARGET = 5_000


def best(work: Callable[[], object], passes: int) -> float:
    """The shortest time of some passes, in seconds."""
    taken = []
    for _ in range(passes):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def score(files: list[tuple[str, bytes]]) -> Assembly:
    """The whole path over files in memory."""
    assembly = Assembly(Context.IMPORT)
    for source, data in files:
        try:
            trace = trace_of(parse_json(data, source).value, source)
        except InputError as error:
            assembly.left_out(source, str(error))
            continue
        assembly.add(judge(trace))
    assembly.report()
    return assembly


def main() -> int:
    """Print runs per second of each stage; 1 if the whole path misses its target, 4 if there are no files."""
    default = Path(os.environ.get("HBEVAL_DATA", Path(__file__).parents[2] / "shared" / "data")) / "agentdojo"
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=default)
    parser.add_argument("--passes", type=int, default=5)
    chosen = parser.parse_args()
    files = [(path.as_posix(), path.read_bytes()) for path in sorted(chosen.folder.rglob("*.json"))]
    if not files:
        print(f"no logs under {chosen.folder}", file=sys.stderr)
        return 4
    start = time.perf_counter()
    score(files)
    first = time.perf_counter() - start
    floor = best(lambda: [json.loads(data) for _, data in files], chosen.passes)
    whole = best(lambda: score(files), chosen.passes)
    documents = [(source, parse_json(data, source).value) for source, data in files]
    traces = [trace_of(document, source) for source, document in documents]
    read = best(lambda: [trace_of(document, source) for source, document in documents], chosen.passes)
    judged = best(lambda: [judge(trace) for trace in traces], chosen.passes)
    megabytes = sum(len(data) for _, data in files) / 1e6
    print(f"{len(files)} runs, {megabytes:.1f} MB in memory, Python {sys.version.split()[0]}")
    for name, seconds in (
        ("json.loads alone", floor),
        ("document to trace", read),
        ("judge", judged),
        ("whole path, first pass", first),
        ("whole path", whole),
    ):
        print(f"  {name:24} {len(files) / seconds:10,.0f} runs/s {seconds / len(files) * 1e6:9.1f} µs a run")
    reached = len(files) / whole >= TARGET
    print(f"target {TARGET:,} runs/s: {'reached' if reached else 'MISSED'}; {whole / floor:.1f} times json.loads")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
