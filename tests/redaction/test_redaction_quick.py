"""The quick look never says that something is clean which is not."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.redaction import Quick, read_rules, redact

RULES = read_rules()
NAMES = [name for rule in RULES.keys for name in rule.names]
SEPARATORS = ["_", "-", " ", "", "\n", "\t", "\\", ".", "__", "\x00", '"', "/"]
EXAMPLES = [example for rule in RULES.values for example in rule.yes]


@st.composite
def spellings(draw):
    """A name as somebody may have written it."""
    name = draw(st.sampled_from(NAMES))
    words = name.split("_")
    spelled = words[0] + "".join(draw(st.sampled_from(SEPARATORS)) + word for word in words[1:])
    how = draw(st.sampled_from(["lower", "upper", "title", "camel", "wide"]))
    if how == "camel":
        spelled = words[0] + "".join(map(str.capitalize, words[1:]))
    elif how == "wide":
        spelled = "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in spelled)
    elif how != "lower":
        spelled = getattr(spelled, how)()
    before = draw(st.sampled_from(["", "x-", "user ", "my_", "é ", "ⅷ ", "\u200b-"]))
    after = draw(st.sampled_from(["", "2", "_1", " ", "\n", ":", '"', "\\", "  # 3"]))
    return before + spelled + after


secrets = st.sampled_from(
    ["hunter2", "a1b2c3d4", "0301234567", "123", "4111 1111 1111 1111", 'quo"ted1', "back\\slash1"]
)
around = st.sampled_from(["", " ", "\n", "é", "\\", '"', "(", "x ", "0 ", "-", "\u2028", "\U0001f600"])


@st.composite
def values(draw):
    """A JSON value that may hold something, at some depth, perhaps as JSON inside a text."""
    what = draw(st.sampled_from(["key", "value", "pair"]))
    if what == "key":
        value = {draw(spellings()): draw(secrets | st.integers(100, 10**16))}
    elif what == "pair":
        value = {"name": draw(spellings()), "value": draw(secrets)}
    else:
        value = draw(around) + draw(st.sampled_from(EXAMPLES)) + draw(around)
    for _ in range(draw(st.integers(0, 3))):
        how = draw(st.sampled_from(["list", "object", "text", "python"]))
        if how == "list":
            value = [1, value]
        elif how == "object":
            value = {"inner": value}
        else:
            value = json.dumps(value) if how == "text" else repr(value)
    return value


@settings(max_examples=1500, deadline=None)
@given(value=values())
def test_what_is_taken_out_is_never_called_clean(value):
    """Whatever the spelling, the depth and the quoting."""
    if redact(value).counts:
        assert not Quick().is_clean([json.dumps(value)])


@settings(max_examples=300, deadline=None)
@given(value=st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_any_other_value_is_clean_to_both_or_read_properly(value):
    """The look may stop at something harmless; it may not pass over something that is not."""
    text = json.dumps(value)
    assert not redact(value).counts or not Quick().is_clean([text])


@pytest.mark.parametrize("rule", RULES.keys, ids=lambda rule: rule.id)
def test_every_name_holds_a_root_of_its_rule(rule):
    """Otherwise the name would never be looked for."""
    for name in rule.names:
        assert any(root in json.dumps(name) for root in rule.roots), name


def test_what_was_read_is_remembered_and_forgotten_in_time():
    """A text that the look stops at is passed once it was read; the memory has an end."""
    quick = Quick()
    harmless = json.dumps("the password is not here")
    assert not quick.is_clean([harmless])
    quick.remember([harmless])
    assert quick.is_clean([harmless])
    quick.remember(f'"text {number}"' for number in range(5000))
    assert not quick.is_clean([harmless])


@pytest.mark.parametrize(
    "hostile",
    [
        "api" + "\\" * 50_000,
        "phone" + '\\"' * 20_000,
        "+1" * 30_000,
        "a@" * 30_000,
        "1 " * 40_000,
        "sk-" * 20_000,
        "-eyJabcdef" * 6_000,
        "token: x" + " " * 50_000 + "y",
        "token=" + "." * 50_000 + "x",
        "token=" * 10_000,
        "'token': \\\"" * 5_000,
        "-----BEGIN PRIVATE KEY-----" * 2_000,
        "GB29 " * 10_000,
    ],
)
def test_hostile_texts_cost_no_more_than_their_length(hostile):
    """No pattern runs away, in the look or in the reading."""
    begun = time.process_time()
    Quick().is_clean([json.dumps(hostile)])
    redact({"password": "x", "text": hostile})
    assert time.process_time() - begun < 2
