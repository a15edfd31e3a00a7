"""What a finished report means for the exit code."""

from __future__ import annotations

from hbeval.cli.console import Console
from hbeval.model import Report

__all__ = ["coverage_code"]

_DONE, _NOT_MEASURED = 0, 4


def coverage_code(report: Report, minimum: float | None, console: Console) -> int:
    """4 and a line that says why if nothing was measured, or less than the stated minimum; else 0."""
    coverage = report.coverage
    if coverage.measured == 0:
        left_out = f", {len(report.left_out)} inputs left out" if report.left_out else ""
        console.error(f"not measured: none of {coverage.runs} runs could be measured{left_out}")
        return _NOT_MEASURED
    if minimum is not None and coverage.measured < minimum * coverage.runs:
        share = f"{coverage.measured} of {coverage.runs} runs"
        console.error(f"coverage {share} is below the minimum of {minimum:g} (--min-coverage)")
        return _NOT_MEASURED
    return _DONE
