"""The JSON Schemas come from the record types and accept what the codec writes."""

from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given

from hbeval.model import JudgedTrace, Report, Trace, encode, json_schema, loads
from hbeval.model.codec import dumps
from tests.model.records import traces


@pytest.mark.parametrize("cls", [Trace, JudgedTrace, Report])
def test_each_document_has_a_valid_schema(cls):
    """The generated document is itself a schema of draft 2020-12."""
    jsonschema.Draft202012Validator.check_schema(json_schema(cls))


@given(traces())
def test_what_is_written_fits_the_schema(trace):
    """Schema and codec cannot drift apart: both are read off the same types."""
    validator = jsonschema.Draft202012Validator(json_schema(Trace))
    validator.validate(loads(dumps(trace)))


@given(traces())
def test_a_missing_field_does_not_fit(trace):
    """The schema is not so loose that it accepts anything."""
    document = encode(trace)
    del document["ending"]
    assert not jsonschema.Draft202012Validator(json_schema(Trace)).is_valid(document)


def test_a_type_without_wire_form_is_refused():
    """A record that would not survive the wire fails when its schema is made."""
    with pytest.raises(TypeError, match="no wire form"):
        json_schema(complex)
