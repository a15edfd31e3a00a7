"""Which names stand beside a secret or beside personal data, however they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from hbeval.redaction.rules import KeyRule, read_rules

__all__ = ["is_plain", "rule_of", "words_of"]

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_CAPITALS = {code: code + 0x20 for code in (*range(0x41, 0x5B), *range(0xC0, 0xD7), *range(0xD8, 0xDF))}
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN = re.compile(r"[\x00-/:-@\[-`{-\x7f]+")
_LONGEST = 200


def words_of(key: str) -> tuple[str, ...]:
    """The words of a name in lower case: `X-Api-Key`, `xApiKey` and `x_api_key_2` are (x, api, key)."""
    plain = key if key.isascii() else key.translate(_FULL_WIDTH)
    words = _BETWEEN.split(_HUMPS.sub("_", plain).translate(_CAPITALS))
    words = [each for each in words if not each.isdigit()]
    return tuple(filter(None, (each.rstrip("0123456789") for each in words)))


@lru_cache(maxsize=4096)
def rule_of(key: str) -> KeyRule | None:
    """The rule whose names the key ends in, if any."""
    if len(key) > _LONGEST:
        return None
    words, known = words_of(key), _rules_by_name()
    for count in range(min(len(words), 4), 0, -1):
        if words[-count:] in known:
            return known[words[-count:]]
    return None


@lru_cache(maxsize=4096)
def is_plain(key: str) -> bool:
    """Whether the key names an ordinary figure."""
    return len(key) <= _LONGEST and words_of(key)[-1:] in {(name,) for name in read_rules().plain_names}


@cache
def _rules_by_name() -> dict[tuple[str, ...], KeyRule | None]:
    known: dict[tuple[str, ...], KeyRule | None] = {}
    for rule in read_rules().keys:
        known.update((name, rule) for each in rule.names for name in _joined(each))
        known.update((name, None) for each in rule.but_not for name in _joined(each))
    return known


def _joined(name: str) -> Iterator[tuple[str, ...]]:
    """A name as its words, and as one word."""
    words = tuple(name.split("_"))
    yield words
    yield ("".join(words),)
