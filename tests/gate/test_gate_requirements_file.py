"""The requirements file is read strictly and written back the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hbeval.errors import InputError
from hbeval.gate import All, AnyOf, Floor, NotWorse, Requirements, parse_requirements, read_requirements, to_toml
from hbeval.gate.file import from_value

TOML = """
schema = "hbeval-requirements/1"
alpha = 0.01
min_coverage = "90%"
decide_by = "runs"
accept_evidence = ["E2"]
quarantine = ["d/task 1/nominal"]
all = [
  "frr >= 0.70",
  { any = ["irs >= 80%", { all = ["pei >= 0.5", "ti not worse by 5%"] }], note = "either will do" },
  { metric = "success_rate", floor = 0.9, every_task = true, note = "why" },
  { metric = "irs", not_worse_by = "5%" },
]
"""

MEANT = Requirements(
    all=(
        Floor(metric="frr", least=0.7),
        AnyOf(
            parts=(
                Floor(metric="irs", least=0.8),
                All(parts=(Floor(metric="pei", least=0.5), NotWorse(metric="ti", margin=0.05))),
            )
        ),
        Floor(metric="success_rate", least=0.9, every_task=True),
        NotWorse(metric="irs", margin=0.05),
    ),
    alpha=0.01,
    min_coverage=0.9,
    accept_evidence=("E2",),
    quarantine=("d/task 1/nominal",),
)


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    """The suffix decides."""
    toml, document = tmp_path / "gate.toml", tmp_path / "gate.json"
    toml.write_text(TOML)
    document.write_text(json.dumps(__import__("tomllib").loads(TOML)))
    assert read_requirements(toml) == read_requirements(document) == MEANT


def test_what_is_written_is_read_the_same() -> None:
    """With notes as comments, whatever they hold."""
    awkward = Requirements(all=(Floor(metric="frr", least=0.7),), quarantine=('a "b"\\c\x07/ü😀',), by_task=True)
    for each in (MEANT, awkward):
        text = to_toml(each, {str(each.all[0]): 'seen\n"x"\x00 = 3'}, heading="made by\na calibration")
        assert text.startswith("# made by\n# a calibration\n")
        assert parse_requirements(text.encode(), where="x") == each


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"all": []}, r"f: all: a list of requirements, at least one"),
        ({"all": ["frr >= 0.7"], "any": ["irs >= 0.7"]}, r"one of the lists 'all' and 'any'"),
        ({}, r"one of the lists 'all' and 'any'"),
        ({"all": [{"any": []}]}, r"f: all\[0\]\.any"),
        ({"all": [7]}, r"f: all\[0\]: not a requirement"),
        ({"all": [{"metric": "frr"}]}, r"a table that requires nothing"),
        ({"all": [{"metric": "frr", "flor": 0.7}]}, r"a table that requires nothing"),
        ({"all": [{"metric": "frr", "floor": 0.7, "everytask": True}]}, "got 'everytask'; expected 'every_task'"),
        ({"all": [{"metric": "frr", "floor": 80}]}, r"f: all\[0\]\.floor: outside the scale"),
        ({"all": [{"metric": "frr", "floor": True}]}, r"f: all\[0\]\.floor"),
        ({"all": [{"metric": "frr", "floor": 0.7, "every_task": "yes"}]}, r"true or false"),
        ({"all": [{"floor": 0.7}]}, r"which metric"),
        ({"all": [{"metric": "irs", "not_worse_by": 0}]}, r"proof of being better"),
        ({"all": ["frr >= 0.7"], "aplha": 0.1}, r"unknown key, got 'aplha'; expected 'alpha'"),
        ({"all": ["frr >= 0.7"], "alpha": 5}, r"f: alpha"),
        ({"all": ["frr >= 0.7"], "min_coverage": 95}, r"f: min_coverage"),
        ({"all": ["frr >= 0.7"], "min_known": -1}, r"f: min_known"),
        ({"all": ["frr >= 0.7"], "schema": "hbeval-requirements/2"}, r"another kind of file"),
        ({"all": ["frr >= 0.7"], "accept_evidence": ["E9"]}, r"unknown word, got 'E9'"),
        ({"all": ["frr >= 0.7"], "quarantine": "d/x"}, r"a list of texts"),
        ({"all": ["frr >= 0.7"], "decide_by": "hope"}, r"f: decide_by: unknown word"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_an_error_with_its_place(change: dict[str, Any], line: str) -> None:
    """A misspelt key would require nothing, and a gate that requires nothing cannot fail."""
    with pytest.raises(InputError, match=line):
        from_value(change, where="f")


@pytest.mark.parametrize("text", [b"all = [", b"\xff", b"all = ['frr >= 0.7']\nalpha = nan", b"[1]", b""])
def test_a_file_that_is_no_toml_is_an_error(text: bytes) -> None:
    """Cut, not UTF-8, not finite, empty."""
    with pytest.raises(InputError, match=r"^f"):
        parse_requirements(text, where="f")


@pytest.mark.parametrize("text", [b"{", b"[]", b"null", b'{"all": ["frr >= 0.7"], "alpha": NaN}'])
def test_a_file_that_is_no_json_is_an_error(text: bytes) -> None:
    """The same for JSON."""
    with pytest.raises(InputError, match=r"^f"):
        parse_requirements(text, where="f", toml=False)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """With what the system said."""
    with pytest.raises(InputError, match=r"none\.toml: cannot be read \(No such file"):
        read_requirements(tmp_path / "none.toml")


def test_alternatives_may_be_the_whole_file() -> None:
    """`any` in place of `all`."""
    found = from_value({"any": ["frr >= 0.7", "irs >= 0.7"]}, where="f")
    assert found == Requirements(all=(AnyOf(parts=(Floor(metric="frr", least=0.7), Floor(metric="irs", least=0.7))),))
