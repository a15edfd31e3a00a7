"""The requirements file: TOML or JSON, read strictly, and written back."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from hbeval.errors import InputError
from hbeval.gate.quantity import error_rate, share
from hbeval.gate.requirement import (
    All,
    AnyOf,
    Floor,
    NotWorse,
    Requirement,
    Requirements,
    floor,
    not_worse,
    parse_requirement,
)
from hbeval.model import EvidenceLevel, loads

__all__ = ["SCHEMA", "from_value", "parse_requirements", "read_requirements", "to_toml"]

SCHEMA = "hbeval-requirements/1"

_KEYS = ("schema", "all", "any", "alpha", "min_coverage", "min_known", "accept_evidence", "quarantine", "decide_by")
_FLOOR_KEYS, _MARGIN_KEYS = ("metric", "floor", "every_task", "note"), ("metric", "not_worse_by", "note")


def read_requirements(path: Path) -> Requirements:
    """The requirements of a file. Raises InputError naming file, field and value."""
    try:
        text = path.read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read ({why})", where=str(path), right="a requirements file") from error
    return parse_requirements(text, where=str(path), toml=path.suffix.lower() != ".json")


def parse_requirements(text: bytes, *, where: str, toml: bool = True) -> Requirements:
    """The requirements of a file's bytes."""
    if not toml:
        return from_value(loads(text, where=where), where=where)
    try:
        return from_value(tomllib.loads(text.decode("utf-8")), where=where)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not TOML ({error})", where=where, right="TOML, or JSON in a file named .json") from error


def from_value(value: Any, *, where: str) -> Requirements:
    """The requirements of a parsed document. An unknown key is an error: misspelt, it would ask for nothing."""
    document = _object(value, _KEYS, where)
    if document.get("schema", SCHEMA) != SCHEMA:
        raise InputError(
            "another kind of file", where=f"{where}: schema", value=document["schema"], right=f"'{SCHEMA}'"
        )
    given: dict[str, Any] = {"all": _whole(document, where)}
    if "alpha" in document:
        given["alpha"] = error_rate(document["alpha"], where=f"{where}: alpha")
    for key, what in (("min_coverage", "minimum coverage"), ("min_known", "the least known share of trials")):
        if key in document:
            given[key] = share(document[key], what=what, where=f"{where}: {key}")
    if "accept_evidence" in document:
        given["accept_evidence"] = tuple(
            _known(each, list(EvidenceLevel), f"{where}: accept_evidence")
            for each in _texts(document["accept_evidence"], f"{where}: accept_evidence")
        )
    if "quarantine" in document:
        given["quarantine"] = tuple(_texts(document["quarantine"], f"{where}: quarantine"))
    if "decide_by" in document:
        given["by_task"] = _known(document["decide_by"], ["runs", "tasks"], f"{where}: decide_by") == "tasks"
    return Requirements(**given)


def to_toml(requirements: Requirements, notes: Mapping[str, str] | None = None, heading: str = "") -> str:
    """The file of these requirements. `notes` are comments above a requirement, by its text; `heading` begins the file.

    Reading it gives the same requirements, thresholds to 12 significant digits.
    """
    told = notes or {}
    lines = [*_comment(heading), f'schema = "{SCHEMA}"', f"alpha = {requirements.alpha!r}"]
    lines += [f"min_coverage = {requirements.min_coverage!r}", f"min_known = {requirements.min_known!r}"]
    lines.append(f"accept_evidence = [{', '.join(map(_quoted, requirements.accept_evidence))}]")
    if requirements.by_task:
        lines.append('decide_by = "tasks"')
    if requirements.quarantine:
        lines += ["quarantine = [", *(f"  {_quoted(each)}," for each in requirements.quarantine), "]"]
    lines.append("all = [")
    for each in requirements.all:
        lines += [f"  {line}" for line in _comment(told.get(str(each), ""))]
        lines.append(f"  {_written(each)},")
    return "\n".join([*lines, "]"]) + "\n"


def _whole(document: Mapping[str, Any], where: str) -> tuple[Requirement, ...]:
    if ("all" in document) == ("any" in document):
        raise InputError(
            "what is required", where=where, value=sorted(document), right="one of the lists 'all' and 'any'"
        )
    if "any" in document:
        return (AnyOf(parts=_parts(document["any"], f"{where}: any")),)
    return _parts(document["all"], f"{where}: all")


def _parts(value: Any, where: str) -> tuple[Requirement, ...]:
    if not isinstance(value, list) or not value:
        raise InputError("a list of requirements, at least one", where=where, value=value)
    return tuple(_requirement(each, f"{where}[{place}]") for place, each in enumerate(value))


def _requirement(value: Any, where: str) -> Requirement:
    if isinstance(value, str):
        return parse_requirement(value, where=where)
    if not isinstance(value, Mapping):
        raise InputError("not a requirement", where=where, value=value, right="text, or a table")
    for key, made in _COMBINED.items():
        if key in value:
            return made(_parts(_object(value, (key, "note"), where)[key], f"{where}.{key}"))
    if "not_worse_by" in value:
        table = _object(value, _MARGIN_KEYS, where)
        return not_worse(_name(table, where), table["not_worse_by"], where=f"{where}.not_worse_by")
    if "floor" in value:
        table = _object(value, _FLOOR_KEYS, where)
        every_task = table.get("every_task", False)
        if not isinstance(every_task, bool):
            raise InputError("every_task", where=where, value=every_task, right="true or false")
        return floor(_name(table, where), table["floor"], every_task=every_task, where=f"{where}.floor")
    raise InputError(
        "a table that requires nothing", where=where, value=sorted(value), right="floor, not_worse_by, all or any"
    )


_COMBINED: Mapping[str, Callable[[tuple[Requirement, ...]], Requirement]] = {
    "all": lambda parts: All(parts=parts),
    "any": lambda parts: AnyOf(parts=parts),
}


def _written(requirement: Requirement) -> str:
    if isinstance(requirement, (Floor, NotWorse)):
        return _quoted(str(requirement))
    key = "all" if isinstance(requirement, All) else "any"
    return f"{{ {key} = [{', '.join(_written(each) for each in requirement.parts)}] }}"


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's escapes, but only of what TOML does not take as it is."""
    escaped = (
        f"\\u{ord(char):04x}" if ord(char) < 0x20 or ord(char) == 0x7F else f"\\{char}" if char in '"\\' else char
        for char in text
    )
    return f'"{"".join(escaped)}"'


def _comment(text: str) -> list[str]:
    """Lines of a comment; control characters would end it or make the file invalid."""
    lines = "".join(char if char.isprintable() or char == "\n" else " " for char in text).split("\n")
    return [f"# {line}".rstrip() for line in lines] if text else []


def _object(value: Any, keys: Sequence[str], where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError("wrong type", where=where, value=value, right="a table of requirements")
    for key in value:
        if key not in keys:
            raise InputError("unknown key", where=where, value=key, right=_right(key, keys))
    return value


def _known(word: Any, words: Sequence[str], where: str) -> str:
    if not isinstance(word, str) or word not in words:
        raise InputError("unknown word", where=where, value=word, right=_right(str(word), words))
    return str(word)


def _right(word: str, words: Sequence[str]) -> str:
    near = get_close_matches(str(word), words, n=1)
    return repr(str(near[0])) if near else "one of " + ", ".join(map(str, words))


def _texts(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not value or not all(isinstance(each, str) and each for each in value):
        raise InputError("wrong type", where=where, value=value, right="a list of texts, at least one")
    return list(dict.fromkeys(value))


def _name(table: Mapping[str, Any], where: str) -> str:
    name = table.get("metric")
    if not isinstance(name, str):
        raise InputError("which metric", where=f"{where}.metric", value=name, right="the id of a metric, such as 'frr'")
    return name.lower()
