"""What stands in the place of a value: `redacted-rule-label`, the same for the same value within one record."""

from __future__ import annotations

import re

from hbeval.redaction.numbers import digits_of, letters_of
from hbeval.redaction.rules import KeyRule, Same, ValueRule

__all__ = ["PLACEHOLDER", "Placeholders"]

PLACEHOLDER = re.compile(r"(?<![\w-])redacted-[a-z-]+-(?:[a-z]{1,3}|7[0-9]{5,})(?![\w-])(?:@redacted\.invalid)?")
_FIGURES_FROM = 700_000
_FEW_DIGITS, _ENOUGH_DIGITS = 3, 7


class Placeholders:
    """Gives each value its placeholder, and counts how often each rule took something out.

    Judging looks for figures, accounts and addresses in texts, so a placeholder keeps as much of the form as that needs
    and is one word: a value without figures gets a letter, one with at least three digits a number of six digits, an
    address an address.
    """

    __slots__ = ("_labels", "_taken", "_used", "counts")

    def __init__(self) -> None:
        self._labels: dict[tuple[Same, str], tuple[str, str]] = {}
        self._taken: set[str] = set()
        self._used: dict[tuple[str, bool], int] = {}
        self.counts: dict[str, int] = {}

    def take(self, text: str) -> None:
        """Leave the placeholders of a text to what they stand for."""
        if "redacted-" in text:
            self._taken.update(match.group() for match in PLACEHOLDER.finditer(text))

    def of(self, rule: KeyRule | ValueRule, value: str) -> str:
        """The placeholder of one occurrence of a value."""
        rule_id, placeholder = self._label(rule, value)
        self.counts[rule_id] = self.counts.get(rule_id, 0) + 1
        return placeholder

    def _label(self, rule: KeyRule | ValueRule, value: str) -> tuple[str, str]:
        key = rule.same, _same(rule.same, value)
        if key not in self._labels:
            self._labels[key] = rule.id, self._new(rule, value)
        return self._labels[key]

    def _new(self, rule: KeyRule | ValueRule, value: str) -> str:
        figure = rule.label == "figure" or len(digits_of(value)) >= _FEW_DIGITS
        domain = "@redacted.invalid" if rule.label == "address" else ""
        while True:
            number = self._used[rule.id, figure] = self._used.get((rule.id, figure), 0) + 1
            label = str(_FIGURES_FROM + number) if figure else _letters(number)
            made = f"redacted-{rule.id}-{label}{domain}"
            if made not in self._taken:
                return made


def _same(same: Same, value: str) -> str:
    """What of a value makes it the same value, however it is written."""
    if same in ("digits", "subscriber"):
        digits = digits_of(value)
        return value if len(digits) < _ENOUGH_DIGITS else digits[-9:] if same == "subscriber" else digits
    if same == "letters":
        return letters_of(value)
    return value.lower() if same == "lower" else value


def _letters(number: int) -> str:
    """1 is a, 26 is z, 27 is aa."""
    out = ""
    while number:
        number, place = divmod(number - 1, 26)
        out = chr(ord("a") + place) + out
    return out
