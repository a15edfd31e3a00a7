"""What a finished report means for the exit code."""

from __future__ import annotations

from hbeval.cli.console import Console
from hbeval.model import Report
from hbeval.report.words import runs_words

__all__ = ["coverage_code"]

_DONE, _NOT_MEASURED = 0, 4


def coverage_code(report: Report, minimum: float | None, console: Console) -> int:
    """4 and a line that says why if nothing was measured, or less than the stated minimum; else 0."""
    coverage = report.coverage
    if coverage.measured == 0:
        count = len(report.left_out)
        left_out = f", {count} input{'' if count == 1 else 's'} left out" if count else ""
        console.error(f"not measured: none of {runs_words(coverage.runs)} could be measured{left_out}")
        return _NOT_MEASURED
    if minimum is not None and coverage.measured < minimum * coverage.runs:
        share = f"{coverage.measured} of {coverage.runs} runs"
        console.error(f"coverage {share} is below the minimum of {minimum:g} (--min-coverage)")
        return _NOT_MEASURED
    return _DONE
