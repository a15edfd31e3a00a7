"""The verdict as a document: strict, complete, and of the published form."""

from __future__ import annotations

import json

import jsonschema
import pytest

from hbeval.gate import GateResult, Requirements, interrupted, parse_requirement, run_gate
from hbeval.gate.document import gate_document, gate_schema
from tests.conftest import ROOT
from tests.gate.arms import arm, drawn

FLOOR = Requirements(all=(parse_requirement("frr >= 0.5"),))


@pytest.mark.parametrize(
    "result",
    [
        run_gate(drawn(0.5, 40), drawn(0.9, 40)),
        run_gate(arm([5] * 4, tasks=1), arm([5] * 4, tasks=1)),
        run_gate(arm([0] * 40, 0), None, FLOOR),
        run_gate(arm([5] * 40, endings=["infrastructure"] * 40), None, FLOOR),
        interrupted(FLOOR),
    ],
    ids=["fail", "inconclusive", "undefined", "nothing measured", "interrupted"],
)
def test_every_verdict_is_a_document_of_the_published_form(result: GateResult) -> None:
    """Every key there, null for what is not defined, no NaN."""
    document = gate_document(result)
    schema = json.loads((ROOT / "docs" / "schemas" / "gate.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(json.dumps(document, allow_nan=False)))
    assert schema == gate_schema()
    assert document["verdict"] == result.verdict
    assert set(document) == set(schema["properties"])
