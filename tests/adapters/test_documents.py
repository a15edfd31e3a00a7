"""JSON of others is read as far as it goes, and what was lost is said."""

import pytest

from hbeval.adapters.formats.documents import object_at, parse_json, read_json, starts_with
from hbeval.adapters.formats.run_errors import ending_of_error
from hbeval.errors import InputError
from hbeval.model import Ending


def test_a_whole_document_is_read_whole():
    """With a byte order mark too; NaN and infinities become null and are counted."""
    document = parse_json(b'\xef\xbb\xbf{"a": [1, NaN, -Infinity]}', "x")
    assert document.value == {"a": [1, None, None]}
    assert (document.nulled, document.torn) == (2, None)


@pytest.mark.parametrize("number", ["1e400", "-1e999", "9" * 400 + ".5", "9" * 5000, "-" + "9" * 5000])
def test_a_number_no_machine_holds_is_null_and_counted(number):
    """Infinity is no measurement, and a number of 5,000 digits no reason to lose the file; also in a damaged one."""
    document = parse_json(f'{{"a": [1, 2.5, {number}, 7]}}'.encode(), "x")
    assert document.value == {"a": [1, 2.5, None, 7]}
    assert (document.nulled, document.torn) == (1, None)
    torn = parse_json(f'{{"a": [1, {number}, 7], "b'.encode(), "x")
    assert (torn.value, torn.nulled) == ({"a": [1, None, 7]}, 1)


def test_bytes_that_are_no_utf8_do_not_cost_the_document():
    """They become replacement characters."""
    assert parse_json(b'["a\xffb"]', "x").value == ["a\ufffdb"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('[1, {"a": 2}, 34', [1, {"a": 2}]),
        ('[1, {"a": 2}, {"a":', [1, {"a": 2}]),
        ("[1, 2] \x00\x00", [1, 2]),
        ('{"a": 1, "b": [1, 2, 3', {"a": 1, "b": [1, 2]}),
        ('{"a": 1, "b": {"c": 1', {"a": 1}),
        ('{"a": 1, "b', {"a": 1}),
        ('{"a": 1, "b": 12', {"a": 1}),
        ('{"a": 1, "b"', {"a": 1}),
        ('{"a": "x', None),
        ("[", None),
        ('"a', None),
        ("", None),
    ],
)
def test_a_text_cut_off_gives_what_is_whole_of_it(text, value):
    """A number at the very end may lack digits and is not believed; nothing at all is an error."""
    if value is None:
        with pytest.raises(InputError, match="x: not JSON"):
            parse_json(text.encode(), "x")
    else:
        document = parse_json(text.encode(), "x")
        assert document.value == value
        assert "cut off" in document.torn


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2, oops, 3]", [1, 2]),
        ('{"a": 1, b: 2}', {"a": 1}),
        ('{"a": 1, 7: 2}', {"a": 1}),
        ('{"a": 1, "b" 2}', {"a": 1}),
        ('{"a": 1, "b": [2, oops]}', {"a": 1, "b": [2]}),
        ("[1][2]", [1]),
    ],
)
def test_damage_in_the_middle_is_said_louder(text, value):
    """What stands after it is lost too."""
    document = parse_json(text.encode(), "x")
    assert document.value == value
    assert "damaged in the middle" in document.torn


def test_a_document_nested_too_deeply_is_an_input_error():
    """Not a crash."""
    with pytest.raises(InputError, match="deeply"):
        parse_json(b"[" * 200_000 + b"]" * 200_000, "x")


def test_a_file_that_cannot_be_opened_is_an_input_error(tmp_path):
    """It is named as it was given."""
    with pytest.raises(InputError, match="given: not readable"):
        read_json(tmp_path / "absent.json", "given")


def test_the_first_sign_of_a_head_is_told_past_blanks_and_mark():
    """Whatever an editor put before it."""
    assert starts_with(b"\xef\xbb\xbf \n[", b"[")
    assert not starts_with(b"", b"[")


def test_an_object_that_is_not_there_is_empty():
    """At any place of the path."""
    assert object_at({"a": {"b": {"c": 1}}}, "a", "b") == {"c": 1}
    assert object_at({"a": [1]}, "a", "b") == object_at(None) == {}


def test_the_last_line_of_an_error_is_its_detail():
    """An empty one has none."""
    assert ending_of_error("Traceback\nBadGateway: bad gateway") == (Ending.INFRASTRUCTURE, "BadGateway: bad gateway")
    assert ending_of_error("") == (Ending.HARNESS_ERROR, "unknown run error: no message")
