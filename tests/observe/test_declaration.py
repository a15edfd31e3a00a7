"""What a tool declares, and what is read from its signature and docstring."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import pytest

from hbeval.errors import UsageError
from hbeval.observe import tool


class Speed(enum.Enum):
    """How fast."""

    SLOW = "slow"
    FAST = "fast"


def book(
    order: str,
    count: int,
    weight: float = 1.5,
    *,
    express: bool = False,
    mode: Literal["air", "sea"] = "sea",
    speed: Speed = Speed.SLOW,
    tags: list[str] | None = None,
    details: dict[str, Any] | None = None,
    note: Annotated[str, "words for the driver"] = "",
    rows: Iterable[int] = (),
    pairs: tuple[int, ...] = (),
    more: Mapping[str, int] | None = None,
    anything: Any = None,
    odd: Any = object,
    kind: type[int] = int,
    untyped=3,
    **rest: Any,
) -> str:
    """Books a transport.

    order: the order's number
    count (int): how many
    :param float weight: in kilograms
    :param express: at once
    """
    return order


def test_parameters_come_from_signature_annotations_and_docstring() -> None:
    """As JSON Schema properties; one with a default may be left out."""
    assert tool(book).declaration.parameters == {
        "order": {"type": "string", "description": "the order's number"},
        "count": {"type": "integer", "description": "how many"},
        "weight": {"type": "number", "default": 1.5, "description": "in kilograms"},
        "express": {"type": "boolean", "default": False, "description": "at once"},
        "mode": {"enum": ["air", "sea"], "default": "sea"},
        "speed": {"enum": ["slow", "fast"], "default": "slow"},
        "tags": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}], "default": None},
        "details": {"anyOf": [{"type": "object"}, {"type": "null"}], "default": None},
        "note": {"type": "string", "description": "words for the driver", "default": ""},
        "rows": {"type": "array", "items": {"type": "integer"}, "default": []},
        "pairs": {"type": "array", "items": {"type": "integer"}, "default": []},
        "more": {"anyOf": [{"type": "object"}, {"type": "null"}], "default": None},
        "anything": {"default": None},
        "odd": {"default": None},
        "kind": {"default": None},
        "untyped": {"default": 3},
    }


def test_the_description_is_the_docstring_unless_given() -> None:
    """An empty one is a choice."""
    assert tool(book).declaration.description.startswith("Books a transport.\n\norder: the")
    assert tool(description="")(book).declaration.description == ""
    assert tool(lambda x: x, "f").declaration.description == ""


def test_annotations_that_lead_nowhere_leave_the_schema_open() -> None:
    """They are somebody else's code."""

    def broken(x: NoSuchName) -> None:  # type: ignore[name-defined]  # noqa: F821
        pass

    assert tool(broken).declaration.parameters == {"x": {}}
    assert tool(max, "m").declaration.parameters == {}


def test_one_text_is_one_name() -> None:
    """Wherever tools are named."""
    found = tool(
        book, writes=True, substitutes="post", verifies=["a", "b"], safeguard=("check",), handover=True
    ).declaration
    assert (found.writes, found.substitutes, found.verifies, found.safeguard, found.handover) == (
        True,
        ("post",),
        ("a", "b"),
        ("check",),
        True,
    )
    assert tool(book).declaration.writes is None


@pytest.mark.parametrize("condition", [None, "always", "unguarded", {"sum": {"gt": 100}, "to": {"in": ["x"]}}])
def test_conditions_for_forbidden_calls_are_kept(condition: Any) -> None:
    """The forms of the model."""
    assert tool(book, forbidden_when=condition).declaration.forbidden_when == condition


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"writes": "yes"}, "book: writes= must be True, False or None, got 'yes'"),
        ({"substitutes": [3]}, "book: substitutes= must hold tool names, got 3"),
        ({"verifies": ""}, "book: verifies= must hold tool names, got ''"),
        ({"substitutes": 3}, "book: substitutes= must hold tool names, got 3"),
        ({"description": 3}, "book: description= must be a text, got 3"),
        ({"parameters": ["order"]}, "book: parameters= must map names to JSON Schema, got ['order']"),
        ({"parameters": {"order": object}}, "book: parameters= must map names to JSON Schema"),
        ({"forbidden_when": {"sum": {"gt": float("nan")}}}, "holds what is no JSON value"),
        ({"forbidden_when": "never"}, "forbidden_when='never' says nothing"),
        ({"forbidden_when": {}}, "forbidden_when={} says nothing"),
        ({"forbidden_when": {"sum": 3}}, "forbidden_when['sum'] is 3; use one of eq, ge, gt, in, le, lt"),
        ({"forbidden_when": {"sum": {"above": 3}}}, "is {'above': 3}; use one of eq"),
        ({"forbidden_when": {"sum": {}}}, "is {}; use one of"),
    ],
)
def test_a_declaration_that_says_nothing_is_refused(declared: dict[str, Any], message: str) -> None:
    """When wrapping, with the tool's name and the value."""
    with pytest.raises(UsageError) as refusal:
        tool(book, **declared)
    assert message in str(refusal.value)


def test_words_that_are_no_json_have_a_form_in_the_schema() -> None:
    """A declaration is in every trace, so it must be writable."""

    def pick(kind: Literal["a", b"b", Speed.SLOW]) -> None:
        """Pick."""

    parameters = tool(pick).declaration.parameters
    assert parameters["kind"]["enum"] == ["a", {"$repr": "b'b'", "$type": "builtins.bytes"}, "slow"]


def test_given_parameters_stand_as_they_are() -> None:
    """For tools that are data."""
    assert tool(book, "x", parameters={"order": {"type": "string"}}).declaration.parameters == {
        "order": {"type": "string"}
    }
