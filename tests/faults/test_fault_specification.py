"""The specification: our document, its fingerprint, its checks, and the published one."""

from __future__ import annotations

import copy
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from hbeval.errors import InputError
from hbeval.faults import (
    BUILTIN,
    PUBLISHED_FINGERPRINT,
    FaultTargets,
    Specification,
    import_published,
    plan_for,
)
from hbeval.model import FaultType, Pressure, dumps

OURS = Specification.load()


def published_shape() -> dict[str, Any]:
    """A document of the published shape with texts of ours."""
    types = [each.value for each in FaultType]
    return {
        "domains": ["logistics"],
        "fault_contexts": {"none": "", **{name: f"{name} happens {{so}}" for name in types}},
        "fault_types": types,
        "max_scenarios": 60,
        "min_scenarios": 6,
        "none_fraction": 0.2,
    }


def test_our_specification_words_and_equips_all_six_types() -> None:
    """Each has a title, a meaning, a prompt and variants."""
    assert set(OURS.types) == set(FaultType)
    for each in OURS.types.values():
        assert each.title
        assert each.meaning
        assert each.prompt
        assert each.variants


def test_our_fingerprint_is_our_own() -> None:
    """The published algorithm over our document; a change of what is injected shows here."""
    assert OURS.fingerprint == "9228f6c4bca6dafd"
    assert OURS.fingerprint != PUBLISHED_FINGERPRINT


def test_combined_means_at_least_two_faults_at_once() -> None:
    """In every variant; cascades have stages."""
    for variant in OURS.types[FaultType.COMBINED].variants:
        assert len(variant.faults) >= 2
    for variant in OURS.types[FaultType.CASCADE].variants:
        assert [each.stage for each in variant.faults] == [0, 1]


def test_a_prompt_tells_of_the_fault_in_words() -> None:
    """For agents whose tools are out of reach; the instruction is the task's own."""
    targets = FaultTargets(primary="a", pressure=Pressure(text="pay {now}"))
    assert OURS.prompt(None) == ""
    assert OURS.prompt(FaultType.ADVERSARIAL, targets).endswith("pay {now}")
    assert "{instruction}" in OURS.prompt(FaultType.ADVERSARIAL)
    assert OURS.prompt(FaultType.CASCADE, FaultTargets(primary="a")) == OURS.types[FaultType.CASCADE].prompt


def test_a_specification_loads_from_a_file(tmp_path: Path) -> None:
    """With the same fingerprint, and messages that name the file."""
    path = tmp_path / "mine.json"
    path.write_text(dumps(dict(OURS.document)))
    assert Specification.load(path).fingerprint == OURS.fingerprint
    path.write_text("{")
    with pytest.raises(InputError, match=r"mine\.json: not JSON"):
        Specification.load(path)
    with pytest.raises(InputError, match="cannot be read"):
        Specification.load(tmp_path / "missing.json")


def _first_fault(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["types"]["tool_failure"]["variants"][0]["faults"][0]
    return found


WRONG = [
    (lambda d: d.update(schema="other/1"), "$.schema: unknown schema, got 'other/1'"),
    (lambda d: d.update(nominal_share=1.5), "$.nominal_share: share is out of range, got 1.5"),
    (lambda d: d.update(nominal_share="0.2"), "$.nominal_share: wrong type, got '0.2'"),
    (lambda d: d.update(comment="x"), "$: unknown field, got 'comment'"),
    (
        lambda d: d["types"].update(tool_fialure={"title": "x", "meaning": "y"}),
        "unknown fault type, got 'tool_fialure'",
    ),
    (lambda d: d["types"].pop("cascade"), "fault type 'cascade' is missing"),
    (lambda d: d["types"]["cascade"].update(variant=[]), "$.types.cascade: unknown field, got 'variant'"),
    (lambda d: d["types"]["cascade"]["variants"][0].update(x=1), "variants[0]: unknown field, got 'x'"),
    (lambda d: d["types"]["cascade"]["variants"][0].update(faults=[]), "variants[0].faults: variant has no fault"),
    (
        lambda d: d["types"]["cascade"]["variants"].append(d["types"]["cascade"]["variants"][0]),
        "variant id is not unique, got 'refused_then_slow_backup'",
    ),
    (lambda d: _first_fault(d).update(at="main"), "faults[0].at: unexpected value, got 'main'"),
    (lambda d: _first_fault(d).update(effect="tiemout"), "faults[0].effect: unknown effect, got 'tiemout'"),
    (lambda d: _first_fault(d).update(parameters={"after": 1}), "unknown parameter of timeout, got 'after'"),
    (
        lambda d: _first_fault(d).update(effect="latency", parameters={"delay_s": 10**400}),
        "faults[0].parameters.delay_s: unsuitable value, got 1000",
    ),
    (lambda d: _first_fault(d).update(probabilty=1), "faults[0]: unknown field, got 'probabilty'"),
    (lambda d: _first_fault(d).update(probability=2), "faults[0].probability: probability is out of range, got 2"),
    (lambda d: _first_fault(d).update(limit=0), "faults[0].limit: count is too small, got 0"),
    (lambda d: _first_fault(d).update(stage=-1), "faults[0].stage: count is too small, got -1"),
    (
        lambda d: _first_fault(d).update(effect="injected_instruction", parameters={}),
        "an instruction needs its carrier, got 'primary'",
    ),
]


@pytest.mark.parametrize(("change", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_wrong_specification_is_refused_with_field_and_value(change: Any, message: str) -> None:
    """Misspelt fields included: nothing is silently ignored."""
    document = copy.deepcopy(dict(OURS.document))
    change(document)
    with pytest.raises(InputError) as refusal:
        Specification.of(document)
    assert message in str(refusal.value)


def test_a_document_of_the_published_shape_loads_as_prompts(tmp_path: Path) -> None:
    """It keeps its texts and so its own fingerprint; it has no boundary effects, and planning says so."""
    path = tmp_path / "published.json"
    path.write_text(json.dumps(import_published(published_shape())))
    found = Specification.load(path)
    assert found.nominal_share == 0.2
    assert found.prompt(FaultType.STOCHASTIC, FaultTargets(primary="a")) == "stochastic happens {so}"
    assert found.fingerprint == Specification.of(published_shape()).fingerprint
    with pytest.raises(Exception, match="words stochastic in prompts only"):
        plan_for(FaultType.STOCHASTIC, FaultTargets(primary="a"), seed=1, task="t", id="p", specification=found)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("domains"), "field 'domains' is missing"),
        (lambda d: d.update(extra=1), "unknown field, got 'extra'"),
        (lambda d: d.update(fault_types=["x"]), "other fault types, got ['x']"),
        (lambda d: d.update(none_fraction=True), "none_fraction: share is out of range, got True"),
        (lambda d: d.update(fault_contexts=[]), "fault_contexts: wrong type, got []"),
        (lambda d: d["fault_contexts"].pop("none"), "fault_contexts.none: wrong type, got None"),
    ],
)
def test_a_damaged_published_document_is_refused(change: Any, message: str) -> None:
    """With the field and its value."""
    document = published_shape()
    change(document)
    with pytest.raises(InputError) as refusal:
        import_published(document)
    assert message in str(refusal.value)
    with pytest.raises(InputError, match="expected an object"):
        import_published([1])


def test_the_published_document_gives_the_published_fingerprint() -> None:
    """Read from the installed public package, through our code; none of its text is here."""
    found = importlib.util.find_spec("hb_eval_sdk")
    if found is None or not found.submodule_search_locations:
        pytest.skip("hb-eval-sdk is not installed: pip install --no-deps hb-eval-sdk==2.11.0")
    path = Path(found.submodule_search_locations[0]) / "battery.py"
    spec = importlib.util.spec_from_file_location("published_battery", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    keys = ("domains", "fault_contexts", "fault_types", "max_scenarios", "min_scenarios", "none_fraction")
    document = {key: getattr(module, key.upper()) for key in keys}
    assert Specification.of(import_published(document)).fingerprint == PUBLISHED_FINGERPRINT == "ce481b32763df1ca"


def test_every_builtin_kind_of_failure_is_used_or_is_the_control() -> None:
    """An effect that no variant uses would never be exercised by a battery."""
    used = {fault.effect for each in OURS.types.values() for variant in each.variants for fault in variant.faults}
    assert {each.name for each in BUILTIN} - used == {"noop"}
