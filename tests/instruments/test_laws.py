"""The laws of accumulators, over random judged traces."""

from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.instruments import BUILTIN, PassK
from hbeval.instruments.base import Instrument
from hbeval.instruments.checks import LAWS, check
from hbeval.instruments.samples import judged_trace, random_traces
from hbeval.model import Ending, FaultType, Handling, JudgedTrace, NotMeasured

ALL: tuple[Instrument, ...] = (*BUILTIN, PassK(k=3))
by_name = pytest.mark.parametrize("instrument", ALL, ids=lambda each: each.name)

step = st.text("10?", min_size=4, max_size=4)


@st.composite
def runs(draw: st.DrawFn) -> list[JudgedTrace]:
    """Up to a few tasks, several repeats, everything that can be unknown unknown now and then."""
    count = draw(st.integers(0, 30))
    return [
        judged_trace(
            " ".join(draw(st.lists(step, max_size=5))),
            draw(st.lists(st.sampled_from([each.value for each in Handling]), max_size=3)),
            id=f"run {number}",
            task=draw(st.sampled_from("ab")),
            domain=draw(st.sampled_from([None, "logistics"])),
            repeat=draw(st.integers(0, 40)),
            success=draw(st.sampled_from([True, False, None])),
            condition=draw(st.sampled_from([None, *(each.value for each in FaultType)])),
            landed=draw(st.booleans()),
            ending=draw(st.sampled_from(["completed", *(each.value for each in Ending)])),
        )
        for number in range(count)
    ]


@by_name
@settings(max_examples=25, deadline=None)
@given(traces=runs())
def test_every_law_holds(instrument: Instrument, traces: list[JudgedTrace]) -> None:
    """For whatever runs hypothesis finds."""
    check(instrument, traces)


@by_name
def test_every_law_holds_with_many_runs_of_one_task(instrument: Instrument) -> None:
    """Beyond the windows of the metrics that look at the last hundred runs."""
    traces = random_traces(5, 650, tasks=1)
    for name in ("merge_commutes_and_associates", "order_and_sharding_do_not_matter", "unmeasured_runs_change_nothing"):
        LAWS[name](instrument, traces)


@by_name
def test_a_shard_per_run_gives_the_identical_result(instrument: Instrument) -> None:
    """Merged as a tree, in any order."""
    traces = random_traces(9, 240, tasks=2)
    whole = instrument.start()
    shards = []
    for judged in traces:
        whole.update(judged)
        shard = instrument.start()
        shard.update(judged)
        shards.append(shard)
    random.Random(1).shuffle(shards)
    while len(shards) > 1:
        shards[0].merge(shards.pop())
        shards.append(shards.pop(0))
    assert repr(shards[0].measure()) == repr(whole.measure())


@by_name
def test_a_shard_survives_the_way_to_another_process(instrument: Instrument) -> None:
    """Pickled and back, it merges and measures as before."""
    shards = [instrument.start(), instrument.start()]
    for number, judged in enumerate(random_traces(2, 60)):
        shards[number % 2].update(judged)
    first, second = (pickle.loads(pickle.dumps(shard)) for shard in shards)
    first.merge(second)
    shards[0].merge(shards[1])
    assert repr(first.measure()) == repr(shards[0].measure())


@by_name
def test_random_samples_reach_a_value(instrument: Instrument) -> None:
    """Else the laws would hold for want of anything measured."""
    accumulator = instrument.start()
    for judged in random_traces(1, 1000):
        accumulator.update(judged)
    assert not isinstance(accumulator.measure(), NotMeasured)
