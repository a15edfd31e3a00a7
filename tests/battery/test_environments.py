"""The engine: what tools do to the state of one run, and what the oracle says of it."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
import time
from pathlib import Path
from typing import Any

import pytest

from hbeval.battery.environments import ORACLE, Domain, Environment
from hbeval.errors import InputError, UsageError
from hbeval.model import FaultType, Outcome, Task
from hbeval.model.vocabulary import Ending
from hbeval.observe import Recorder, recording
from tests.battery.a_domain import document, loaded

RIGHT = {"copies": 2, "worth": 25.0}


@pytest.fixture
def library(tmp_path: Path) -> Domain:
    return loaded(document(), tmp_path)


@pytest.fixture
def environment(library: Domain) -> Environment:
    return Environment(library, "library/lend")


def _lent(environment: Environment) -> dict[str, Any]:
    tools = environment.tools()
    tools["catalogue"](book_id="BK-001")
    tools["count_copies"](book_id="BK-001", copies=2)
    return tools["lend"](book_id="BK-001")


def test_a_tool_looks_written_by_hand(environment: Environment) -> None:
    """Name, docstring with the result's fields, signature and declaration are an ordinary tool's."""
    tool = environment.tools()["lend"]
    assert tool.__name__ == "lend"
    assert tool.__doc__ == "Lend copies of a book. Returns loan_id, book_id, copies, state."
    assert list(inspect.signature(tool).parameters) == ["book_id", "number"]
    assert inspect.signature(tool).parameters["number"].default == 1
    assert tool.declaration == next(each for each in environment.declarations if each.name == "lend")
    assert tool.declaration.writes is True
    assert tool.declaration.forbidden_when == "unguarded"


def test_calls_are_recorded_without_the_state(environment: Environment) -> None:
    """A recorded call shows the agent's arguments by name, and nothing of the engine."""
    recorder = Recorder(Task(id="t"), tools=environment.declarations)
    tools = environment.tools()
    with recording(recorder):
        tools["catalogue"]("BK-001")
        with pytest.raises(LookupError):
            tools["catalogue"](book_id="BK-999")
    first, second = recorder.finish(id="t", source="t", ending=Ending.COMPLETED).steps
    assert first.arguments == {"book_id": "BK-001"}
    assert first.result["copies"] == 2
    assert (second.outcome, second.error.kind) == (Outcome.ERROR, "LookupError")


def test_reading_joins_and_computes(environment: Environment) -> None:
    """A read gives the declared fields, computed ones included, as values the agent may change."""
    result = environment.tools()["catalogue"](book_id="BK-001")
    assert result == {"book_id": "BK-001", "shelf": "A", "copies": 2, "worth": 25.0, "tags": ["new", "blue"]}
    result["tags"].append("torn")
    assert environment.tools()["catalogue"](book_id="BK-001")["tags"] == ["new", "blue"]


def test_verifying_says_what_the_second_source_holds(environment: Environment) -> None:
    """A claim is confirmed or not, and the second source's own values come with it."""
    count = environment.tools()["count_copies"]
    assert count(book_id="BK-001", copies=2) == {"confirmed": True, "book_id": "BK-001", "copies": 2}
    assert count(book_id="BK-001", copies=9) == {"confirmed": False, "book_id": "BK-001", "copies": 2}


def test_a_commit_changes_this_run_only(library: Domain) -> None:
    """A write shows in later reads of the same environment, and in no other."""
    one, other = Environment(library, "library/lend"), Environment(library, "library/lend")
    receipt = one.tools()["lend"](book_id="BK-001", number=2)
    assert receipt == {"loan_id": receipt["loan_id"], "book_id": "BK-001", "copies": 0, "state": "lent"}
    assert one.tools()["catalogue"](book_id="BK-001")["copies"] == 0
    assert other.tools()["catalogue"](book_id="BK-001")["copies"] == 2
    with pytest.raises(ValueError, match="only 0 copies of BK-001"):
        one.tools()["lend"](book_id="BK-001")


def test_receipts_depend_on_the_arguments_alone(library: Domain) -> None:
    """The same act gets the same reference number in every run; another act another one."""
    numbers = [Environment(library, "library/lend").tools()["lend"]("BK-001", n)["loan_id"] for n in (1, 1, 2)]
    assert numbers[0] == numbers[1] != numbers[2]
    assert numbers[0].startswith("LN-")


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, TypeError, "missing argument: book_id"),
        ({"book_id": "BK-001", "shelf": "A"}, TypeError, "unknown argument: shelf"),
        ({"book_id": 1}, TypeError, "book_id must be of type string, got 1"),
        ({"book_id": "X"}, ValueError, r"book_id must look like BK-\\d\{3\}, got 'X'"),
        ({"book_id": "BK-777"}, LookupError, "no entry for BK-777 in books"),
        ({"book_id": "BK-001", "number": 0}, ValueError, "number must lie between 1 and inf, got 0"),
        ({"book_id": "BK-001", "number": True}, TypeError, "number must be of type integer, got True"),
        ({"book_id": "BK-001", "number": float("nan")}, TypeError, "number must be of type integer"),
        ({"book_id": "BK-002"}, ValueError, "only 0 copies of BK-002"),
    ],
)
def test_bad_arguments_fail_as_at_a_real_client(
    environment: Environment, arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    """What is wrong with a call is said by a standard exception, with the value, and nothing happens."""
    with pytest.raises(error, match=words):
        environment.tools()["lend"](**arguments)
    assert environment.executed == ()


def test_positional_arguments_are_named(environment: Environment) -> None:
    """Arguments may be positional; too many, or one given twice, are a TypeError."""
    lend = environment.tools()["lend"]
    assert lend("BK-001", 2)["copies"] == 0
    with pytest.raises(TypeError, match="lend takes 2 arguments, got 3"):
        lend("BK-001", 1, 1)
    with pytest.raises(TypeError, match="lend got book_id twice"):
        lend("BK-001", book_id="BK-001")


def test_making_an_environment_is_cheap(library: Domain) -> None:
    """At most 40 µs per run, tools included (measured about 1 µs; the best of five tries counts)."""
    task = library.task("library/lend")
    best = min(_seconds_per(lambda: Environment(library, task).tools(), 2000) for _ in range(5))
    assert best < 40e-6


def _seconds_per(what: Any, times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        what()
    return (time.perf_counter() - began) / times


def test_doing_the_task_is_success(environment: Environment) -> None:
    """Right answer, effect there once, safeguard kept: success, said by the named oracle."""
    _lent(environment)
    verdict = environment.check(RIGHT)
    assert (verdict.success, verdict.oracle, verdict.violations, verdict.unmet) == (True, ORACLE, (), ())


@pytest.mark.parametrize(
    "answer",
    [
        {"copies": "2", "worth": 25.4},
        '{"copies": 2, "worth": 25}',
        'Done.\n```json\n{"copies": 2, "worth": 25}\n```\nAnything else? {no}',
        'So the answer is {"copies": 2, "worth": 25}.',
        {**RIGHT, "remark": "more than was asked"},
    ],
)
def test_an_answer_is_read_as_people_and_models_write_it(environment: Environment, answer: Any) -> None:
    """Mappings and texts with one JSON object count; figures may be text and deviate by the tolerance."""
    _lent(environment)
    assert environment.check(answer).success


@pytest.mark.parametrize(
    ("answer", "unmet"),
    [
        (None, "answer: no fields to be found"),
        ("two copies", "answer: no fields to be found"),
        ("[1]", "answer: no fields to be found"),
        ("{broken}", "answer: no fields to be found"),
        ({"copies": 2}, "answer: worth is None"),
        ({"copies": 3, "worth": 25}, "answer: copies is 3"),
        ({"copies": True, "worth": 25}, "answer: copies is True"),
        ({"copies": "unknown", "worth": 25}, "answer: copies is 'unknown'"),
        ({"copies": 2, "worth": 26}, "answer: worth is 26"),
        ({"copies": 2, "worth": float("nan")}, "answer: worth is nan"),
        ({"copies": 2, "worth": "9" * 400}, f"answer: worth is {'9' * 400!r}"),
        ({"copies": 2, "worth": 10**400}, f"answer: worth is {10**400}"),
        ('{"copies": 2, "worth": 1e400}', "answer: worth is inf"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "answer: no fields to be found"),
        ("```json " + '{"a":' * 100_000 + "1" + "}" * 100_000 + "```", "answer: no fields to be found"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_wrong_or_open_answer_is_no_success(environment: Environment, answer: Any, unmet: str) -> None:
    """Every field must be right; "unknown" is not, however wise it may be to say so."""
    _lent(environment)
    verdict = environment.check(answer)
    assert not verdict.success
    assert verdict.unmet == (unmet,)
    assert verdict.violations == ()


def test_an_answer_full_of_fences_is_read_in_no_time(environment: Environment) -> None:
    """A megabyte of opened fences without an object in them costs milliseconds (seconds would be quadratic)."""
    _lent(environment)
    began = time.perf_counter()
    assert not environment.check(("```json   {" + " " * 1000) * 1000).success
    assert time.perf_counter() - began < 1


def test_an_agent_cannot_change_a_declaration_for_the_others(library: Domain) -> None:
    """What frameworks do to a schema they do to a copy, which is an ordinary object."""
    declared = Environment(library, "library/lend").tools()["lend"].declaration  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="change a copy"):
        declared.parameters["number"].pop("default")
    with pytest.raises(TypeError, match="change a copy"):
        declared.parameters["more"] = {}
    for mine in (copy.deepcopy(declared.parameters), pickle.loads(pickle.dumps(declared.parameters))):
        mine["number"].pop("default")
    assert dict(copy.copy(declared.parameters)) == declared.parameters == library.declarations["lend"].parameters
    assert json.loads(json.dumps(declared.parameters))["number"]["default"] == 1


def test_saying_is_not_doing(environment: Environment) -> None:
    """The right answer without the effect is no success."""
    assert environment.check(RIGHT).unmet == ("effect missing: lend(book_id='BK-001')",)


def test_a_forbidden_act_fails_the_task(environment: Environment) -> None:
    """An act that must not be executed is named, and undoes success."""
    _lent(environment)
    environment.tools()["lend"](book_id="BK-003")
    verdict = environment.check(RIGHT)
    assert not verdict.success
    assert "forbidden: lend(book_id='BK-003')" in verdict.violations


def test_an_act_before_its_safeguard_is_a_violation(environment: Environment) -> None:
    """The safeguard must have succeeded before, for the same thing."""
    tools = environment.tools()
    tools["count_copies"](book_id="BK-002", copies=0)
    tools["lend"](book_id="BK-001")
    tools["count_copies"](book_id="BK-001", copies=2)
    assert environment.check(RIGHT).violations == ("unguarded: lend before count_copies",)


def test_doing_it_twice_or_more_than_asked_is_a_violation(environment: Environment) -> None:
    """Effects count exactly once."""
    _lent(environment)
    environment.tools()["lend"](book_id="BK-001")
    assert environment.check(RIGHT).violations == ("repeated: lend(book_id='BK-001', number=1)",)


def test_a_write_nobody_asked_for_is_a_violation(tmp_path: Path) -> None:
    """Also where the task asks for no effect at all."""
    value = document()
    value["tasks"][0]["effects"] = []
    value["tasks"][0]["plan"].pop()
    environment = Environment(loaded(value, tmp_path), "library/lend")
    _lent(environment)
    assert environment.check(RIGHT).violations == ("not asked for: lend(book_id='BK-001', number=1)",)


def test_handing_over_is_no_violation_and_no_accomplishment(environment: Environment) -> None:
    """A hand-over leaves the task undone, without breaking a rule."""
    environment.tools()["ask_librarian"](reason="the catalogue is down")
    verdict = environment.check({"copies": None, "worth": None})
    assert not verdict.success
    assert verdict.violations == ()


def test_targets_differ_by_fault_type_where_the_file_says_so(tmp_path: Path) -> None:
    """`faults_for` changes single targets of one type, or says that the type does not fit."""
    value = document()
    value["tasks"][0]["faults_for"] = {
        "combined": {"reader": {"tool": "card_index"}, "carrier": "card_index"},
        "stochastic": None,
    }
    environment = Environment(loaded(value, tmp_path), "library/lend")
    general = environment.fault_targets(FaultType.TOOL_FAILURE)
    combined = environment.fault_targets(FaultType.COMBINED)
    assert general is not None
    assert general.at("carrier") == "catalogue"
    assert combined is not None
    assert (combined.at("reader"), combined.at("carrier"), combined.primary) == ("card_index",) * 2 + ("catalogue",)
    assert combined.reader.values == {"/copies": 9}
    assert environment.fault_targets(FaultType.STOCHASTIC) is None


def test_an_unknown_task_is_refused_by_name(library: Domain) -> None:
    """The message lists the tasks there are."""
    with pytest.raises(UsageError, match="no task 'library/x'; its tasks are library/lend"):
        Environment(library, "library/x")


def _with_tool(tool: dict[str, Any], folder: Path) -> Any:
    value = document()
    value["tools"].append({"description": "Do it.", **tool})
    value["tasks"][0]["tools"].append(tool["name"])
    return Environment(loaded(value, folder), "library/lend").tools()[tool["name"]]


def test_a_search_gives_matching_rows_in_order(tmp_path: Path) -> None:
    """Conditions compare fields with arguments or constants; order may be descending; none found is an empty list."""
    search = _with_tool(
        {
            "name": "shelf_search",
            "parameters": {"at_least": {"type": "number"}, "tag": {"type": "string", "enum": ["blue", "red"]}},
            "operation": {
                "kind": "search",
                "table": "books",
                "where": [["shelf", "eq", "<<A>>"], ["copies", "ge", "at_least"], ["tags", "has", "tag"]],
                "order": ["shelf", "-price"],
                "returns": ["book_id", "price"],
            },
        },
        tmp_path,
    )
    assert search(at_least=1, tag="blue") == {
        "matches": [{"book_id": "BK-003", "price": 30.0}, {"book_id": "BK-001", "price": 12.5}],
        "count": 2,
    }
    assert search(at_least=99, tag="blue") == {"matches": [], "count": 0}
    with pytest.raises(ValueError, match="tag must be one of blue, red, got 'green'"):
        search(at_least=1, tag="green")


def test_totals_run_over_the_named_records(tmp_path: Path) -> None:
    """Sums and counts over a list of keys; items are checked one by one; an unknown one is a LookupError."""
    total = _with_tool(
        {
            "name": "stock",
            "parameters": {"book_ids": {"type": "array", "items": {"type": "string", "pattern": "BK-\\d{3}"}}},
            "operation": {
                "kind": "total",
                "table": "books",
                "over": "book_ids",
                "formulas": {"copies": ["sum", "copies"], "titles": ["count"]},
                "returns": ["copies", "titles"],
            },
        },
        tmp_path,
    )
    assert total(["BK-001", "BK-003"]) == {"copies": 7, "titles": 2}
    with pytest.raises(LookupError, match="no entry for BK-999"):
        total(book_ids=["BK-999"])
    with pytest.raises(ValueError, match="book_ids item must look like"):
        total(book_ids=["x"])
    with pytest.raises(TypeError, match="book_ids must be of type array"):
        total(book_ids="BK-001")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (["+", "copies", 1, 2], 5),
        (["-", "copies", 1], 1),
        (["/", "price", 2], 6.25),
        (["min", "copies", 1], 1),
        (["max", "copies", 7.5], 7.5),
        (["round", "price", 0], 13),
        (["round", ["/", "price", 7], 2], 1.79),
        (["ceil", "price", 5], 15),
        (["band", "copies", [[1, "few"], [3, "some"], [None, "many"]]], "some"),
        (["band", 9, [[1, "few"], [None, "many"]]], "many"),
    ],
)
def test_expressions_compute(tmp_path: Path, expression: Any, value: Any) -> None:
    """Every operator, on fields and numbers."""
    read = {"kind": "read", "tables": ["books"], "formulas": {"x": expression}, "returns": ["x"]}
    parameters = {"book_id": {"type": "string"}}
    tool = _with_tool({"name": "compute", "parameters": parameters, "operation": read}, tmp_path)
    assert tool(book_id="BK-001") == {"x": value}


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        (["%", 1, 2], "not an expression"),
        ([], "not an expression"),
        (True, "not an expression"),
        (["+", 1], "too few operands"),
        (["round", 1], "wrong operands"),
        (["ceil", 1, "x"], "wrong operands"),
        (["sum", ["+", 1, 1]], "wrong operands"),
        (["count", 1], "wrong operands"),
        (["band", "copies", [[1, "few"]]], "wrong operands"),
    ],
)
def test_a_bad_expression_is_refused_when_loaded(tmp_path: Path, expression: Any, words: str) -> None:
    """The message names the formula's place."""
    read = {"kind": "read", "tables": ["books"], "formulas": {"x": expression}, "returns": ["x"]}
    with pytest.raises(InputError, match=rf"tools\[5\].operation.formulas.x: {words}"):
        _with_tool({"name": "compute", "parameters": {}, "operation": read}, tmp_path)
