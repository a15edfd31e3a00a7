"""Hand labels of steps in τ²-bench simulations against the fields derived from the imported runs.

One difference is known: after a failed call the agent looks at four products in one batch. The reader counts the change
of plan once, at the first call; the rule asks each call of the batch whether it repeats the failed one.
"""

import pytest

from hbeval.adapters.formats.tau2_bench import Tau2Bench
from tests.adapters.importer_kit import FIELDS, agreement, labels_of, unfounded_constants, verdicts_of

LABELS = labels_of("tau2_bench")
RETAIL = "tau2_bench/gpt-4.1_retail_default_gpt-4.1_1trials.json"
KNOWN = {(RETAIL, "/simulations/23/messages/28/tool_calls/3", "replanned")}


@pytest.fixture(scope="module")
def verdicts(data):
    """Verdicts of all steps of the labelled files."""
    return verdicts_of(Tau2Bench(), data, sorted({label["file"] for label in LABELS}))


@pytest.mark.data
@pytest.mark.parametrize("field", FIELDS)
def test_a_field_derived_from_tau2_bench_agrees_with_the_labels(verdicts, field):
    """All labels that are not doubtful but for the known difference; at least 30. Agreement is printed (`-s`)."""
    found = agreement(LABELS, verdicts)
    print(found.lines(field))
    assert found.missing == []
    assert found.table[field].total() >= 30
    assert set(found.differences) <= KNOWN
    assert found.share(field) >= 0.98
    assert found.doubtful == []


@pytest.mark.data
def test_no_field_of_tau2_bench_is_constant_against_the_labels(verdicts):
    """Every step is traceable, and every label says so."""
    assert unfounded_constants(LABELS, verdicts) == {}
    assert {verdict.traceable for verdict in verdicts.values()} == {True} == {label["traceable"] for label in LABELS}
