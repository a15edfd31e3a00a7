"""Which group a run belongs to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hbeval.instruments.samples import judged_trace
from hbeval.model import JudgedTrace
from hbeval.report.grouping import NO_LABEL, group_of, groupings


def test_a_flat_list_is_one_grouping_by_the_combination() -> None:
    """`model,task` means one group per pair."""
    assert groupings(("model", "task")) == (("model", "task"),)


def test_nested_lists_are_groupings_side_by_side() -> None:
    """A battery shows by fault, and by domain."""
    assert groupings((("fault",), ("domain",))) == (("fault",), ("domain",))
    assert groupings((("fault", "domain"), "task")) == (("fault", "domain"), ("task",))
    assert groupings(()) == ()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("task", "parcel"),
        ("domain", "logistics"),
        ("fault", "tool_failure"),
        ("format", "hbeval"),
        ("ending", "completed"),
        ("repeat", "0"),
        ("model", "one"),
        ("prompt_version", NO_LABEL),
    ],
)
def test_labels_come_from_the_trace(full_run: Callable[..., JudgedTrace], key: str, value: str) -> None:
    """What the trace does not record is a group of its own, by name."""
    assert group_of(full_run().trace, (key,), {}) == (value,)


def test_given_labels_come_first(full_run: Callable[..., JudgedTrace]) -> None:
    """An importer that knows better than the trace is heard."""
    assert group_of(full_run().trace, ("model", "task"), {"model": "given"}) == ("given", "parcel")


def test_a_nominal_run_is_its_own_fault_group() -> None:
    """No condition is the group "none", not a missing label."""
    assert group_of(judged_trace().trace, ("fault", "domain"), {}) == ("none", NO_LABEL)
