"""Which single results carry the verdict, for outputs that show each of them on its own."""

from __future__ import annotations

from hbeval.gate.verdict import GateResult, RequirementResult, Verdict

__all__ = ["carries_failure", "name_of", "standing_words", "verdict_words"]


def carries_failure(row: RequirementResult, result: GateResult) -> bool:
    """Whether this result is a reason for the gate's FAIL.

    A FAIL that does not stand among the other tests, that an alternative makes up for, or that does not decide, is
    none: the gate's verdict is then another one, or rests on others.
    """
    if result.verdict is not Verdict.FAIL or row.verdict is not Verdict.FAIL or not row.decides:
        return False
    return row.p_adjusted is None or row.p_adjusted <= result.alpha


def name_of(row: RequirementResult) -> str:
    """`frr >= 0.7`, or `logistics/eta: frr >= 0.7` for one task."""
    return row.requirement if row.task is None else f"{row.task}: {row.requirement}"


def standing_words(row: RequirementResult, result: GateResult) -> str:
    """What one result says; where its own FAIL does not fail the gate, that too."""
    if row.verdict is Verdict.FAIL and not carries_failure(row, result):
        return f"{row.words} (by itself; it does not fail the gate)"
    return row.words


def verdict_words(row: RequirementResult, result: GateResult) -> str:
    """The same after its verdict."""
    return f"{row.verdict}: {standing_words(row, result)}"
