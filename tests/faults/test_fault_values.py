"""Operations on JSON values that altering effects share."""

from __future__ import annotations

import random

import pytest

from hbeval.faults.values import at, leaves, path_of, perturb, same, without


def test_values_of_different_wire_form_are_different() -> None:
    """Python's 1 == True == 1.0 is not JSON's; the order of members is."""
    assert not same(1, True)
    assert not same(1, 1.0)
    assert same({"a": 1, "b": 2}, {"b": 2, "a": 1})


def test_pointers_lead_through_objects_and_arrays() -> None:
    """With the escapes of RFC 6901."""
    value = {"a/b": [{"~": 5}]}
    assert at(value, path_of("/a~1b/0/~0")) == (("a/b", 0, "~"), 5)
    assert at(value, path_of("")) == ((), value)


@pytest.mark.parametrize("pointer", ["/x", "/a/9", "/a/b", "/a/0/c"])
def test_a_pointer_that_leads_nowhere_is_a_lookup_error(pointer: str) -> None:
    """Missing member, item beyond the end, member of an array, member of a number."""
    with pytest.raises(LookupError):
        at({"a": [1]}, path_of(pointer))


def test_a_member_can_be_left_out_of_a_copy() -> None:
    """The original keeps it."""
    value = {"a": [1, 2]}
    assert without(value, ("a", 0)) == {"a": [2]}
    assert value == {"a": [1, 2]}


def test_leaves_come_in_document_order() -> None:
    """Empty containers are leaves too."""
    assert list(leaves({"a": [1, []], "b": {}})) == [(("a", 0), 1), (("a", 1), []), (("b",), {})]


@pytest.mark.parametrize("number", [0, 1, -1, 7, -250, 0.0, 12.5, 1e-300, 1.7e308, -0.0])
def test_a_perturbed_number_is_another_number(number: float) -> None:
    """Whatever its size."""
    for seed in range(20):
        assert perturb({"n": number}, random.Random(seed)) != {"n": number}


def test_positive_whole_numbers_stay_at_or_above_zero() -> None:
    """A count of minus three would be no plausible figure."""
    for seed in range(50):
        assert perturb(2, random.Random(seed)) >= 0


def test_dates_move_back_and_digits_turn() -> None:
    """Only where the value holds no number."""
    moved = perturb({"on": "due 2026-03-04"}, random.Random(1))
    assert moved["on"].startswith("due 2026-0")
    assert moved["on"] < "due 2026-03-04"
    assert perturb("0001-01-01", random.Random(1)) != "0001-01-01"
    assert perturb("gate 12", random.Random(1)) != "gate 12"


def test_a_value_without_figures_cannot_be_perturbed() -> None:
    """The caller has to say that the fault could not be applied."""
    assert perturb({"a": ["x", None]}, random.Random(1)) is None
