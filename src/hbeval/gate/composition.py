"""From single tests to one verdict: how errors add up, and how they are kept at the stated rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hbeval.gate.assessment import Assessment
from hbeval.gate.requirement import All, AnyOf, Requirement, Single
from hbeval.stats import holm

__all__ = ["adjusted", "fails", "passes"]


def passes(requirement: Requirement, assessments: Mapping[Single, Assessment], alpha: float) -> bool:
    """Whether it passes with a chance of at most `alpha` of doing so wrongly.

    All parts: each at `alpha`, because one part that wrongly passes is not enough. Any part: each at its share of
    `alpha`, because one would be (Bonferroni).
    """
    if isinstance(requirement, All):
        return all(passes(each, assessments, alpha) for each in requirement.parts)
    if isinstance(requirement, AnyOf):
        return any(passes(each, assessments, alpha / len(requirement.parts)) for each in requirement.parts)
    return assessments[requirement].passes(alpha)


def fails(requirement: Requirement, assessments: Mapping[Single, Assessment]) -> float | None:
    """The p-value with which it fails: of any part the largest, of all parts the smallest times their number.

    None where a part has no test and the others leave it open: then it cannot fail.
    """
    if isinstance(requirement, AnyOf):
        parts = [fails(each, assessments) for each in requirement.parts]
        known = [each for each in parts if each is not None]
        return max(known) if len(known) == len(parts) else None
    if isinstance(requirement, All):
        known = [each for part in requirement.parts if (each := fails(part, assessments)) is not None]
        return min(1.0, len(known) * min(known)) if known else None
    assessed = assessments.get(requirement)
    return None if assessed is None else assessed.p_fail


def adjusted(whole: Sequence[float], tasks: Sequence[float]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """p-values of requirements and of single tasks, adjusted so that the chance of any false failure is at most alpha.

    Holm within each of the two families, at half of alpha each, so that many tasks do not drown what is asked of all
    runs; at all of alpha where one family is empty.
    """
    times = 2.0 if whole and tasks else 1.0
    one, two = (tuple(min(1.0, times * each) for each in holm(family)) for family in (whole, tasks))
    return one, two
