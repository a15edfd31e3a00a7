"""Figures: numbers, dates, times of day and identifiers, as they stand in texts and in JSON values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from hbeval.judging.parameters import PARAMETERS

__all__ = ["Figure", "figures_in", "figures_of", "leaves_of", "readings_of"]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_FIGURE = re.compile(
    rf"""
    (?P<iso>\b\d{{4}}-\d{{2}}-\d{{2}}(?!\d))
  | (?P<numeric>(?<![\w./])\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{4}}(?![\w/]))
  | (?P<dmy>(?<!\w)\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+\d{{4}})?(?!\w))
  | (?P<mdy>(?<!\w){_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?(?!\w))
  | (?P<time>(?<![\d:])\d{{1,2}}:\d{{2}}(?::\d{{2}}(?:\.\d+)?)?(?:\s?[ap]\.?m\b\.?)?(?![\d:])
            |(?<![\w.])\d{{1,2}}\s?[ap]\.?m\b)
  | (?P<token>(?<![^\W_])(?:[^\W_]*\d[^\W_]*(?:[._,'’:/-][^\W_]+)*
            |[^\W\d_]+(?:[_-][^\W_]+)*[_-][^\W_]*\d[^\W_]*(?:[_-][^\W_]+)*))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WORD = re.compile(r"(?<!\S)[^\s\d]*+\d\S*")
_MONTH_BEFORE = re.compile(rf"(?<!\w){_MONTH}\s+$", re.IGNORECASE)
_LONGEST_DATE = 40
_NUMBER = re.compile(r"\d+(?:[.,'’]\d+)*")
_WITH_UNIT = re.compile(r"(\d+(?:[.,'’]\d+)*)([^\W\d_]{0,5})")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_UNIT_AFTER = re.compile(r"[\s-]?(%|[^\W\d_]{1,12}(?![^\W\d_])|°\s?[cCfF]\b)")
_SCALES = {"k": 1e3, "thousand": 1e3, "million": 1e6, "mio": 1e6, "bn": 1e9, "billion": 1e9}
_CURRENCY_BEFORE = re.compile(r"(?:[$€£¥₹]\s?|\b(?:usd|eur|gbp|chf)\s?)$", re.IGNORECASE)
_UNITS = frozenset(PARAMETERS.units)

Kind = Literal["number", "date", "time", "id"]


class Figure(NamedTuple):
    """One figure.

    text      as it stands
    values    for a number, its possible readings ("1,234" is 1234 or 1.234), without sign; else empty
    decimals  places after the point of the first reading; negative for "2.5k", which shows hundreds
    keys      what dates, times and identifiers are compared by; a date may have two readings
    marked    whether it would be a figure of an answer: has a unit, a currency, decimals or three digits
    share     whether a percent sign follows
    """

    kind: Kind
    text: str
    values: tuple[float, ...] = ()
    decimals: int = 0
    keys: tuple[str, ...] = ()
    marked: bool = True
    share: bool = False


def figures_in(text: str) -> Iterator[Figure]:
    """All figures of a text, in order."""
    done = 0
    for word in _WORD.finditer(text):
        start, end = word.span()
        if end <= done:
            continue
        month = _MONTH_BEFORE.search(text, max(done, start - 12), start)
        at = max(done, month.start() if month else start)
        while at < end:
            match = _FIGURE.search(text, at, end + _LONGEST_DATE)
            if match is None or match.start() >= end:
                break
            at = done = match.end()
            yield from _figures(match, text)


def figures_of(value: Any) -> Iterator[Figure]:
    """All figures of a JSON value: every number, and the figures in its texts."""
    for leaf in leaves_of(value):
        if isinstance(leaf, str):
            yield from figures_in(leaf)
        elif isinstance(leaf, (int, float)) and not isinstance(leaf, bool):
            number = abs(float(leaf)) if abs(leaf) < 1e300 else math.inf
            if math.isfinite(number):
                yield Figure("number", repr(leaf), (number,), _decimals_of(leaf))


def leaves_of(value: Any) -> Iterator[Any]:
    """Texts, numbers, booleans and nulls of a JSON value, in order; keys of objects left out."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            waiting.extend(reversed(list(each.values())))
        elif isinstance(each, (list, tuple)):
            waiting.extend(reversed(each))
        else:
            yield each


def _figures(match: re.Match[str], text: str) -> Iterator[Figure]:
    words = match.group()
    if match.lastgroup == "token":
        yield from _of_token(words, text, match.start(), match.end())
        return
    if match.lastgroup == "time":
        yield Figure("time", words, keys=(_time_key(words),))
        return
    keys = _date_keys(match.lastgroup or "", words)
    if keys:
        yield Figure("date", words, keys=keys)


def _of_token(token: str, text: str, start: int, end: int) -> Iterator[Figure]:
    whole = _WITH_UNIT.fullmatch(token)
    if whole:
        number, attached = whole.groups()
        yield from _of_number(number, attached, text, start, end)
    elif _LETTER.search(token):
        if len(_DIGIT.findall(token)) >= 3:
            yield Figure("id", token, keys=(_id_key(token),))
    else:
        for part in _NUMBER.finditer(token):
            yield from _of_number(part.group(), "", text, start + part.start(), start + part.end())


def _of_number(number: str, attached: str, text: str, start: int, end: int) -> Iterator[Figure]:
    readings = readings_of(number)
    if not readings:
        yield Figure("id", number, keys=(_id_key(number),))
        return
    unit, scale = attached.lower(), 1.0
    if not unit:
        after = _UNIT_AFTER.match(text, end)
        unit = after.group(1).lower() if after else ""
    if unit in _SCALES:
        scale = _SCALES[unit]
    marked = (
        not number.isdigit()
        or len(number) >= 3
        or unit in _UNITS
        or scale != 1
        or bool(_CURRENCY_BEFORE.search(text[max(0, start - 4) : start]))
    )
    values = tuple([value * scale for value, _ in readings])
    decimals = readings[0][1] - round(math.log10(scale))
    yield Figure("number", number, values, decimals, marked=marked, share=unit in ("%", "percent"))


def readings_of(number: str) -> tuple[tuple[float, int], ...]:
    """What a written number may mean, with its decimals; nothing if it is no number (a version, an address)."""
    plain = number.replace("'", "").replace("’", "")
    points, commas = plain.count("."), plain.count(",")
    if not points and not commas:
        return ((float(plain), 0),) if len(plain) < 300 else ()
    if points and commas:
        decimal = "." if plain.rfind(".") > plain.rfind(",") else ","
        other = "," if decimal == "." else "."
        if plain.count(decimal) > 1:
            return ()
        return (_reading(plain.replace(other, ""), decimal),)
    mark = "." if points else ","
    groups = plain.split(mark)
    grouped = all(len(group) == 3 for group in groups[1:]) and 1 <= len(groups[0]) <= 3
    if points + commas > 1:
        return ((float("".join(groups)), 0),) if grouped else ()
    as_decimal = _reading(plain, mark)
    if not grouped:
        return (as_decimal,)
    as_thousands = (float("".join(groups)), 0)
    return (as_decimal, as_thousands) if mark == "." else (as_thousands, as_decimal)


def _reading(plain: str, mark: str) -> tuple[float, int]:
    whole, _, decimals = plain.partition(mark)
    return float(f"{whole}.{decimals}"), len(decimals)


def _decimals_of(number: int | float) -> int:
    if isinstance(number, int):
        return 0
    mantissa, _, exponent = f"{number!r}".partition("e")
    decimals = len(mantissa.partition(".")[2].rstrip("0"))
    return max(0, decimals - int(exponent or 0))


def _id_key(token: str) -> str:
    return "".join(each for each in token.lower() if each.isalnum())


def _time_key(words: str) -> str:
    numbers = [int(each) for each in re.findall(r"\d+", words)[:2]]
    hour, minute = numbers[0], numbers[1] if len(numbers) > 1 else 0
    lowered = words.lower()
    if "p" in lowered and hour < 12:
        hour += 12
    elif "a" in lowered and hour == 12:
        hour = 0
    return f"{hour:02d}:{minute:02d}"


def _date_keys(form: str, words: str) -> tuple[str, ...]:
    """`YYYY-MM-DD`, or `-MM-DD` if the year is left out; 05/06/2024 has two readings; none if it is no date."""
    numbers = [int(each) for each in re.findall(r"\d+", words)]
    if form == "iso":
        return _dates((numbers[0], numbers[1], numbers[2]))
    if form == "numeric":
        return _dates((numbers[2], numbers[1], numbers[0]), (numbers[2], numbers[0], numbers[1]))
    letters = "".join(each for each in words.lower() if each.isalpha())
    month = next(index for index, name in enumerate(_MONTHS, 1) if name in letters)
    return _dates((numbers[1] if len(numbers) > 1 else None, month, numbers[0]))


def _dates(*readings: tuple[int | None, int, int]) -> tuple[str, ...]:
    return tuple(
        f"{'' if year is None else format(year, '04d')}-{month:02d}-{day:02d}"
        for year, month, day in readings
        if 1 <= month <= 12 and 1 <= day <= 31
    )
