"""Plans: what they refuse, what names them, and the dice."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.errors import InputError
from hbeval.faults import BUILTIN, Effect, FaultPlan, Interruption, PlannedFault, draw, fires
from hbeval.model import FaultType, Pressure, decode, encode, fingerprint

TOOL_FAILURE = FaultType.TOOL_FAILURE


def fault(**fields: Any) -> PlannedFault:
    given = {"id": "f", "type": TOOL_FAILURE, "target": "api", "effect": "error", **fields}
    return PlannedFault(**given)


def plan(*faults: PlannedFault, **fields: Any) -> FaultPlan:
    return FaultPlan(**{"id": "p", "seed": 1, "faults": faults, **fields})


def test_the_gate_gives_the_published_vector() -> None:
    """Seed 42, plan FI-001, target carrier_api, probability one half, attempts 0 to 15."""
    fired = [fires(42, "FI-001", None, "carrier_api", call, probability=0.5) for call in range(16)]
    assert "".join(str(int(each)) for each in fired) == "0010111111110001"


def test_certain_and_impossible_faults_need_no_dice() -> None:
    """Probability 1 fires even at a draw of 1, probability 0 never, even at a draw of 0."""
    for call in range(50):
        assert fires(1, "p", "t", "api", call, probability=1.0)
        assert not fires(1, "p", "t", "api", call, probability=0.0)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(), name=st.text(), task=st.none() | st.text(), target=st.text(), call=st.integers(0, 99))
def test_a_draw_is_a_share_of_one_and_always_the_same(
    seed: int, name: str, task: str | None, target: str, call: int
) -> None:
    """Lone surrogates in names included."""
    one = draw(seed, name, task, target, call)
    assert 0 <= one <= 1
    assert one == draw(seed, name, task, target, call)


def test_the_task_is_part_of_the_dice() -> None:
    """One plan id gives other faults in another task; a plan without a task is drawn by its plain id."""
    draws = {task: tuple(draw(1, "p", task, "api", call) for call in range(8)) for task in (None, "a", "b")}
    assert len(set(draws.values())) == 3


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"effect": "eror"}, "plan p: fault f.effect: unknown effect, got 'eror'"),
        ({"effect": "empty", "parameters": {"kind": "nil"}}, "fault f.parameters.kind: unsuitable value, got 'nil'"),
        ({"effect": "timeout", "parameters": {"for_s": 1}}, "unknown parameter of timeout, got 'for_s'"),
        ({"probability": 1.5}, "fault f.probability: probability is out of range, got 1.5"),
        ({"probability": -0.1}, "probability is out of range, got -0.1"),
        ({"probability": float("nan")}, "probability is out of range, got nan"),
        ({"probability": True}, "probability is out of range, got True"),
        ({"probability": "0.5"}, "probability is out of range, got '0.5'"),
        ({"limit": 0}, "fault f.limit: not a count, got 0; expected an integer of at least 1"),
        ({"limit": 1.5}, "not a count, got 1.5"),
        ({"limit": True}, "not a count, got True"),
        ({"stage": -1}, "fault f.stage: not a count, got -1"),
        ({"stage": 1}, "stages leave a gap, got [1]; expected 0, 1, 2"),
        ({"target": ""}, "target is not a tool's name, got ''"),
        ({"target": None}, "target is not a tool's name, got None"),
        ({"id": ""}, "fault id is empty or not unique"),
        ({"pressure": Pressure(text="pay")}, "error cannot deliver a pressure"),
        ({"effect": "injected_instruction", "parameters": {"text": "pay"}}, "injected_instruction needs a pressure"),
        (
            {"effect": "injected_instruction", "parameters": {"text": "a"}, "pressure": Pressure(text="b")},
            "text differs from the pressure's own, got 'a'",
        ),
    ],
)
def test_a_wrong_plan_is_refused_when_it_is_made(fields: dict[str, Any], message: str) -> None:
    """Never at a call; the message names the fault, the field and the value."""
    with pytest.raises(InputError) as refusal:
        plan(fault(**fields))
    assert message in str(refusal.value)


@pytest.mark.parametrize("seed", ["1", 1.0, True, None])
def test_a_seed_is_an_integer(seed: Any) -> None:
    """Anything else would give dice that look the same and are not."""
    with pytest.raises(InputError, match="seed is not an integer"):
        plan(seed=seed)


def test_two_faults_of_one_id_are_refused() -> None:
    """The record could not tell them apart."""
    with pytest.raises(InputError, match="not unique, got 'f'"):
        plan(fault(probability=0.5), fault(target="other"))


def test_a_fault_that_could_never_be_met_is_refused() -> None:
    """A certain error before it on the same tool takes every call."""
    with pytest.raises(InputError, match="can never be met: a fails every call of api before it, got 'b'"):
        plan(fault(id="a"), fault(id="b", effect="empty"))


@pytest.mark.parametrize("first", [{"limit": 1}, {"probability": 0.5}, {"effect": "latency"}, {"effect": "empty"}])
def test_faults_on_one_target_may_follow_one_another(first: dict[str, Any]) -> None:
    """A limit, a chance, a delay or altered data leaves the next one its turn."""
    assert plan(fault(id="a", **first), fault(id="b", effect="empty"))


def test_an_instruction_takes_its_text_from_its_pressure() -> None:
    """It stands in one place."""
    made = plan(fault(effect="injected_instruction", pressure=Pressure(text="pay")))
    assert made.prepared[0].parameters["text"] == "pay"


CHANGES = [
    {"id": "q"},
    {"seed": 2},
    {"task": "t"},
    {"faults": (fault(), fault(id="g", target="b"), fault(id="h", target="c"))},
    {"faults": (fault(id="g", target="b"), fault())},
    {"faults": (fault(id="x"), fault(id="g", target="b"))},
    {"faults": (fault(effect="timeout"), fault(id="g", target="b"))},
    {"faults": (fault(parameters={"status": 500}), fault(id="g", target="b"))},
    {"faults": (fault(probability=0.5), fault(id="g", target="b"))},
    {"faults": (fault(limit=1), fault(id="g", target="b"))},
    {"faults": (fault(stage=0), fault(id="g", target="b"))},
    {"faults": (fault(stage=0), fault(id="g", target="b", stage=1))},
    {"faults": (fault(effect="empty"), fault(id="g", target="b"))},
    {"faults": (fault(effect="empty", parameters={"kind": "empty_array"}), fault(id="g", target="b"))},
    {"faults": (fault(effect="malformed"), fault(id="g", target="b"))},
    {"faults": (fault(effect="malformed", parameters={"kind": "wrong_type"}), fault(id="g", target="b"))},
]


def test_the_fingerprint_covers_everything_that_drives_behaviour() -> None:
    """Id, seed, task, order, kinds of blanks and malformations, stages and limits."""
    base: dict[str, Any] = {"id": "p", "seed": 1, "faults": (fault(), fault(id="g", target="b"))}
    prints = [FaultPlan(**base).fingerprint, *[FaultPlan(**{**base, **change}).fingerprint for change in CHANGES]]
    assert len(set(prints)) == len(prints)
    assert FaultPlan(**base).fingerprint == prints[0]
    spelt_out = fault(probability=1, parameters={"status": 503})
    assert FaultPlan(**{**base, "faults": (spelt_out, base["faults"][1])}).fingerprint == prints[0]


def test_the_fingerprint_is_that_of_a_plain_document() -> None:
    """So that anyone can compute it."""
    made = plan(fault(probability=0.5, limit=2), id="é", task="t\ud83d", seed=3)
    complete = {"status": 503, "after_s": 0.0, "carried_out": False}
    document = {
        "id": "é",
        "seed": 3,
        "task": "t\ud83d",
        "faults": [
            {
                "id": "f",
                "type": "tool_failure",
                "target": "api",
                "effect": "error",
                "parameters": complete,
                "probability": 0.5,
                "limit": 2,
            }
        ],
    }
    assert made.fingerprint == fingerprint(document)
    assert made.with_seed(4).fingerprint == fingerprint({**document, "seed": 4})
    assert plan(seed=3).fingerprint == fingerprint({"id": "p", "seed": 3, "task": None, "faults": []})


def test_a_plan_survives_json_copy_and_pickle() -> None:
    """It is a record like any other."""
    made = plan(fault(effect="empty", parameters={"kind": "null"}, probability=0.5), task="t")
    for other in (decode(FaultPlan, encode(made)), pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert other == made
        assert other.fingerprint == made.fingerprint


def test_a_plan_may_name_effects_of_others() -> None:
    """They are passed in, not registered."""
    mine = Effect(name="shrug", meaning="m", interrupt=lambda call: Interruption())
    made = plan(fault(effect="shrug"), effects=(*BUILTIN, mine))
    assert made.prepared[0].effect is mine
    with pytest.raises(InputError, match="unknown effect"):
        plan(fault(effect="shrug"))


def test_other_dice_for_the_same_faults() -> None:
    """As if the plan had been made with that seed."""
    made = plan(fault(probability=0.5))
    other = made.with_seed(9)
    assert other == plan(fault(probability=0.5), seed=9)
    assert made.seed == 1
    assert other.fingerprint != made.fingerprint
