"""How values, intervals and text are written for people, in every renderer alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from hbeval.model import Coverage, Evidence, FaultCounts, Measured, Measurement, Report

__all__ = [
    "agent_name",
    "battery_words",
    "coverage_words",
    "evidence_words",
    "fault_words",
    "group_name",
    "interval_words",
    "n_words",
    "number",
    "printable",
    "reading_words",
    "runs_words",
    "share_words",
    "value_words",
]

_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
_LINE_BREAKS = frozenset("\u2028\u2029")


def printable(text: object, *, keep: str = "") -> str:
    """Text in which nothing acts on a terminal or a page: control characters, lone surrogates, direction marks and
    noncharacters become visible escapes. Characters in `keep` stay.
    """
    written = str(text)
    if written.isascii() and written.isprintable():
        return written
    return "".join(char if char in keep else _visible(char) for char in written)


def _visible(char: str) -> str:
    code = ord(char)
    if char in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[char]
    hidden = char in _DIRECTION_MARKS or char in _LINE_BREAKS or code & 0xFFFE == 0xFFFE
    if hidden or unicodedata.category(char) in ("Cc", "Cs"):
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return char


def number(value: float) -> str:
    """Three decimals; what would round to 0 or is very large keeps three significant digits."""
    if value == 0 or 0.0005 <= abs(value) < 1e6:
        return f"{value:.3f}"
    return f"{value:.3g}"


def value_words(result: Measurement) -> str:
    """The value, or "not measured: why"."""
    return number(result.value) if isinstance(result, Measured) else f"not measured: {printable(result.reason)}"


def interval_words(result: Measurement) -> str:
    """The interval, why there is none, or nothing for what is not measured."""
    if not isinstance(result, Measured):
        return ""
    if result.interval is None:
        return f"no interval: {printable(result.no_interval or 'none given')}"
    low, high = result.interval
    return f"{number(low)} to {number(high)}"


def reading_words(result: Measurement | None) -> str:
    """Value and interval in one phrase, for tables that set reports side by side."""
    if result is None:
        return "not in this report"
    if not isinstance(result, Measured):
        return value_words(result)
    return f"{number(result.value)} ({interval_words(result)})"


def n_words(result: Measurement) -> str:
    """`n`, or `n of N` where something is unknown."""
    return str(result.n) if result.n == result.n_total else f"{result.n} of {result.n_total}"


def share_words(share: float | None) -> str:
    """A share of 1 in per cent, rounded down, so that 99.96 % is never written as 100 %."""
    if share is None:
        return "not defined"
    return f"{int(share * 1000) / 10:g} %"


def runs_words(count: int) -> str:
    """`1 run`, `2 runs`."""
    return "1 run" if count == 1 else f"{count} runs"


def coverage_words(coverage: Coverage) -> str:
    """One phrase: runs, measured, and what became of the others."""
    parts = [f"{coverage.measured} of {coverage.runs} runs measured ({share_words(coverage.share)})"]
    parts += [f"{count} invalid: {ending}" for ending, count in coverage.invalid.items()]
    if coverage.cancelled:
        parts.append(f"{coverage.cancelled} cancelled")
    return ", ".join(parts)


def evidence_words(evidence: Evidence) -> str:
    """One phrase: the weakest level, completeness and unsupported claims."""
    known = f"{evidence.known} of {evidence.required} evidence fields known"
    claims = len(evidence.claims_unsupported)
    return f"{evidence.level} (weakest run), {known}, {claims} unsupported kind{'' if claims == 1 else 's'} of claim"


def fault_words(faults: FaultCounts) -> str:
    """One phrase: intended faults by what became of them, natural ones apart."""
    met = f"{faults.intended} intended: {faults.met} met, {faults.not_exposed} not exposed, {faults.failed} failed"
    return f"{met}; {faults.natural} natural"


def group_name(by: Mapping[str, str]) -> str:
    """`fault=cascade, domain=logistics`."""
    return ", ".join(f"{printable(key)}={printable(value)}" for key, value in by.items())


def agent_name(report: Report) -> str:
    """What to call the agent of a report: its id, else its model, else its labels."""
    for key in ("id", "name", "model"):
        if report.agent.get(key):
            return printable(report.agent[key])
    return ", ".join(f"{printable(key)}={printable(each)}" for key, each in report.agent.items()) or "several agents"


def battery_words(battery: Mapping[str, Any] | None) -> str:
    """The battery's short labels in one phrase; empty for imports."""
    if battery is None:
        return ""
    short = {key: printable(each) for key, each in battery.items() if isinstance(each, (str, int, float))}
    labels = [f"{printable(key)} {each}" for key, each in short.items() if key != "id" and len(each) <= 20]
    return ", ".join(filter(None, (short.get("id", ""), *labels)))
