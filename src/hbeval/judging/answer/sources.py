"""What the record gave the agent to know, and whether a figure comes from there."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from hbeval.judging.answer.figures import Figure, figures_in, readings_of
from hbeval.judging.parameters import PARAMETERS
from hbeval.judging.reading import Reading, is_agent
from hbeval.model import Context, Step, StepKind, is_marked

__all__ = ["Sources", "as_text", "forms_of", "holds_results", "stands_in"]

_EXACT = 1e-9
_DAYS = 3660
_TAIL = 4
_NUMBER = re.compile(r"\d+(?:[.,'’]\d+)*")
_SCALED = re.compile(r"\d\s?(?:k|thousand|million|mio|bn|billion)\b", re.IGNORECASE)


class Sources:
    """Everything given to the agent in one run: task, words of users and system, declarations, results, error messages.

    With `trusted`, only results that were the tool's own and successful, and no error messages.
    """

    def __init__(self, reading: Reading, *, trusted: bool = False) -> None:
        self._values: list[Any] = []
        self._text, self.overflown = _joined(_given(reading, trusted), self._values)
        self._numbers: list[float] | None = None
        self._totals: set[float] | None = None
        self._dates: set[str] | None = None
        self._letters: str | None = None

    def knows(self, figure: Figure) -> bool | None:
        """True if a source holds the figure, None if it may follow from some or cannot be told, else False.

        A time of day that no source writes may be another zone's or a sum of times: it cannot be told.

        A number is held if a source has it to the decimals shown, or as a share of one hundred. It may follow if it is
        a + b, a − b, a × b, a ÷ b or 100 a ÷ b of two known numbers, or the length, sum or mean of a known list.
        """
        if any(stands_in(form, self._text) for form in forms_of(figure)):
            return True
        if figure.kind == "number":
            known = self._knows_number(figure)
        elif figure.kind == "date":
            known = self._knows_date(figure)
        elif figure.kind == "id":
            known = any(key in self.letters for key in figure.keys)
        else:
            known = None
        return None if known is False and self.overflown else known

    @property
    def numbers(self) -> list[float]:
        """All numbers of the sources without sign, in every reading, sorted."""
        if self._numbers is None:
            found = {value for text in _NUMBER.findall(self._text) for value, _ in readings_of(text)}
            if _SCALED.search(self._text):
                found.update(value for each in figures_in(self._text) for value in each.values)
            self._numbers = sorted(found)
        return self._numbers

    @property
    def totals(self) -> set[float]:
        """Length of every list in the sources, and sums and means of its numbers."""
        if self._totals is None:
            self._totals = {total for value in self._values for total in _aggregates(value)}
        return self._totals

    @property
    def dates(self) -> set[str]:
        """Keys of all dates; also month and day alone, marked where no year was given."""
        if self._dates is None:
            keys = [key for each in figures_in(self._text) if each.kind == "date" for key in each.keys]
            self._dates = {*keys, *(key[4:] if key[:1].isdigit() else f"?{key}" for key in keys)}
        return self._dates

    @property
    def letters(self) -> str:
        """Letters and digits of the sources, in lower case: identifiers are written with and without dashes."""
        if self._letters is None:
            self._letters = "".join(filter(str.isalnum, self._text.lower()))
        return self._letters

    def holds(self, words: str) -> bool:
        """Whether a text stands in a source, whatever the case."""
        return " ".join(words.lower().split()) in self._text.lower()

    def _knows_number(self, figure: Figure) -> bool | None:
        half = 0.5 * 10.0**-figure.decimals + _EXACT
        for value in figure.values:
            if _any_in(self.numbers, value - half, value + half):
                return True
            if figure.share and _any_in(self.numbers, (value - half) / 100, (value + half) / 100):
                return True
        reach = half if figure.decimals > 0 else _EXACT
        if any(self._follows(value - reach, value + reach) for value in figure.values) or self._ends_in(figure.text):
            return None
        return False

    def _ends_in(self, digits: str) -> bool:
        """Whether a longer number or identifier ends in these four digits or more: "the card ending in 4711"."""
        if len(digits) < _TAIL or not digits.isdigit():
            return False
        at = self._text.find(digits)
        while at >= 0:
            end = at + len(digits)
            if self._text[at - 1 : at].isalnum() and not self._text[end : end + 1].isalnum():
                return True
            at = self._text.find(digits, at + 1)
        return False

    def _follows(self, low: float, high: float) -> bool:
        if any(low <= each <= high for each in self.totals):
            return True
        return any(_any_in(self.numbers, *bounds) for one in self.numbers for bounds in _partners(one, low, high))

    def _knows_date(self, figure: Figure) -> bool | None:
        for key in figure.keys:
            if key in self.dates or (key[:1].isdigit() and f"?{key[4:]}" in self.dates):
                return True
        return None if any(self._is_some_days_off(key) for key in figure.keys) else False

    def _is_some_days_off(self, key: str) -> bool:
        days = {int(each) for each in self.numbers if each <= _DAYS and each == int(each)}
        known = [day for each in self.dates for day in _day(each)]
        return any(abs((day - other).days) in days | {1} for day in _day(key) for other in known)


def holds_results(reading: Reading) -> bool:
    """Whether the record holds results: ours always does; an imported one if a call has one, or none could have."""
    if reading.trace.context is not Context.IMPORT:
        return True
    calls = [step for step in reading.steps if step.kind is StepKind.TOOL]
    return any(step.result is not None for step in calls) or all(step.error is not None for step in calls)


def _given(reading: Reading, trusted: bool) -> Iterator[Any]:
    trace = reading.trace
    yield trace.task.text
    for turn in reading.turns:
        if not is_agent(turn):
            yield turn.text
    for tool in trace.tools:
        yield tool.description
        yield tool.parameters
    for step in reading.steps:
        if step.kind is StepKind.TOOL:
            yield from _from_step(reading, step, trusted)


def _from_step(reading: Reading, step: Step, trusted: bool) -> Iterator[Any]:
    if not trusted or (reading.success(step) and step.result is not None):
        yield step.result
    if step.error is not None and not trusted:
        yield step.error.message
        yield step.error.retry_after_s


def _joined(values: Iterable[Any], kept: list[Any]) -> tuple[str, bool]:
    """The sources as one text within the limit, and whether some had to be left out; those taken in go to `kept`.

    Left out is also what the record itself holds only a mark of, and what is too deep to be written.
    """
    parts: list[str] = []
    room, partial = PARAMETERS.source_limit, False
    for value in values:
        if value is None or value == "":
            continue
        text = as_text(value)
        room -= len(text) + 1
        if room < 0:
            return "\n".join(parts), True
        partial = partial or not text or is_marked(value)
        parts.append(text)
        kept.append(value)
    return "\n".join(parts), partial


def forms_of(figure: Figure) -> Iterator[str]:
    """How a source may write the figure: as it stands, then plainly."""
    yield figure.text
    if figure.kind == "date":
        yield from figure.keys
    elif figure.kind == "time":
        yield from _times(figure.keys[0])
    for value in figure.values:
        plain = f"{value:.10g}"
        yield plain
        yield f"{value:.2f}" if "." in plain else f"{plain}.0"


def _times(key: str) -> Iterator[str]:
    """Ways to write a time of day."""
    hour, minute = int(key[:2]), key[3:]
    half, twelve = ("am" if hour < 12 else "pm"), hour % 12 or 12
    yield key
    yield f"{hour}:{minute}"
    for clock in (f"{twelve}:{minute}", f"{twelve:02d}:{minute}", *([f"{twelve}"] if minute == "00" else [])):
        yield from (f"{clock} {half}", f"{clock}{half}", f"{clock} {half.upper()}", f"{clock}{half.upper()}")


def as_text(value: Any) -> str:
    """A JSON value as text, in which its texts and numbers stand as they are; nothing if it is too deep to write."""
    if isinstance(value, str):
        return value
    try:
        return str(value)
    except RecursionError:
        return ""


def stands_in(words: str, text: str) -> bool:
    """Whether the words stand in the text as they are, not as part of a longer number or name."""
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        before, after = text[at - 1 : at], text[end : end + 1]
        inside = after in (".", ",") and text[end + 1 : end + 2].isdigit()
        led = before in (".", ",", "-", "_") and text[at - 2 : at - 1].isalnum()
        if not (before.isalnum() or after.isalnum() or inside or led):
            return True
        at = text.find(words, at + 1)
    return False


def _any_in(numbers: Sequence[float], low: float, high: float) -> bool:
    return bisect_left(numbers, low) < bisect_right(numbers, high)


def _partners(one: float, low: float, high: float) -> Iterator[tuple[float, float]]:
    """Where the other number must lie for a sum, a difference, a product, a quotient or a percentage in [low, high]."""
    yield low - one, high - one
    yield low + one, high + one
    yield one - high, one - low
    if one:
        yield low / one, high / one
        yield low * one, high * one
        yield low * one / 100, high * one / 100


def _aggregates(value: Any) -> Iterator[float]:
    """Length of every list in the value, and sum and mean of its numbers, by key if its members are objects."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            waiting.extend(each.values())
        elif isinstance(each, (list, tuple)):
            waiting.extend(each)
            yield float(len(each))
            yield from _sums(each)


def _sums(members: Sequence[Any]) -> Iterator[float]:
    columns: dict[str, list[float]] = {}
    for member in members:
        for key, leaf in member.items() if isinstance(member, Mapping) else (("", member),):
            if isinstance(leaf, (int, float)) and not isinstance(leaf, bool) and abs(leaf) < 1e300:
                columns.setdefault(key, []).append(float(leaf))
    for column in columns.values():
        yield abs(sum(column))
        yield abs(sum(column)) / len(column)


def _day(key: str) -> tuple[date, ...]:
    if len(key) != 10 or key[4] != "-" or key[7] != "-":
        return ()
    try:
        return (date.fromisoformat(key),)
    except ValueError:
        return ()
