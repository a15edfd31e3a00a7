"""Fabrication: a figure in the answer that nothing in the record gave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, islice

from hbeval.judging.answer.figures import Figure, figures_in, figures_of
from hbeval.judging.answer.given import given, structured
from hbeval.judging.answer.sources import Sources, as_text, holds_results, stands_in
from hbeval.judging.parameters import PARAMETERS
from hbeval.judging.reading import Reading
from hbeval.model import Ending, StepKind

__all__ = ["answer_figures", "fabricated", "unknown_figures"]

_PARTS = 30


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
    """Whether one of the figures comes from none of the sources; None if none certainly does but one may.

    The sum of two or three of the others, themselves not made up, may come from there.
    """
    known = {figure: sources.knows(figure) for figure in figures}
    made_up = [figure for figure, from_sources in known.items() if from_sources is False]
    if made_up:
        rest = [value for figure, held in known.items() if held is not False for value in figure.values]
        return True if not all(_adds_up(figure, rest) for figure in made_up) else None
    return None if None in known.values() else False


def _adds_up(figure: Figure, parts: Sequence[float]) -> bool:
    half = 0.5 * 10.0**-figure.decimals
    sums = [sum(some) for count in (2, 3) for some in combinations(parts[:_PARTS], count)]
    return any(abs(total - value) <= half for value in figure.values for total in sums)


def answer_figures(reading: Reading) -> tuple[Figure, ...]:
    """The figures of the answer that are traced: marked ones, up to the limit, the idiom "100 %" left out."""
    answer = reading.answer
    if answer is None:
        return ()
    value = structured(answer)
    if value is None:
        value = given(answer)
        if isinstance(value, str):
            return _traced_in(value)
    return _traced(figures_of(value))


@lru_cache(maxsize=8)
def _traced_in(text: str) -> tuple[Figure, ...]:
    """Those of a plain answer, within the limit of a text; every trial of a run asks for the same."""
    limit = PARAMETERS.text_limit
    return _traced(figures_in(text if len(text) <= limit else f"{text[: limit // 2]}\n{text[-limit // 2 :]}"))


def _traced(figures: Iterable[Figure]) -> tuple[Figure, ...]:
    return tuple(islice((figure for figure in figures if _counts(figure)), PARAMETERS.figure_limit))


def _counts(figure: Figure) -> bool:
    return figure.marked and not (figure.share and PARAMETERS.certain_share in figure.values)
