"""JSON values: a first pass that sees what keys give away, and a second that takes it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Protocol

from hbeval.redaction.keys import is_plain, rule_of
from hbeval.redaction.numbers import CHECKS, digits_of
from hbeval.redaction.placeholders import PLACEHOLDER, Placeholders
from hbeval.redaction.rules import KeyRule, ValueRule, read_rules
from hbeval.redaction.texts import Known, pairs_in, redacted_text, scheme_of

__all__ = ["Look", "Take", "Visit"]

_NAMES = ("name", "key", "header")
_SCHEMA_VALUES = frozenset({"default", "const", "example", "examples", "enum"})
_FEWEST_DIGITS = 3


class Visit(Protocol):
    """One pass over a value. `schema` marks a JSON Schema, whose keys name what a value would be."""

    def __call__(self, value: Any, *, schema: bool) -> Any:
        """The value, or what takes its place."""
        ...


class Look:
    """Gathers what keys give away and what they declare plain, and the placeholders that are there already."""

    __slots__ = ("_known", "_placeholders")

    def __init__(self, known: Known, placeholders: Placeholders) -> None:
        self._known, self._placeholders = known, placeholders

    def at(self, value: Any, *, schema: bool) -> Any:
        """See a value; it is given back as it is."""
        self._see(value, None, schema)
        return value

    def _see(self, value: Any, rule: KeyRule | None, schema: bool) -> None:
        if isinstance(value, str):
            self._see_text(value, rule)
        elif isinstance(value, Mapping):
            for key, each, of_key in _members(value, rule, schema):
                if of_key is None and is_plain(key):
                    self._known.declare_plain(each)
                self._see(each, of_key, schema)
        elif isinstance(value, (list, tuple)):
            for each in value:
                self._see(each, rule, schema)
        elif rule is not None and _is_secret_number(value, rule):
            self._known.add(str(value), rule)

    def _see_text(self, text: str, rule: KeyRule | None) -> None:
        self._placeholders.take(text)
        if rule is not None and _is_secret_text(text, rule):
            self._known.add(text, rule)
        for span in pairs_in(text):
            if isinstance(span.rule, KeyRule):
                self._known.add(text[span.start : span.end], span.rule)


class Take:
    """Puts placeholders in the place of everything that must not be kept."""

    __slots__ = ("_known", "_placeholders")

    def __init__(self, known: Known, placeholders: Placeholders) -> None:
        self._known, self._placeholders = known, placeholders

    def out_of(self, value: Any, *, schema: bool) -> Any:
        """The value without it; the same object if it held nothing."""
        return self._made(value, None, schema)

    def _made(self, value: Any, rule: KeyRule | None, schema: bool) -> Any:
        if isinstance(value, str):
            return self._text(value, rule)
        if isinstance(value, Mapping):
            return self._mapping(value, rule, schema)
        if isinstance(value, (list, tuple)):
            made = [self._made(each, rule, schema) for each in value]
            return value if all(a is b for a, b in zip(made, value, strict=True)) else type(value)(made)
        return self._number(value, rule)

    def _mapping(self, value: Mapping[Any, Any], rule: KeyRule | None, schema: bool) -> Mapping[Any, Any]:
        made = {self._key(key): self._made(each, of_key, schema) for key, each, of_key in _members(value, rule, schema)}
        same = len(made) == len(value) and all(key in made and made[key] is each for key, each in value.items())
        return value if same else made

    def _key(self, key: Any) -> Any:
        return redacted_text(key, self._placeholders, self._known) if isinstance(key, str) else key

    def _text(self, text: str, rule: KeyRule | None) -> str:
        if rule is None or not _is_secret_text(text, rule):
            return redacted_text(text, self._placeholders, self._known)
        start = scheme_of(text)
        return text[:start] + self._placeholders.of(rule, text[start:])

    def _number(self, value: Any, rule: KeyRule | None) -> Any:
        """Whole numbers only: a card is no fraction."""
        if isinstance(value, bool) or not isinstance(value, int):
            return value
        if rule is not None and _is_secret_number(value, rule):
            return self._placeholders.of(rule, str(value))
        found = self._known.rule_of_digits(str(value)) or self._card(str(value))
        return value if found is None else self._placeholders.of(found, str(value))

    def _card(self, digits: str) -> ValueRule | None:
        if len(digits) < 14 or digits in self._known.plain:
            return None
        return _card_rule() if CHECKS["card"](digits) else None


def _members(value: Mapping[Any, Any], rule: KeyRule | None, schema: bool) -> Iterator[tuple[Any, Any, KeyRule | None]]:
    """Key, value, and the rule that the key or what stands around it gives to the value.

    In a schema a rule reaches example values only. `{"name": "Cookie", "value": …}` is a pair, too.
    """
    named = next((value[each] for each in _NAMES if isinstance(value.get(each), str)), None)
    for key, each in value.items():
        own = rule_of(key) if isinstance(key, str) else None
        if own is None and key == "value" and named is not None:
            own = rule_of(named)
        if schema:
            own = own if isinstance(each, Mapping) else rule if key in _SCHEMA_VALUES else None
            yield key, each, own or (rule if key in _SCHEMA_VALUES else None)
        else:
            yield key, each, own or rule


def _is_secret_text(text: str, rule: KeyRule) -> bool:
    """Whether a text beside a key of the rule is a value to take out."""
    bare = text.strip()
    if not bare or PLACEHOLDER.search(bare) or bare.lower() in read_rules().no_secrets:
        return False
    return not rule.numeric or len(digits_of(bare)) >= _FEWEST_DIGITS


def _is_secret_number(value: Any, rule: KeyRule) -> bool:
    return rule.numeric and isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 100


@cache
def _card_rule() -> ValueRule:
    return next(each for each in read_rules().values if each.check == "card")
