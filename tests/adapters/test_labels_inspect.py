"""Hand labels of steps in Inspect logs against the fields derived from the imported runs.

Seven labels stand in bare lists of events that are no logs. The importer leaves these files out; here their events are
put into a sample of a log that says nothing else, so that the labels are held against the same reading.
"""

import json

import pytest

from hbeval.adapters.formats.inspect import Inspect
from hbeval.judging import judge
from tests.adapters.importer_kit import (
    FIELDS,
    agreement,
    labels_of,
    read,
    unfounded_constants,
    verdicts_of,
    written,
)

LABELS = labels_of("inspect_ai")
BARE = ("/test_skeleton/", "/timeline/fixtures/")


def is_bare(file):
    return any(part in file for part in BARE)


@pytest.fixture(scope="module")
def verdicts(data, tmp_path_factory):
    """Verdicts of all steps of the labelled files."""
    files = sorted({label["file"] for label in LABELS})
    found = verdicts_of(Inspect(), data, [file for file in files if not is_bare(file)])
    for file in filter(is_bare, files):
        sample = {"id": 1, "epoch": 1, "events": json.loads((data / file).read_text("utf-8"))["events"]}
        log = {"version": 2, "status": "success", "eval": {"task": "bare"}, "samples": [sample]}
        (trace,), _ = read(Inspect(), written(tmp_path_factory.mktemp("bare"), log))
        for step, verdict in zip(trace.steps, judge(trace).steps, strict=True):
            found[file, step.origin.removeprefix("/samples/0")] = verdict
    return found


@pytest.mark.data
@pytest.mark.parametrize("field", FIELDS)
def test_a_field_derived_from_inspect_agrees_with_the_labels(verdicts, field):
    """All labels that are not doubtful; at least 30 of them. Agreement is printed (`-s`)."""
    found = agreement(LABELS, verdicts)
    print(found.lines(field))
    assert found.missing == []
    assert found.table[field].total() >= 30
    assert found.share(field) == 1.0


@pytest.mark.data
def test_one_doubtful_label_of_inspect_differs(verdicts):
    """A numeric score of 0 whose mean the log calls accuracy: the rule reads it as no success."""
    found = agreement(LABELS, verdicts)
    assert [each[1:] for each in found.doubtful] == [("samples/0_epoch_1.json#/output", "success", None, False)]


@pytest.mark.data
def test_no_field_of_inspect_is_constant_against_the_labels(verdicts):
    """No step of these logs is a change of plan, and no label says one is."""
    assert unfounded_constants(LABELS, verdicts) == {}
    assert {verdict.replanned for verdict in verdicts.values()} == {False, None}
