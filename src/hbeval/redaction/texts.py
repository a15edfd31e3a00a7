"""One text: where in it something stands that must not be kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from hbeval.redaction.keys import rule_of
from hbeval.redaction.numbers import CHECKS, digits_of
from hbeval.redaction.placeholders import PLACEHOLDER, Placeholders
from hbeval.redaction.rules import KeyRule, ValueRule, read_rules

__all__ = ["Known", "pairs_in", "redacted_text", "scheme_of"]

_QUOTED_PAIR = re.compile(
    r"""(?P<quote>\\*["'])(?P<key>[^"'\\\n]{1,60})(?P=quote)\s*:\s*
        (?:(?P<mark>\\*["'])(?P<value>.{0,10000}?)(?<!\\)(?P=mark)|(?P<number>-?\d[\d.]*))""",
    re.VERBOSE | re.DOTALL,
)
_ASSIGNED = re.compile(
    r"""(?P<asked>[?&])?(?<![\w.-])(?P<key>[\w.-]{1,60})\s?=\s?
        (?:(?P<mark>\\*["'])(?P<quoted>.{0,10000}?)(?<!\\)(?P=mark)|(?P<value>[^\s&;,"'<>)\]}\\]+))""",
    re.VERBOSE,
)
_LINE = re.compile(r"^[ \t>*-]*(?P<key>[\w][\w -]{0,40}?)[ \t]*:[ \t]+(?P<value>\S.*)", re.MULTILINE)
_SCHEME = re.compile(r"(?i:bearer|basic|token|digest)\s+")
_KEY_BEFORE = re.compile(r"""(\\*["'])\s*:\s*$""")
_LEAST_UNQUOTED, _LONGEST_WORD = 6, 12


class Span(NamedTuple):
    """A part of a text, and the rule that wants it taken out."""

    start: int
    end: int
    rule: KeyRule | ValueRule


class Known:
    """Values that a key gave away, to be taken out wherever else they stand, and figures that a key declared plain."""

    __slots__ = ("_digits", "_pattern", "_texts", "plain")

    def __init__(self) -> None:
        self._texts: dict[str, KeyRule] = {}
        self._digits: dict[str, KeyRule] = {}
        self._pattern: re.Pattern[str] | None = None
        self.plain: set[str] = set()

    def add(self, value: str, rule: KeyRule) -> None:
        """Remember a value, if it is one that would not be met by chance."""
        value = value.strip()
        if rule.numeric:
            digits = digits_of(value)
            if len(digits) >= 7:
                self._digits.setdefault(digits, rule)
        elif _distinctive(bare := value[scheme_of(value) :]):
            self._texts.setdefault(bare, rule)
        self._pattern = None

    def declare_plain(self, value: object) -> None:
        """Remember the figure that an ordinary key holds as a whole: it is a figure wherever it stands."""
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            digits = digits_of(str(value))
            if len(digits) >= 7 and not any(map(str.isalpha, str(value))):
                self.plain.add(digits)

    def rule_of_digits(self, digits: str) -> KeyRule | None:
        """The rule of a number that a key gave away."""
        return self._digits.get(digits)

    def spans(self, text: str) -> Iterator[Span]:
        """Where they stand."""
        if not self._texts and not self._digits:
            return
        if self._pattern is None:
            texts = [re.escape(each) for each in sorted(self._texts, key=lambda each: (-len(each), each))]
            digits = [r"[ ().-]{0,2}".join(each) for each in sorted(self._digits, key=lambda each: (-len(each), each))]
            self._pattern = re.compile(rf"(?<![^\W_])(?:{'|'.join((*texts, *digits))})(?![^\W_])")
        for match in self._pattern.finditer(text):
            found = match.group()
            rule = self._texts.get(found) or self._digits[digits_of(found)]
            yield Span(match.start(), match.end(), rule)


def _distinctive(value: str) -> bool:
    """Whether a value is told from ordinary words: a figure in six characters, or twelve characters without a space."""
    if len(value) < _LEAST_UNQUOTED or PLACEHOLDER.search(value):
        return False
    return any(map(str.isdigit, value)) or (len(value) >= _LONGEST_WORD and " " not in value)


def redacted_text(text: str, placeholders: Placeholders, known: Known) -> str:
    """The text with a placeholder for everything that must not be kept."""
    spans = _chosen(text, known)
    if not spans:
        return text
    parts, at = [], 0
    for start, end, rule in spans:
        quote = _quote(text, start) if rule.numeric else ""
        parts += [text[at:start], quote, placeholders.of(rule, text[start:end]), quote]
        at = end
    return "".join((*parts, text[at:]))


def _chosen(text: str, known: Known) -> list[Span]:
    """Spans in order that do not overlap; of two that do, the one whose rule is tried first."""
    taken = [(match.start(), match.end()) for match in PLACEHOLDER.finditer(text)] if "redacted-" in text else []
    chosen: list[Span] = []
    for span in _candidates(text, known):
        if all(span.end <= start or end <= span.start for start, end in taken):
            taken.append((span.start, span.end))
            chosen.append(span)
    return sorted(chosen)


def _quote(text: str, start: int) -> str:
    """The quotation mark of the key before a bare number, so that JSON in a text stays JSON."""
    match = _KEY_BEFORE.search(text, max(0, start - 80), start)
    return match.group(1) if match else ""


def _candidates(text: str, known: Known) -> Iterator[Span]:
    patterns = _patterns()
    for rule, pattern in patterns:
        if not rule.check and not rule.numeric and rule.label == "word":
            yield from (Span(*match.span(), rule) for match in pattern.finditer(text))
    yield from pairs_in(text)
    yield from known.spans(text)
    for rule, pattern in patterns:
        if rule.check or rule.numeric or rule.label != "word":
            yield from _checked(rule, pattern, text, known)


def _checked(rule: ValueRule, pattern: re.Pattern[str], text: str, known: Known) -> Iterator[Span]:
    for match in pattern.finditer(text):
        found = CHECKS[rule.check](match.group()) if rule.check else match.group()
        if found and not (rule.numeric and digits_of(found) in known.plain):
            yield Span(match.start(), match.start() + len(found), rule)


@cache
def _patterns() -> tuple[tuple[ValueRule, re.Pattern[str]], ...]:
    """Rules of figures and codes count ASCII only."""
    return tuple(
        (rule, re.compile(rule.pattern, re.DOTALL | (re.ASCII if rule.shape else re.NOFLAG)))
        for rule in read_rules().values
    )


def pairs_in(text: str) -> Iterator[Span]:
    """Values that stand beside a name inside the text: `"name": "value"` at any depth of quoting, `name=value`, and
    lines `name: value`. Without quotes a value must look like a secret, because prose has colons too.
    """
    lowered = text.lower()
    if not any(root in lowered for root in _roots()):
        return
    if ":" in text:
        yield from _quoted(text)
        yield from _lines(text)
    if "=" in text:
        yield from _assigned(text)


@cache
def _roots() -> tuple[str, ...]:
    return tuple(dict.fromkeys(root for rule in read_rules().keys for root in rule.roots))


def _quoted(text: str) -> Iterator[Span]:
    for match in _QUOTED_PAIR.finditer(text):
        rule = rule_of(match["key"])
        if rule is None:
            continue
        if match["value"]:
            yield Span(match.start("value") + scheme_of(match["value"]), match.end("value"), rule)
        elif match["number"] and rule.numeric:
            yield Span(*match.span("number"), rule)


def _assigned(text: str) -> Iterator[Span]:
    for match in _ASSIGNED.finditer(text):
        rule = rule_of(match["key"])
        if rule is None or not (rule.in_text or match["asked"]):
            continue
        if match["quoted"]:
            yield Span(*match.span("quoted"), rule)
            continue
        value = (match["value"] or "").rstrip(".!?:")
        if value and (match["asked"] or _looks_secret(value)):
            yield Span(match.start("value"), match.start("value") + len(value), rule)


def _lines(text: str) -> Iterator[Span]:
    for match in _LINE.finditer(text):
        rule, value = rule_of(match["key"]), match["value"].rstrip()
        if rule is None or not rule.in_text:
            continue
        start = match.start("value") + (scheme_of(value) if rule.header else 0)
        secret = text[start : match.start("value") + len(value)]
        if _looks_secret(secret) and (rule.header or not any(map(str.isspace, secret))):
            yield Span(start, start + len(secret), rule)


def scheme_of(value: str) -> int:
    """How long the word is that says how a secret is presented ("Bearer ")."""
    match = _SCHEME.match(value)
    return match.end() if match else 0


def _looks_secret(value: str) -> bool:
    return len(value) >= _LEAST_UNQUOTED and any(map(str.isdigit, value))
