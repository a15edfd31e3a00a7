"""The verdict of a gate as text for people."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from hbeval.cli.console import Console
from hbeval.gate import FlakyScenario, GateResult, RequirementResult, Verdict
from hbeval.report.words import printable

__all__ = ["say_verdict"]

_COLOURS = {Verdict.PASS: 32, Verdict.FAIL: 31, Verdict.INCONCLUSIVE: 33, Verdict.ERROR: 31}
_WIDEST = max(len(each) for each in Verdict)
_MOST_TASKS = 10
_MOST_FLAKY = 5


def say_verdict(result: GateResult, console: Console, *, enforce: bool) -> None:
    """Verdict first, then what it rests on, then what it speaks of."""
    console.say("\n".join(_lines(result, console, enforce=enforce)))


def _lines(result: GateResult, console: Console, *, enforce: bool) -> Iterator[str]:
    stopped = " (interrupted)" if result.partial else ""
    yield f"{_set_apart(result.verdict, console)}{stopped}: {printable(result.required)}"
    if result.requirements:
        yield ""
    for each in result.requirements:
        yield from _row(each, console)
    yield from _told("Not tested:", result.errors, console)
    yield from _tasks(result, console)
    yield from _told("Not required:", result.unmeasured, console)
    yield from _told("Beside the verdict:", [*result.notes, *_flaky(result)], console)
    yield ""
    for sentence in (result.population, result.multiplicity, _mode(result, enforce=enforce)):
        if sentence:
            yield from _wrapped(sentence, console, "")


def _row(row: RequirementResult, console: Console) -> Iterator[str]:
    name = printable(row.requirement) + (f" in task {printable(row.task)}" if row.task else "")
    gap = " " * (_WIDEST - len(row.verdict) + 2)
    yield f"{_set_apart(row.verdict, console)}{gap}{name}"
    yield from _wrapped(printable(row.words), console, " " * (_WIDEST + 2))


def _tasks(result: GateResult, console: Console) -> Iterator[str]:
    """Single tasks that fail the gate, and those below a floor that holds for all runs together."""
    failed = result.failed_tasks()
    if failed:
        yield from ("", "Tasks that fail the gate:")
        for each in failed[:_MOST_TASKS]:
            yield from _row(each, console)
        yield from _more(failed)
    broken = {each.requirement for each in result.requirements if each.verdict is Verdict.FAIL}
    below = [each for each in result.tasks if each.verdict is Verdict.FAIL and not each.decides]
    seen = [each for each in below if each.requirement not in broken]
    if seen:
        yield from ("", "Tasks below a floor that all runs together meet (write 'in every task' if that should fail):")
        for each in seen[:_MOST_TASKS]:
            words = f"{printable(each.task)}: {each.metric} {printable(each.words)}"
            yield from _wrapped(words, console, "  ", first="- ")
        yield from _more(seen)


def _more(rows: Sequence[RequirementResult]) -> Iterator[str]:
    if len(rows) > _MOST_TASKS:
        yield f"and {len(rows) - _MOST_TASKS} more (--json lists them)"


def _flaky(result: GateResult) -> Iterator[str]:
    """Scenarios whose repeats disagree; those in quarantine are in the notes."""
    open_ = [each for each in result.flaky if not each.quarantined]
    if open_:
        named = ", ".join(map(_told_flaky, open_[:_MOST_FLAKY]))
        more = f" and {len(open_) - _MOST_FLAKY} more" if len(open_) > _MOST_FLAKY else ""
        yield f"scenarios whose repeats did not all end alike ({len(open_)}, all of them counted): {named}{more}"


def _told_flaky(each: FlakyScenario) -> str:
    now = f"succeeded in {each.successes} of {each.runs}"
    return (
        f"{each.scenario} {now}, {each.baseline_successes} of {each.baseline_runs} before"
        if each.baseline_runs
        else f"{each.scenario} {now}"
    )


def _told(title: str, lines: Sequence[str], console: Console) -> Iterator[str]:
    if lines:
        yield from ("", title)
        for each in lines:
            yield from _wrapped(printable(each), console, "  ", first="- ")


def _mode(result: GateResult, *, enforce: bool) -> str:
    if enforce or result.verdict not in (Verdict.FAIL, Verdict.INCONCLUSIVE):
        return ""
    return "Report mode: the exit code is 0; --enforce makes this verdict count."


def _wrapped(text: str, console: Console, indent: str, first: str = "") -> list[str]:
    start, rest = indent + first, indent + " " * len(first)
    return textwrap.wrap(
        text,
        console.width,
        initial_indent=start,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _set_apart(verdict: Verdict, console: Console) -> str:
    return f"\x1b[1;{_COLOURS[verdict]}m{verdict}\x1b[0m" if console.color else verdict.value
