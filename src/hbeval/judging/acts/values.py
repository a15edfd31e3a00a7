"""Values that make an act this act and not another: whom, where, which, when. Found in a text, looked for in a call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from hbeval.judging.acts.rules import act_rules

__all__ = ["Leaves", "Value", "ValueKind", "dates_in", "normal", "values_in"]


class ValueKind(StrEnum):
    """What sort of value it is."""

    ADDRESS = "address"
    LINK = "link"
    ACCOUNT = "account"
    QUOTED = "quoted"
    CODE = "code"
    NAME = "name"
    DATE = "date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value of a text: its normalised text and where it stood.

    source  something is taken from it ("from x@y"), so a call need not carry it
    target  a name that the act goes to ("to Alice")
    """

    kind: ValueKind
    text: str
    start: int
    end: int
    source: bool = False
    target: bool = False

    @property
    def key(self) -> bool:
        """Whether the value alone says whom or where an act goes: an address, a link, an account."""
        kind = self.kind
        return kind is ValueKind.ADDRESS or kind is ValueKind.LINK or kind is ValueKind.ACCOUNT

    @property
    def hard(self) -> bool:
        """Whether the value is specific enough to be expected in the call word for word."""
        return self.key or self.kind is ValueKind.QUOTED


_MONTH_NAMES = (
    ("january", "jan"),
    ("february", "feb"),
    ("march", "mar"),
    ("april", "apr"),
    ("may",),
    ("june", "jun"),
    ("july", "jul"),
    ("august", "aug"),
    ("september", "sept", "sep"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec"),
)
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_UNTIL = rf"(?:\s*(?:to|until|till|and|-|–)\s*(?:the\s+)?{_DAY}\b)?"
_ISO_DATE = re.compile(r"\b\d{4}-(\d{2})-(\d{2})(?!\d)")
_DAY_MONTH = re.compile(rf"\b{_DAY}{_UNTIL}\s+(?:of\s+)?({_MONTH})\b", re.IGNORECASE)
_MONTH_DAY = re.compile(rf"\b({_MONTH})\s+(?:the\s+)?{_DAY}\b{_UNTIL}", re.IGNORECASE)

_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_LINK = re.compile(r"https?://[^\s'\"<>)]+|(?:[\w-]+\.)+[a-z]{2,}(?:/[^\s'\"<>)]*)?", re.IGNORECASE)
_ACCOUNT = re.compile(r"\b(?=(?:[A-Za-z-]*\d){6})[A-Za-z\d][A-Za-z\d-]{7,}\b")
_CODE = re.compile(r"\b[A-Za-z\d]+(?:_[A-Za-z\d]+)+\b")
_QUOTED = (
    re.compile(r"(?<!\w)'(?=\S)((?:[^'\n]|(?<=\w)'(?=\w)){1,400}?)(?<=\S)'(?!\w)"),
    re.compile(r'"(?=\S)([^"\n]{1,400}?)(?<=\S)"'),
    re.compile(r"`([^`\n]{1,400})`"),
    re.compile(r"“([^”\n]{1,400})”"),
)
_NAME = re.compile(r"\b[A-Z][a-z]+(?:[ \t]+(?:of[ \t]+|de[ \t]+)?[A-Z][a-z]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\n])\W*$")
_SOURCE = re.compile(r"\b(?:from|by)\s+(?:(?!to\b)\w+\s+){0,2}['\"`“]?$", re.IGNORECASE)
_TARGET = re.compile(r"\bto\s+$", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{[^{}]*\}|\$\w[\w.]*|<[^<>]*>")
_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_INNER = ((ValueKind.ADDRESS, _ADDRESS), (ValueKind.LINK, _LINK), (ValueKind.ACCOUNT, _ACCOUNT))


def values_in(text: str) -> tuple[Value, ...]:
    """The values of a text, in order. What is part of another value (an address in quotes) counts once."""
    found: list[Value] = []
    taken = bytearray(len(text))
    for value in _candidates(text):
        if value.text and not any(taken[value.start : value.end]):
            found.append(value)
            if value.kind is not ValueKind.DATE:
                taken[value.start : value.end] = b"\1" * (value.end - value.start)
    return tuple(sorted(found, key=lambda value: value.start))


def _candidates(text: str) -> Iterator[Value]:
    for pattern in _QUOTED:
        yield from (_quoted(text, match) for match in pattern.finditer(text))
    dates = list(_dates(text))
    yield from (Value(kind=ValueKind.DATE, text=day, start=start, end=end) for day, start, end in dates)
    dated = [(start, end) for _, start, end in dates]
    for kind, pattern in (*_INNER, (ValueKind.CODE, _CODE)):
        for match in pattern.finditer(text):
            if not any(start < match.end() and match.start() < end for start, end in dated):
                yield _value(kind, text, match)
    for match in _NAME.finditer(text):
        head = text[max(0, match.start() - 20) : match.start()]
        if match.group().lower() not in _MONTHS and not _SENTENCE_START.search(head):
            target = bool(_TARGET.search(head))
            yield Value(
                kind=ValueKind.NAME, text=normal(match.group()), start=match.start(), end=match.end(), target=target
            )


def _value(kind: ValueKind, text: str, match: re.Match[str]) -> Value:
    found = match.group()
    return Value(
        kind=kind,
        text=_link(found) if kind is ValueKind.LINK else normal(found),
        start=match.start(),
        end=match.end(),
        source=_is_source(text, match.start()),
    )


def _quoted(text: str, match: re.Match[str]) -> Value:
    inner = match.group(1)
    kind = next((kind for kind, pattern in _INNER if pattern.fullmatch(inner)), ValueKind.QUOTED)
    if kind is ValueKind.QUOTED:
        inner = max(_PLACEHOLDER.split(inner), key=len)
    return Value(
        kind=kind,
        text=_link(inner) if kind is ValueKind.LINK else normal(inner),
        start=match.start(),
        end=match.end(),
        source=kind is not ValueKind.QUOTED and _is_source(text, match.start()),
    )


def _is_source(text: str, start: int) -> bool:
    return bool(_SOURCE.search(text, max(0, start - 40), start))


def _dates(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _ISO_DATE.finditer(text):
        yield f"{match.group(1)}-{match.group(2)}", match.start(), match.end()
    for match in _DAY_MONTH.finditer(text):
        first, last, month = match.groups()
        for day in filter(None, (first, last)):
            yield f"{_MONTHS[month.lower()]:02}-{int(day):02}", match.start(), match.end()
    for match in _MONTH_DAY.finditer(text):
        month, first, last = match.groups()
        for day in filter(None, (first, last)):
            yield f"{_MONTHS[month.lower()]:02}-{int(day):02}", match.start(), match.end()


def dates_in(text: str) -> frozenset[str]:
    """The dates of a text, as MM-DD."""
    return frozenset(day for day, _, _ in _dates(text))


def _link(text: str) -> str:
    """A link without scheme, "www." and closing punctuation."""
    return text.lower().removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/.,;:!?")


def normal(text: str) -> str:
    """Lower case, one space between words, no closing punctuation."""
    return _SPACE.sub(" ", text).strip().rstrip(".,;").lower()


class Leaves:
    """The scalar values of a call's arguments, ready to be searched.

    `quoting` drops arguments that hold a given text as a whole: what repeats an instruction does not follow it.
    """

    __slots__ = ("_leaves", "text")

    def __init__(self, arguments: Any, quoting: str = "") -> None:
        scalars: list[str] = []
        _collect(arguments, scalars)
        leaves = [" ".join(scalar.split()).lower() for scalar in scalars]
        self._leaves = [leaf for leaf in leaves if quoting not in leaf] if quoting else leaves
        self.text = "\n".join(self._leaves)

    @property
    def largest(self) -> float:
        """The largest number among the arguments, 0 if there is none."""
        return max((float(leaf) for leaf in self._leaves if _NUMBER.fullmatch(leaf)), default=0.0)

    def carry(self, value: Value) -> bool:
        """Whether the arguments hold the value."""
        text = value.text
        if value.kind is ValueKind.DATE:
            return text in dates_in(self.text)
        if value.kind is ValueKind.QUOTED and (len(text) <= 3 or text.isdigit()):
            return text in self._leaves
        if value.key:
            spaced = value.kind is ValueKind.ACCOUNT and " " in self.text
            return _holds(self.text, text) or (spaced and _holds(self.text.replace(" ", ""), text))
        return text in self.text or (value.kind is ValueKind.QUOTED and self._hold_most(text.split()))

    def _hold_most(self, words: list[str]) -> bool:
        rules = act_rules()
        if len(words) < rules.quotation_words:
            return False
        held = sum(word.strip(".,!?;:'\"") in self.text for word in words)
        return held >= rules.shares["quotation"] * len(words)


def _holds(text: str, key: str) -> bool:
    """Whether the text holds the key as a whole, not as a part of a longer word or number."""
    at = text.find(key)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(key) : at + len(key) + 1]
        if not (before.isalnum() or after.isalnum()):
            return True
        at = text.find(key, at + 1)
    return False


def _collect(value: Any, into: list[str]) -> None:
    if isinstance(value, str):
        into.append(value)
    elif isinstance(value, dict):
        for each in value.values():
            _collect(each, into)
    elif isinstance(value, (list, tuple)):
        for each in value:
            _collect(each, into)
    elif value is not None and not isinstance(value, bool):
        into.append(str(value))
