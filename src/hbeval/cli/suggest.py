"""Did you mean: the nearest known word to a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from hbeval.errors import UsageError

__all__ = ["choose", "unknown_word"]


def choose(kind: str, word: str, known: Iterable[str]) -> str:
    """`word` if it is known. Raises UsageError naming the nearest word, or all of them."""
    words = tuple(known)
    if word not in words:
        raise UsageError(unknown_word(kind, word, words))
    return word


def unknown_word(kind: str, word: str, known: Iterable[str]) -> str:
    """The line that says a word is unknown and what would be right."""
    words = tuple(str(each) for each in known)
    near = get_close_matches(word.lower(), [each.lower() for each in words], n=1, cutoff=0.6)
    if near:
        right = next(each for each in words if each.lower() == near[0])
        return f"unknown {kind} {word!r}; did you mean {right!r}?"
    return f"unknown {kind} {word!r}; there {'is' if len(words) == 1 else 'are'} {', '.join(words)}"
