"""The catalogue, its texts, and what names a way of scoring."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from hbeval.errors import InputError
from hbeval.instruments import (
    BUILTIN,
    CURRENT,
    PassK,
    entry,
    find,
    metric_versions,
    read_catalogue,
    scoring_document,
    scoring_fingerprint,
)
from hbeval.instruments.base import Instrument
from hbeval.instruments.irs import DeliberateHandling, DeliberateRecovery
from hbeval.model import encode

RULES = {"id": "hb-judging@1.0"}


def test_the_current_five_are_the_profile() -> None:
    """Ids and versions of hb-metrics-2.0, with the schema."""
    assert metric_versions(CURRENT) == {
        "schema": "hb-metrics-2.0",
        "pei": "1.0",
        "frr": "1.0",
        "irs": "2.0",
        "ti": "1.0",
        "csi": "1.0-provisional",
    }


def test_a_second_version_of_one_id_stands_under_its_name() -> None:
    """It does not overwrite the first."""
    versions = metric_versions((find("irs@2.0"), find("irs@1.0")))
    assert versions == {"schema": "hb-metrics-2.0", "irs": "2.0", "irs@1.0": "1.0"}


@pytest.mark.parametrize("instrument", BUILTIN, ids=lambda each: each.name)
def test_every_instrument_is_found_by_its_name(instrument: Instrument) -> None:
    """And says what a reader needs."""
    assert find(instrument.name) == instrument
    assert instrument.name == f"{instrument.id}@{instrument.version}"
    assert instrument.title
    assert instrument.definition
    assert instrument.scale[0] < instrument.scale[1]
    assert instrument.status in ("current", "historical", "provisional", "candidate")


def test_every_pass_k_is_found() -> None:
    """One definition, an id for each k."""
    assert find("pass_7@1.0") == PassK(k=7)
    assert find("pass_7@1.0").definition == find("pass_1@1.0").definition


@pytest.mark.parametrize("name", ["irs", "irs@3.0", "pass_0@1.0", "pass_2@2.0", "", "frr@1.0 "])
def test_an_unknown_name_is_refused_with_those_that_exist(name: str) -> None:
    """Nothing is guessed, not even the current version."""
    with pytest.raises(InputError, match=r"irs@2\.0"):
        find(name)


def test_an_unknown_entry_is_refused() -> None:
    """With the names there are."""
    with pytest.raises(InputError, match=r"csi@2\.0-candidate"):
        entry("csi@3.0")


def test_the_fingerprint_has_sixteen_digits_and_ignores_order() -> None:
    """The same instruments in another order score the same way."""
    value = scoring_fingerprint(CURRENT, RULES)
    assert re.fullmatch("[0-9a-f]{16}", value)
    assert scoring_fingerprint(tuple(reversed(CURRENT)), RULES) == value


def test_the_fingerprint_changes_with_everything_that_scores() -> None:
    """Instruments, versions, definitions, constants, rules."""
    ours = find("csi@1.0-provisional")
    fields = {name: getattr(ours, name) for name in ("name", "definition", "parameters", "scale", "higher_is_better")}
    base = SimpleNamespace(**fields)
    others = [
        SimpleNamespace(**{**fields, "name": "csi@1.1"}),
        SimpleNamespace(**{**fields, "definition": "something else"}),
        SimpleNamespace(**{**fields, "parameters": {**ours.parameters, "c": 0.6}}),
        SimpleNamespace(**{**fields, "higher_is_better": False}),
    ]
    prints = {scoring_fingerprint((each,), RULES) for each in (base, *others)}
    prints |= {scoring_fingerprint((base, find("frr@1.0")), RULES), scoring_fingerprint((base,), {"id": "x"})}
    assert len(prints) == 7


def test_the_scoring_document_is_json() -> None:
    """It can be shown, and fingerprinted by anybody."""
    document = scoring_document(BUILTIN, RULES)
    assert json.loads(json.dumps(document)) == document
    assert set(document["instruments"]) == {each.name for each in BUILTIN}


def test_the_catalogue_survives_its_own_codec() -> None:
    """Every field of the file is a field of a record: nothing in it goes unread."""
    path = Path(__file__).parents[2] / "src" / "hbeval" / "instruments" / "catalogue.json"
    written = json.loads(path.read_text(encoding="utf-8"))
    assert json.loads(json.dumps(encode(read_catalogue()))) == written


def test_every_entry_belongs_to_a_bundled_instrument() -> None:
    """And every instrument has one."""
    keys = {each.key for each in BUILTIN if hasattr(each, "key")}
    assert keys == {each.name for each in read_catalogue().instruments}
    assert len(keys) == len(read_catalogue().instruments) == len(BUILTIN)


def test_published_definitions_name_their_doi_and_candidates_say_whose_they_are() -> None:
    """No definition comes from nowhere."""
    for each in read_catalogue().instruments:
        if each.status == "candidate":
            assert each.source.doi is None
            assert "this project" in each.source.text
        elif each.id != "success_rate":
            assert each.source.doi is not None
            assert each.source.doi.startswith("10.")


def test_a_replaced_version_names_its_replacement_and_its_limitation() -> None:
    """Historical is not wrong: the record says within what it stays valid."""
    for each in read_catalogue().instruments:
        assert (each.replaced_by is not None) == (each.status == "historical")
        if each.replaced_by:
            assert each.limitation
            assert entry(each.replaced_by).status == "current"


def test_an_unmeasured_share_is_null_and_names_its_command() -> None:
    """No figure is invented."""
    share = entry("irs@1.0").indistinguishable
    assert share is not None
    assert share.share is None
    assert share.command.startswith("hbeval ")


def test_history_is_in_order_and_speaks_of_known_versions() -> None:
    """Every version of the catalogue has a line in it."""
    history = read_catalogue().history
    assert [each.date for each in history] == sorted(each.date for each in history)
    known = {each.name for each in read_catalogue().instruments}
    mentioned = {each.after for each in history if each.metric != "judging"}
    assert mentioned == known
    assert {each.before for each in history if each.before} <= known
    assert [each.after for each in history if each.metric == "judging"] == ["hb-judging@1.0"]


def test_starting_thresholds_are_marked_as_such() -> None:
    """Within their scales, with the note that goes wherever one is shown."""
    thresholds = read_catalogue().thresholds
    assert thresholds.values == {"pei": 0.70, "frr": 0.65, "irs": 0.60, "ti": 3.00}
    assert "not findings" in thresholds.note
    for each in CURRENT:
        low, high = each.scale
        assert low <= thresholds.values.get(each.id, low) <= high


def test_instruments_are_values() -> None:
    """Equal by kind, not changeable."""
    assert PassK(k=2) == PassK(k=2) != PassK(k=3)
    assert {DeliberateRecovery(), DeliberateRecovery(), DeliberateHandling()} == {find("irs@1.0"), find("irs@2.0")}
    assert repr(find("irs@1.0")) == "<instrument irs@1.0>"
    with pytest.raises(dataclasses.FrozenInstanceError):
        PassK(k=2).k = 3
