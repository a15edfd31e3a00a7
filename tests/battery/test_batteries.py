"""What a battery is made of, and how one is read from a file."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from hbeval.battery import load, run, standard
from hbeval.errors import InputError, UsageError
from hbeval.faults import Specification
from hbeval.model import FaultType


def test_the_standard_battery_is_ours_on_the_bundled_domains():
    """Specification and domains; every type fits tasks of every domain, so nothing stays uncovered."""
    battery = standard()
    assert battery.id == "standard@1"
    assert battery.specification.fingerprint == Specification.load().fingerprint
    assert [each.name for each in battery.domains] == ["logistics", "healthcare"]
    assert all(len(each.tasks) >= 6 for each in battery.domains)
    assert battery.arrange().gaps == ()
    assert {each.condition for each in battery.arrange().scenarios} == {None, *FaultType}


def test_domains_are_chosen_by_name_in_the_batterys_order():
    """None is all of them; an unknown one is named with those there are."""
    battery = standard()
    assert battery.chosen(None) == battery.domains
    assert battery.chosen(["healthcare", "logistics"]) == battery.domains
    assert [each.name for each in battery.chosen(["healthcare"])] == ["healthcare"]
    with pytest.raises(UsageError, match=r"standard@1 has no domain 'mars'; it has logistics, healthcare"):
        battery.chosen(["logistics", "mars"])


def test_two_domains_or_tasks_of_one_name_are_refused():
    """Scenarios are told apart by them."""
    battery = standard()
    with pytest.raises(UsageError, match="'logistics' is there twice"):
        replace(battery, domains=(battery.domains[0], battery.domains[0]))
    twin = replace(battery.domains[0], name="twin")
    with pytest.raises(UsageError, match=r"'logistics/.*' is there twice"):
        replace(battery, domains=(battery.domains[0], twin))


@pytest.fixture
def written(tmp_path: Path):
    """Writes a battery file beside a domain file of its own and a specification."""
    data = resources.files("hbeval.battery") / "data"
    (tmp_path / "own.json").write_text((data / "logistics.json").read_text("utf-8"), "utf-8")
    document = {**Specification.load().document, "nominal_share": 0.5}
    (tmp_path / "spec.json").write_text(json.dumps(document))

    def write(**fields) -> Path:
        path = tmp_path / "battery.json"
        path.write_text(json.dumps({"schema": "hbeval-battery/1", "id": "mine@1", **fields}))
        return path

    return write


def test_a_battery_file_names_domains_and_a_specification(written):
    """Bundled domains by name, others by path; paths are relative to the file."""
    battery = load(written(domains=["own.json", "healthcare"], specification="spec.json"))
    assert battery.id == "mine@1"
    assert [each.name for each in battery.domains] == ["logistics", "healthcare"]
    assert battery.specification.nominal_share == 0.5
    report = run(lambda task: "x", battery=battery, scenarios=10)
    assert report.battery is not None
    assert report.battery["id"] == "mine@1"
    assert report.fault_spec_fingerprint != Specification.load().fingerprint
    ours = load(written(domains=["healthcare"]))
    assert ours.specification.fingerprint == Specification.load().fingerprint


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"domains": ["healthcare"], "scenarios": 3},
            r"battery\.json: unknown field, got 'scenarios'",
        ),
        ({}, "'domains' is missing"),
        ({"domains": "healthcare"}, r"domains: wrong type, got 'healthcare'; expected a list"),
        ({"domains": ["healthcare"], "schema": "x/1"}, "expected 'hbeval-battery/1'"),
        ({"domains": ["absent.json"]}, "absent.json"),
        ({"domains": ["healthcare"], "specification": "absent.json"}, "absent.json: cannot be read"),
        ({"domains": ["healthcare"], "specification": "\ud83d"}, r"cannot be read \(no name of a file\)"),
        ({"domains": ["\0"]}, "no name of a file"),
    ],
)
def test_what_a_battery_file_should_not_say_is_named(written, fields, message: str):
    """File, field, value, and what would be right."""
    with pytest.raises(UsageError, match=message):
        load(written(**fields))


def test_a_battery_file_that_is_not_there_is_named(tmp_path: Path):
    """With its path."""
    with pytest.raises(InputError, match="no name of a file"):
        load("\0")
    with pytest.raises(InputError, match=r"none\.json: cannot be read"):
        load(tmp_path / "none.json")
