"""A quick look at what is written: can it hold anything that a rule takes out?

A battery writes thousands of runs a second, and most hold nothing. The look misses nothing; what it stops at is read
properly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from json.encoder import encode_basestring_ascii

from hbeval.redaction.rules import KeyRule, read_rules

__all__ = ["Quick"]

_RUN = re.compile(r"[0-9+][0-9() -]{9,}")
_FULL_WIDTH = re.compile(r"\\uff[2345]")
_ESCAPE = r"\\(?:[\\nrtbf\"/]|u00[0-7][0-9a-f])"
_BETWEEN = rf"(?:[^a-z0-9\"'\\]|{_ESCAPE})*"
_TO_THE_QUOTE = rf"(?:[^a-z\"'\\]|{_ESCAPE})*\\*[\"']"
_LEAST = 8
_KEPT, _LONGEST_KEPT = 4096, 20_000


class Quick:
    """Looks at JSON texts with ASCII escapes, and remembers those that held nothing: tasks, declarations and results
    of a battery come again and again.
    """

    __slots__ = ("_clean", "_cues", "_roots", "_run_shapes", "_shapes")

    def __init__(self) -> None:
        self._cues, self._roots, self._shapes, self._run_shapes = _patterns()
        self._clean: set[str] = set()

    def is_clean(self, texts: Iterable[str]) -> bool:
        """Whether no rule applies in any of the texts. True is certain."""
        clean = self._clean
        for text in texts:
            if len(text) >= _LEAST and text not in clean:
                if self._may_hold(text):
                    return False
                self._keep(text)
        return True

    def remember(self, texts: Iterable[str]) -> None:
        """Take note of texts that were read properly and held nothing."""
        for text in texts:
            self._keep(text)

    def _keep(self, text: str) -> None:
        if len(text) <= _LONGEST_KEPT:
            if len(self._clean) >= _KEPT:
                self._clean.clear()
            self._clean.add(text)

    def _may_hold(self, text: str) -> bool:
        for cue in self._cues:
            if cue in text:
                return True
        lowered = text.lower()
        for root, names in self._roots:
            if root in lowered and names.search(lowered):
                return True
        for shape in self._shapes:
            if shape.search(text):
                return True
        if "\\uff" in lowered and _FULL_WIDTH.search(lowered):
            return True
        return any(self._run_shapes.search(run) for run in _RUN.findall(text))


@cache
def _patterns() -> tuple[
    tuple[str, ...], tuple[tuple[str, re.Pattern[str]], ...], tuple[re.Pattern[str], ...], re.Pattern[str]
]:
    rules = read_rules()
    return (
        tuple(dict.fromkeys(cue for rule in rules.values for cue in rule.cues)),
        tuple((root, _names(rule)) for rule in rules.keys for root in rule.roots),
        tuple(re.compile(rule.shape) for rule in rules.values if rule.shape and not rule.run),
        re.compile("|".join(rule.shape for rule in rules.values if rule.shape and rule.run)),
    )


def _names(rule: KeyRule) -> re.Pattern[str]:
    """Where a key ends in a name of the rule, however joined; if only keys count, up to the closing quote."""
    names = [_BETWEEN.join(map(_written, name.split("_"))) for name in rule.names]
    return re.compile(f"(?:{'|'.join(names)}){'' if rule.in_text else _TO_THE_QUOTE}")


def _written(word: str) -> str:
    """The word as it stands in JSON with ASCII escapes, in lower case; capitals of letters beyond ASCII too."""
    return "".join(
        each if each.isascii() else f"(?:{'|'.join(re.escape(_escaped(form)) for form in (each, each.upper()))})"
        for each in word
    )


def _escaped(char: str) -> str:
    return encode_basestring_ascii(char)[1:-1].lower()
