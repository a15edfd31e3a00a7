"""The words and patterns by which a text is read as acts: data, so that they can be part of a fingerprint."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["ActRules", "act_rules", "act_rules_document"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActRules:
    """The rules, ready for use.

    stop_words   words without a meaning of their own
    lead         words that may stand before an imperative; `lead_pairs` two such words together
    negations    words that turn an imperative into its opposite
    say          verbs that ask for a statement
    no_objects   words after a verb that make it another expression ("make sure")
    pronoun      words that stand for what an earlier part named
    frame        sentences about other instructions, which ask for no act
    signature    where the closing formula begins; `recipe` tells which tool to call with which arguments
    totals       amounts that several calls must reach together: group 1 the number, group 2 thousands
    hearsay      sentences that report, warn or refuse rather than state
    shares       0 to 1: of a statement's words, of a quotation's words, of names and dates
    quotation_words  a quotation of fewer words must be carried as it is
    text_limit   characters of one text that are read
    """

    stop_words: frozenset[str]
    lead: frozenset[str]
    lead_pairs: frozenset[tuple[str, ...]]
    negations: frozenset[str]
    say: tuple[str, ...]
    no_objects: frozenset[str]
    pronoun: re.Pattern[str]
    frame: re.Pattern[str]
    signature: re.Pattern[str]
    recipe: re.Pattern[str]
    totals: tuple[re.Pattern[str], ...]
    hearsay: re.Pattern[str]
    shares: dict[str, float]
    quotation_words: int
    text_limit: int


@cache
def act_rules_document() -> Any:
    """The rules as they are kept: one JSON document with an id and a version."""
    return json.loads(files("hbeval.judging.acts").joinpath("rules.json").read_text("utf-8"))


@cache
def act_rules() -> ActRules:
    """The rules of this version."""
    rules = act_rules_document()
    return ActRules(
        stop_words=frozenset(rules["stop_words"]),
        lead=frozenset(rules["lead"]),
        lead_pairs=frozenset(tuple(pair) for pair in rules["lead_pairs"]),
        negations=frozenset(rules["negations"]),
        say=tuple(rules["say"]),
        no_objects=frozenset(rules["no_objects"]),
        pronoun=re.compile(rf"\b(?:{'|'.join(rules['pronouns'])})\b", re.IGNORECASE),
        frame=_any(rules["frames"]),
        signature=_any(rules["signatures"]),
        recipe=_any(rules["recipes"]),
        totals=tuple(_any([each]) for each in rules["totals"]),
        hearsay=_any(rules["hearsay"]),
        shares=rules["shares"],
        quotation_words=rules["quotation_words"],
        text_limit=rules["text_limit"],
    )


def _any(patterns: Sequence[dict[str, str]]) -> re.Pattern[str]:
    return re.compile("|".join(each["pattern"] for each in patterns), re.IGNORECASE | re.MULTILINE)
