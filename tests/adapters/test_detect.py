"""Which importer reads a file, and what is said of a file that none reads."""

from pathlib import Path

import pytest

from hbeval.adapters.formats.builtin import BUILTIN
from hbeval.adapters.formats.detect import detect, importer_named
from hbeval.errors import InputError, UsageError

FIXTURES = Path(__file__).parent.parent / "fixtures" / "agentdojo"


def test_a_known_file_is_recognised_with_a_reason():
    """The reason says what gave it away."""
    importer, reason = detect(FIXTURES / "complied.json")
    assert importer.name == "agentdojo"
    assert "suite_name" in reason


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("x.txt", b"{}", "ending"),
        ("x.json", b"  \n", "empty file"),
        ("x.json", b"PK\x03\x04\x00\x00", "binary"),
        ("x.json", b"hello", "not JSON"),
        ("x.json", b'{"a": 1}', "without the marks"),
    ],
)
def test_an_unknown_file_is_refused_with_the_reason(tmp_path, name, data, said):
    """One line: the file, what is wrong, what would be right."""
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=said) as error:
        detect(path, BUILTIN, where="given/name")
    assert str(error.value).startswith("given/name: ")
    assert "expected" in str(error.value)


def test_a_file_that_cannot_be_opened_is_an_input_error(tmp_path):
    """Not a crash."""
    with pytest.raises(InputError, match="not readable"):
        detect(tmp_path / "absent.json")


def test_an_importer_is_found_by_name():
    """An unknown name gets the list of those there are."""
    assert importer_named("agentdojo").name == "agentdojo"
    with pytest.raises(UsageError, match="agentdojo"):
        importer_named("agent-dojo")


def test_names_of_formats_are_unique():
    """`--format` must mean one thing."""
    names = [each.name for each in BUILTIN]
    assert len(names) == len(set(names))
