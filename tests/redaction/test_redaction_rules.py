"""Each rule takes out what it is for and leaves what only looks alike."""

from __future__ import annotations

import re

import pytest

from hbeval.redaction import RULES, read_rules, redact
from hbeval.redaction.keys import rule_of, words_of

READ = read_rules()


def counts(value):
    """What the rules took out of a value."""
    return dict(redact(value).counts)


def test_the_rules_are_those_the_code_names():
    """The id that manifests carry is that of the file."""
    assert f"{READ.id}@{READ.version}" == RULES


@pytest.mark.parametrize(("rule", "example"), [(r.id, e) for r in READ.values for e in r.yes])
def test_a_rule_takes_out_its_examples(rule, example):
    """By that rule, alone and inside a sentence."""
    assert counts(example) == {rule: 1}
    assert counts(f"Call it {example}, now") == {rule: 1}


@pytest.mark.parametrize(("rule", "example"), [(r.id, e) for r in READ.values for e in r.no])
def test_a_rule_leaves_what_looks_alike(rule, example):
    """And so does every other rule."""
    assert counts(example) == {}


@pytest.mark.parametrize(
    ("key", "rule"),
    [
        ("password", "password"),
        ("DB_PASSWORD", "password"),
        ("userPassword", "password"),
        ("Contraseña", "password"),
        ("ＰＡＳＳＷＯＲＤ", "password"),
        ("X-Api-Key", "api-key"),
        ("apiKey", "api-key"),
        ("APIKey", "api-key"),
        ("api\nkey", "api-key"),
        ("aws_secret_access_key", "api-key"),
        ("access_token", "token"),
        ("githubToken", "token"),
        ("Authorization", "authorization"),
        ("Set-Cookie", "cookie"),
        ("client_secret", "secret"),
        ("ssn", "ssn"),
        ("phone_number", "phone"),
        ("mobile2", "phone"),
        ("creditCard", "card"),
    ],
)
def test_a_name_is_known_however_it_is_written(key, rule):
    """Case, separators, humps, digits at the end, full-width letters."""
    found = rule_of(key)
    assert found is not None
    assert found.id == rule


@pytest.mark.parametrize(
    "key",
    [
        "tokens",
        "total_tokens",
        "token_count",
        "tokenizer",
        "next_page_token",
        "author",
        "authority",
        "compass",
        "passenger",
        "key",
        "keyboard",
        "monkey",
        "primary_key",
        "password_policy",
        "microphone",
        "secretary",
        "cardiology",
        "ssn_format",
        "id",
        "",
        "x" * 300 + "_token",
    ],
)
def test_a_name_that_only_sounds_alike_is_not(key):
    """Usage counts, cursors, professions."""
    assert rule_of(key) is None


def test_words_of_a_name():
    """As people read it."""
    assert words_of("X-Api-Key") == ("x", "api", "key") == words_of("xApiKey_2")


@pytest.mark.parametrize(
    "ordinary",
    [
        {"order_id": "4539578763621486"},
        {"order_id": 4539578763621486, "text": "about order 4539578763621486"},
        {"tracking": "212-555-0123"},
        {"timestamp": 1767225600000, "at": "2026-01-01T00:00:00Z", "ns": 1767225600000000000},
        {"sha256": "4111111111111111" * 4},
        {"digest": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"uuid": "123e4567-e89b-12d3-a456-426614174000"},
        {"seed": 138119118639334, "pi": 3.141592653589793, "tiny": 1.2207031250000001e-05},
        {"isbn": "978-3-16-148410-0", "ean": "4006381333931"},
        {"ip": "192.168.100.200", "version": "2.0.1-candidate", "cell": "A1:B22"},
        {"amounts": ["1,234,567.89", "+12.5 %", "1 000 000 EUR", "-4", "12:30-14:00", "1-2-3"]},
        {"token": "none", "auth": "basic", "password": "required", "secret": "", "cookie": None, "api_key": False},
        {"phone": "none", "mobile": "iPhone 5", "fax": 3},
        {"unit": "mg/24h", "patient": "PT-20931", "slot": "SCN-412", "places": 65, "rate_eur": 2.15},
        "For 14 pallets, at 2.15 EUR each, see RSV-926719 of 2027-02-15 10:30 to 2027-02-16.",
        "Please enter your password: it must hold a digit. The token is sent by post.",
        "def f(token): return tokens[token] if password == get_password() else key",
        "mail to user at example dot com, @mentions, a@b, x@1.0, git@github.com:a/b.git",
    ],
)
def test_ordinary_figures_and_words_stay(ordinary):
    """Orders, times, digests, seeds, amounts, prose and code are not personal data."""
    found = redact(ordinary)
    assert found.counts == {}
    assert found.value is ordinary


def test_no_pattern_can_match_nothing():
    """An empty match would take out air."""
    for rule in READ.values:
        assert re.compile(rule.pattern, re.DOTALL).fullmatch("") is None
