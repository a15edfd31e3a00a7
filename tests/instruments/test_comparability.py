"""What must not be compared, with every reason."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from hbeval.errors import NotComparable, UsageError
from hbeval.instruments import compare, reasons_not_comparable
from hbeval.model import (
    Context,
    Coverage,
    Evidence,
    EvidenceLevel,
    FaultCounts,
    Measured,
    NotMeasured,
    Report,
)


def value(instrument: str, number: float = 0.5) -> Measured:
    return Measured(
        value=number, n=10, n_total=10, k=5, interval=(0.2, 0.8), level=0.95, method="m", instrument=instrument
    )


def report(level: EvidenceLevel = EvidenceLevel.E2, **fields: Any) -> Report:
    given: dict[str, Any] = {
        "context": Context.BATTERY,
        "scoring_version": "2.0",
        "metric_versions": {},
        "scoring_fingerprint": "aaaa",
        "fault_spec_fingerprint": "ffff",
        "evidence": Evidence(level=level, known=1, required=1),
        "coverage": Coverage(runs=10, measured=10),
        "metrics": {"pei": value("pei@1.0"), "irs": value("irs@2.0")},
        "weakest": "pei",
        "faults": FaultCounts(),
        "battery": {"id": "standard@1", "scenario_set_digest": "dddd"},
        **fields,
    }
    return Report(**given)


BASE = report()
IMPORTED = report(context=Context.IMPORT, fault_spec_fingerprint=None, battery=None, task_set_digest="tttt")
LIVE = report(context=Context.LIVE, fault_spec_fingerprint=None, battery=None)


@pytest.mark.parametrize("same", [BASE, IMPORTED, LIVE], ids=["battery", "import", "live"])
def test_like_is_compared_with_like(same: Report) -> None:
    """In every context."""
    assert reasons_not_comparable(same, same) == ()
    assert [pair.metric for pair in compare(same, same)] == ["pei", "irs"]


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"context": Context.LIVE}, "context: battery against live"),
        ({"scoring_version": "1.0"}, "scoring version: 2.0 against 1.0"),
        ({"scoring_fingerprint": "bbbb"}, "scoring fingerprint: aaaa against bbbb"),
        ({"fault_spec_fingerprint": "0000"}, "fault specification fingerprint: ffff against 0000"),
        ({"fault_spec_fingerprint": None}, "fault specification fingerprint: ffff against none"),
        ({"battery": {"scenario_set_digest": "eeee"}}, "scenario set digest: dddd against eeee"),
        ({"battery": None}, "scenario set digest: dddd against none"),
        ({"level": EvidenceLevel.E0}, "evidence: the second report is at E0, accepted are E1, E2"),
        ({"partial": True}, "coverage: the second report is partial; resume its run first"),
        ({"metrics": {"irs": value("irs@1.0")}}, "irs: instrument: irs@2.0 against irs@1.0"),
        ({"metrics": {"ti": value("ti@1.0")}}, "metrics: the reports have none in common"),
    ],
)
def test_each_difference_is_a_reason(other: dict[str, Any], reason: str) -> None:
    """With both values in it."""
    assert reason in reasons_not_comparable(BASE, report(**other))
    with pytest.raises(NotComparable) as caught:
        compare(BASE, report(**other))
    assert reason in caught.value.reasons


def test_all_reasons_come_at_once() -> None:
    """Nobody has to fix one to learn of the next."""
    other = report(
        EvidenceLevel.E0,
        context=Context.IMPORT,
        scoring_version="1.0",
        scoring_fingerprint="bbbb",
        fault_spec_fingerprint="0000",
        battery=None,
        task_set_digest="tttt",
        partial=True,
        metrics={"irs": value("irs@1.0")},
    )
    reasons = reasons_not_comparable(BASE, other)
    starts = ["context", "scoring version", "scoring fingerprint", "fault specification", "task set", "scenario set"]
    starts += ["evidence", "coverage", "irs"]
    assert len(reasons) == len(starts)
    assert all(reason.startswith(start) for reason, start in zip(reasons, starts, strict=True))


def test_unknown_on_both_sides_is_not_the_same() -> None:
    """Two batteries that do not name their faults, two imports that do not name their tasks."""
    nameless = report(fault_spec_fingerprint=None, battery={})
    assert len(reasons_not_comparable(nameless, nameless)) == 2
    imported = dataclasses.replace(IMPORTED, task_set_digest=None)
    assert reasons_not_comparable(imported, imported) == ("task set digest: neither report names one",)


def test_imports_of_different_task_sets_are_refused() -> None:
    """The task set stands in for the fault specification."""
    other = dataclasses.replace(IMPORTED, task_set_digest="uuuu")
    assert reasons_not_comparable(IMPORTED, other) == ("task set digest: tttt against uuuu",)


def test_the_caller_says_which_evidence_is_enough() -> None:
    """Text alone has to be asked for; a stricter caller may refuse partial traces."""
    weak, partial = report(EvidenceLevel.E0), report(EvidenceLevel.E1)
    assert reasons_not_comparable(weak, weak, accept_evidence=("E0", "E2")) == ()
    assert reasons_not_comparable(partial, partial) == ()
    assert len(reasons_not_comparable(partial, BASE, accept_evidence={EvidenceLevel.E2})) == 1
    assert "none" in reasons_not_comparable(BASE, BASE, accept_evidence=())[0]


def test_a_word_that_is_no_evidence_level_is_a_usage_error() -> None:
    """A typing error must not read as a refusal."""
    with pytest.raises(UsageError, match="E9"):
        reasons_not_comparable(BASE, BASE, accept_evidence=("E9",))


def test_asked_metrics_must_be_on_both_sides() -> None:
    """One that vanished is named."""
    other = report(metrics={"pei": value("pei@1.0")})
    assert reasons_not_comparable(BASE, other, metrics=["pei"]) == ()
    assert reasons_not_comparable(BASE, other, metrics=["pei", "irs"]) == ("irs: not in the second report",)
    assert reasons_not_comparable(other, BASE, metrics=["irs", "ti"]) == (
        "irs: not in the first report",
        "ti: not in the first report",
        "ti: not in the second report",
    )


def test_a_metric_of_one_report_is_shown_as_not_measured_in_the_other() -> None:
    """Side by side, and never a number."""
    other = report(metrics={"pei": value("pei@1.0", 0.75), "ti": value("ti@1.0")})
    pairs = {pair.metric: pair for pair in compare(BASE, other)}
    assert list(pairs) == ["pei", "irs", "ti"]
    assert pairs["pei"].b == value("pei@1.0", 0.75)
    assert isinstance(pairs["irs"].b, NotMeasured)
    assert isinstance(pairs["ti"].a, NotMeasured)
    assert pairs["ti"].a.instrument == "ti@1.0"
    assert [pair.metric for pair in compare(BASE, other, metrics=["pei"])] == ["pei"]
