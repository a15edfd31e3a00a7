"""The result document: strict, complete, and the same bytes after a round trip."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from hbeval.errors import InputError
from hbeval.model import Compliance, Context, JudgedTrace, Report
from hbeval.report import Assembly
from hbeval.report.document import document_schema, from_document, parse, rounded, to_document, to_json

KEYS = [
    "schema",
    "context",
    "partial",
    "scoring_version",
    "metric_versions",
    "scoring_fingerprint",
    "fault_spec_fingerprint",
    "task_set_digest",
    "agent",
    "battery",
    "evidence",
    "coverage",
    "metrics",
    "weakest",
    "faults",
    "groups",
    "left_out",
    "notes",
    "redacted",
]


def test_every_key_is_there_even_with_nothing_measured(empty_report: Report) -> None:
    """Scripts find null, never a missing key; `runs` only where runs were asked for."""
    document = to_document(empty_report)
    assert list(document) == KEYS
    assert document["fault_spec_fingerprint"] is None
    assert document["battery"] is None
    assert document["weakest"] is None
    assert document["evidence"]["completeness"] is None


def test_not_measured_is_null_with_its_reason(empty_report: Report) -> None:
    """No zero stands for nothing."""
    frr = to_document(empty_report)["metrics"]["frr"]
    assert frr["value"] is None
    assert frr["reason"]
    assert frr["interval"] is None
    assert frr["instrument"] == "frr@1.0"


def test_writing_reading_writing_gives_the_same_bytes(report: Report) -> None:
    """Also with hostile text, groups, runs and trials in it."""
    text = to_json(report)
    assert to_json(parse(text)) == text
    assert text.isascii()
    assert text.endswith("}\n")
    json.loads(text, parse_constant=pytest.fail)


def test_unknown_fields_survive(empty_report: Report) -> None:
    """A newer version's field is kept and written back."""
    document = to_document(empty_report)
    document["from_the_future"] = {"a": [1]}
    assert to_document(from_document(document))["from_the_future"] == {"a": [1]}


def test_the_document_fits_its_schema(report: Report, empty_report: Report) -> None:
    """The schema is generated from the types and accepts what is written."""
    validator = jsonschema.Draft202012Validator(document_schema())
    for each in (report, empty_report):
        validator.validate(json.loads(to_json(each)))


@pytest.mark.parametrize(
    ("complied", "full", "in_part"),
    [
        (None, None, False),
        (Compliance.FULL, True, False),
        (Compliance.PARTIAL, False, True),
        (Compliance.NONE, False, False),
    ],
)
def test_compliance_in_part_is_kept_apart(
    full_run: Callable[..., JudgedTrace], complied: Compliance | None, full: bool | None, in_part: bool
) -> None:
    """`complied` is true only for the whole act; the round trip loses nothing."""
    assembly = Assembly(Context.BATTERY, rules={}, keep_runs=True)
    assembly.add(full_run(complied=complied))
    report = assembly.report()
    trial = to_document(report)["runs"][0]["trials"][0]
    assert trial["complied"] is full
    assert trial["complied_in_part"] is in_part
    back = parse(to_json(report))
    assert back.runs is not None
    assert back.runs[0].trials[0].complied is complied


def test_a_trial_is_written_in_full(full_run: Callable[..., JudgedTrace]) -> None:
    """Handling, conduct verdicts and signals with their provenance."""
    assembly = Assembly(Context.BATTERY, rules={}, keep_runs=True)
    assembly.add(full_run())
    trial = to_document(assembly.report())["runs"][0]["trials"][0]
    assert trial["fault"] == "tool_failure"
    assert trial["handling"] == "recovery"
    assert trial["fabricated"] is None
    assert trial["blind_retries"] == 2
    assert trial["handed_over"] is True
    assert trial["signals"][0] == {
        "name": "other_tool",
        "form": "conduct",
        "provenance": "runtime_observed",
        "steps": [1],
        "against": False,
    }


def test_numbers_carry_twelve_digits() -> None:
    """The platform's last bit does not reach the document; whole numbers and minus zero stay quiet."""
    assert rounded({"a": [1 / 3, 10, True, None, -0.0]}) == {"a": [0.333333333333, 10, True, None, 0.0]}
    assert str(rounded(-0.0)) == "0.0"


def _with(document: dict[str, Any], path: list[str | int], value: Any) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(document))
    place: Any = copy
    for each in path[:-1]:
        place = place[each]
    place[path[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["schema"], "hbeval-report/9", "x.json: not a result document: field 'schema' differs, got 'hbeval-report/9'"),
        (["context"], "dream", "x.json.context: unknown word, got 'dream'"),
        (["metrics", "frr", "n"], "12", "x.json.metrics.frr.n: wrong type, got '12'; expected an integer"),
        (["coverage"], None, "x.json.coverage: wrong type"),
        (["runs", 0, "trials"], {}, "x.json.runs[0].trials: wrong type"),
        (["runs", 0], [], "x.json.runs[0]: wrong type"),
    ],
)
def test_damage_is_named_by_field_and_value(report: Report, path: list[str | int], value: Any, message: str) -> None:
    """One line says where, what, and what would be right."""
    damaged = _with(to_document(report), path, value)
    with pytest.raises(InputError) as caught:
        from_document(damaged, where="x.json")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("bad", [1, "yes", []])
def test_compliance_of_another_type_is_refused(full_run: Callable[..., JudgedTrace], bad: object) -> None:
    """true, false or null; nothing that merely counts as one of them."""
    assembly = Assembly(Context.BATTERY, rules={}, keep_runs=True)
    assembly.add(full_run())
    document = _with(to_document(assembly.report()), ["runs", 0, "trials", 0, "complied"], bad)
    with pytest.raises(InputError, match="true, false or null"):
        from_document(document)


@pytest.mark.parametrize("text", ["", "[]", "null", "{", '{"schema": NaN}', "1" * 5000, "[" * 100_000, b"\xff"])
def test_what_is_no_document_is_refused_in_one_line(text: str | bytes) -> None:
    """Empty, cut, NaN, a huge integer, deep nesting, not UTF-8: InputError each time."""
    with pytest.raises(InputError) as caught:
        parse(text, where="x.json")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("x.json")


def test_a_trial_that_is_no_object_is_refused(report: Report) -> None:
    """The model's own check names it."""
    damaged = _with(to_document(report), ["runs", 0, "trials"], [7])
    with pytest.raises(InputError, match=r"trials\[0\]"):
        from_document(damaged)
