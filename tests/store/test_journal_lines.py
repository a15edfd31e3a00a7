"""The self-checking line and what damage to it means."""

from __future__ import annotations

import io
import json
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hbeval.errors import InputError
from hbeval.store.lines import Scan, frame, unframe

PAYLOADS = [b'{"a":1}', b'{"b":"\\u00e4"}', b'{"c":null}']
LINES = [frame(each) for each in PAYLOADS]


def scanned(data: bytes) -> tuple[list[bytes], Scan]:
    scan = Scan(io.BytesIO(data), "t.jsonl")
    return [payload for _, payload in scan], scan


def test_a_line_is_one_json_object_that_checks_itself():
    """Any JSON reader can read it; length and checksum are those of the exact payload bytes."""
    for payload, line in zip(PAYLOADS, LINES, strict=True):
        value = json.loads(line)
        assert list(value) == ["crc32", "length", "trace"]
        assert value["length"] == len(payload)
        assert int(value["crc32"], 16) == crc32(payload)
        assert value["trace"] == json.loads(payload)
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1


def test_the_prefix_has_one_width_for_every_length():
    """Payloads of 2 and of 20,000 bytes start at the same column."""
    starts = {frame(b'"' + b"x" * size + b'"').index(b'"trace":') for size in (0, 9, 99, 20_000)}
    assert len(starts) == 1


@settings(max_examples=60)
@given(st.integers(0, len(LINES[0]) - 2), st.integers(1, 255))
def test_any_changed_byte_of_a_line_is_noticed(place: int, change: int):
    """One byte altered anywhere is damage, also in the prefix."""
    damaged = bytearray(LINES[0].removesuffix(b"\n"))
    damaged[place] ^= change
    assert isinstance(unframe(bytes(damaged)), str)


@pytest.mark.parametrize("after", [b"", b"\n", b"\x00" * 50, b"\n\n \r\n", b"\x00\n\x00\n"])
@pytest.mark.parametrize("keep", range(1, len(LINES[2]) - 1))
def test_a_last_line_cut_anywhere_is_torn_and_the_lines_before_it_are_kept(keep: int, after: bytes):
    """Whatever follows the cut: nothing, a newline, blanks, NULs."""
    payloads, scan = scanned(LINES[0] + LINES[1] + LINES[2][:keep] + after)
    assert payloads == PAYLOADS[:2]
    assert scan.end == len(LINES[0] + LINES[1])
    assert scan.torn is not None
    assert scan.torn.line == 3
    assert scan.torn.dropped == keep + len(after)
    assert "t.jsonl:3: torn last line" in str(scan.torn)


def test_an_intact_last_line_without_its_newline_is_kept():
    """Only the newline is missing: nothing is lost."""
    payloads, scan = scanned(LINES[0] + LINES[1][:-1])
    assert payloads == PAYLOADS[:2]
    assert scan.torn is not None
    assert scan.torn.unterminated
    assert scan.torn.dropped == 0
    assert "the run is kept" in str(scan.torn)


def test_a_whole_file_has_nothing_torn():
    """All lines end in a newline."""
    payloads, scan = scanned(b"".join(LINES))
    assert (payloads, scan.torn, scan.end) == (PAYLOADS, None, len(b"".join(LINES)))
    assert scanned(b"")[0] == []


@pytest.mark.parametrize("trailing", [b"\n\n", b"\x00" * 4096, b"\n"])
def test_blanks_after_the_last_line_are_torn_and_cost_no_run(trailing: bytes):
    """A file system that lost power can leave them."""
    payloads, scan = scanned(LINES[0] + trailing)
    assert payloads == PAYLOADS[:1]
    assert scan.torn is not None
    assert scan.torn.dropped == len(trailing)


@pytest.mark.parametrize(
    "middle", [b"\n", b"\x00\x00\n", b"garbage\n", b'{"crc32":"00000000"}\n', LINES[1][:20] + b"\n"]
)
def test_damage_before_an_intact_line_is_an_error_that_names_its_line(middle: bytes):
    """A journal whose middle cannot be trusted is not read past."""
    with pytest.raises(InputError, match=r"^t\.jsonl:2: line 2 is damaged and is not the last one.*delete that line"):
        scanned(LINES[0] + middle + LINES[2])


def test_two_damaged_lines_at_the_end_are_an_error():
    """One write tears one line; two are something else, and the first is named."""
    with pytest.raises(InputError, match=r"t\.jsonl:2: line 2 is damaged"):
        scanned(LINES[0] + b"garbage\nmore\n")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "does not start"),
        (b'{"crc32":"0000000g","length":         7,"trace":{}}', "does not start"),
        (LINES[0][:-4], "4 of 7 bytes are there"),
        (LINES[0][:-2] + b" }", "too long"),
        (LINES[0][:-2] + b"]", "does not end"),
        (LINES[0].replace(b"1}", b"2}").strip(), "checksum is"),
    ],
)
def test_a_damaged_line_says_what_is_wrong_with_it(line: bytes, why: str):
    """The reason stands in the error and in the report of the repair."""
    found = unframe(line.removesuffix(b"\n"))
    assert isinstance(found, str)
    assert why in found


def test_a_wrong_checksum_in_the_last_line_is_left_out_like_a_torn_one():
    """A power cut can leave a line of the right length with the wrong bytes."""
    payloads, scan = scanned(LINES[0] + LINES[1].replace(b"00e4", b"00e5"))
    assert payloads == PAYLOADS[:1]
    assert scan.torn is not None
    assert "checksum" in scan.torn.why
