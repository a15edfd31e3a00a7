"""Text rules: patterns as data, read over what agents say. Weak evidence, and in English only."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from hbeval.judging.parameters import PARAMETERS

__all__ = ["Said", "TextRule", "TextRules", "Words", "load_text_rules", "text_rules", "words_of"]

Words = Sequence[bytes]

_NEAR = re.compile(r"(?:\b(?:no|not|never|without|zero)|n['’]t)\s+(?:\w+\s+){0,1}$")
_NOT = re.compile(r"\b(?:not|never|cannot)\b|n['’]t\b")
_IF = re.compile(r"\b(?:if|unless|whether|in case)\b")
_SNIPPET = 120
_LETTERS = bytes(code if chr(code).isalnum() or chr(code) == "_" else 32 for code in range(128)).lower() + b" " * 128


def words_of(text: str) -> Words:
    """The words of a text in lower case; letters beyond ASCII separate words, as no pattern has any.

    One pass over a text, so that most rules need not be tried on it.
    """
    return text.encode("ascii", "replace").translate(_LETTERS).split()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRule:
    """One pattern, in lower case, as texts are read.

    use       "claim": something the agent says it did; `support` names the conduct that would bear it out
              "part": one of the things a text must say; all of one `of` together are a signal of that name
    cues      groups of words; a text that matches holds a word of each
    negation  what takes a match back: "clause" a negation, condition or reported speech before it in its clause;
              "near" a negation right before it; "inside" one within it; "own" reported speech only, for a pattern that
              is itself a refusal; "condition" a condition before it in its clause; "none"
    """

    id: str
    version: str
    use: Literal["claim", "part"]
    pattern: re.Pattern[str]
    cues: tuple[frozenset[bytes], ...]
    negation: Literal["clause", "near", "inside", "own", "condition", "none"]
    support: str = ""
    of: str = ""

    def may_match(self, words: Words) -> bool:
        """Whether the rule may match a text with these words; False only if it cannot."""
        for group in self.cues:  # noqa: SIM110 - the hot path; a generator costs more than the look-up
            if group.isdisjoint(words):
                return False
        return True


class Said(NamedTuple):
    """A claim found in a text: the rule's id, the conduct it speaks of, and the words."""

    rule: str
    support: str
    words: str


class TextRules:
    """The compiled rules of one document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self.rules = tuple(_compiled(each, document["macros"]) for each in document["rules"])
        self._claims = tuple(rule for rule in self.rules if rule.use == "claim")
        self._claim_cues = frozenset().union(*[rule.cues[0] for rule in self._claims])
        self._parts: dict[str, list[TextRule]] = {}
        for rule in self.rules:
            self._parts.setdefault(rule.of, []).append(rule)
        self._cuts = tuple((each["where"], re.compile(each["pattern"], re.DOTALL)) for each in document["cut"])
        self._negation = re.compile(document["negation"])
        self._reported = re.compile(document["reported_speech"])
        self._boundary = re.compile(document["boundary"])

    def document(self) -> dict[str, Any]:
        """What decides a match, as JSON: without the examples."""
        rules = [{key: each[key] for key in each if key not in ("yes", "no")} for each in self._document["rules"]]
        return {**self._document, "rules": rules}

    def claim_rules(self, words: Words) -> tuple[TextRule, ...]:
        """The rules of claims that may match in a text with these words: cheap, and never leaves one out."""
        if self._claim_cues.isdisjoint(words):
            return ()
        return tuple([rule for rule in self._claims if rule.may_match(words)])

    def claims(self, text: str, rules: Sequence[TextRule] | None = None) -> Iterator[Said]:
        """What the speaker says of itself, the first match of each rule; of those given, or of all."""
        words = words_of(text)
        candidates = [rule for rule in (self._claims if rules is None else rules) if rule.may_match(words)]
        if not candidates:
            return
        clean = self._own_words(text)
        lowered = clean.lower()
        for rule in candidates:
            match = self._match(rule, lowered)
            if match is not None:
                found = clean[match.start() : match.end()] if len(clean) == len(lowered) else match.group()
                yield Said(rule.id, rule.support, " ".join(found.split())[:_SNIPPET])

    def may_tell(self, signal: str, words: Words) -> bool:
        """Whether a text with these words, or a part of it, may be a signal of this name."""
        for rule in self._parts[signal]:  # noqa: SIM110 - as above
            if not rule.may_match(words):
                return False
        return True

    def tells(self, signal: str, text: str) -> bool:
        """Whether a text says everything that makes the signal of this name."""
        return self._matches(self._parts[signal], text)

    def holds(self, rule: str, text: str) -> bool:
        """Whether the rule of this id matches a text."""
        return self._matches([each for each in self.rules if each.id == rule], text)

    def _matches(self, rules: Sequence[TextRule], text: str) -> bool:
        words = words_of(text)
        if not all(rule.may_match(words) for rule in rules):
            return False
        clean = self._own_words(text).lower()
        return all(self._match(rule, clean) is not None for rule in rules)

    def _own_words(self, text: str) -> str:
        """The text within bounds, without quotations and code: whoever quotes does not claim."""
        limit = PARAMETERS.text_limit
        if len(text) > limit:
            text = f"{text[: limit // 2]}\n{text[-limit // 2 :]}"
        for marks, cut in self._cuts:
            if any(mark in text for mark in marks):
                text = cut.sub(" ", text)
        return text

    def _match(self, rule: TextRule, text: str) -> re.Match[str] | None:
        for match in rule.pattern.finditer(text):
            if not self._taken_back(rule, match, text):
                return match
        return None

    def _taken_back(self, rule: TextRule, match: re.Match[str], text: str) -> bool:
        if rule.negation == "none":
            return False
        if rule.negation == "near":
            before = text[max(0, match.start() - 24) : match.start()]
            return bool(_NEAR.search(before))
        if rule.negation == "inside":
            return bool(_NOT.search(match.group()))
        clause = self._clause(text, match)
        if rule.negation == "condition":
            return bool(_IF.search(clause))
        if self._reported.search(clause):
            return True
        return rule.negation == "clause" and bool(self._negation.search(clause))

    def _clause(self, text: str, match: re.Match[str]) -> str:
        """From the boundary before the match to its end."""
        start = max(0, match.start() - 160)
        before = text[start : match.start()]
        ends = [each.end() for each in self._boundary.finditer(before)]
        return text[start + (ends[-1] if ends else 0) : match.end()]


@cache
def load_text_rules() -> TextRules:
    """The rules that ship with the package."""
    return TextRules(json.loads(files("hbeval.judging.text").joinpath("rules.json").read_text("utf-8")))


text_rules = load_text_rules


def _compiled(rule: Mapping[str, Any], macros: Mapping[str, str]) -> TextRule:
    return TextRule(
        id=rule["id"],
        version=rule["version"],
        use=rule["use"],
        cues=tuple([frozenset([cue.encode("ascii") for cue in group]) for group in rule["cues"]]),
        pattern=re.compile(_expanded(rule["pattern"], macros), re.MULTILINE),
        negation=rule["negation"],
        support=rule.get("support", ""),
        of=rule.get("of", ""),
    )


def _expanded(pattern: str, macros: Mapping[str, str]) -> str:
    for _ in range(2):
        for name, text in macros.items():
            pattern = pattern.replace("{" + name + "}", text)
    return pattern
