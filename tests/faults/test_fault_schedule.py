"""The plan at work: which calls are hit, cascades, limits, and what becomes of each fault."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.faults import FaultPlan, PlannedFault, Schedule, fires
from hbeval.model import Delivery, FaultType


def fault(**fields: Any) -> PlannedFault:
    return PlannedFault(
        **{"id": "f", "type": FaultType.STOCHASTIC, "target": "api", "effect": "intermittent", **fields}
    )


def schedule(*faults: PlannedFault, **fields: Any) -> Schedule:
    return Schedule(FaultPlan(**{"id": "p", "seed": 7, "task": "t", "faults": faults, **fields}))


def meet(at: Schedule, target: str, step: int = 0) -> list[str]:
    """Calls a tool once as the boundary would, with everything that fires applied and seen; the ids that fired."""
    hits = at.enter(target)
    for hit in hits:
        hit.injected(step)
        hit.observed(step, "seen")
    return [hit.record.prepared.planned.id for hit in hits]


@settings(max_examples=100, deadline=None)
@given(
    calls=st.lists(st.sampled_from(["api", "other", "third"]), max_size=40),
    seed=st.integers(0, 2**32),
    probability=st.floats(0, 1),
    more=st.booleans(),
)
def test_unrelated_calls_and_faults_change_no_decision(
    calls: list[str], seed: int, probability: float, more: bool
) -> None:
    """The n-th call of a target meets the same fate whatever else is called or planned."""
    unrelated = [fault(id="g", target="other", effect="error"), fault(id="h", target="third", probability=0.5)]
    busy = schedule(fault(probability=probability), *(unrelated if more else []), seed=seed)
    met = [(each, bool(meet(busy, each))) for each in calls]
    fates = [hit for each, hit in met if each == "api"]
    quiet = schedule(fault(probability=probability), seed=seed)
    assert fates == [bool(meet(quiet, "api")) for _ in fates]
    assert fates == [fires(seed, "p", "t", "api", call, probability=probability) for call in range(len(fates))]


def test_all_faults_of_a_target_are_considered_in_order() -> None:
    """Until one ends the call; the one behind it was not considered, so it counts no call."""
    at = schedule(
        fault(id="slow", effect="latency"),
        fault(id="down", effect="error", limit=1),
        fault(id="blank", effect="empty"),
    )
    assert meet(at, "api") == ["slow", "down"]
    assert meet(at, "api") == ["slow", "blank"]
    slow, down, blank = at.faults()
    assert (slow.calls, slow.fired) == (2, 2)
    assert (down.calls, down.fired, down.extra) == (2, 1, {"limit": 1})
    assert (blank.calls, blank.fired) == (1, 1)


def test_a_limit_counts_hits_not_calls() -> None:
    """Calls that were spared by the dice do not use it up."""
    at = schedule(fault(probability=0.5, limit=2))
    fired = [bool(meet(at, "api")) for _ in range(30)]
    free = [fires(7, "p", "t", "api", call, probability=0.5) for call in range(30)]
    assert sum(fired) == 2
    assert [call for call in range(30) if fired[call]] == [call for call in range(30) if free[call]][:2]


def test_a_stage_is_armed_once_the_stage_before_was_met() -> None:
    """Calls before that are not counted; injected but unseen is not met."""
    at = schedule(
        fault(id="one", effect="error", limit=1, stage=0),
        fault(id="two", target="b", effect="error", stage=1),
        fault(id="three", target="c", effect="error", stage=2),
    )
    assert meet(at, "b") == []
    assert meet(at, "c") == []
    hit = at.enter("api")[0]
    hit.injected(0)
    assert meet(at, "b") == []
    hit.observed(0, "raised")
    assert meet(at, "c") == []
    assert meet(at, "b") == ["two"]
    assert meet(at, "c") == ["three"]
    assert [each.calls for each in at.faults()] == [1, 1, 1]


def test_a_fault_ends_as_met_not_exposed_or_failed() -> None:
    """Applied and seen; never called; fired and applied nowhere, with the reason."""
    at = schedule(fault(id="a", effect="error"), fault(id="b", target="b"), fault(id="c", target="c", effect="partial"))
    meet(at, "api", step=3)
    at.enter("c")[0].failed("nothing to leave out")
    met, unexposed, failed = at.faults()
    assert (met.delivery, met.injected[0].step, met.observed[0].what) == (Delivery.MET, 3, "seen")
    assert unexposed.delivery is Delivery.NOT_EXPOSED
    assert (failed.delivery, failed.failure) == (Delivery.FAILED, "nothing to leave out")
    assert failed.extra == {"not_applied": 1}


def test_one_application_makes_up_for_calls_it_could_not_be_applied_at() -> None:
    """The fault was met; how often it could not be applied is kept."""
    at = schedule(fault(effect="partial"))
    at.enter("api")[0].failed("nothing to leave out")
    meet(at, "api")
    found = at.faults()[0]
    assert (found.delivery, found.failure, found.extra) == (Delivery.MET, None, {"not_applied": 1})


def test_injected_without_being_seen_is_a_failure() -> None:
    """An application that nobody saw leave the boundary does not count."""
    at = schedule(fault(effect="error"))
    at.enter("api")[0].injected(1)
    assert at.faults()[0].delivery is Delivery.FAILED


def test_the_record_keeps_what_was_intended() -> None:
    """With complete parameters, probability and stage."""
    intended = schedule(fault(effect="timeout", probability=0.5, stage=0)).faults()[0].intended
    assert intended is not None
    assert intended.parameters == {"after_s": 5.0, "carried_out": False}
    assert (intended.effect, intended.probability, intended.stage) == ("timeout", 0.5, 0)


def test_only_altered_tools_have_their_results_remembered() -> None:
    """The first few, for faults that hand out old data."""
    at = schedule(fault(effect="stale"), fault(id="g", target="b", effect="error"))
    assert at.remembers("api")
    assert not at.remembers("b")
    for number in range(20):
        at.remember("api", {"n": number})
    assert [each["n"] for each in at.earlier["api"]] == list(range(8))
    assert at.enter("api")[0].altered({"n": 0}) == {"n": 1}
