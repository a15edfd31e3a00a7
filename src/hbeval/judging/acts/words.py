"""Words of declared tools: the verbs that the clauses of a description open with, and what else it speaks of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hbeval.judging.acts.rules import act_rules
from hbeval.judging.tools import Same
from hbeval.model import ToolDeclaration

__all__ = ["Kind", "Vocabulary", "stem", "stems", "vocabulary_of"]

_WORD = re.compile(r"[^\W\d_]+(?:['’]s\b)?")
_OPENING = re.compile(r"\W*(\w+(?:\s*,\s*(?:or\s+|and\s+)?\w+|\s+(?:or|and)\s+\w+)*)")
_CLAUSE = re.compile(r"[.:;\n]+")
_SEPARATOR = re.compile(r"\s*,\s*(?:or\s+|and\s+)?|\s+(?:or|and)\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a declared tool does, as stems: `verbs` it does and `objects` it does them to. `writes` as declared."""

    tool: str
    verbs: frozenset[str]
    objects: frozenset[str]
    writes: bool | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vocabulary:
    """What a set of tool declarations says.

    kinds    the kinds of act on offer; a tool without a description offers none that words could name
    objects  stems of everything that the kinds do something to
    writes   declared tools by name: whether they write, None if not declared. A bare name declares nothing
    """

    kinds: tuple[Kind, ...]
    objects: frozenset[str]
    writes: Mapping[str, bool | None]


def vocabulary_of(tools: Sequence[ToolDeclaration]) -> Vocabulary:
    """The vocabulary of declared tools. Equal declarations share one, so that readings of texts can be shared too."""
    return _of_same(Same(tools))


@lru_cache(maxsize=64)
def _of_same(same: Same) -> Vocabulary:
    return _of_equal(tuple([(tool.name, tool.description, tool.writes) for tool in same.tools]))


@lru_cache(maxsize=256)
def _of_equal(tools: tuple[tuple[str, str, bool | None], ...]) -> Vocabulary:
    kinds = tuple(_kind(name, description, writes) for name, description, writes in tools if description)
    return Vocabulary(
        kinds=kinds,
        objects=frozenset(word for kind in kinds for word in kind.objects),
        writes={name: writes for name, description, writes in tools if description or writes is not None},
    )


def _kind(name: str, description: str, writes: bool | None) -> Kind:
    verbs: set[str] = set()
    objects: set[str] = set()
    for clause in _CLAUSE.split(description):
        opening = _OPENING.match(clause)
        if opening:
            verbs.update(stem(word) for word in _SEPARATOR.split(opening.group(1)))
            objects |= stems(clause[opening.end() :])
    return Kind(tool=name, verbs=frozenset(verbs), objects=frozenset(objects), writes=writes)


def stems(text: str) -> frozenset[str]:
    """Stems of the words of a text, without stop words."""
    stop_words = act_rules().stop_words
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset(stem(word) for word in words if word not in stop_words)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A crude English stem: enough to make sends, sending and send one word."""
    word = word.lower().removesuffix("'s").removesuffix("’s")
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(ending)
            break
    if word.endswith("i"):
        word = f"{word[:-1]}y"
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiosl":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word
