"""What the tests of all importers share: fixtures, labels held against derived fields, fields named in the docs."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field, fields
from pathlib import Path

from hbeval.judging import judge
from hbeval.model import LeftOut, Step, Trace, decode, dumps, loads
from tests.conftest import ROOT

FIXTURES = ROOT / "tests" / "fixtures"
FIELDS = {"success": "success", "fault": "had_fault", "replanned": "replanned", "traceable": "traceable"}


def read(importer, path, source=None):
    """The runs of a file and what was left out."""
    each = list(importer.read(Path(path), source or Path(path).name))
    return [one for one in each if isinstance(one, Trace)], [one for one in each if isinstance(one, LeftOut)]


def head(path):
    """What `detect` gets."""
    return Path(path).read_bytes()[: 64 * 1024]


def written(tmp_path, document, name="log.json"):
    """A file with this JSON document, or these bytes."""
    path = tmp_path / name
    path.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
    return path


def survives(trace):
    """Whether the trace is what it is after a journey over the wire, and judging takes it."""
    judge(trace)
    return decode(Trace, loads(dumps(trace))) == trace


def undocumented(page):
    """Fields of Trace and Step that the page of a format does not name in code marks."""
    text = (ROOT / "docs" / "formats" / f"{page}.md").read_text("utf-8")
    named = {word for mark in re.findall(r"`([^`\n]+)`", text) for word in re.findall(r"[a-z_]+", mark)}
    return {each.name for record in (Trace, Step) for each in fields(record)} - named - {"schema", "kind", "seq"}


@dataclass
class Agreement:
    """Labels held against derived fields. Doubtful labels are counted apart."""

    table: dict[str, Counter] = field(default_factory=lambda: {name: Counter() for name in FIELDS})
    doubtful: list = field(default_factory=list)
    differences: dict = field(default_factory=dict)
    missing: list = field(default_factory=list)
    labelled: int = 0

    def share(self, name):
        """Agreeing ÷ labelled, doubtful labels left out."""
        table = self.table[name]
        return sum(count for (label, own), count in table.items() if label is own) / table.total()

    def lines(self, name):
        """The figures of a field for the reader of the test's output."""
        table = self.table[name]
        known = sum(count for (label, own), count in table.items() if label is not None and own is not None)
        told = f"{name}: {self.share(name):.3f} of {table.total()} labels agree, {known} known on both sides"
        apart = [each for each in self.doubtful if each[2] == name]
        return f"\n{told}; (label, derived): {dict(table)}; doubtful and different: {apart}"


def labels_of(name):
    """The labelled steps of a format."""
    return json.loads((ROOT / "tests" / "labels" / f"{name}.json").read_text("utf-8"))["steps"]


def verdicts_of(importer, data, files):
    """Verdicts of the steps by file and origin."""
    verdicts = {}
    for file in files:
        for trace in read(importer, data / file, file)[0]:
            for step, verdict in zip(trace.steps, judge(trace).steps, strict=True):
                verdicts[file, step.origin] = verdict
    return verdicts


def agreement(labels, verdicts):
    """How the labels agree with the verdicts."""
    found = Agreement(labelled=len(labels))
    for label in labels:
        key = label["file"], label["origin"]
        if key not in verdicts:
            found.missing.append(key)
            continue
        is_doubtful = "doubtful" in label.get("why", "")
        for name, derived in FIELDS.items():
            own = getattr(verdicts[key], derived)
            if is_doubtful:
                if own is not label[name]:
                    found.doubtful.append((*key, name, label[name], own))
                continue
            found.table[name][label[name], own] += 1
            if own is not label[name]:
                found.differences[*key, name] = (label[name], own)
    return found


def unfounded_constants(labels, verdicts):
    """Fields that come out the same for every step although a label says otherwise."""
    unfounded = {}
    for name, derived in FIELDS.items():
        values = {getattr(verdict, derived) for verdict in verdicts.values()} - {None}
        told = {label[name] for label in labels if "doubtful" not in label.get("why", "")} - {None}
        if len(values) == 1 and not told <= values:
            unfounded[name] = values
    return unfounded
