"""Which runs a battery consists of."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.battery.scenario import Candidate, Scenario, ScenarioSet, arrange
from hbeval.errors import UsageError
from hbeval.model import FaultType

ALL = tuple(FaultType)


def tasks(shop: int = 6, clinic: int = 6, without: dict[str, FaultType] | None = None) -> list[Candidate]:
    """Tasks of two domains; `without` names a type that a task does not fit."""
    names = [("shop", f"shop/{i}") for i in range(shop)] + [("clinic", f"clinic/{i}") for i in range(clinic)]
    unfit = without or {}
    return [
        Candidate(domain=domain, task=task, conditions=frozenset(ALL) - {unfit.get(task) or unfit.get(domain)})
        for domain, task in names
    ]


def arranged(candidates: list[Candidate] | None = None, **asked) -> ScenarioSet:
    settings = {"faults": ALL, "scenarios": None, "repeats": 1, "seed": 7, "none_fraction": 0.2, **asked}
    return arrange(tasks() if candidates is None else candidates, **settings)


def nominal(scenarios: ScenarioSet) -> int:
    return sum(each.condition is None for each in scenarios.scenarios)


@pytest.mark.parametrize(
    ("count", "expected"),
    [(1, 1), (2, 1), (3, 1), (7, 1), (8, 2), (12, 2), (13, 3), (20, 4), (50, 10), (90, 18), (150, 30)],
)
def test_about_a_fifth_is_nominal(count: int, expected: int):
    """max(1, round-half-even(0.2 n))."""
    scenarios = arranged(scenarios=count)
    assert len(scenarios.scenarios) == count
    assert nominal(scenarios) == expected


@pytest.mark.parametrize(("fraction", "count", "expected"), [(0.25, 10, 2), (0.25, 14, 4), (0.5, 5, 2), (0.0, 9, 1)])
def test_the_share_comes_from_the_specification_and_halves_round_to_even(fraction: float, count: int, expected: int):
    """2.5 becomes 2, 3.5 becomes 4; at least one nominal run always."""
    assert nominal(arranged(scenarios=count, none_fraction=fraction)) == expected


def test_without_a_count_every_task_meets_every_fault_type_once():
    """12 tasks × 6 types, and a fifth beside them nominal."""
    scenarios = arranged()
    cells = Counter((each.task, each.condition) for each in scenarios.scenarios if each.condition)
    assert len(cells) == 72
    assert set(cells.values()) == {1}
    assert (len(scenarios.scenarios), nominal(scenarios), scenarios.gaps) == (90, 18, ())


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 400),
    st.integers(0, 5),
    st.integers(1, 7),
    st.integers(1, 7),
    st.sets(st.sampled_from(ALL), min_size=1),
)
def test_pairs_of_type_and_domain_are_covered_as_evenly_as_the_count_allows(count, seed, shop, clinic, kinds):
    """No pair has two scenarios more than another while both still have fresh tasks; every gap is named."""
    scenarios = arranged(tasks(shop, clinic), scenarios=count, seed=seed, faults=tuple(kinds))
    pairs = Counter({(kind, domain): 0 for kind in kinds for domain in ("shop", "clinic")})
    pairs.update((each.condition, each.domain) for each in scenarios.scenarios if each.condition)
    if max(pairs.values()) <= min(shop, clinic):
        assert max(pairs.values()) - min(pairs.values()) <= 1
    missing = {pair for pair, n in pairs.items() if n == 0}
    assert len(scenarios.gaps) == len(missing)
    for kind, domain in missing:
        assert f"{kind.value} is not covered in {domain}: {count} scenarios are too few" in scenarios.gaps


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 200), st.integers(0, 60), st.integers(1, 3), st.integers(0, 2), st.integers(0, 3))
def test_more_scenarios_or_repeats_add_and_change_nothing(count, more, repeats, more_repeats, seed):
    """The smaller set is part of the larger one, seeds included."""
    few = arranged(scenarios=count, repeats=repeats, seed=seed)
    many = arranged(scenarios=count + more, repeats=repeats + more_repeats, seed=seed)
    assert set(few.scenarios) <= set(many.scenarios)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 300), st.integers(1, 3), st.integers(0, 3))
def test_ids_and_seeds_are_unique(count, repeats, seed):
    """Also where a task meets a fault type again."""
    scenarios = arranged(scenarios=count, repeats=repeats, seed=seed).scenarios
    assert len(scenarios) == count * repeats
    assert len({each.id for each in scenarios}) == len(scenarios)
    assert len({each.seed for each in scenarios}) == len(scenarios)


def test_the_seed_of_a_scenario_depends_on_nothing_but_the_batterys_seed_and_its_id():
    """Fewer domains, fewer types, another count: what is still there has the seed it had."""
    whole = {each.id: each.seed for each in arranged(scenarios=200).scenarios}
    alone = arranged(tasks(clinic=0), faults=(FaultType.CASCADE,), scenarios=30).scenarios
    both = [each for each in alone if each.id in whole]
    assert len(both) > 10
    assert all(whole[each.id] == each.seed for each in both)
    other = {each.id: each.seed for each in arranged(scenarios=200, seed=8).scenarios}
    assert all(whole[name] != other[name] for name in whole.keys() & other.keys())


def test_ids_can_be_read_and_stay():
    """Domain, task, condition, repeat; a second meeting of task and type is numbered."""
    names = {each.id for each in arranged(scenarios=200, repeats=2).scenarios}
    assert {"shop/0/cascade/r0", "shop/0/cascade/r1", "shop/0/cascade.2/r0", "clinic/5/nominal/r1"} <= names
    short = [Candidate(domain="shop", task="first", conditions=frozenset(ALL))]
    assert arranged(short, scenarios=1).scenarios[0].id == "shop/first/nominal/r0"


def test_the_digest_names_the_set_whatever_its_order():
    """Same set, same digest; another seed or count, another digest."""
    one = arranged(scenarios=20)
    assert len(one.digest) == 64
    assert ScenarioSet(scenarios=one.scenarios[::-1], gaps=()).digest == one.digest
    assert len({one.digest, arranged(scenarios=21).digest, arranged(scenarios=20, seed=8).digest}) == 3


def test_the_set_is_the_same_on_every_machine():
    """A frozen value: the order comes from SHA-256, not from a generator of some version."""
    assert [each.id for each in arranged(scenarios=5, seed=7).scenarios] == FROZEN
    assert arranged(scenarios=1, seed=7).scenarios[0] == Scenario(
        id="shop/1/nominal/r0",
        domain="shop",
        task="shop/1",
        condition=None,
        variant=0,
        repeat=0,
        seed=FROZEN_SEED,
    )


FROZEN = [
    "shop/1/nominal/r0",
    "shop/1/context_corruption/r0",
    "clinic/0/cascade/r0",
    "shop/2/adversarial/r0",
    "clinic/1/combined/r0",
]
FROZEN_SEED = 177990337737626


@pytest.mark.parametrize("fraction", [1.0, 0.999999999])
def test_a_battery_of_nominal_runs_alone_has_an_end(fraction: float):
    """No number of scenarios would hold every fault type then."""
    if fraction == 1.0:
        assert {each.condition for each in arranged(none_fraction=fraction).scenarios} == {None}
    else:
        with pytest.raises(UsageError, match="more than 1000000 runs"):
            arranged(none_fraction=fraction)


def test_a_type_that_fits_no_task_is_a_named_gap():
    """In one domain, or everywhere; the other types take its place."""
    one = arranged(tasks(without={"shop": FaultType.CASCADE}))
    assert one.gaps == ("cascade is not covered in shop: it fits no task there",)
    everywhere = arranged(tasks(without={"shop": FaultType.CASCADE, "clinic": FaultType.CASCADE}), scenarios=50)
    assert len(everywhere.gaps) == 2
    assert len(everywhere.scenarios) == 50


def test_a_task_that_a_type_does_not_fit_is_passed_over():
    """The type goes to the other tasks of the domain."""
    scenarios = arranged(tasks(without={"shop/3": FaultType.ADVERSARIAL}), scenarios=300).scenarios
    assert not [each for each in scenarios if each.task == "shop/3" and each.condition is FaultType.ADVERSARIAL]
    assert [each for each in scenarios if each.task == "shop/4" and each.condition is FaultType.ADVERSARIAL]


def test_without_fault_types_everything_is_nominal():
    """`--faults none`: every task once, or as many as asked."""
    assert nominal(arranged(faults=())) == len(arranged(faults=()).scenarios) == 12
    assert nominal(arranged(faults=(), scenarios=30)) == 30


def test_one_scenario_is_nominal_and_every_type_a_named_gap():
    """A count too small is said, not hidden."""
    assert len(arranged(scenarios=1).gaps) == 12


def test_repeats_start_after_every_scenario_has_run_once():
    """An interrupted battery has seen everything a little rather than a little often."""
    repeats = [each.repeat for each in arranged(scenarios=10, repeats=3).scenarios]
    assert repeats == sorted(repeats)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"scenarios": 0}, "scenarios is 0; at least 1 is needed"),
        ({"scenarios": -3}, "scenarios is -3"),
        ({"repeats": 0}, "repeats is 0; at least 1 is needed"),
        ({"candidates": []}, "there is no task"),
    ],
)
def test_counts_below_one_and_empty_sets_are_refused(asked, message):
    """With the value and what would do."""
    with pytest.raises(UsageError, match=message):
        arranged(**asked)
