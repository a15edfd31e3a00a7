"""Laws that hold for every trace, sensible or not."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given, settings

from hbeval.judging import judge
from hbeval.judging.checks import (
    LAWS,
    check_alignment,
    check_blind_to_labels,
    check_counts,
    check_judge,
    check_reasons,
    check_repeatable,
    check_retelling,
)
from hbeval.model import Handling, JudgedTrace, decode, encode
from tests.judging.run_builder import Run
from tests.judging.run_strategies import runs
from tests.model.records import traces


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@settings(max_examples=60, deadline=None)
@given(trace=traces())
def test_any_well_formed_trace_obeys(law, trace):
    """No trace, however odd, breaks a law or raises."""
    law(judge, trace)


@settings(max_examples=400, deadline=None)
@given(trace=runs())
def test_plausible_runs_obey_all_laws(trace):
    """Runs with faults, retries, pressure, plans and words obey every law."""
    check_judge(judge, trace)


@settings(max_examples=60, deadline=None)
@given(trace=runs())
def test_a_judgement_survives_the_wire(trace):
    """What is judged can be written and read back as it is."""
    judged = judge(trace)
    assert decode(JudgedTrace, encode(judged), where="test") == judged


def told_by(words):
    """A judge that takes an answer at its word."""

    def naive(trace):
        judged = judge(trace)
        boasts = words in str(trace.steps[-1].result)
        handling = Handling.RECOVERY if boasts else Handling.REFLEX
        return replace(judged, trials=tuple(replace(each, handling=handling) for each in judged.trials))

    return naive


def broken(**changes):
    """A judge that gets one thing wrong."""
    return lambda trace: replace(judge(trace), **changes)


def test_laws_catch_judges_that_break_them():
    """Each law fails for a judge made to break it."""
    trace = Run().turn().fail().fail().fail().answer("Nothing.").trace()
    judged = judge(trace)
    ticks = count()
    wrong = [
        (check_alignment, broken(steps=())),
        (check_alignment, broken(trace=replace(trace, id="other"))),
        (check_alignment, broken(trials=(replace(judged.trials[0], steps=(99,)),))),
        (check_repeatable, lambda each: replace(judge(each), missing=(str(next(ticks)),))),
        (check_blind_to_labels, lambda each: replace(judge(each), missing=(each.agent["id"],))),
        (check_reasons, broken(trials=(replace(judged.trials[0], reason="because"),))),
        (check_reasons, broken(trials=(replace(judged.trials[0], signals=()),))),
        (check_counts, broken(evidence=replace(judged.evidence, known=99))),
        (check_counts, broken(evidence=replace(judged.evidence, provenance={"runtime_observed": 0}))),
        (check_retelling, told_by("re-planned")),
    ]
    for law, judge_of_it in wrong:
        law(judge, trace)
        with pytest.raises(AssertionError):
            law(judge_of_it, trace)
