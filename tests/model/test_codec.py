"""The strict codec: what goes out comes back, and nothing that is not JSON goes out."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hbeval.errors import InputError
from hbeval.model import (
    Coverage,
    Evidence,
    EvidenceLevel,
    Measured,
    NotMeasured,
    Outcome,
    Report,
    Step,
    ToolDeclaration,
    Trace,
    decode,
    dumps,
    encode,
    loads,
)
from hbeval.model.report import FaultCounts
from hbeval.model.vocabulary import Context
from tests.model.records import json_values, traces


@given(traces())
def test_a_trace_survives_the_wire(trace):
    """Encoding to text and back gives an equal record, lone surrogates and all."""
    assert decode(Trace, loads(dumps(trace))) == trace


@given(json_values())
def test_written_text_is_ascii_and_strict(value):
    """What is written is ASCII, hence UTF-8, and any strict reader takes it."""
    text = dumps(value)
    assert text.isascii()
    assert json.loads(text, parse_constant=pytest.fail) == value


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, {"x": [math.nan]}, {1, 2}, object(), b"x"])
def test_what_is_not_json_is_refused(bad):
    """NaN, infinities and foreign types raise instead of writing something else."""
    with pytest.raises(InputError):
        dumps(bad)


@pytest.mark.parametrize(
    "text",
    [
        '{"score": NaN}',
        "[Infinity]",
        "[1e400]",
        f"[{'9' * 400}.5]",
        f"[{'9' * 9000}]",
        '{"a":',
        b"\xff\xfe",
        "",
        "[" * 100_000,
    ],
)
def test_what_is_not_json_is_not_read(text):
    """Bad text is an InputError that names the place, not another exception."""
    with pytest.raises(InputError, match=r"report\.json: "):
        loads(text, where="report.json")


def test_an_unknown_field_survives_reading_and_writing():
    """A field from a later version is kept and written back where it stood."""
    document = {"seq": 1, "action": "x", "from_the_future": {"a": [1, None]}}
    step = decode(Step, document)
    assert step.extra == {"from_the_future": {"a": [1, None]}}
    assert encode(step) == document


def test_an_unknown_field_never_shadows_a_known_one():
    """`extra` cannot overwrite a field of the record."""
    step = Step(seq=1, action="x", extra={"seq": 9})
    assert encode(step)["seq"] == 1


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"seq": "1", "action": "x"}, r"\$\.seq: wrong type, got '1'; expected an integer"),
        ({"seq": True, "action": "x"}, r"\$\.seq: wrong type, got True; expected an integer"),
        ({"seq": 1}, r"\$: field 'action' is missing"),
        ({"seq": 1, "action": "x", "outcome": "fine"}, "unknown word, got 'fine'; expected one of ok, error, unknown"),
        ({"seq": 1, "action": "x", "started_at": 10**400}, "not finite"),
        ({"seq": 1, "action": "x", "reported": []}, r"\$\.reported: wrong type"),
        ([], "expected an object"),
    ],
)
def test_a_wrong_field_is_named_with_its_value(document, message):
    """The error says where, what the value was and what would be right."""
    with pytest.raises(InputError, match=message):
        decode(Step, document)


def test_lists_of_fixed_length_are_checked():
    """An interval has two ends."""
    document = {**_measured(), "interval": [0.1]}
    with pytest.raises(InputError, match="wrong length"):
        decode(Measured, document)


def test_literals_are_checked():
    """A document of another schema is refused."""
    with pytest.raises(InputError, match="hbeval-trace/1"):
        decode(Trace, {"schema": "other", "id": "a", "source": "s", "context": "live", "task": {"id": "t"}})


def test_a_condition_may_be_a_word_or_a_mapping():
    """`forbidden_when` takes both forms and refuses others, naming the field."""
    for form in ("always", "unguarded", {"amount": {"gt": 5}}, None):
        tool = ToolDeclaration(name="pay", forbidden_when=form)
        assert decode(ToolDeclaration, encode(tool)) == tool
    with pytest.raises(InputError, match="forbidden_when"):
        decode(ToolDeclaration, {"name": "pay", "forbidden_when": 3})


def test_not_measured_is_null_with_a_reason():
    """The wire form of undefined is null, never 0, and cannot lack its reason."""
    document = encode(NotMeasured(reason="no faulted step", n=0, n_total=4, instrument="frr@1.0"))
    assert document["value"] is None
    assert document["interval"] is None
    assert decode(NotMeasured, document) == NotMeasured(reason="no faulted step", n=0, n_total=4, instrument="frr@1.0")
    with pytest.raises(InputError, match="needs a reason"):
        decode(NotMeasured, {**document, "reason": None})


def test_a_measured_zero_stays_a_zero():
    """0.0 is a measurement; only its interval may be missing, with the reason."""
    measured = Measured(
        value=0.0, n=1, n_total=1, k=0, interval=None, no_interval="one run", level=0.95, method="m", instrument="i@1"
    )
    document = encode(measured)
    assert document["value"] == 0.0
    assert document["reason"] == "one run"
    assert decode(Measured, document) == measured


def test_a_value_that_is_not_finite_cannot_be_encoded():
    """A defect upstream shows here, not in somebody's chart."""
    with pytest.raises(InputError, match="not finite"):
        encode(Measured(value=math.nan, n=1, n_total=1, k=0, interval=None, level=0.95, method="m", instrument="i@1"))


def test_a_report_survives_the_wire_and_names_its_metrics():
    """`report["frr"]` gives the measurement; a metric that is not there is a KeyError that lists those that are."""
    report = Report(
        context=Context.IMPORT,
        scoring_version="2.0",
        metric_versions={"frr": "1.0"},
        scoring_fingerprint="0" * 16,
        fault_spec_fingerprint=None,
        evidence=Evidence(level=EvidenceLevel.E1, known=3, required=4),
        coverage=Coverage(runs=4, measured=3, invalid={"empty": 1}),
        metrics={"frr": NotMeasured(reason="no fault", n=0, n_total=0, instrument="frr@1.0")},
        weakest=None,
        faults=FaultCounts(),
    )
    assert decode(Report, loads(dumps(report))) == report
    assert report["frr"] is report.metrics["frr"]
    assert report.coverage.share == 0.75
    assert report.evidence.completeness == 0.75
    with pytest.raises(KeyError, match="it has frr"):
        report["pei"]


def test_nothing_has_no_share():
    """No runs is not 0 % and not 100 %."""
    assert Coverage(runs=0, measured=0).share is None
    assert Evidence(level=EvidenceLevel.E0, known=0, required=0).completeness is None


def test_unknown_is_a_default_and_left_out():
    """A step that knows nothing says so by silence, and reads back as unknown."""
    document = encode(Step(seq=0, action="x"))
    assert document == {"seq": 0, "action": "x"}
    assert decode(Step, document).outcome is Outcome.UNKNOWN


def _measured():
    return encode(
        Measured(value=0.5, n=2, n_total=2, k=1, interval=(0.1, 0.9), level=0.95, method="m", instrument="i@1")
    )


@given(st.text(alphabet=st.characters()))
def test_any_text_is_written(text):
    """Control characters, emoji and surrogates do not stop the writer."""
    assert loads(dumps(text)) == text
