"""Marks stand for what a record does not hold."""

from __future__ import annotations

from typing import Any

import pytest

from hbeval.model import MARK_CUT, MARK_REPR, is_marked


@pytest.mark.parametrize("mark", [{MARK_CUT: "5 more items"}, {MARK_REPR: "b'x'", "$type": "builtins.bytes"}])
def test_a_mark_is_found_however_deep(mark: dict[str, str]) -> None:
    """Also where recursion would end."""
    value: Any = mark
    for _ in range(10_000):
        value = [{"a": 1, "b": value}]
    assert is_marked(value)


@pytest.mark.parametrize("value", [None, 1, "$cut", [], {}, {"a": [{"b": "$repr"}]}])
def test_anything_else_is_whole(value: Any) -> None:
    """The words of a mark are no mark."""
    assert not is_marked(value)
