"""Run the main jobs with nothing but the standard library, and prove that nothing else was imported.

Called by CI with an environment that holds hbeval and no other package. Exits 1 and names the module otherwise.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
from pathlib import Path

from hbeval.cli.main import main as hbeval

FIXTURES = Path(__file__).parent.parent / "tests" / "fixtures"


def main() -> int:
    """Run each command in this process, then look at what was imported."""
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/run"
        jobs = [
            ["--version"],
            ["run", "hbeval.battery.agents:adapt", "--seed", "1", "--out", out, "--json"],
            ["report", out, "--json"],
            ["rescore", out, "--json"],
            ["gate", out, "--require", "frr >= 0.1", "--json"],
            ["export", out, "--csv", "--out", f"{folder}/csv"],
            ["score", str(FIXTURES), "--json"],
            ["metrics", "history", "--json"],
            ["spec", "fingerprint"],
            ["faults", "list", "--json"],
            ["doctor", "--json"],
        ]
        failed = sum(not succeeds(job) for job in jobs)
    foreign = sorted({name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - OWN)
    if foreign:
        print("imported beside the standard library:", ", ".join(foreign))
    print(f"{len(jobs) - failed} passed, {failed + bool(foreign)} failed")
    return 1 if failed or foreign else 0


OWN = {"hbeval", "__main__", "__mp_main__", "_distutils_hack", "sitecustomize", "usercustomize"}


def succeeds(job: list[str]) -> bool:
    """Whether a command exits 0, and prints strict JSON where it promised to."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            code = hbeval(job)
    except SystemExit as stop:
        code = stop.code or 0
    good = code == 0
    if good and "--json" in job:
        json.loads(printed.getvalue(), parse_constant=lambda name: sys.exit(f"{name} in the JSON of {job}"))
    print(f"{'ok  ' if good else 'FAIL'} hbeval {' '.join(job)}" + ("" if good else f"  (exit {code})"))
    return good


if __name__ == "__main__":
    sys.exit(main())
