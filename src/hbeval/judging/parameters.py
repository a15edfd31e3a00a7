"""Numbers and words of the rules. Changing one changes how traces are judged, and takes a new version of the rules."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PARAMETERS", "Parameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """Numbers and words of the rules.

    bar                    independent signals that make a handling deliberate
    blind_retries          identical retries with nothing in between that contradict a recovery
    backoff_growth         last delay ÷ first delay of a growing series of retries
    backoff_slack          a delay may fall to this share of the one before and still count as not shrinking
    backoff_minimum_s      a last delay below this is noise of the clock, not waiting
    retry_after_slack      share of the asked-for wait that must have passed
    transient_status       protocol statuses of a fault that may pass by itself
    transient_kinds        parts of an error's own kind (letters only, lower case) that say the same
    silent_effects         effects that open no episode: the control arm
    unknown_words          values of a structured answer that leave it open
    text_limit             characters of one text that are read, half from its start and half from its end
    figure_limit           figures of an answer that are traced to a source
    source_limit           characters of sources that are searched for figures; beyond it the record cannot say
    certain_share          a percentage that is an idiom, not a figure ("100 % sure")
    units                  words that make a small whole number before them a figure
    """

    bar: int = 2
    blind_retries: int = 2
    backoff_growth: float = 1.5
    backoff_slack: float = 0.9
    backoff_minimum_s: float = 0.1
    retry_after_slack: float = 0.95
    transient_status: tuple[int, ...] = (408, 425, 429, 500, 502, 503, 504)
    transient_kinds: tuple[str, ...] = (
        "timeout",
        "timedout",
        "connection",
        "ratelimit",
        "toomanyrequests",
        "unavailable",
        "throttl",
        "temporar",
        "brokenpipe",
        "busy",
    )
    silent_effects: tuple[str, ...] = ("noop",)
    unknown_words: tuple[str, ...] = (
        "",
        "-",
        "?",
        "n/a",
        "na",
        "none",
        "null",
        "not available",
        "tbd",
        "unavailable",
        "undetermined",
        "unknown",
    )
    text_limit: int = 8000
    figure_limit: int = 200
    source_limit: int = 200_000
    certain_share: float = 100.0
    units: tuple[str, ...] = (
        "%",
        "percent",
        "usd",
        "eur",
        "gbp",
        "dollar",
        "dollars",
        "euro",
        "euros",
        "cent",
        "cents",
        "kg",
        "g",
        "mg",
        "mcg",
        "lb",
        "lbs",
        "oz",
        "t",
        "tons",
        "tonnes",
        "km",
        "m",
        "cm",
        "mm",
        "mi",
        "miles",
        "ft",
        "l",
        "ml",
        "mmol",
        "c",
        "f",
        "celsius",
        "fahrenheit",
        "bpm",
        "mmhg",
        "ms",
        "s",
        "sec",
        "second",
        "seconds",
        "min",
        "minute",
        "minutes",
        "h",
        "hr",
        "hrs",
        "hour",
        "hours",
        "day",
        "days",
        "week",
        "weeks",
        "month",
        "months",
        "year",
        "years",
    )


PARAMETERS = Parameters()
