"""Canonical bytes agree with an independent implementation of RFC 8785."""

from __future__ import annotations

import math
import struct

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from hbeval.errors import InputError
from hbeval.model import canonical_bytes, digest, fingerprint

well_formed = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
doubles = st.integers(0, 2**64 - 1).map(lambda bits: struct.unpack("<d", struct.pack("<Q", bits))[0])
documents = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | doubles.filter(math.isfinite) | well_formed,
    lambda inner: st.lists(inner) | st.dictionaries(well_formed, inner),
    max_leaves=20,
)


@given(documents)
def test_bytes_equal_those_of_the_rfc8785_package(document):
    """Same document, same bytes as the reference package, whatever the keys and numbers."""
    assert canonical_bytes(document) == rfc8785.dumps(document)


@pytest.mark.parametrize(
    "number", [0.0, -0.0, 1e21, 1e20, 1e-6, 1e-7, 5e-324, 1.7976931348623157e308, -1.5, 1e23, 100.0]
)
def test_numbers_at_the_edges_equal_the_reference(number):
    """The edges of ECMAScript's number format, each by name."""
    assert canonical_bytes(number) == rfc8785.dumps(number)


@pytest.mark.parametrize("bad", [math.nan, math.inf, 2**53, -(2**53), "\ud83d", {"\ud83d": 1}, {1: 2}, object(), b"x"])
def test_what_has_no_canonical_form_is_refused(bad):
    """No bytes rather than bytes that another reader would make differently."""
    with pytest.raises(InputError):
        canonical_bytes(bad)


def test_key_order_changes_neither_digest_nor_fingerprint():
    """Both names of a document depend on its content alone."""
    one, other = {"a": 1, "b": [True, None]}, {"b": [True, None], "a": 1}
    assert digest(one) == digest(other)
    assert fingerprint(one) == fingerprint(other)
    assert digest(one) != digest({**one, "a": 2})


def test_a_fingerprint_is_sixteen_digits_over_ascii_escapes():
    """The published algorithm, on a value whose SHA-256 was computed with sha256sum."""
    assert fingerprint({"é": "–"}) == "4d8001aca8073e1f"
