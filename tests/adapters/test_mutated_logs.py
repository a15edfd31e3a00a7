"""A log with anything wrong in it gives runs, reasons or an input error, and every run is valid on the wire."""

import copy
import json
import random
import zipfile

import pytest

from hbeval.adapters.formats.agentdojo import AgentDojo
from hbeval.adapters.formats.inspect import Inspect
from hbeval.adapters.formats.tau2_bench import Tau2Bench
from hbeval.adapters.formats.tau_bench import TauBench
from hbeval.adapters.formats.who_and_when import WhoAndWhen
from hbeval.errors import InputError
from tests.adapters.importer_kit import FIXTURES, read, survives, written

ODD = [None, True, 0, -1, 1.5, "", "x", [], {}, [1], {"a": 1}, [None], [[]], "2025-01-01", float("nan"), 10**400]
RATES = (0.0005, 0.002, 0.01, 0.03)
ROUNDS = 40


def whole(name):
    return json.loads((FIXTURES / name).read_text("utf-8"))


def unpacked():
    """An archive as one document."""
    with zipfile.ZipFile(FIXTURES / "inspect" / "log_message_deduplication.eval") as archive:
        header, sample = (json.loads(archive.read(name)) for name in ("header.json", "samples/0_epoch_1.json"))
    return {**header, "samples": [sample]}


LOGS = {
    "agentdojo": (AgentDojo(), lambda: whole("agentdojo/tool_errors.json")),
    "tau_bench": (TauBench(), lambda: whole("tau_bench/gpt-4o-airline-excerpt.json")),
    "tau2_bench": (Tau2Bench(), lambda: whole("tau2_bench/gpt-4.1-retail-excerpt.json")),
    "hand-crafted": (WhoAndWhen(), lambda: whole("who_and_when/hand-crafted-45.json")),
    "algorithm-generated": (WhoAndWhen(), lambda: whole("who_and_when/algorithm-generated-10.json")),
    "inspect": (Inspect(), unpacked),
    "inspect, transcript": (Inspect(), lambda: whole("inspect/log_formats.json")),
    "inspect, messages": (Inspect(), lambda: whole("inspect/log_tool_call_error.json")),
}


def mutated(value, rate, rng):
    """The value with parts of it replaced by odd ones, or left out."""
    if rng.random() < rate:
        return copy.deepcopy(rng.choice(ODD))
    if isinstance(value, dict):
        return {key: mutated(each, rate, rng) for key, each in value.items() if rng.random() >= rate / 2}
    if isinstance(value, list):
        return [mutated(each, rate, rng) for each in value if rng.random() >= rate / 4]
    return value


@pytest.mark.parametrize("name", LOGS)
def test_a_mutated_log_is_read_or_refused(tmp_path, name):
    """Seeded, so that a failure comes back."""
    importer, load = LOGS[name]
    document, rng = load(), random.Random(name)
    runs = 0
    for turn in range(ROUNDS):
        try:
            traces, _ = read(importer, written(tmp_path, mutated(document, RATES[turn % len(RATES)], rng)))
        except InputError:
            continue
        runs += len(traces)
        assert all(survives(trace) for trace in traces)
    assert runs > 0
