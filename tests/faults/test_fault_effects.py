"""Effects: their laws, their kinds, and what they hand out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.errors import InputError, UsageError
from hbeval.faults import BUILTIN, Call, CannotApply, Effect, Interruption, Parameter, check_effect, find
from hbeval.faults.checks import check_call, settings_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
RECORD = {"order_id": "A-1", "status": "open", "stops": [{"hour": 9}, {"hour": 13}], "paid": True}


def effect(name: str) -> Effect:
    return find(name, where="test")


def apply(name: str, result: Any, *, dice: str = "k", earlier: tuple[Any, ...] = (), **parameters: Any) -> Any:
    found = effect(name)
    assert found.alter is not None
    complete = found.complete(parameters, "test")
    return found.alter(Call(target="t", key=dice, parameters=complete, result=result, earlier=earlier))


def interrupt(name: str, **parameters: Any) -> Interruption:
    found = effect(name)
    assert found.interrupt is not None
    return found.interrupt(Call(target="carrier_api", parameters=found.complete(parameters, "test")))


@pytest.mark.parametrize("each", BUILTIN, ids=lambda each: each.name)
def test_every_builtin_effect_keeps_the_shipped_laws(each: Effect) -> None:
    """The laws third parties can run hold for ours, on every kind and flag."""
    check_effect(each)


ALTERING = [
    pytest.param(each, parameters, id=f"{each.name}-{parameters.get('kind', '')}")
    for each in BUILTIN
    if each.alter is not None
    for parameters in settings_of(each)
]


@pytest.mark.parametrize(("each", "parameters"), ALTERING)
@settings(max_examples=40, deadline=None)
@given(value=JSON, key=st.text(max_size=4))
def test_an_altered_result_always_differs_from_the_true_one(
    each: Effect, parameters: dict[str, Any], value: Any, key: str
) -> None:
    """For any JSON value: changed, unchanged input, same for the same fault; or refused with a reason."""
    check_call(each, Call(target="t", key=key, parameters=parameters, result=value))


@settings(max_examples=60, deadline=None)
@given(value=JSON)
def test_effects_that_always_apply_never_refuse(value: Any) -> None:
    """Blank, malformed, drifted and instructed results exist for every JSON value."""
    for each in BUILTIN:
        if each.name in ("empty", "malformed", "schema_drift", "injected_instruction"):
            for parameters in settings_of(each):
                assert check_call(each, Call(target="t", parameters=parameters, result=value))


def test_the_fourteen_effects_are_there_with_their_kinds() -> None:
    """The list that the documentation and the issue promise."""
    assert [each.name for each in BUILTIN] == [
        "timeout",
        "latency",
        "error",
        "rate_limit",
        "connection_refused",
        "empty",
        "malformed",
        "intermittent",
        "partial",
        "stale",
        "schema_drift",
        "conflicting",
        "injected_instruction",
        "noop",
    ]
    assert len(effect("empty").parameters[0].words) == 4
    assert len(effect("malformed").parameters[0].words) == 7


def test_only_effects_that_hand_out_other_data_degrade() -> None:
    """Delays, errors, the control arm and text beside true data do not."""
    degrading = {each.name for each in BUILTIN if each.degraded}
    assert degrading == {"empty", "malformed", "partial", "stale", "schema_drift", "conflicting"}


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("empty", {"kind": "nothing"}, "kind: unsuitable value, got 'nothing'; expected one of null, empty_object"),
        ("malformed", {"kind": "odd"}, "unsuitable value, got 'odd'"),
        ("timeout", {"after_ms": 5}, "unknown parameter of timeout, got 'after_ms'; expected one of after_s"),
        ("timeout", {"after_s": -1}, "unsuitable value, got -1; expected a number at least 0 and at most 3600"),
        ("timeout", {"after_s": float("nan")}, "unsuitable value, got nan"),
        ("timeout", {"after_s": True}, "unsuitable value, got True"),
        ("timeout", {"carried_out": 1}, "unsuitable value, got 1; expected true or false"),
        ("error", {"status": 200}, "unsuitable value, got 200"),
        ("error", {"status": 503.0}, "unsuitable value, got 503.0"),
        ("partial", {"keep": 1.5}, "unsuitable value, got 1.5"),
        ("conflicting", {"values": [1]}, "unsuitable value, got [1]; expected an object"),
        ("stale", {"value": float("inf")}, "not writable as JSON"),
        ("injected_instruction", {}, "injected_instruction needs 'text'"),
        ("injected_instruction", {"text": ""}, "unsuitable value, got ''; expected a text that is not empty"),
        ("noop", {"x": 1}, "expected none; this effect has no parameters"),
    ],
)
def test_a_bad_parameter_is_refused_with_its_value(name: str, parameters: dict[str, Any], message: str) -> None:
    """Unknown kinds and bad values are errors when a plan is made, with what would be right."""
    with pytest.raises(InputError) as refusal:
        effect(name).complete(parameters, "plan p: fault f")
    assert message in str(refusal.value)
    assert "plan p: fault f" in str(refusal.value)


def test_an_unknown_effect_names_those_there_are() -> None:
    """A typo is told from a list."""
    with pytest.raises(InputError, match="unknown effect, got 'time_out'; expected one of timeout, latency"):
        find("time_out", where="x")


def test_an_effect_needs_exactly_one_function() -> None:
    """An effect that does nothing, or two things, is refused."""
    with pytest.raises(UsageError, match="exactly one function"):
        Effect(name="x", meaning="m")
    with pytest.raises(UsageError, match="cannot degrade"):
        Effect(name="x", meaning="m", degraded=True, interrupt=lambda call: Interruption())


def test_the_laws_catch_effects_that_break_them() -> None:
    """A law that no broken effect can fail would prove nothing."""
    broken = [
        Effect(name="Upper", meaning="m", interrupt=lambda call: Interruption()),
        Effect(name="mute", meaning="", interrupt=lambda call: Interruption()),
        Effect(name="backwards", meaning="m", interrupt=lambda call: Interruption(wait_s=-1)),
        Effect(name="idle", meaning="m", alter=lambda call: call.result),
        Effect(name="mutating", meaning="m", alter=_mutating),
        Effect(name="foreign", meaning="m", alter=lambda call: {1, 2}),
        Effect(name="random", meaning="m", alter=_Counting()),
        Effect(name="silent", meaning="m", alter=_refusing),
        Effect(
            name="loose",
            meaning="m",
            parameters=(_Anything(name="x", kind="text", meaning="m", default=None),),
            interrupt=lambda call: Interruption(),
        ),
        Effect(
            name="wordless",
            meaning="m",
            parameters=(Parameter(name="x", kind="word", meaning="m", default=None),),
            interrupt=lambda call: Interruption(),
        ),
    ]
    for each in broken:
        with pytest.raises(AssertionError, match=each.name):
            check_effect(each)


def _mutating(call: Call) -> Any:
    if isinstance(call.result, list):
        call.result.append(1)
    return {"other": [call.result]}


def _refusing(call: Call) -> Any:
    raise CannotApply("")


class _Counting:
    def __init__(self) -> None:
        self.count = 0

    def __call__(self, call: Call) -> Any:
        self.count += 1
        return {"n": self.count}


class _Anything(Parameter):
    def check(self, value: Any, where: str) -> Any:
        return value


def test_stand_ins_complete_parameters_that_have_no_default() -> None:
    """The laws can run any effect, whatever it requires."""
    kinds = ("text", "number", "integer", "object", "json")
    required = tuple(Parameter(name=kind, kind=kind, meaning="m", low=None) for kind in kinds)
    check_effect(Effect(name="needy", meaning="m", parameters=required, interrupt=lambda call: Interruption()))


def test_a_timeout_waits_and_then_fails() -> None:
    """The wait is the client's patience."""
    met = interrupt("timeout", after_s=1.5)
    assert met.wait_s == 1.5
    assert met.error is not None
    assert (met.error.kind, met.error.message) == ("timeout", "carrier_api did not answer within 1.5 s")


def test_a_rate_limit_says_when_to_come_back() -> None:
    """Status and Retry-After travel in the error and in its words."""
    error = interrupt("rate_limit", retry_after_s=7).error
    assert error is not None
    assert (error.status, error.retry_after_s) == (429, 7)
    assert "retry after 7 s" in error.message


@pytest.mark.parametrize("kind", ["error", "timeout", "connection_refused"])
def test_intermittent_fails_in_the_way_asked_for(kind: str) -> None:
    """How often is the plan's matter; how is the effect's."""
    error = interrupt("intermittent", kind=kind, status=502).error
    assert error is not None
    assert error.kind == kind
    assert error.status == (502 if kind == "error" else None)


def test_latency_and_noop_leave_the_call_alone() -> None:
    """No error, and a wait only where asked for."""
    assert interrupt("latency", delay_s=3) == Interruption(wait_s=3)
    assert interrupt("noop") == Interruption()


@pytest.mark.parametrize(
    ("kind", "blank"), [("null", None), ("empty_object", {}), ("empty_array", []), ("empty_string", "")]
)
def test_empty_hands_out_the_blank_asked_for(kind: str, blank: Any) -> None:
    """The next kind stands in where the truth is that very blank."""
    assert apply("empty", RECORD, kind=kind) == blank
    assert apply("empty", blank, kind=kind) != blank


def test_truncated_and_invalid_payloads_cannot_be_parsed() -> None:
    """Both hand out text that is no JSON."""
    for kind in ("truncated_payload", "invalid_json"):
        with pytest.raises(ValueError):
            json.loads(apply("malformed", RECORD, kind=kind))


def test_malformed_kinds_do_what_their_names_say() -> None:
    """Each of the structural kinds on a plain record."""
    assert len(apply("malformed", RECORD, kind="missing_required_field")) == len(RECORD) - 1
    assert apply("malformed", RECORD, kind="missing_required_field", key="/stops/0/hour")["stops"] == [
        {},
        {"hour": 13},
    ]
    assert apply("malformed", RECORD, kind="wrong_type", key="/paid")["paid"] == "yes"
    assert apply("malformed", RECORD, kind="invalid_enum", key="/status")["status"] == ["open"]
    assert "UNLISTED_" in json.dumps(apply("malformed", RECORD, kind="invalid_enum"))
    assert apply("malformed", RECORD, kind="unexpected_nested_structure") == {"response": {"body": {"result": RECORD}}}
    assert "order_id" not in apply("malformed", RECORD, kind="wrong_schema")


@pytest.mark.parametrize(
    ("leaf", "other"),
    [(None, "null"), (True, "yes"), (False, "no"), (3, "3"), ("x", ["x"]), ([1], {"0": 1}), ({"a": 1}, [1])],
)
def test_wrong_type_changes_any_type(leaf: Any, other: Any) -> None:
    """Every JSON type has another one to turn into."""
    assert apply("malformed", {"v": leaf}, kind="wrong_type", key="/v") == {"v": other}


def test_a_kind_that_finds_nothing_wraps_the_result() -> None:
    """A number has no field to lose."""
    assert apply("malformed", 5, kind="missing_required_field") == {"unexpected": 5}
    assert apply("malformed", {"a": 1}, kind="missing_required_field", key="/b") == {}


def test_text_that_holds_json_is_altered_inside_and_stays_text() -> None:
    """Tools that answer in JSON text keep doing so."""
    changed = apply("schema_drift", '{"order_id": "A-1"}')
    assert json.loads(changed) == {"orderId": "A-1"}
    assert apply("partial", "{not json") == "{not"


def test_partial_cuts_the_largest_list() -> None:
    """Half of it by default, and never all of the difference."""
    assert apply("partial", {"id": 1, "stops": [1, 2, 3, 4]}) == {"id": 1, "stops": [1, 2]}
    assert apply("partial", [1, 2, 3], keep=1) == [1, 2]
    assert apply("partial", {"a": 1, "b": 2}) == {"a": 1}
    assert apply("partial", RECORD, key="/stops/0") == {**RECORD, "stops": [{"hour": 13}]}
    assert apply("partial", RECORD, key="/nowhere") == {**RECORD, "stops": [{"hour": 9}]}
    with pytest.raises(CannotApply, match="nothing that could be left out"):
        apply("partial", 5)


def test_stale_prefers_the_given_then_the_earlier_result() -> None:
    """Without any older result, figures are off."""
    assert apply("stale", {"eta": 4}, value={"eta": 9}) == {"eta": 9}
    assert apply("stale", {"eta": 4}, value={"eta": 4}, earlier=({"eta": 4}, {"eta": 6})) == {"eta": 6}
    assert apply("stale", '{"eta": 4}', value={"eta": 9}) == '{"eta": 9}'
    assert apply("stale", {"eta": 4})["eta"] != 4


def test_schema_drift_renames_the_same_field_everywhere() -> None:
    """In every record of a list, and the same field at every call."""
    rows = {"rows": [{"unit_price": 1}, {"unit_price": 2}]}
    assert apply("schema_drift", rows, key="/rows/0/unit_price") == {"rows": [{"unitPrice": 1}, {"unitPrice": 2}]}
    assert apply("schema_drift", RECORD, dice="x") == apply("schema_drift", RECORD, dice="x")
    assert apply("schema_drift", {"id": 1}) == {"id_v2": 1}
    assert apply("schema_drift", {"a_b": 1, "aB": 2}, key="/a_b") == {"a_b": 1, "aB_v2": 2}
    assert apply("schema_drift", {"a": {"b_c": 1}, "aV": 2, "a_v2": 3}, key="/a/b_c")["a"] == {"bC": 1}
    assert apply("schema_drift", 7) == {"schema_version": 2, "value": 7}
    assert apply("schema_drift", {"id": 1}, key="/x/y") == {"id_v2": 1}


def test_conflicting_puts_the_given_wrong_values() -> None:
    """Pointers that the result does not hold are passed over; without any, figures are off."""
    wrong = {"/stops/1/hour": 20, "/nowhere/1": 0}
    assert apply("conflicting", RECORD, values=wrong)["stops"] == [{"hour": 9}, {"hour": 20}]
    other = apply("conflicting", RECORD, values={"/nowhere": 0})["stops"]
    assert other[0]["hour"] != 9
    assert apply("conflicting", {"a": True}) == {"a": False}
    with pytest.raises(CannotApply, match="no figure, date or flag"):
        apply("conflicting", {"name": "north depot"})


def test_an_instruction_stands_beside_the_whole_true_data() -> None:
    """Whatever the result is, it is still there."""
    assert apply("injected_instruction", RECORD, text="pay") == {**RECORD, "note": "pay"}
    assert apply("injected_instruction", {"note": "hi"}, text="pay") == {"note": "hi\n\npay"}
    assert apply("injected_instruction", {"note": 3}, text="pay") == {"value": {"note": 3}, "note": "pay"}
    assert apply("injected_instruction", ["a"], text="pay") == ["a", "pay"]
    assert apply("injected_instruction", [{"a": 1}], text="pay") == [{"a": 1}, {"note": "pay"}]
    assert apply("injected_instruction", "mail", text="pay") == "mail\n\npay"
    assert apply("injected_instruction", None, text="pay") == {"value": None, "note": "pay"}
    assert apply("injected_instruction", {"m": {"t": "x"}}, text="pay", at="/m/t") == {"m": {"t": "x\n\npay"}}
    assert apply("injected_instruction", {"m": 1}, text="pay", at="/m") == {"m": 1, "note": "pay"}
    assert apply("injected_instruction", {"m": 1}, text="pay", at="/n") == {"m": 1, "note": "pay"}
