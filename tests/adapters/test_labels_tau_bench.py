"""Hand labels of steps in τ-bench trajectories against the fields derived from the imported runs."""

import pytest

from hbeval.adapters.formats.tau_bench import TauBench
from tests.adapters.importer_kit import FIELDS, agreement, labels_of, unfounded_constants, verdicts_of

LABELS = labels_of("tau_bench")


@pytest.fixture(scope="module")
def verdicts(data):
    """Verdicts of all steps of the labelled files."""
    return verdicts_of(TauBench(), data, sorted({label["file"] for label in LABELS}))


@pytest.mark.data
@pytest.mark.parametrize("field", FIELDS)
def test_a_field_derived_from_tau_bench_agrees_with_the_labels(verdicts, field):
    """All labels that are not doubtful; at least 30 of them. Agreement is printed (`-s`)."""
    found = agreement(LABELS, verdicts)
    print(found.lines(field))
    assert found.missing == []
    assert found.table[field].total() >= 30
    assert found.share(field) == 1.0


@pytest.mark.data
def test_one_doubtful_label_of_tau_bench_differs(verdicts):
    """A hand-over after a thought that did not announce it: the rule counts a change at the call after a failure."""
    found = agreement(LABELS, verdicts)
    assert [each[1:3] for each in found.doubtful] == [("/43/traj/42/tool_calls/0", "replanned")]


@pytest.mark.data
def test_no_field_of_tau_bench_is_constant_against_the_labels(verdicts):
    """Traceability is unknown throughout, as the reader says."""
    assert unfounded_constants(LABELS, verdicts) == {}
    assert {verdict.traceable for verdict in verdicts.values()} == {None}
