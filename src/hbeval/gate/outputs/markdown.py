"""A verdict as Markdown (GitHub's dialect): for a job summary, a pull request, a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hbeval.gate.outputs.standing import carries_failure, name_of, verdict_words
from hbeval.gate.outputs.tables import flaky_table, requirement_table, task_table
from hbeval.gate.verdict import GateResult, Verdict
from hbeval.report.markdown import escaped, markdown_table
from hbeval.report.words import coverage_words, printable

__all__ = ["gate_markdown"]

_MARKS = {Verdict.PASS: "✅", Verdict.FAIL: "❌", Verdict.INCONCLUSIVE: "❔", Verdict.ERROR: "⛔"}
_MEANINGS = {
    Verdict.PASS: "Every requirement is shown to hold, and no single task is shown to break one.",
    Verdict.FAIL: "A requirement, or one task, is shown to break.",
    Verdict.INCONCLUSIVE: "Neither a pass nor a failure is shown. This is not a pass.",
    Verdict.ERROR: "Something could not be measured or compared, so nothing was decided. This is not a pass.",
}


def gate_markdown(result: GateResult, *, enforce: bool, most: int | None = None) -> str:
    """The verdict and what it rests on, ending in a newline. No text of others is active as markup.

    `most` is how many rows a table and lines a list may have; None = all.
    """
    return "\n\n".join(_blocks(result, enforce=enforce, most=most)) + "\n"


def _blocks(result: GateResult, *, enforce: bool, most: int | None) -> Iterator[str]:
    yield f"## {_MARKS[result.verdict]} hbeval gate: {result.verdict}{' (interrupted)' if result.partial else ''}"
    yield f"{_MEANINGS[result.verdict]}{_consequence(result, enforce=enforce)}"
    yield f"**Required:** {_line(result.required)}"
    yield from _listed("Not measured or not comparable", result.errors, most)
    if result.requirements:
        table = requirement_table(result)
        yield markdown_table(table) if most is None or len(table.rows) <= most else _listing(result, most)
    yield from _tasks(result, most)
    if result.flaky:
        yield "### Scenarios whose repeats did not all end alike"
        yield markdown_table(flaky_table(result.flaky[:most]))
        yield from _more(len(result.flaky), most)
    yield from _listed("Not required, and not measured", result.unmeasured, most)
    yield from _listed("Beside the verdict", result.notes, most)
    yield f"{_line(coverage_words(result.coverage))}."
    yield from (_line(each) for each in (result.population, result.multiplicity) if each)


def _consequence(result: GateResult, *, enforce: bool) -> str:
    if result.verdict is Verdict.ERROR or result.verdict is Verdict.PASS:
        return ""
    return " It blocks (`--enforce`)." if enforce else " Report mode: it does not block; `--enforce` would."


def _tasks(result: GateResult, most: int | None) -> Iterator[str]:
    failed = [each for each in result.tasks if carries_failure(each, result)]
    if failed:
        yield "### Tasks that fail the gate"
        yield markdown_table(task_table(failed[:most], result))
        yield from _more(len(failed), most)
    if result.tasks:
        counts = [(verdict, sum(each.verdict is verdict for each in result.tasks)) for verdict in Verdict]
        words = ", ".join(f"{count} {verdict}" for verdict, count in counts if count)
        yield f"{len(result.tasks)} results of single tasks: {words}."


def _listing(result: GateResult, most: int) -> str:
    lines = [f"- {_line(name_of(each))}: {_line(verdict_words(each, result))}" for each in result.requirements[:most]]
    return "\n".join((*lines, *_more(len(result.requirements), most)))


def _listed(title: str, lines: Sequence[str], most: int | None) -> Iterator[str]:
    if lines:
        yield f"### {title}"
        yield "\n".join(f"- {_line(each)}" for each in lines[:most])
        yield from _more(len(lines), most)


def _more(there: int, most: int | None) -> Iterator[str]:
    if most is not None and there > most:
        yield f"… and {there - most} more: the JSON document has them all."


def _line(text: str) -> str:
    return escaped(printable(text))
