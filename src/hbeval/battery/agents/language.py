"""As much English as the reference agents need: words, clauses, conditions, superlatives, values in a text.

General words only. Nothing here, and nothing that uses it, knows a task, a tool or a domain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

__all__ = [
    "Clause",
    "Condition",
    "Superlative",
    "clauses",
    "mentions",
    "number_for",
    "overlap",
    "stems",
    "superlatives",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


_WORD = re.compile(r"[A-Za-z]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|[;:]\s+|\n+")
_COMMA = re.compile(r",\s+(?:and\s+|then\s+|but\s+)?|\s+and\s+then\s+")
_ENDINGS = ("ings", "ing", "ed", "es", "s", "e")
_FUNCTION_WORDS = _words(
    "a an the of to for and in on at with it is are be been by from that this these its their them or as has have had "
    "if then otherwise not no yet was were will would can could may must into onto whether which who what when where "
    "you your we our they there here still so but than out up"
)
_LEAST = _words("smallest lowest least fewest cheapest shortest earliest soonest nearest lightest")
_MOST = _words("largest highest most longest latest newest farthest heaviest")
_BY_MONEY = _words("cheapest")
_BY_TIME = _words("earliest soonest latest newest")
_MONEY = _words("price cost rate fee eur usd gbp")
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}.*|\d{1,2}:\d{2}")
_NUMBER = re.compile(r"(?<![\w.-])(\d+(?:\.\d+)?)(?![\w-]*\d)\s*((?:[A-Za-z°%/]+\s*){0,2})")
_IF = re.compile(r"^\s*(?:if|when)\s+(.+?),\s+(.+)$", re.IGNORECASE | re.DOTALL)
_OTHERWISE = re.compile(r"^\s*(?:otherwise|if not|else)[,\s]+(.+)$", re.IGNORECASE | re.DOTALL)
_DIFFER = re.compile(r"^(.+?)\s+and\s+(.+?)\s+(?:differ|disagree)\b", re.IGNORECASE)
_RELATION = re.compile(
    r"^(.+?)\s+(?:is|are)\s+(not\s+)?"
    r"(above|over|more than|greater than|higher than|below|under|less than|lower than|at least|at most)?\s*(.+)$",
    re.IGNORECASE,
)
_TESTS: Mapping[str, Literal["gt", "lt", "ge", "le"]] = {
    "above": "gt",
    "over": "gt",
    "more than": "gt",
    "greater than": "gt",
    "higher than": "gt",
    "below": "lt",
    "under": "lt",
    "less than": "lt",
    "lower than": "lt",
    "at least": "ge",
    "at most": "le",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """`left` stands in relation `test` to `right`; both are words. "differ" compares two things of the record."""

    left: str
    test: Literal["eq", "ne", "gt", "lt", "ge", "le", "differ"]
    right: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A part of a sentence that may ask for one act, with the condition it stands under (`holds` = as it is said)."""

    text: str
    condition: Condition | None = None
    holds: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Superlative:
    """What is to be smallest (`least`) or largest: the words after it, and whether it speaks of money or of time."""

    least: bool
    words: tuple[str, ...]
    about: Literal["money", "time"] | None = None

    def fits(self, name: str, value: Any) -> bool:
        """Whether a field of that name and value is of the kind this superlative speaks about."""
        if self.about == "money":
            return bool(_MONEY & set(_parts(name)))
        return self.about == "time" and isinstance(value, str) and _TIME.fullmatch(value) is not None


def stems(text: str) -> tuple[str, ...]:
    """The content words of a text (or an identifier) without their endings, in order."""
    return tuple(_stem(word) for word in _parts(text) if word not in _FUNCTION_WORDS)


def clauses(text: str) -> Iterator[Clause]:
    """The clauses of a text, in order, each with the condition it stands under."""
    last: Condition | None = None
    for sentence in _SENTENCE.split(text):
        conditional, otherwise = _IF.match(sentence), _OTHERWISE.match(sentence)
        condition, holds, rest = None, True, sentence
        if otherwise and last is not None:
            condition, holds, rest = last, False, otherwise.group(1)
        elif conditional and (condition := _condition(conditional.group(1))) is not None:
            last, rest = condition, conditional.group(2)
        for part in _COMMA.split(rest):
            if part.strip():
                yield Clause(text=part.strip(), condition=condition, holds=holds)


def superlatives(text: str) -> Iterator[Superlative]:
    """The superlatives of a text with the three words that follow each."""
    words = _parts(text)
    for position, word in enumerate(words):
        if word in _LEAST or word in _MOST:
            about: Literal["money", "time"] | None = "money" if word in _BY_MONEY else None
            about = "time" if word in _BY_TIME else about
            following = tuple(_stem(each) for each in words[position + 1 : position + 4])
            yield Superlative(least=word in _LEAST, words=following, about=about)


def mentions(schema: Mapping[str, Any], text: str) -> list[Any]:
    """The values in a text that a parameter's pattern or list of words allows, each once, in order of mention."""
    if "enum" in schema:
        return _named(schema["enum"], text)
    if "pattern" in schema:
        pattern = re.compile(rf"(?<![\w-])(?:{schema['pattern']})(?![\w-])")
        return list(dict.fromkeys(match.group(0) for match in pattern.finditer(text)))
    return []


def number_for(name: str, text: str) -> float | int | None:
    """The number of a text whose unit or next words belong to the name of a parameter."""
    wanted = set(stems(name)) | set(_parts(name))
    for match in _NUMBER.finditer(text):
        after = match.group(2)
        if wanted & (set(stems(after)) | set(_parts(after)[:1])):
            return float(match.group(1)) if "." in match.group(1) else int(match.group(1))
    return None


def _condition(text: str) -> Condition | None:
    differ = _DIFFER.match(text)
    if differ:
        return Condition(left=differ.group(1), test="differ", right=differ.group(2))
    relation = _RELATION.match(text)
    if relation is None:
        return None
    left, negated, comparison, right = relation.groups()
    if comparison is not None:
        return Condition(left=left, test=_TESTS[comparison.lower()], right=right)
    return Condition(left=left, test="ne" if negated else "eq", right=right)


def _named(words: Iterable[Any], text: str) -> list[Any]:
    """The words of a list that a text names, in order; one that stands inside a longer one is not named."""
    spans = {}
    for word in words:
        pattern = rf"(?<!\w){re.escape(str(word).replace('_', ' '))}(?!\w)"
        match = re.search(pattern, text, re.IGNORECASE)
        if match is not None:
            spans[match.start(), -match.end()] = word
    named, end = [], 0
    for (start, minus_end), word in sorted(spans.items()):
        if start >= end:
            named.append(word)
            end = -minus_end
    return named


def _parts(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text.replace("_", " "))]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def overlap(one: Iterable[str], other: Iterable[str]) -> int:
    """How many words two texts share."""
    return len(set(one) & set(other))
