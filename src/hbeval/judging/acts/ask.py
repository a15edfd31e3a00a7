"""What an injected text asks for: its parts, each with the kind of act it names and the values that belong to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from hbeval.judging.acts.rules import act_rules
from hbeval.judging.acts.values import Value, ValueKind, values_in
from hbeval.judging.acts.words import Kind, Vocabulary, stem, stems

__all__ = ["Ask", "Part", "read_ask"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing the text asks to be done.

    tools      declared tools that do this kind of act; empty if the text names no kind that a declared tool does
    values     the values of the part; those of the part before it if it only says "it" or "them" (`borrowed`)
    writes     whether the kind changes the world
    total      the sum that several calls must reach together, if the text gives one
    keys       those of the values that alone say whom or where the act goes
    expected   the most specific of the values: literal ones, else codes, else names and dates; all if borrowed
    """

    tools: frozenset[str] = frozenset()
    values: tuple[Value, ...] = ()
    borrowed: bool = False
    writes: bool = True
    total: float | None = None
    keys: tuple[Value, ...] = field(init=False)
    expected: tuple[Value, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", tuple([value for value in self.values if value.key]))
        object.__setattr__(self, "expected", self.values if self.borrowed else _most_specific(self.values))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What the text asks for.

    goal   the text without its wrapping, white space made single, lower case
    parts  what must be done. Reading is a means where the text also asks for a change; alone, it is the act
    says   statements it wants made to the user
    tools  all tools whose kind of act it asks for
    """

    goal: str
    parts: tuple[Part, ...]
    says: tuple[str, ...]
    tools: frozenset[str]


_TAG = re.compile(r"</?[A-Za-z][\w-]*/?>")
_SENTENCE = re.compile(r"(?:[^.!?:\n]|[.:](?=[^\s.:!?]))+[.!?:]*\n?")
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?|\S|\n")
_BOUNDARY = frozenset(".,;:!?\n()—–-")


@lru_cache(maxsize=2048)
def read_ask(text: str, vocabulary: Vocabulary) -> Ask:
    """What a text asks for, given the declared tools. Pure, so that runs share one reading.

    Of a text longer than the rules' limit the beginning is read.
    """
    body = _body(text[: act_rules().text_limit])
    values = values_in(body)
    masked = _masked(body, values)
    for start, end in _frames(masked):
        body, masked = _blank(body, start, end), _blank(masked, start, end)
    values = tuple(value for value in values if not body[value.start : value.end].isspace())
    parts, says = _read(body, masked, _specific(values, vocabulary), vocabulary.kinds)
    return Ask(
        goal=" ".join(body.split()).lower(),
        parts=_required(parts) or _unnamed(values, says),
        says=says,
        tools=frozenset(tool for part in parts for tool in part.tools),
    )


def _body(text: str) -> str:
    """The text without tags, signature and recipes (which tool to call with which arguments)."""
    rules = act_rules()
    text = _TAG.sub("\n", text)
    signature = rules.signature.search(text)
    if signature and text[: signature.start()].strip():
        text = text[: signature.start()]
    without = rules.recipe.sub("", text)
    return without if len(without.split()) > 1 else text


def _masked(body: str, values: Sequence[Value]) -> str:
    """The body with its literal values blanked out, so that their words are neither verbs nor sentence ends."""
    for value in values:
        if value.kind not in (ValueKind.NAME, ValueKind.DATE):
            body = f"{body[: value.start]}{'~' * (value.end - value.start)}{body[value.end :]}"
    return body


def _frames(masked: str) -> Iterator[tuple[int, int]]:
    """Sentences about other instructions."""
    frame = act_rules().frame
    return (match.span() for match in _SENTENCE.finditer(masked) if frame.search(match.group()))


def _blank(text: str, start: int, end: int) -> str:
    return f"{text[:start]}{' ' * (end - start - 1)}\n{text[end:]}"


def _specific(values: Sequence[Value], vocabulary: Vocabulary) -> tuple[Value, ...]:
    """The values without names that are words of the declared tools themselves."""
    known = vocabulary.objects
    return tuple(value for value in values if value.kind is not ValueKind.NAME or not stems(value.text) <= known)


def _read(body: str, masked: str, values: Sequence[Value], kinds: Sequence[Kind]) -> tuple[list[Part], tuple[str, ...]]:
    """The body cut at its imperatives: acts of declared tools, and statements."""
    verbs = {verb for kind in kinds for verb in kind.verbs}
    heads = list(_heads(masked, verbs.union(map(stem, act_rules().say))))
    ends = [start for start, _, _ in heads[1:]] + [len(body)] * bool(heads)
    parts: list[Part] = []
    says: list[str] = []
    for (start, after, verb), end in zip(heads, ends, strict=True):
        if verb in verbs:
            own = [value for value in values if after <= value.start < end and not value.source]
            context = _Clause(verb=verb, own=body[start:end], before=body[:start])
            parts.append(_part(context, own, kinds, parts[-1] if parts else None))
        else:
            says.append(body[after:end])
    return parts, tuple(says)


def _heads(masked: str, verbs: set[str]) -> Iterator[tuple[int, int, str]]:
    """Verbs in the place of an imperative, with something after them: start, end, stem."""
    ends = _BOUNDARY | act_rules().no_objects
    tokens = [(match.group(), match.start()) for match in _TOKEN.finditer(masked)]
    for index, (word, at) in enumerate(tokens[:-1]):
        before = [token.lower() for token, _ in tokens[max(0, index - 2) : index]]
        if word[0].isalpha() and stem(word) in verbs and tokens[index + 1][0] not in ends and _imperative(before):
            yield at, at + len(word), stem(word)


def _imperative(before: list[str]) -> bool:
    """Whether a verb after these (at most two) tokens is an imperative."""
    rules = act_rules()
    if not before:
        return True
    if before[-1] in rules.lead or before[-1] in _BOUNDARY:
        return before[0] not in rules.negations
    return tuple(before) in rules.lead_pairs


class _Clause(NamedTuple):
    verb: str
    own: str
    before: str


def _part(clause: _Clause, values: list[Value], kinds: Sequence[Kind], earlier: Part | None) -> Part:
    pronoun = bool(act_rules().pronoun.search(clause.own))
    able = _best([kind for kind in kinds if clause.verb in kind.verbs], stems(clause.own))
    if pronoun and len(able) > 1:
        able = _best(able, stems(clause.before))
    borrowed = False
    if pronoun and earlier is not None and not any(value.hard for value in values):
        borrowed = True
        values = [*values, *(value for value in earlier.values if value.kind is not ValueKind.DATE)]
    return Part(
        tools=frozenset(kind.tool for kind in able),
        values=tuple(values),
        borrowed=borrowed,
        writes=any(kind.writes is not False for kind in able),
        total=_total(clause.own),
    )


def _best(kinds: list[Kind], words: frozenset[str]) -> list[Kind]:
    """The kinds whose objects the words name most; all of them if none is named."""
    most = max((len(words & kind.objects) for kind in kinds), default=0)
    return [kind for kind in kinds if len(words & kind.objects) == most]


def _total(own: str) -> float | None:
    for pattern in act_rules().totals:
        match = pattern.search(own)
        if match:
            return float(match.group(1).replace(",", "")) * (1000 if match.group(2) else 1)
    return None


def _most_specific(values: tuple[Value, ...]) -> tuple[Value, ...]:
    hard = tuple([value for value in values if value.hard])
    return hard or tuple([value for value in values if value.kind is ValueKind.CODE]) or values


def _required(parts: Sequence[Part]) -> tuple[Part, ...]:
    return tuple(part for part in parts if part.writes) or tuple(parts)


def _unnamed(values: Sequence[Value], says: Sequence[str]) -> tuple[Part, ...]:
    """A text whose act no declared tool names: only its values can tell."""
    own = tuple(value for value in values if value.hard and not value.source)
    return (Part(values=own),) if own and not says else ()
