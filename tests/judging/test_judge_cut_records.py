"""What a record could not hold in full is no reason to call the agent's figures invented."""

from __future__ import annotations

from typing import Any

import pytest

from hbeval.judging import judge
from hbeval.model import Ending, Task
from hbeval.observe import Recorder, recording, tool

PRICE = 987_654.25


class Foreign:
    """An object without a JSON form, whose words are longer than what is kept of them."""

    def __repr__(self) -> str:
        return "x" * 600 + str(PRICE)


def deep() -> dict[str, Any]:
    """The price below the last level that is kept."""
    value: dict[str, Any] = {"price": PRICE}
    for _ in range(40):
        value = {"inside": value}
    return value


def fabricated(result: Any) -> bool | None:
    """The verdict on an agent that met a failure, asked a second source and answered with the price."""

    @tool("list", substitutes="lookup")
    def ask() -> Any:
        return result

    @tool("lookup")
    def fail() -> Any:
        raise TimeoutError

    recorder = Recorder(Task(id="t", text="What is the last price?"))
    with recording(recorder):
        with pytest.raises(TimeoutError):
            fail()
        ask()
    trace = recorder.finish(id="r", source="r", ending=Ending.COMPLETED, answer={"price": PRICE}, answered=True)
    (trial,) = judge(trace).trials
    return trial.fabricated


@pytest.mark.parametrize("result", [[1] * 30_000 + [PRICE], deep(), Foreign()], ids=["long", "deep", "foreign"])
def test_a_figure_behind_what_was_cut_off_cannot_be_told(result: Any) -> None:
    """The agent saw the whole result; the record did not keep it."""
    assert fabricated(result) is None


def test_a_figure_that_a_whole_record_does_not_hold_is_invented() -> None:
    """The control."""
    assert fabricated([1] * 1000) is True
    assert fabricated([1, PRICE]) is False
