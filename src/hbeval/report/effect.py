"""Differences in words, the same in every renderer."""

from __future__ import annotations

from hbeval.report.difference import Contrast, Difference
from hbeval.report.words import number, printable

__all__ = ["contrast_words", "count_words", "effect_words", "signed", "verdict_word"]


def signed(value: float) -> str:
    """`number` with its sign, + included; 0 has none."""
    written = number(abs(value))
    if float(written) == 0.0:
        return written
    return ("−" if value < 0 else "+") + written


def verdict_word(difference: Difference) -> str:
    """`better`, `worse`, `not shown` or `not measured`: what the interval of the second report less the first shows."""
    if difference.leading is None:
        return "not measured"
    return {1: "better", -1: "worse", 0: "not shown"}[difference.better]


def effect_words(difference: Difference) -> str:
    """One sentence: how the second report differs from the first, or why that cannot be said."""
    leading = difference.leading
    if leading is None:
        return f"{printable(difference.reason or 'not measured')}."
    if leading.interval is None:
        return f"{_size(leading.value, difference)}; no interval ({printable(leading.no_interval or 'none given')})."
    level = f"{100 * leading.level:g} % interval"
    low, high = leading.interval
    if leading.side_of_zero:
        ends = sorted((abs(low), abs(high)))
        return f"{_size(leading.value, difference)} ({level} {number(ends[0])} to {number(ends[1])})."
    up, down = ("better", "worse") if difference.facts.higher_is_better else ("worse", "better")
    return f"No difference shown: between {number(max(0.0, -low))} {down} and {number(max(0.0, high))} {up} ({level})."


def _size(value: float, difference: Difference) -> str:
    if value == 0.0:
        return "Equal"
    rises = (value > 0) is difference.facts.higher_is_better
    return f"{'Better' if rises else 'Worse'} by {number(abs(value))}"


def contrast_words(contrast: Contrast | None) -> str:
    """`+0.114 (+0.101 to +0.129)`, with a dash where there is no such contrast."""
    if contrast is None:
        return "–"
    if contrast.interval is None:
        return f"{signed(contrast.value)} (no interval: {printable(contrast.no_interval or 'none given')})"
    low, high = contrast.interval
    return f"{signed(contrast.value)} ({signed(low)} to {signed(high)})"


def count_words(difference: Difference) -> str:
    """What stands behind the leading estimate: `312 scenarios`, `40 and 38 runs`; a dash if it is not measured."""
    leading = difference.leading
    if leading is None:
        return "–"
    if leading.pairs is not None:
        return f"{leading.pairs} {leading.clusters.removesuffix('s') if leading.pairs == 1 else leading.clusters}"
    return f"{leading.n_a} and {leading.n_b}" + (" runs" if leading.clusters == "runs" else "")
