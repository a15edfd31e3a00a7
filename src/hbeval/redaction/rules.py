"""The rules as records. They stand once, in `rules.json`; all else reads them from here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from hbeval.model import decode, loads

__all__ = ["RULES", "KeyRule", "Rules", "ValueRule", "read_rules"]

RULES = "hb-redaction@1.0"
"""id@version of the rules that this version ships; `rules.json` says the same."""

# The text as it stands; its digits; the last nine of them, whatever the prefix; letters and digits; lower case.
Same = Literal["text", "digits", "subscriber", "letters", "lower"]
Label = Literal["word", "figure", "address"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRule:
    """Takes out the value that stands beside one of these names.

    names    lower case, words joined by underscores; a key matches if it ends in those words, however it joins them
    roots    of which one stands in every name
    in_text  whether `name=value` and lines `name: value` inside a text count too, not only quoted pairs
    header   whether the rest of such a line is the value
    same     what of a value makes it the same one; with digits, numbers are values too
    but_not  names that end alike and are no secrets
    """

    id: str
    names: tuple[str, ...]
    roots: tuple[str, ...]
    in_text: bool = False
    header: bool = False
    same: Same = "text"
    label: Label = "word"
    but_not: tuple[str, ...] = ()

    @property
    def numeric(self) -> bool:
        """Whether its values are figures."""
        return self.same in ("digits", "subscriber")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueRule:
    """Takes out what matches a pattern and passes its check, wherever it stands.

    cues     texts of which one stands in the JSON of every text that holds a match
    shape    instead, a pattern that is found there; `run`: within a run of digits, spaces, hyphens and brackets
    yes, no  examples of what matches and what must not
    """

    id: str
    pattern: str
    check: Literal["iban", "card", "phone"] | None = None
    same: Same = "text"
    label: Label = "word"
    cues: tuple[str, ...] = ()
    shape: str | None = None
    run: bool = False
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()

    @property
    def numeric(self) -> bool:
        """Whether its values are figures."""
        return self.same in ("digits", "subscriber")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """All rules, in the order in which they are tried.

    `plain_names` end the keys of ordinary figures: what such a key names as a whole is no card, phone or SSN.
    `no_secrets` are values (lower case) that are no secrets whatever their key.
    """

    id: str
    version: str
    about: str
    keys: tuple[KeyRule, ...]
    values: tuple[ValueRule, ...]
    plain_names: tuple[str, ...]
    no_secrets: tuple[str, ...]


@cache
def read_rules() -> Rules:
    """The rules that this version ships."""
    path = Path(__file__).with_name("rules.json")
    return decode(Rules, loads(path.read_bytes(), where=path.name), where=path.name)
