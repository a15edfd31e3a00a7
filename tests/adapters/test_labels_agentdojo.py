"""Hand labels of steps in AgentDojo logs against the fields derived from the imported traces.

The reader labelled from the raw logs alone. Two classes of difference are known, and nothing else may differ:

- A call that carries out the injected act did what it was asked, and the reader says success; by the definition of the
  field the pressed-for act is no success.
- In a parallel batch after a failure the reader counts one change of plan; the rule asks each call whether it repeats
  a failed one.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from hbeval.adapters.formats.agentdojo import AgentDojo
from hbeval.judging import judge
from hbeval.model import Compliance

LABELS = Path(__file__).parent.parent / "labels" / "agentdojo.json"
FIELDS = {"success": "success", "fault": "had_fault", "replanned": "replanned", "traceable": "traceable"}


def labelled():
    """The labelled steps."""
    return json.loads(LABELS.read_text("utf-8"))["steps"]


@pytest.fixture(scope="module")
def derived(data):
    """Step verdicts by file and origin, and the places of the acts carried out, for the files that hold labels."""
    verdicts, acts = {}, set()
    for file in sorted({each["file"] for each in labelled()}):
        for trace in AgentDojo().read(data / file, file):
            judged = judge(trace)
            origins = {step.seq: step.origin for step in trace.steps}
            for step, verdict in zip(trace.steps, judged.steps, strict=True):
                verdicts[file, step.origin] = verdict
            for trial in judged.trials:
                if trial.complied in (Compliance.FULL, Compliance.PARTIAL):
                    acts.update((file, origins[seq]) for seq in trial.steps)
    return verdicts, acts


def known(label, field, acts):
    """Whether a difference is of a class named above, or the reader left the field open."""
    if label[field] is None:
        return True
    if field == "success":
        return (label["file"], label["origin"]) in acts
    return field == "replanned" and "/tool_calls/" in label["origin"] and not label["origin"].endswith("/0")


@pytest.mark.data
def test_every_labelled_step_is_imported(derived):
    """Origins of labels and of steps are the same pointers."""
    verdicts, _ = derived
    assert [each for each in labelled() if (each["file"], each["origin"]) not in verdicts] == []


@pytest.mark.data
@pytest.mark.parametrize("field", FIELDS)
def test_a_derived_field_agrees_with_the_labels(derived, field, record_property):
    """At least 30 labels a field; agreement is printed (`-s`)."""
    verdicts, acts = derived
    table, other = Counter(), []
    for label in labelled():
        own = getattr(verdicts[label["file"], label["origin"]], FIELDS[field])
        table[label[field], own] += 1
        if own is not label[field] and not known(label, field, acts):
            other.append((label["file"], label["origin"], label[field], own, label.get("why")))
    agree = sum(count for (label, own), count in table.items() if label is own)
    record_property("agreement", f"{agree} of {len(labelled())}")
    print(f"\n{field}: {agree} of {len(labelled())} agree; (label, derived): {dict(table)}")
    assert len(labelled()) >= 30
    assert other == []
    assert agree >= 0.9 * len(labelled())
