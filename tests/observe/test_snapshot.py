"""JSON copies of whatever tools are given and give back."""

from __future__ import annotations

import enum
from collections import OrderedDict, namedtuple
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.model import dumps, is_marked, loads
from hbeval.observe import snapshot

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.dates()
    | st.complex_numbers()
    | st.decimals(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=4)
        | st.tuples(inner, inner)
        | st.sets(st.integers(), max_size=3)
    ),
    max_leaves=15,
)


@settings(max_examples=200, deadline=None)
@given(value=ANYTHING)
def test_any_value_has_a_copy_that_can_be_written(value: Any) -> None:
    """Strict JSON, the same when copied again."""
    copy = snapshot(value)
    assert loads(dumps(copy)) == copy
    assert snapshot(copy) == copy


class Colour(enum.Enum):
    """A foreign closed set."""

    RED = "red"


class Level(enum.IntEnum):
    """One that is a number too."""

    LOW = 1


Point = namedtuple("Point", "x y")


@dataclass
class Quote:
    """A foreign record."""

    price: int
    tags: list[str] = field(default_factory=list)


class Model:
    """What model libraries offer."""

    def model_dump(self) -> dict[str, Any]:
        """Its fields."""
        return {"n": 1}


class Text(str):
    """Text with something more."""


class Odd(Mapping[str, int]):
    """A mapping that is no dict."""

    def __getitem__(self, key: str) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter(["a"])

    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize(
    ("value", "copy"),
    [
        (Colour.RED, "red"),
        (Level.LOW, 1),
        (Point(1, 2), [1, 2]),
        (Quote(3, ["x"]), {"price": 3, "tags": ["x"]}),
        (Model(), {"n": 1}),
        (Text("t"), "t"),
        (Odd(), {"a": 1}),
        (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        ({3, 1, 2}, [1, 2, 3]),
        (datetime(2026, 3, 4, 5, 6), "2026-03-04T05:06:00"),  # noqa: DTZ001
        (date(2026, 3, 4), "2026-03-04"),
        ({1: "a", None: "b"}, {"1": "a", "None": "b"}),
        (True, True),
        (2**70, 2**70),
        ("\ud83d", "\ud83d"),
    ],
)
def test_common_foreign_values_have_natural_copies(value: Any, copy: Any) -> None:
    """Without a mark, and of plain types."""
    assert snapshot(value) == copy
    assert type(snapshot(value)) is type(copy)
    assert not is_marked(snapshot({"v": value}))


class Loud:
    """An object whose text is an exception."""

    def __repr__(self) -> str:
        raise RuntimeError("no")

    __str__ = __repr__


class Broken(dict[str, Any]):
    """A mapping that breaks while it is read."""

    def items(self) -> Any:
        """Breaks."""
        raise RuntimeError("no")

    def __iter__(self) -> Any:
        raise RuntimeError("no")

    def keys(self) -> Any:
        """Breaks."""
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("value", "copy"),
    [
        (float("nan"), {"$repr": "nan", "$type": "float"}),
        (float("-inf"), {"$repr": "-inf", "$type": "float"}),
        (b"ab", {"$repr": "b'ab'", "$type": "builtins.bytes"}),
    ],
)
def test_what_json_cannot_hold_is_marked(value: Any, copy: Any) -> None:
    """With its type and a text."""
    assert snapshot(value) == copy
    assert is_marked(snapshot([{"v": value}]))


def test_an_integer_too_long_to_be_written_is_marked() -> None:
    """Python itself refuses to turn it into text."""
    assert snapshot(1 << 20_000) == {"$repr": "an integer of 20001 bits", "$type": "int"}


def test_hostile_objects_become_marks() -> None:
    """Nothing of theirs reaches the agent through us."""
    assert snapshot(Loud())["$repr"] == "<RuntimeError while copying>"
    assert snapshot(Broken(a=1))["$repr"] == "<RuntimeError while copying>"
    (name,) = snapshot({Loud(): 1})
    assert name.startswith("<RuntimeError while naming a ")


def test_marks_hold_no_addresses() -> None:
    """Two runs of one agent give one record."""
    assert snapshot(object()) == {"$repr": "<object object>", "$type": "builtins.object"}


def test_a_generator_is_not_consumed() -> None:
    """It belongs to the agent."""
    numbers = (n for n in range(3))
    assert "$repr" in snapshot(numbers)
    assert list(numbers) == [0, 1, 2]


def test_deep_and_endless_values_are_cut_and_say_so() -> None:
    """Cycles included."""
    cycle: list[Any] = []
    cycle.append(cycle)
    copy = snapshot(cycle)
    for _ in range(32):
        copy = copy[0]
    assert copy == {"$cut": "below level 32"}


def test_huge_values_are_cut_and_say_so() -> None:
    """Texts, lists and objects, with how much is missing."""
    assert snapshot("x" * 200_003).endswith("x…[3 characters cut]")
    assert snapshot(["y" * 200_003])[0].endswith("y…[3 characters cut]")
    rows = snapshot(list(range(20_005)))
    assert (len(rows), rows[-1]) == (20_001, {"$cut": "5 more items"})
    members = snapshot({str(n): n for n in range(20_005)})
    assert members["$cut"] == "5 more members"
    nested = snapshot([list(range(100)) for _ in range(500)])
    assert len(dumps(nested)) < 200_000
