"""Print the branch coverage of the core's rooms and fail below 95 %. Run after the tests, in the project's root."""

from __future__ import annotations

import subprocess
import sys

CORE = (
    *("errors.py", "model", "stats", "instruments", "faults", "observe"),
    *("store", "endpoints", "judging", "battery", "report", "gate", "redaction"),
)
FLOOR = 95


def main() -> int:
    """Call coverage's own report over the core and pass on its exit code (2 when below the floor)."""
    include = ",".join(f"src/hbeval/{room}" + ("" if room.endswith(".py") else "/*") for room in CORE)
    report = ["coverage", "report", f"--include={include}", f"--fail-under={FLOOR}", "--precision=1"]
    return subprocess.run([sys.executable, "-m", *report], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
