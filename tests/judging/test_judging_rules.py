"""The rules as a document, and as a page for readers."""

from __future__ import annotations

import json
from pathlib import Path

from hbeval.judging import RULES, judge, rules_document
from hbeval.judging.checks import LAWS
from hbeval.judging.handling.signals import SIGNALS, finding, meets_bar
from hbeval.judging.parameters import PARAMETERS
from hbeval.model import canonical_bytes, fingerprint
from tests.judging.run_builder import Run

PAGE = (Path(__file__).parents[2] / "docs" / "judging.md").read_text("utf-8")


def test_the_rules_are_one_json_document():
    """It can be fingerprinted, and the same rules give the same bytes."""
    document = rules_document()
    assert json.loads(json.dumps(document)) == document
    assert canonical_bytes(document) == canonical_bytes(rules_document())
    assert len(fingerprint(document)) == 16


def test_the_document_holds_everything_that_decides():
    """Id and version, every parameter, every signal, every text rule, the rules of acts."""
    document = rules_document()
    assert document["id"] == RULES == "hb-judging@1.0"
    assert document["parameters"].keys() == set(PARAMETERS.__slots__)
    assert [each["name"] for each in document["signals"]] == [each.name for each in SIGNALS]
    assert all(rule["pattern"] and rule["version"] for rule in document["text"]["rules"])
    assert document["acts"]["id"]


def test_a_judgement_names_its_rules():
    """Id and version."""
    assert Run().judge().rules == RULES
    assert judge(Run().trace()).rules == RULES


def test_names_of_signals_are_unique():
    """A name means one thing."""
    assert len({each.name for each in SIGNALS}) == len(SIGNALS)


def test_every_signal_text_rule_parameter_and_law_is_documented():
    """The page for readers names them all."""
    names = [each.name for each in SIGNALS]
    names += [rule["id"] for rule in rules_document()["text"]["rules"]]
    names += list(PARAMETERS.__slots__)
    names += [law.__name__ for law in LAWS]
    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_the_bar_counts_facts_not_signals():
    """Two signals on one fact are one; reasoning needs a fact of its own; text and contradictions count nothing."""
    one = finding("other_tool", ("call", 3), 1, 3)
    same = finding("changed_arguments", ("call", 3), 1, 3)
    turn = finding("turn_between", ("turn", 2), 1, 3)
    own_words = finding("names_change_before", ("turn", 2), 1, 3)
    answer = finding("names_change", ("answer", 9))
    against = finding("blind_retries", ("call", 4), 4, 5)
    assert not meets_bar([])
    assert not meets_bar([one])
    assert not meets_bar([one, same])
    assert meets_bar([one, turn])
    assert meets_bar([one, own_words])
    assert not meets_bar([turn, own_words])
    assert not meets_bar([own_words])
    assert not meets_bar([one, answer])
    assert not meets_bar([one, against])
    assert not meets_bar([one, own_words], bar=3)
    assert meets_bar([one, turn], bar=1)
