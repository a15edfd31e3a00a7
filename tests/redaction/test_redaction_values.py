"""Values: nothing gets through at any depth, the same stays the same, and what is left can be read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.errors import InputError
from hbeval.redaction import redact

CARD, PHONE = "4111 1111 1111 1111", "+49 30 1234567"


def out(value):
    """What is left of a value."""
    return redact(value).value


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ({"password": "hunter2"}, {"password": "redacted-password-a"}),
        ({"password": ["a1", ["b2"]]}, {"password": ["redacted-password-a", ["redacted-password-b"]]}),
        ({"password": {"value": "x1", "length": 2}}, {"password": {"value": "redacted-password-a", "length": 2}}),
        ([{"deep": [{"api_key": "k-1"}]}], [{"deep": [{"api_key": "redacted-api-key-a"}]}]),
        ({"name": "Cookie", "value": "sid=1"}, {"name": "Cookie", "value": "redacted-cookie-a"}),
        ({"Authorization": "Basic dTpw"}, {"Authorization": "Basic redacted-authorization-a"}),
        ({"card_number": 4111111111111111}, {"card_number": "redacted-card-700001"}),
        ({"cvv": 123}, {"cvv": "redacted-card-700001"}),
        ({"n": 4111111111111111}, {"n": "redacted-card-700001"}),
        ({"anna@example.com": 1}, {"redacted-email-a@redacted.invalid": 1}),
        ("token=abc123 and token=", "token=redacted-token-700001 and token="),
        ("https://h/?q=1&access_token=abc&x=2", "https://h/?q=1&access_token=redacted-token-a&x=2"),
        ("password = 'x y'", "password = 'redacted-password-a'"),
        ("a: 1\n  password: hunter2  \nb: 2", "a: 1\n  password: redacted-password-a  \nb: 2"),
        ("Cookie: a=1b2; c=d\nHost: x", "Cookie: redacted-cookie-a\nHost: x"),
        ("{'api_key': 'abc', 'n': 1}", "{'api_key': 'redacted-api-key-a', 'n': 1}"),
        ('{"phone": "5550100"}', '{"phone": "redacted-phone-700001"}'),
        ('{"ssn": 123456789}', '{"ssn": "redacted-ssn-700001"}'),
        ("reset/token=?abcd1.", "reset/token=redacted-token-a."),
    ],
)
def test_what_a_key_gives_away_is_taken_out(value, left):
    """In lists, in objects, in pairs of name and value, and inside texts."""
    assert out(value) == left


def test_a_secret_is_taken_out_wherever_else_it_stands():
    """Also before its key is met; a common word or a short one is not looked for."""
    value = {"said": "use a1b2c3d4 now", "login": {"password": "a1b2c3d4"}, "other": {"password": "cat", "pet": "cat"}}
    assert out(value) == {
        "said": "use redacted-password-700001 now",
        "login": {"password": "redacted-password-700001"},
        "other": {"password": "redacted-password-a", "pet": "cat"},
    }


def test_the_same_value_keeps_one_placeholder_however_it_is_written():
    """A card with and without spaces, a telephone with and without its country, an address in capitals."""
    value = {
        "card": [CARD, "4111-1111-1111-1111", 4111111111111111],
        "phone": [PHONE, "+49301234567", {"phone": "0301234567"}],
        "mail": ["Anna@Example.com", "anna@example.com"],
        "token": ["t-12345678", "Bearer t-12345678"],
    }
    left = out(value)
    assert len(set(left["card"])) == 1
    assert {left["phone"][0], left["phone"][1], left["phone"][2]["phone"]} == {"redacted-phone-700001"}
    assert len(set(left["mail"])) == 1
    assert left["token"][1] == f"Bearer {left['token'][0]}"


def test_different_values_get_different_placeholders():
    """Counted per rule, letters going on after z."""
    left = out([f"user-{letter}@example.com" for letter in "abcdefghijklmnopqrstuvwxyzé"])
    assert len(set(left)) == 27
    assert left[26] == "redacted-email-aa@redacted.invalid"


def test_a_second_time_changes_nothing():
    """Placeholders are nobody's secret; a new value takes none that is there."""
    once = out({"password": "hunter2", "text": f"{CARD} {PHONE} a@b.org https://u:p@h/ Bearer abcdefghijkl0"})
    again = redact(once)
    assert again.counts == {}
    assert again.value is once
    assert out([once, {"password": "x9"}, "c@d.org"])[1:] == [
        {"password": "redacted-password-b"},
        "redacted-email-b@redacted.invalid",
    ]


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_json_inside_a_text_stays_json(depth):
    """However often it was quoted, numbers too."""
    text = {"ssn": 123456789, "n": 4111111111111111, "api_key": 'a"b\\c', "mail": "a@b.org", "count": 3}
    for _ in range(depth):
        text = json.dumps(text)
    left = out(text)
    for _ in range(depth):
        left = json.loads(left)
    assert left["ssn"] == "redacted-ssn-700001"
    assert left["n"] == "redacted-card-700001"
    assert left["api_key"] == "redacted-api-key-a"
    assert left["mail"] == "redacted-email-a@redacted.invalid"
    assert left["count"] == 3


def test_the_declaration_of_a_secret_is_not_a_secret():
    """A JSON Schema names what a value would be; its examples are values."""
    from hbeval.model import ToolDeclaration

    schema = {"password": {"type": "string", "description": "the user's password", "default": "hunter2"}}
    left = out(ToolDeclaration(name="login", description="Log in.", parameters=schema)).parameters
    assert left["password"] == {
        "type": "string",
        "description": "the user's password",
        "default": "redacted-password-a",
    }


def test_plain_text_of_a_key_block_goes_as_a_whole():
    """Over several lines, real or escaped, and to the end if it was cut."""
    block = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----"
    assert out(f"a {block} b") == "a redacted-private-key-a b"
    assert out(json.dumps(f"a {block} b")) == '"a redacted-private-key-a b"'
    assert out(f"a {block[:40]}") == "a redacted-private-key-a"


def test_what_is_nested_too_deeply_is_an_error():
    """Not passed over."""
    value: object = "x@y.org"
    for _ in range(5000):
        value = [value]
    with pytest.raises(InputError, match="too deeply"):
        redact(value)


leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12)


@settings(max_examples=300, deadline=None)
@given(value=values, key=st.sampled_from(["password", "apiKey", "X-Auth-Token", "ssn"]), secret=st.text(min_size=1))
def test_nothing_of_any_value_breaks_it(value, key, secret):
    """Any JSON value comes back as JSON, the same each time, and a second pass finds nothing."""
    whole = {"value": value, key: secret}
    once = redact(whole)
    assert redact(whole) == once
    json.dumps(once.value)
    assert redact(once.value).counts == {}
