"""What GitHub Actions reads: annotations (workflow commands), outputs of a step, and the job summary.

Formats: docs.github.com, "Workflow commands for GitHub Actions". Whatever a text holds, it stays one command or value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from hbeval.gate.outputs.markdown import gate_markdown
from hbeval.gate.outputs.standing import carries_failure, name_of, verdict_words
from hbeval.gate.verdict import GateResult, RequirementResult, Verdict
from hbeval.report.words import printable

__all__ = ["SUMMARY_LIMIT", "Annotation", "annotations_of", "outputs_of", "outputs_text", "summary_within"]

SUMMARY_LIMIT = 1024 * 1024
"""Bytes of the job summary of one step; a longer one is not shown at all."""

_MOST = 10
_LONGEST = 2000
_ROWS = (None, 500, 100, 20, 5)
_CUT = "\n\n… cut: the job summary of a step holds 1 MiB.\n"

Level = Literal["error", "warning", "notice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """One message on the page of a run."""

    level: Level
    title: str
    message: str

    def __str__(self) -> str:
        """The workflow command: one line."""
        title = _data(printable(self.title)).replace(":", "%3A").replace(",", "%2C")
        return f"::{self.level} title={title}::{_data(printable(self.message, keep=chr(10)))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def annotations_of(result: GateResult, *, enforce: bool) -> tuple[Annotation, ...]:
    """The verdict, then what it rests on: at most ten, because GitHub shows no more of one level and step.

    ERROR is an error, so is FAIL and INCONCLUSIVE where they block; else both are warnings, never a notice.
    """
    level = _level(result, enforce=enforce)
    first = Annotation(level=level, title=f"hbeval gate: {result.verdict}", message=_cut(result.required))
    told = [] if level == "notice" else list(_reasons(result, level))
    if len(told) >= _MOST:
        left = len(told) - (_MOST - 2)
        more = Annotation(level=level, title="hbeval gate", message=f"and {left} more; the job summary lists them")
        told = [*told[: _MOST - 2], more]
    return (first, *told)


def _level(result: GateResult, *, enforce: bool) -> Level:
    if result.verdict is Verdict.PASS:
        return "notice"
    return "error" if enforce or result.verdict is Verdict.ERROR else "warning"


def _reasons(result: GateResult, level: Level) -> Iterator[Annotation]:
    for each in result.errors:
        yield Annotation(level=level, title="hbeval gate: ERROR", message=_cut(each))
    for row in (*result.requirements, *result.tasks):
        if _counts(row, result):
            title = f"hbeval gate: {name_of(row)}"
            yield Annotation(level=level, title=title[:200], message=_cut(verdict_words(row, result)))


def _counts(row: RequirementResult, result: GateResult) -> bool:
    open_ = result.verdict is Verdict.INCONCLUSIVE and row.task is None and row.verdict is not Verdict.PASS
    return carries_failure(row, result) or open_


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def outputs_of(result: GateResult, *, exit_code: int) -> dict[str, str]:
    """The outputs of the step: verdict, exit code, runs that would decide, and what fails, one a line."""
    failed = [name_of(row) for row in (*result.requirements, *result.tasks) if carries_failure(row, result)]
    return {
        "verdict": result.verdict.value,
        "exit-code": str(exit_code),
        "more-runs": "" if result.more_runs is None else str(result.more_runs),
        "failed": "\n".join(printable(each) for each in failed),
    }


def outputs_text(outputs: Mapping[str, str]) -> str:
    """The lines to append to the file of outputs.

    The delimiter of a value is made from the value itself, and is no line of it: nothing in it can end it early.
    """
    return "".join(_output(name, value) for name, value in outputs.items())


def _output(name: str, value: str) -> str:
    delimiter = f"hbeval_{hashlib.sha256(value.encode('utf-8', 'backslashreplace')).hexdigest()}"
    while delimiter in value:
        delimiter += "_"
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"


def summary_within(result: GateResult, *, enforce: bool, room: int = SUMMARY_LIMIT) -> str:
    """The job summary in at most `room` bytes: with as many rows as fit, cut at a line where even few do not."""
    text = ""
    for most in _ROWS:
        text = gate_markdown(result, enforce=enforce, most=most)
        if _size(text) <= room:
            return text
    kept, left = [], room - _size(_CUT)
    for line in text.splitlines(keepends=True):
        left -= _size(line)
        if left < 0:
            break
        kept.append(line)
    return "".join(kept) + _CUT if room >= _size(_CUT) else ""


def _size(text: str) -> int:
    return len(text.encode("utf-8"))
