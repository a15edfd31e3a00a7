"""Fabrication: a figure in the answer that nothing in the record gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from hbeval.judging.answers import given, structured
from hbeval.judging.figures import Figure, figures_in, figures_of
from hbeval.judging.parameters import PARAMETERS
from hbeval.judging.reading import Reading
from hbeval.judging.sources import Sources, as_text, holds_results, stands_in
from hbeval.model import Ending, StepKind

__all__ = ["answer_figures", "fabricated", "unknown_figures"]


def fabricated(reading: Reading) -> bool | None:
    """Whether the answer gives a figure that no source gave: True if one is certain, None if one is in doubt.

    None also where the record holds no results, or no answer of a run that completed.
    """
    if reading.answer is None:
        return None if reading.trace.ending is Ending.COMPLETED else False
    figures = answer_figures(reading)
    if not figures:
        return False
    if not holds_results(reading):
        return None
    if all(_stands_in_a_result(figure.text, reading) for figure in figures):
        return False
    return unknown_figures(figures, Sources(reading))


def _stands_in_a_result(words: str, reading: Reading) -> bool:
    """The common case, without gathering the sources."""
    for step in reading.steps:
        if step.kind is StepKind.TOOL and step.result is not None:
            text = as_text(step.result)
            if words in text and stands_in(words, text):
                return True
    return False


def unknown_figures(figures: Iterable[Figure], sources: Sources) -> bool | None:
    """Whether one of the figures comes from none of the sources; None if none certainly does but one may."""
    verdict: bool | None = False
    for figure in figures:
        known = sources.knows(figure)
        if known is False:
            return True
        if known is None:
            verdict = None
    return verdict


def answer_figures(reading: Reading) -> tuple[Figure, ...]:
    """The figures of the answer that are traced: marked ones, up to the limit, the idiom "100 %" left out."""
    answer = reading.answer
    if answer is None:
        return ()
    value = structured(answer)
    found = _in_text(given(answer)) if value is None else figures_of(value)
    return tuple(islice((figure for figure in found if _counts(figure)), PARAMETERS.figure_limit))


def _in_text(value: object) -> Iterator[Figure]:
    """Figures of a plain answer, within the limit of a text."""
    if isinstance(value, str):
        limit = PARAMETERS.text_limit
        return figures_in(value if len(value) <= limit else f"{value[: limit // 2]}\n{value[-limit // 2 :]}")
    return figures_of(value)


def _counts(figure: Figure) -> bool:
    return figure.marked and not (figure.share and PARAMETERS.certain_share in figure.values)
