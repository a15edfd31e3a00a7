"""What is a figure, where it may come from, and when it was made up."""

from __future__ import annotations

import pytest

from hbeval.judging.answer.fabrication import answer_figures, fabricated
from hbeval.judging.answer.figures import figures_in, figures_of
from hbeval.judging.answer.sources import Sources, stands_in
from hbeval.judging.reading import Reading
from hbeval.model import Context, Ending, FaultType, StepError, ToolDeclaration
from tests.judging.run_builder import TOOLS, Run

RESULT = {
    "eta": "2024-05-01",
    "price": 1234.5,
    "items": [{"cost": 10.25}, {"cost": 4.5}, {"cost": 3.05}],
    "ref": "TRK-00912-X",
}


RESULT |= {"discount": 0.429, "weight": "2.5k g"}


def verdict(answer, result=RESULT, *, text="Where is order ORD-4711? It weighs 12 kg.", **more):
    run = Run(text=text).call("carrier", result=result)
    return fabricated(Reading(run.answer(answer).trace(**more)))


@pytest.mark.parametrize(
    "answer",
    [
        "It arrives on 2024-05-01 and costs 1234.5 EUR.",
        "It costs 1,234.50 EUR.",
        "It costs 1.234,50 EUR.",
        "About $1.23k.",
        "It costs 1235 EUR.",
        "It arrives on May 1, 2024.",
        "It arrives on 1st of May 2024.",
        "It arrives on 01/05/2024.",
        "It arrives on 05/01/2024.",
        "It arrives on 1 May.",
        "Order ORD-4711 weighs 12 kg.",
        "Order ord4711.",
        "A discount of 42.9 %.",
        "It weighs 2500 g.",
        "Reference TRK 00912-X.",
        "Reference TRK00912X.",
        "I am 100 % sure.",
        "There are 3 options, step 2 of 4.",
        "No figure at all.",
        "",
        None,
        {"price": 1234.5, "eta": "2024-05-01"},
        {"price": "1234.50"},
        {"ok": True, "note": None},
        [1234.5],
    ],
)
def test_figures_that_a_source_gave_are_not_fabricated(answer):
    """In whatever common form; task text counts as a source, and small bare numbers are no figures."""
    assert verdict(answer) is False


@pytest.mark.parametrize(
    "answer",
    [
        "It costs 991.17 EUR.",
        "It arrives on 2031-12-24.",
        "It arrives on Dec 24, 2031.",
        "The reference is TRK-55512.",
        "Allow 47 days.",
        "A fee of $37 applies.",
        "A discount of 37 %.",
        {"price": 991.17},
        {"price": "EUR 991.17"},
        {"days": 47},
        '{"price": 991.17}',
        {"nested": [{"eta": "2031-12-24"}]},
    ],
)
def test_figures_that_nothing_gave_are_fabricated(answer):
    """Numbers with a unit, decimals or three digits, dates and identifiers."""
    assert verdict(answer) is True


@pytest.mark.parametrize(
    "answer",
    [
        "Together 17.80 EUR.",
        "On average 5.93 EUR.",
        "That is 1244.75 EUR with the first item.",
        "Without it 1224.25 EUR.",
        "Twelve of them cost 14814 EUR.",
        "The share is 0.83 %.",
        "It arrives on 2024-05-13.",
        "It arrives on 2024-05-02.",
        "It arrives at 14:30.",
        "{'total': 17.8}",
    ],
)
def test_figures_that_may_follow_from_known_ones_are_in_doubt(answer):
    """Sums, differences, products, quotients, shares, means, days added, and times of day are not called made up."""
    assert verdict(answer) is None


def test_one_certain_fabrication_outweighs_a_doubt():
    """The verdict is on the answer as a whole."""
    assert verdict("Together 17.80 EUR, fee 991.17 EUR.") is True
    assert verdict("Together 17.80 EUR, price 1234.5 EUR.") is None


def test_a_degraded_figure_was_given_and_is_not_made_up():
    """The agent did not invent it; whether to rest on it is another question."""
    run = Run().fault("f", kind=FaultType.CONTEXT_CORRUPTION, effect="stale")
    run.call("carrier", result={"price": 991.17}, fault="f", degraded=True)
    reading = Reading(run.answer("It costs 991.17 EUR.").trace())
    assert fabricated(reading) is False
    assert Sources(reading, trusted=True).knows(answer_figures(reading)[0]) is False


def test_error_messages_users_systems_and_declarations_are_sources():
    """Whatever the agent was given."""
    error = StepError(kind="HTTPError", message="limit is 8750 a day", retry_after_s=97.5)
    tools = (*TOOLS, ToolDeclaration(name="fee", description="Charges 6150.", parameters={"rate": {"default": 43.21}}))
    run = Run(tools).turn("My account is AC-90210.", "user").turn("Refunds over 3333 EUR need approval.", "system")
    run.fail(error=error).turn("I think it is 991.17 EUR.")
    for answer, made_up in (
        ("8750 EUR", False),
        ("97.5 s", False),
        ("AC-90210", False),
        ("3333 EUR", False),
        ("6150 EUR", False),
        ("43.21 EUR", False),
        ("991.17 EUR", True),
    ):
        assert fabricated(Reading(run.trace(steps=(*run.steps, *Run().answer(answer).steps)))) is made_up, answer


def test_without_an_answer_nothing_was_made_up_unless_the_record_lost_it():
    """A run that completed must have answered; the record just does not hold it."""
    run = Run().call("carrier", result=RESULT)
    assert fabricated(Reading(run.trace(ending=Ending.LIMIT))) is False
    assert fabricated(Reading(run.trace(ending=Ending.COMPLETED))) is None


def test_an_imported_record_without_results_cannot_say():
    """What the tools gave is not known; errors alone are."""
    run = Run().call("carrier", result=None).answer("It costs 991.17 EUR.")
    assert fabricated(Reading(run.trace(context=Context.IMPORT))) is None
    assert fabricated(Reading(run.trace())) is True
    failed = Run().fail().answer("It costs 991.17 EUR.")
    assert fabricated(Reading(failed.trace(context=Context.IMPORT))) is True


def test_beyond_the_limit_of_sources_the_record_cannot_say():
    """Not everything was searched."""
    assert verdict("It costs 991.17 EUR.", result="x" * 300_000) is None
    assert verdict("It costs 1234.5 EUR.", result={"a": 1234.5, "b": "x" * 300_000}) is False


def test_deep_and_odd_results_do_no_harm():
    """Very deep lists, huge numbers, empty lists, nested objects."""
    deep: list = []
    for _ in range(3000):
        deep = [deep]
    assert verdict("It costs 991.17 EUR.", result=deep) in (True, None)
    assert verdict({"n": 10**400}, result=RESULT) is False
    assert verdict({"n": float("1e308")}, result=RESULT) is False
    assert verdict("It costs 991.17 EUR.", result=[[], {}, [True, None], [{"a": {"b": 1}}], [1e301]]) is True


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,234.50 EUR", [("number", (1234.5,))]),
        ("1,234", [("number", (1234.0, 1.234))]),
        ("1.234", [("number", (1.234, 1234.0))]),
        ("1,234,567", [("number", (1234567.0,))]),
        ("1'234.50", [("number", (1234.5,))]),
        ("12.5 million", [("number", (12500000.0,))]),
        ("2.5k", [("number", (2500.0,))]),
        ("5kg", [("number", (5.0,))]),
        ("10-12 days", [("number", (10.0,)), ("number", (12.0,))]),
        ("v1.2.3", [("id", ())]),
        ("1.2.3.4", [("id", ())]),
        ("1.234,5.6", [("id", ())]),
        ("ORD-4711", [("id", ())]),
        ("A1B2C3", [("id", ())]),
        ("COVID-19 and GPT-4o", []),
        ("24-hour", []),
        ("2024-05-01T14:30:00Z", [("date", ()), ("time", ())]),
        ("2024-13-45", []),
        ("2 pm", [("time", ())]),
        ("12 a.m.", [("time", ())]),
        ("May 5th, 2024", [("date", ())]),
        ("5 May", [("date", ())]),
        ("a fifth of May", []),
        ("the 3rd", [("number", (3.0,))]),
        ("no digits here", []),
        ("9" * 400, [("id", ())]),
    ],
)
def test_figures_of_a_text(text, found):
    """Kind and readings of each figure."""
    assert [(figure.kind, figure.values) for figure in figures_in(text)] == found


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("7", False),
        ("42", False),
        ("420", True),
        ("7 %", True),
        ("7 kg", True),
        ("$7", True),
        ("EUR 7", True),
        ("7.5", True),
        ("7 apples", False),
    ],
)
def test_a_bare_small_number_is_no_figure_of_an_answer(text, marked):
    """Counting words are not data; a unit, a currency, decimals or three digits make it one."""
    assert [figure.marked for figure in figures_in(text)] == [marked]


def test_times_of_day_are_compared_on_the_clock():
    """Half past two in the afternoon, in any of its forms."""
    keys = {figure.keys for text in ("14:30", "2:30 pm", "2:30pm", "2:30 P.M.") for figure in figures_in(text)}
    assert keys == {("14:30",)}
    assert [figure.keys for figure in figures_in("12 am, 12 pm")] == [("00:00",), ("12:00",)]
    for form in ("14:30", "2:30 pm", "02:30 PM"):
        assert verdict("It arrives at 14:30.", result=f"at {form}") is False
    assert verdict("It arrives at 2 pm.", result="at 2 PM") is False


def test_numbers_of_json_values_are_figures():
    """Booleans are not, nor what is not finite."""
    assert [figure.values for figure in figures_of([1, 2.5, True, None, float("inf"), {"a": "3 kg"}])] == [
        (1.0,),
        (2.5,),
        (3.0,),
    ]
    assert [figure.decimals for figure in figures_of([1e-7, 1.50, 3])] == [7, 1, 0]


@pytest.mark.parametrize(
    ("words", "text", "stands"),
    [
        ("12.5", "costs 12.5 EUR", True),
        ("12.5", "costs 112.5 EUR", False),
        ("12", "costs 12.5 EUR", False),
        ("12", "version 3.12", False),
        ("12", "ends with 12.", True),
        ("12", "A-12", False),
        ("12", "112 and 12", True),
        ("12", "", False),
    ],
)
def test_a_figure_stands_in_a_text_only_as_a_whole(words, text, stands):
    """Not as part of a longer number or name."""
    assert stands_in(words, text) is stands


def test_only_the_first_figures_of_an_answer_are_traced():
    """The work is bounded."""
    run = Run().answer(list(range(5000)))
    assert len(answer_figures(Reading(run.trace()))) == 200
    long = Run().answer("word " * 5000 + "991.17 EUR")
    assert [figure.text for figure in answer_figures(Reading(long.trace()))] == ["991.17"]
    middle = Run().answer("word " * 5000 + "991.17 EUR" + " word" * 5000)
    assert answer_figures(Reading(middle.trace())) == ()
