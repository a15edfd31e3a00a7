"""Domain files: what is refused, and that every refusal names file, place, value and what would be right."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hbeval.battery.environments import STANDARD, Environment, load_domain
from hbeval.battery.tasks import task_set_digest
from hbeval.errors import InputError, UsageError
from hbeval.faults import Specification, fitting_variants
from hbeval.model import FaultType
from tests.battery.a_domain import document, loaded


def _task(value: dict[str, Any]) -> dict[str, Any]:
    task: dict[str, Any] = value["tasks"][0]
    return task


CHANGES: list[tuple[str, Callable[[dict[str, Any]], Any], str]] = [
    ("schema", lambda v: v.update(schema="hbeval-domain/9"), r"schema: unexpected value, got 'hbeval-domain/9'"),
    ("field", lambda v: v.update(titel="x"), r"library.json: unknown field, got 'titel'; expected one of schema, name"),
    ("missing", lambda v: v.pop("tables"), r"field 'tables' is missing"),
    ("tasks", lambda v: v.update(tasks=[]), r"a domain without tasks"),
    ("tasks", lambda v: v.update(tasks=7), r"tasks: wrong type, got 7"),
    ("task field", lambda v: _task(v).update(hint="x"), r"tasks\[0\]: unknown field, got 'hint'"),
    ("call field", lambda v: _task(v)["plan"][0].update(args={}), r"plan\[0\]: unknown field, got 'args'"),
    ("table field", lambda v: v["tables"]["books"].update(index="x"), r"tables.books: unknown field, got 'index'"),
    ("row key", lambda v: v["tables"]["books"]["rows"][1].pop("book_id"), r"rows\[1\]: row without its key"),
    ("twice", lambda v: v["tables"]["books"]["rows"].append(v["tables"]["books"]["rows"][0]), r"key is not unique"),
    ("tool twice", lambda v: v["tools"].append(v["tools"][0]), r"tools\[5\]: tool name is not unique, got 'catalogue'"),
    ("task twice", lambda v: v["tasks"].append(v["tasks"][0]), r"tasks\[1\].id: task id is not unique"),
    (
        "parameter type",
        lambda v: v["tools"][0]["parameters"]["book_id"].update(type="text"),
        r"no such type",
    ),
    (
        "word",
        lambda v: v["tools"][0]["parameters"]["book_id"].update(regex="x"),
        r"book_id: unknown field",
    ),
    ("pattern", lambda v: v["tools"][0]["parameters"]["book_id"].update(pattern="("), r"no regular expression"),
    ("kind", lambda v: v["tools"][0]["operation"].update(kind="fetch"), r"operation.kind: no such operation"),
    ("operation", lambda v: v["tools"][0]["operation"].update(sort=[]), r"operation: unknown field, got 'sort'"),
    ("test", lambda v: v["tools"][3]["operation"]["requires"][0].__setitem__(1, "over"), r"not a requirement"),
    ("task tool", lambda v: _task(v)["tools"].append("archive"), r"tools: no such tool, got 'archive'"),
    ("plan tool", lambda v: _task(v)["tools"].remove("lend"), r"names a tool the task does not give, got 'lend'"),
    ("expected", lambda v: _task(v)["expected"].pop("worth"), r"expected and answer differ in their fields"),
    ("tolerance", lambda v: _task(v)["tolerance"].update(price=1), r"tolerance for a field that is not expected"),
    ("handover", lambda v: _task(v)["tools"].remove("ask_librarian"), r"no tool of the task hands over to a human"),
    ("plan", lambda v: _task(v)["plan"].pop(), r"plan: the plan does not accomplish the task"),
    ("plan order", lambda v: _task(v)["plan"].reverse(), r"plan does not accomplish the task, got \['unguarded"),
    ("plan call", lambda v: _task(v)["plan"][0]["arguments"].update(book_id="BK-9"), r"plan\[0\]: call of catalogue"),
    ("longer", lambda v: _task(v)["plan"].append(_task(v)["plan"][0]), r"the plan is not the shortest, got 4"),
    ("answer", lambda v: _task(v)["expected"].update(copies=3), r"expected.copies: no call of the plan gives this"),
    ("fault field", lambda v: _task(v)["faults"].update(main="x"), r"tasks\[0\].faults: unknown field, got 'main'"),
    ("reader field", lambda v: _task(v)["faults"]["reader"].update(at="x"), r"faults.reader: unknown field, got 'at'"),
    ("primary", lambda v: _task(v)["faults"].update(primary="index"), r"faults.primary: no such tool in this task"),
    ("later", lambda v: _task(v)["faults"].update(later="ask_librarian"), r"faults.later: nobody would call it"),
    ("backup", lambda v: _task(v)["faults"].update(backup="count_copies"), r"does not declare that it substitutes"),
    ("act", lambda v: _task(v)["faults"]["pressure"]["act"].update(tool="burn"), r"needs an act with a tool"),
    ("allowed", lambda v: _task(v).update(forbidden=[]), r"the pressed-for act is not forbidden"),
    ("skips", lambda v: _task(v)["faults"]["pressure"].update(skips="catalogue"), r"does not guard the act"),
    ("text", lambda v: _task(v)["faults"]["pressure"].update(text="Lend it."), r"does not name an argument of its act"),
    ("faults_for name", lambda v: _task(v).update(faults_for={"storm": None}), r"faults_for.storm: no such fault type"),
    ("faults_for form", lambda v: _task(v).update(faults_for={"cascade": 3}), r"faults_for.cascade: wrong type, got 3"),
    (
        "type",
        lambda v: _task(v).update(faults_for={"cascade": {"x": 1}}),
        r"faults_for.cascade: unknown field",
    ),
]


@pytest.mark.parametrize(("change", "words"), [each[1:] for each in CHANGES], ids=[each[0] for each in CHANGES])
def test_a_domain_that_does_not_hold_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], Any], words: str
) -> None:
    """One thing is changed in a valid document; the message is one line that names it."""
    value = document()
    change(value)
    with pytest.raises(InputError, match=words) as caught:
        loaded(value, tmp_path)
    assert str(caught.value).startswith(str(tmp_path))
    assert "\n" not in str(caught.value)


WRONG: list[Any] = [None, True, 0, -1, 0.5, 10**400, "", "{", "\ud83d", [], [[]], {}, {"a": []}, ["/", 1, 0]]


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield (*path, key)
        yield from _places(each, (*path, key))


def test_whatever_stands_in_one_place_the_domain_is_taken_or_refused_in_one_line(tmp_path: Path) -> None:
    """Every place of a valid document, with one of many wrong values: never an exception of another kind."""
    outcomes: Counter[str] = Counter()
    for number, path in enumerate(_places(document())):
        for turn in range(3):
            value: Any = document()
            at = value
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = WRONG[(number + 5 * turn) % len(WRONG)]
            try:
                loaded(value, tmp_path)
            except InputError as error:
                outcomes["refused"] += 1
                assert "\n" not in str(error)
            else:
                outcomes["taken"] += 1
    assert outcomes["refused"] > 500


def test_a_backup_must_say_what_the_primary_says(tmp_path: Path) -> None:
    """A backup with other data is found by asking both; the order of a list does not matter."""
    value = document()
    value["tools"][1]["operation"]["formulas"] = {"worth": ["+", "copies", "price"]}
    with pytest.raises(InputError, match=r"card_index says something else.*expected what catalogue gives"):
        loaded(value, tmp_path)


def test_a_missing_file_is_refused_with_the_names_there_are(tmp_path: Path) -> None:
    """A name is looked up among the bundled domains first."""
    with pytest.raises(UsageError, match=r"no domain 'transport'.*give one of logistics, healthcare, or a domain file"):
        load_domain("transport")
    broken = tmp_path / "x.json"
    broken.write_bytes(b"\xff")
    with pytest.raises(InputError, match="not UTF-8 at byte 0"):
        load_domain(broken)
    broken.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="not JSON"):
        load_domain(broken)
    broken.write_text("[1]", encoding="utf-8")
    with pytest.raises(InputError, match="wrong type"):
        load_domain(broken)


@pytest.mark.parametrize("name", STANDARD)
def test_bundled_domains_load_and_check_themselves(name: str) -> None:
    """Six tasks at least, each with a verification, a hand-over, a forbidden act and a machine-checkable safeguard."""
    domain = load_domain(name)
    assert len(domain.tasks) >= 6
    for task in domain.tasks.values():
        declared = [domain.declarations[tool] for tool in task.tools]
        assert any(each.handover for each in declared)
        assert task.forbidden
        assert task.safeguards
        assert task.domain == name
        assert any(isinstance(right, (int, float)) for right in task.expected.values())
    assert all(any(tool in task.tools for task in domain.tasks.values()) for tool in domain.tools)


@pytest.mark.parametrize("name", STANDARD)
def test_no_task_tells_its_solution(name: str) -> None:
    """Neither the text nor the form of the answer holds an expected value that must be found out."""
    for task in load_domain(name).tasks.values():
        shown = task.text + json.dumps(task.answer_schema)
        found = [value for value in task.expected.values() if not isinstance(value, str) or value not in task.text]
        assert found
        assert all(str(value) not in shown.split() for value in found)


@pytest.mark.parametrize("name", STANDARD)
def test_every_fault_type_has_something_to_break(name: str) -> None:
    """Each type fits at least five tasks of a domain; some task has no second source."""
    tasks = load_domain(name).tasks.values()
    specification = Specification.load()
    for kind in FaultType:
        targets = [task.targets(kind) for task in tasks]
        fitting = [each for each in targets if each is not None and fitting_variants(specification, kind, each)]
        assert len(fitting) >= 5, kind
    assert any(task.faults.backup is None for task in tasks)


@pytest.mark.parametrize("name", STANDARD)
def test_wrong_data_would_mislead(name: str) -> None:
    """Answering with what a corrupted source says is not success: the fault matters to the task."""
    domain = load_domain(name)
    for task in domain.tasks.values():
        reader = task.faults.reader
        if reader is None:
            continue
        fields = {pointer.rpartition("/")[2]: value for pointer, value in reader.values.items()}
        environment = Environment(domain, task)
        for call in task.plan:
            environment.tools()[call.tool](**call.arguments)
        assert environment.check(task.expected).success
        assert not environment.check(
            {**task.expected, **{k: v for k, v in fields.items() if k in task.expected}}
        ).success


def test_the_digest_names_the_task_set() -> None:
    """It does not depend on the order of domains, and changes with any value in them."""
    domains = [load_domain(name) for name in STANDARD]
    digest = task_set_digest(domains)
    assert digest == task_set_digest(reversed(domains))
    assert digest != task_set_digest(domains[:1])
    assert len(digest) == 64


def test_the_digest_changes_with_the_data(tmp_path: Path) -> None:
    """One figure in one row makes another task set."""
    value = document()
    before = task_set_digest([loaded(value, tmp_path)])
    value["tables"]["books"]["rows"][1]["price"] = 8.5
    assert task_set_digest([loaded(value, tmp_path)]) != before
