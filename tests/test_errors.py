"""Error messages help at three in the morning."""

from __future__ import annotations

from hbeval.errors import HbevalError, InputError, NotComparable, UsageError


def test_an_input_error_says_where_what_value_and_right():
    """One line, in that order."""
    error = InputError("unknown fault", where="battery.toml:3", value="tool_failur", right="tool_failure")
    assert str(error) == "battery.toml:3: unknown fault, got 'tool_failur'; expected tool_failure"
    assert isinstance(error, UsageError)


def test_a_long_value_is_cut():
    """A message stays one line whatever the document held."""
    assert len(str(InputError("wrong", value="x" * 10_000))) < 100


class Mute:
    """A value that cannot say what it is."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


def test_a_value_that_cannot_be_shown_does_not_hide_the_message():
    """Too many digits, too deep, or foreign code."""
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for value in (10**5000, deep, Mute()):
        assert str(InputError("wrong", value=value)).startswith(f"wrong, got a {type(value).__name__} that cannot be")


def test_a_value_of_none_is_still_shown():
    """`null` in a document is a value."""
    assert str(InputError("wrong", value=None)) == "wrong, got None"


def test_not_comparable_gives_every_reason():
    """No reader should have to fix one to see the next."""
    error = NotComparable(("context differs", "scoring differs"))
    assert error.reasons == ("context differs", "scoring differs")
    assert "context differs; scoring differs" in str(error)
    assert isinstance(error, HbevalError)
