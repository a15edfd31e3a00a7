"""How the reference agents read a text: words, clauses, conditions, superlatives, values."""

from __future__ import annotations

from typing import Any

import pytest

from hbeval.battery.agents.language import Condition, clauses, mentions, number_for, stems, superlatives
from hbeval.battery.agents.record import Record, chosen, same
from hbeval.battery.agents.understanding import met


def test_words_lose_endings_and_function_words() -> None:
    """Forms of one word fall together; identifiers are split; words that carry no content go."""
    assert stems("Confirmed the confirming of confirm_slots") == ("confirm", "confirm", "confirm", "slot")
    assert stems("It is to be, or not") == ()


def test_clauses_carry_their_condition() -> None:
    """What stands under "if", and what under "otherwise", is told apart; the rest is unconditional."""
    text = "Look it up. If the status is cleared, release it, and note it; otherwise hand it over. Report it."
    condition = Condition(left="the status", test="eq", right="cleared")
    assert [(each.text, each.condition, each.holds) for each in clauses(text)] == [
        ("Look it up.", None, True),
        ("release it", condition, True),
        ("note it", condition, True),
        ("hand it over.", condition, False),
        ("Report it.", None, True),
    ]


def test_otherwise_without_a_condition_is_just_a_clause() -> None:
    """Nothing is invented for it, nor for an "if" that says no relation."""
    assert {each.condition for each in clauses("Otherwise, go home. If possible, stay.")} == {None}


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("If the highest value is above the limit, stop", ("the highest value", "gt", "the limit")),
        ("If the score is at least 7, stop", ("the score", "ge", "7")),
        ("When rooms are at most 3, stop", ("rooms", "le", "3")),
        ("If the price is lower than 9, stop", ("the price", "lt", "9")),
        ("If the state is not free, stop", ("the state", "ne", "free")),
        ("If chart and letter differ, stop", ("chart", "differ", "letter")),
    ],
)
def test_conditions_are_read(text: str, condition: tuple[str, Any, str]) -> None:
    """Comparisons with numbers, with other fields, and with words."""
    left, test, right = condition
    (clause,) = clauses(text)
    assert clause.condition == Condition(left=left, test=test, right=right)


@pytest.mark.parametrize(
    ("condition", "left", "right", "holds"),
    [
        (("gt", "the limit"), 9, 8.5, True),
        (("gt", "8.5 degrees"), 8, None, False),
        (("ge", "30"), 30, None, True),
        (("le", "the limit"), 9, None, None),
        (("lt", "5"), "four", None, None),
        (("eq", "Cleared"), "cleared", None, True),
        (("ne", "free"), "taken", None, True),
        (("differ", "the letter"), 50, 50.0, False),
        (("differ", "the letter"), 50, None, None),
        (("eq", "free"), None, None, None),
    ],
)
def test_a_condition_holds_fails_or_is_open(
    condition: tuple[Any, str], left: Any, right: Any, holds: bool | None
) -> None:
    """What cannot be compared is neither true nor false."""
    assert met(Condition(left="it", test=condition[0], right=condition[1]), left, right) is holds


def test_values_are_found_by_pattern_and_by_word() -> None:
    """Each once, in order of mention, whole words only."""
    pattern, words = {"pattern": r"AB-\d{3}"}, {"enum": ["north", "north_east", "south"]}
    assert mentions(pattern, "AB-002, then AB-001 and AB-002, not XAB-003 nor AB-0044.") == ["AB-002", "AB-001"]
    assert mentions(words, "From South to North East; northern is no word of the list") == ["south", "north_east"]
    assert mentions({"type": "string"}, "anything") == []


@pytest.mark.parametrize(
    ("name", "number"),
    [("pallets", 14), ("trailer_m", 16.5), ("price_eur", 283.4), ("doses", None), ("value_mmol", 6.8)],
)
def test_numbers_belong_to_the_name_of_their_unit(name: str, number: Any) -> None:
    """The word or unit after a number says what it counts; identifiers and dates are no numbers."""
    text = "On 2027-05-18, 14 pallet places, a trailer of 16.5 m, 283.40 EUR, then 6.8 mmol/L for AB-77 doses."
    assert number_for(name, text) == number


def _records(*rows: dict[str, Any]) -> list[Record]:
    return [Record(tool="t", values=row) for row in rows]


@pytest.mark.parametrize(
    ("text", "picked"),
    [
        ("the one with the lowest day rate", 2),
        ("the one with the largest capacity", 1),
        ("the cheapest offer", 2),
        ("the latest patient", 1),
        ("any will do", 0),
        ("the highest mountain", 0),
    ],
)
def test_a_superlative_singles_out_a_record(text: str, picked: int) -> None:
    """By the words after it, else by what such a word speaks about; without a hint the first one is taken."""
    records = _records(
        {"name": "x", "patient": 1, "capacity_kg": 5, "rate_eur": 2.5, "day": "2027-01-03"},
        {"name": "y", "patient": 1, "capacity_kg": 9, "rate_eur": 3.5, "day": "2027-02-01"},
        {"name": "z", "patient": 1, "capacity_kg": 7, "rate_eur": 1.5, "day": "2026-12-31"},
    )
    assert chosen(records, list(superlatives(text))) is records[picked]


def test_records_that_cannot_be_compared_are_not() -> None:
    """A field of mixed types decides nothing."""
    records = _records({"rate": "cheap"}, {"rate": 3})
    assert chosen(records, list(superlatives("the lowest rate"))) is records[0]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [(1, 1.0, True), ("A ", "a", True), ("3", 3, False), ([1], (1,), True), (True, 1, False), (None, None, True)],
)
def test_sources_say_the_same_or_not(one: Any, other: Any, alike: bool) -> None:
    """Figures by value, texts without case; a figure written as text is something else."""
    assert same(one, other) is alike
