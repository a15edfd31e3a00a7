"""Types of arguments: what they take, and what they say otherwise."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import pytest

from hbeval.cli.parser import count, fraction, integer, label, seconds, word, words
from hbeval.cli.suggest import choose, unknown_word
from hbeval.errors import UsageError


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (integer(0), "0", 0),
        (count, "3", 3),
        (seconds, "0.5", 0.5),
        (fraction, "0.95", 0.95),
        (fraction, "0", 0.0),
        (label, "model=a=b", ("model", "a=b")),
        (word("action", "list"), "list", "list"),
        (words, "a, b,,c", ("a", "b", "c")),
        (words, "", ()),
    ],
)
def test_what_fits_is_taken(parse: Callable[[str], object], text: str, value: object) -> None:
    """Text in, value out."""
    assert parse(text) == value


@pytest.mark.parametrize(
    ("parse", "text", "right"),
    [
        (integer(0), "-1", "a whole number of at least 0"),
        (integer(1, 9), "10", "at least 1 and at most 9"),
        (count, "0", "at least 1"),
        (count, "1.5", "a whole number"),
        (count, "9" * 5000, "a whole number"),
        (seconds, "0", "a positive number of seconds"),
        (seconds, "inf", "a positive number of seconds"),
        (seconds, "nan", "a positive number of seconds"),
        (fraction, "95", "0.95, not 95 or 95%"),
        (fraction, "95%", "0.95, not 95 or 95%"),
        (fraction, "nan", "between 0 and 1"),
        (fraction, "-0.1", "between 0 and 1"),
        (label, "model", "KEY=TEXT"),
        (label, "=x", "KEY=TEXT"),
        (word("action", "list", "show"), "shwo", "did you mean 'show'?"),
    ],
)
def test_what_does_not_fit_says_what_would(parse: Callable[[str], object], text: str, right: str) -> None:
    """The value is in the message, shortened, and so is the remedy."""
    with pytest.raises(argparse.ArgumentTypeError) as caught:
        parse(text)
    assert right in str(caught.value)
    assert len(str(caught.value)) < 200


def test_the_nearest_word_keeps_its_own_spelling() -> None:
    """Case does not matter for the guess."""
    assert unknown_word("level", "e1", ("E1", "E2")) == "unknown level 'e1'; did you mean 'E1'?"
    assert unknown_word("thing", "zzz", ("one",)) == "unknown thing 'zzz'; there is one"
    with pytest.raises(UsageError, match="did you mean 'cascade'"):
        choose("fault type", "cascad", ("cascade", "combined"))
    assert choose("fault type", "cascade", ("cascade",)) == "cascade"
