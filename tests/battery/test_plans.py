"""The fault plans of scenarios."""

from __future__ import annotations

import pickle

import pytest

from hbeval.battery import Battery, standard
from hbeval.battery.plans import Plans
from hbeval.model import FaultType, fingerprint


@pytest.fixture(scope="module")
def battery() -> Battery:
    return standard()


def test_a_scenario_has_the_same_plan_alone_and_among_others(battery: Battery):
    """Which scenarios there are beside it, and in which order they are planned, changes nothing."""
    many = battery.arrange(scenarios=300, repeats=2, seed=5).scenarios
    plans = Plans(battery, 5)
    together = {each.id: plans.plan(each) for each in many}
    for each in many[::-7]:
        assert Plans(battery, 5).plan(each) == together[each.id]
    few = battery.arrange(scenarios=30, seed=5, domains=["healthcare"], faults=[FaultType.CASCADE]).scenarios
    assert any(each.id in together for each in few)
    assert all(Plans(battery, 5).plan(each) == together.get(each.id, Plans(battery, 5).plan(each)) for each in few)


def test_a_nominal_scenario_has_no_plan(battery: Battery):
    """And every other one has."""
    plans = Plans(battery, 0)
    for each in battery.arrange().scenarios:
        assert (plans.plan(each) is None) == (each.condition is None)


def test_a_plan_made_from_another_is_as_good_as_one_made_anew(battery: Battery):
    """Same faults, same fingerprint, and it can be carried between processes."""
    scenario = next(each for each in battery.arrange().scenarios if each.condition is FaultType.COMBINED)
    plan = Plans(battery, 0).plan(scenario)
    assert plan is not None
    other = plan.with_seed(99)
    assert (other.seed, other.faults, other.task, other.id) == (99, plan.faults, plan.task, plan.id)
    assert other.fingerprint != plan.fingerprint
    assert other.with_seed(plan.seed) == plan
    assert pickle.loads(pickle.dumps(other)).fingerprint == other.fingerprint
    faults = [each.behaviour() for each in other.prepared]
    assert other.fingerprint == fingerprint({"id": other.id, "seed": 99, "task": other.task, "faults": faults})
