"""Text rules: patterns as data, read over what agents say. Weak evidence, and in English only."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from hbeval.judging.parameters import PARAMETERS

__all__ = ["Said", "TextRule", "TextRules", "load_text_rules", "text_rules"]

_NEAR = re.compile(r"(?:\b(?:no|not|never|without|zero)|n['’]t)\s+(?:\w+\s+){0,1}$", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|never|cannot)\b|n['’]t\b", re.IGNORECASE)
_SNIPPET = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRule:
    """One pattern.

    use       "claim": something the agent says it did; `support` names the conduct that would bear it out
              "part": one of the things a text must say; all of one `of` together are a signal of that name
    cues      groups of lower-case words; a text that matches holds a word of each
    negation  what takes a match back: "clause" a negation, condition or reported speech before it in its clause;
              "near" a negation right before it; "inside" one within it; "own" reported speech only, for a pattern that
              is itself a refusal; "none"
    """

    id: str
    version: str
    use: Literal["claim", "part"]
    pattern: re.Pattern[str]
    cues: tuple[tuple[str, ...], ...]
    negation: Literal["clause", "near", "inside", "own", "none"]
    support: str = ""
    of: str = ""


class Said(NamedTuple):
    """A claim found in a text: the rule's id, the conduct it speaks of, and the words."""

    rule: str
    support: str
    words: str


class TextRules:
    """The compiled rules of one document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._claim_cues: tuple[str, ...] = tuple(document["claim_cues"])
        self.rules = tuple(_compiled(each, document["macros"]) for each in document["rules"])
        self._claims = tuple(rule for rule in self.rules if rule.use == "claim")
        self._parts: dict[str, list[TextRule]] = {}
        for rule in self.rules:
            self._parts.setdefault(rule.of, []).append(rule)
        self._cuts = tuple((each["where"], re.compile(each["pattern"], re.DOTALL)) for each in document["cut"])
        self._negation = re.compile(document["negation"], re.IGNORECASE)
        self._reported = re.compile(document["reported_speech"], re.IGNORECASE)
        self._boundary = re.compile(document["boundary"], re.IGNORECASE)

    def document(self) -> dict[str, Any]:
        """What decides a match, as JSON: without the examples."""
        rules = [{key: each[key] for key in each if key not in ("yes", "no")} for each in self._document["rules"]]
        return {**self._document, "rules": rules}

    def claim_rules(self, lowered: str) -> tuple[TextRule, ...]:
        """The rules of claims that may match in a text, given in lower case: cheap, and never leaves one out."""
        if not _holds_any(lowered, self._claim_cues):
            return ()
        return tuple([rule for rule in self._claims if _may_match(rule, lowered)])

    def claims(self, text: str, rules: Sequence[TextRule] | None = None) -> Iterator[Said]:
        """What the speaker says of itself, the first match of each rule; of those given, or of all that may match."""
        lowered = text.lower()
        clean = None
        for rule in self.claim_rules(lowered) if rules is None else rules:
            if _may_match(rule, lowered):
                clean = self._own_words(text) if clean is None else clean
                match = self._match(rule, clean)
                if match is not None:
                    yield Said(rule.id, rule.support, " ".join(match.group().split())[:_SNIPPET])

    def may_tell(self, signal: str, lowered: str) -> bool:
        """Whether a text, given in lower case, or a part of it may be a signal of this name."""
        for rule in self._parts[signal]:  # noqa: SIM110 - as below
            if not _may_match(rule, lowered):
                return False
        return True

    def tells(self, signal: str, text: str) -> bool:
        """Whether a text says everything that makes the signal of this name."""
        return self._matches(self._parts[signal], text)

    def holds(self, rule: str, text: str) -> bool:
        """Whether the rule of this id matches a text."""
        return self._matches([each for each in self.rules if each.id == rule], text)

    def _matches(self, rules: Sequence[TextRule], text: str) -> bool:
        lowered = text.lower()
        for rule in rules:
            if not _may_match(rule, lowered):
                return False
        clean = self._own_words(text)
        return all(self._match(rule, clean) is not None for rule in rules)

    def _own_words(self, text: str) -> str:
        """The text within bounds, without quotations and code: whoever quotes does not claim."""
        limit = PARAMETERS.text_limit
        if len(text) > limit:
            text = f"{text[: limit // 2]}\n{text[-limit // 2 :]}"
        for marks, cut in self._cuts:
            if _holds_any(text, marks):
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
    return TextRules(json.loads(files("hbeval.judging").joinpath("text_rules.json").read_text("utf-8")))


text_rules = load_text_rules


def _holds_any(text: str, words: Iterable[str]) -> bool:
    for word in words:  # noqa: SIM110 - the hot path; a generator costs more than the search
        if word in text:
            return True
    return False


def _may_match(rule: TextRule, lowered: str) -> bool:
    for group in rule.cues:  # noqa: SIM110 - as above
        if not _holds_any(lowered, group):
            return False
    return True


def _compiled(rule: Mapping[str, Any], macros: Mapping[str, str]) -> TextRule:
    return TextRule(
        id=rule["id"],
        version=rule["version"],
        use=rule["use"],
        cues=tuple([tuple(group) for group in rule["cues"]]),
        pattern=re.compile(_expanded(rule["pattern"], macros), re.IGNORECASE | re.MULTILINE),
        negation=rule["negation"],
        support=rule.get("support", ""),
        of=rule.get("of", ""),
    )


def _expanded(pattern: str, macros: Mapping[str, str]) -> str:
    for _ in range(2):
        for name, text in macros.items():
            pattern = pattern.replace("{" + name + "}", text)
    return pattern
