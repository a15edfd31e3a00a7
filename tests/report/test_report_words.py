"""How values and text are written for people."""

from __future__ import annotations

import pytest

from hbeval.model import Coverage, Measured, NotMeasured
from hbeval.report.words import (
    battery_words,
    coverage_words,
    group_name,
    interval_words,
    n_words,
    number,
    printable,
    share_words,
    value_words,
)


def _measured(value: float = 0.5, interval: tuple[float, float] | None = (0.4, 0.6), n_total: int = 10) -> Measured:
    return Measured(
        value=value,
        n=10,
        n_total=n_total,
        k=5,
        interval=interval,
        level=0.95,
        method="test",
        instrument="frr@1.0",
        no_interval=None if interval else "one run",
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("grün 漢字 é", "grün 漢字 é"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x00\x7f\x9b", "\\x00\\x7f\\x9b"),
        ("\ud83d", "\\ud83d"),
        ("\u202eevil", "\\u202eevil"),
        ("\u2028", "\\u2028"),
        ("\ufffe\U0001ffff", "\\ufffe\\U0001ffff"),
    ],
)
def test_what_would_act_becomes_a_visible_escape(text: str, shown: str) -> None:
    """Control characters, lone surrogates and direction marks are shown; other scripts stay as they are."""
    assert printable(text) == shown


def test_kept_characters_stay() -> None:
    """A caller that can show line breaks keeps them."""
    assert printable("a\nb\x00", keep="\n") == "a\nb\\x00"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0.000"), (0.00049, "0.00049"), (0.5, "0.500"), (4.25, "4.250"), (-0.25, "-0.250"), (3e7, "3e+07")],
)
def test_only_zero_is_written_as_zero(value: float, shown: str) -> None:
    """A small value keeps its digits."""
    assert number(value) == shown


def test_a_real_zero_is_a_number() -> None:
    """Zero measured is 0.000, and never the words for not measured."""
    assert value_words(_measured(0.0)) == "0.000"


def test_not_measured_says_why() -> None:
    """The reason is part of the value's words, made printable."""
    result = NotMeasured(reason="no fault\x1b", n=0, n_total=0, instrument="frr@1.0")
    assert value_words(result) == "not measured: no fault\\x1b"
    assert interval_words(result) == ""


def test_a_missing_interval_says_why() -> None:
    """One run has no interval, and the words say so."""
    assert interval_words(_measured(interval=None)) == "no interval: one run"
    assert interval_words(_measured()) == "0.400 to 0.600"


def test_unknowns_show_as_n_of_n_total() -> None:
    """A denominator that lost unknown cases says out of how many."""
    assert n_words(_measured()) == "10"
    assert n_words(_measured(n_total=12)) == "10 of 12"


@pytest.mark.parametrize(
    ("share", "shown"), [(None, "not defined"), (1.0, "100 %"), (0.9996, "99.9 %"), (0.5, "50 %"), (0.0, "0 %")]
)
def test_shares_are_never_rounded_up_to_all(share: float | None, shown: str) -> None:
    """99.96 % is not written as 100 %."""
    assert share_words(share) == shown


def test_coverage_names_every_loss() -> None:
    """Invalid endings and cancelled runs are named with their counts."""
    found = Coverage(runs=10, measured=7, invalid={"infrastructure": 2}, cancelled=1, endings={})
    assert coverage_words(found) == "7 of 10 runs measured (70 %), 2 invalid: infrastructure, 1 cancelled"


def test_battery_words_leave_out_what_is_long() -> None:
    """Digests are in the table of identity; the heading has the short labels."""
    assert battery_words({"id": "standard@1", "digest": "a" * 64, "seed": 7}) == "standard@1, seed 7"
    assert battery_words(None) == ""


def test_group_names_are_printable() -> None:
    """A label out of a log cannot act on the terminal."""
    assert group_name({"model": "x\x1b", "task": "1"}) == "model=x\\x1b, task=1"
