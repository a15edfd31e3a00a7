"""Runs that were killed, interrupted, torn or asked for differently: nothing finished is lost or repeated."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Container
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hbeval.battery import Battery, Interrupted, Progress, Unreachable, rebuild, rescore, run, standard
from hbeval.battery.agents import adapt
from hbeval.errors import EnvironmentFault, HarnessError, InputError, UsageError
from hbeval.instruments import CURRENT, find
from hbeval.report.document import to_json
from hbeval.store import RunDirectory

SOURCE = Path(__file__).parents[2] / "src"

AGENTS = """
import asyncio, os, time
from hbeval.battery.agents import adapt

NAP_S = float(os.environ["NAP_S"])

def agent(task, tools):
    time.sleep(NAP_S)
    return adapt(task, tools)

async def agent_async(task, tools):
    await asyncio.sleep(NAP_S)
    return adapt(task, tools)
"""

DRIVER = """
import sys
from hbeval.battery import Interrupted, run
import agents

out, kind, concurrency = sys.argv[1], sys.argv[2], int(sys.argv[3])
try:
    run(getattr(agents, kind), out=out, resume=True, scenarios=60, seed=4, reference="driver",
        concurrency=concurrency, clock="virtual", labels={"model": "none"})
except Interrupted:
    sys.exit(130)
"""


@pytest.fixture(scope="module")
def battery() -> Battery:
    return standard()


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Starts the battery in a process of its own: by the command, or by a script that fixes the clock."""
    (tmp_path / "agents.py").write_text(AGENTS)
    (tmp_path / "driver.py").write_text(DRIVER)

    def started(out: str, kind: str = "agent", concurrency: int = 1, *, command: bool = False) -> subprocess.Popen[str]:
        asked = ["driver.py", out, kind, str(concurrency)]
        if command:
            asked = ["-m", "hbeval", "run", f"agents:{kind}", "--out", out, "--resume"]
            asked += ["--scenarios", "60", "--seed", "4", "--concurrency", str(concurrency)]
        return subprocess.Popen(
            [sys.executable, *asked],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(SOURCE), "NAP_S": str(0.02 * concurrency)},
        )

    return started


def ended(process: subprocess.Popen[str], code: int = 0) -> str:
    out, errors = process.communicate(timeout=60)
    assert process.returncode == code, errors
    return out


def kept(out: Path) -> int:
    """Finished runs in a directory, which may not be there yet."""
    directory = RunDirectory(out)
    return len(list(directory.traces())) if (out / directory.TRACES).exists() else 0


def wait_for_more(process: subprocess.Popen[str], out: Path, than: int) -> None:
    """Until another run is finished, or the process."""
    until = time.monotonic() + 20
    while process.poll() is None and kept(out) <= than:
        assert time.monotonic() < until
        time.sleep(0.005)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "concurrency", "command"), [("agent", 1, True), ("agent", 3, False), ("agent_async", 4, False)]
)
def test_killed_twenty_times_a_run_ends_in_the_undisturbed_report(
    tmp_path: Path, start: Start, kind: str, concurrency: int, command: bool
):
    """SIGKILL at random moments, then resume: report.json is the same to the byte, and no scenario is there twice."""
    ended(start("whole", kind, concurrency, command=command))
    moments, counts, killed = random.Random(11), [0], tmp_path / "killed"
    for kill in range(20):
        process = start("killed", kind, concurrency, command=command)
        if kill % 2:
            wait_for_more(process, killed, counts[-1])
        try:
            process.wait(moments.uniform(0.0, 0.1 if kill % 2 else 0.6))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
        counts.append(kept(killed))
    assert counts == sorted(counts)
    assert len(set(counts)) > 5
    ended(start("killed", kind, concurrency, command=command))
    for name in ("report.json", "manifest.json"):
        assert (killed / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    whole, runs = (list(RunDirectory(tmp_path / name).traces()) for name in ("whole", "killed"))
    assert sorted(each.trace.id for each in runs) == sorted(each.trace.id for each in whole)
    if not command:
        lines = [sorted((tmp_path / name / "traces.jsonl").read_bytes().splitlines()) for name in ("whole", "killed")]
        assert lines[0] == lines[1]


@pytest.mark.parametrize(("kind", "concurrency", "command"), [("agent", 1, True), ("agent_async", 4, False)])
def test_ctrl_c_keeps_what_is_done_and_the_rest_follows(
    tmp_path: Path, start: Start, kind: str, concurrency: int, command: bool
):
    """SIGINT ends the process by itself, soon, with a partial report in the directory; resuming completes it."""
    process = start("cut", kind, concurrency, command=command)
    wait_for_more(process, tmp_path / "cut", 3)
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    ended(process, 130)
    assert time.monotonic() - begun < 5
    partial = json.loads((tmp_path / "cut" / "report.json").read_text())
    assert partial["partial"] is True
    assert 0 < kept(tmp_path / "cut") == partial["coverage"]["runs"] < 60
    ended(start("cut", kind, concurrency, command=command))
    ended(start("whole", kind, concurrency, command=command))
    assert (tmp_path / "cut" / "report.json").read_bytes() == (tmp_path / "whole" / "report.json").read_bytes()


class Counting:
    """An agent that knows which tasks it was given."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, task):
        """Note the task and answer."""
        self.seen.append(task.id)
        return {"answer": task.id}


ASKED: dict[str, Any] = {"scenarios": 12, "seed": 2, "reference": "counting", "clock": "virtual"}


@pytest.fixture(scope="module")
def finished(battery: Battery, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a finished run."""
    out = tmp_path_factory.mktemp("runs") / "finished"
    run(Counting(), battery=battery, out=out, **ASKED)
    return out


@pytest.fixture
def copied(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "copied"))


def test_a_run_directory_holds_manifest_journal_and_report(finished: Path):
    """Three files; the manifest says what was asked."""
    assert sorted(os.listdir(finished)) == ["manifest.json", "report.json", "traces.jsonl"]
    manifest = json.loads((finished / "manifest.json").read_text())
    assert manifest["agent"] == "counting"
    assert (manifest["runs"], manifest["seed"], manifest["battery"]) == (12, 2, "standard@1")
    assert len((finished / "traces.jsonl").read_text().splitlines()) == 12


def test_the_report_can_be_rebuilt_to_the_byte_from_the_other_two(copied: Path):
    """By anyone, without the agent."""
    report = (copied / "report.json").read_text()
    (copied / "report.json").unlink()
    assert to_json(rebuild(copied)) == report
    assert not (copied / "report.json").exists()


def test_a_report_with_runs_lists_them_when_rebuilt_too(battery: Battery, tmp_path: Path):
    """The file never lists them; the report does, if asked."""
    report = run(Counting(), battery=battery, out=tmp_path / "r", runs=True, **ASKED)
    assert report.runs is not None
    assert len(report.runs) == 12
    assert to_json(rebuild(tmp_path / "r", runs=True)) == to_json(report)
    assert "runs" not in json.loads((tmp_path / "r" / "report.json").read_text())


def test_resuming_a_finished_run_calls_no_agent_and_writes_its_report_again(battery: Battery, copied: Path):
    """A no-op, to the byte."""
    before = {name: (copied / name).read_bytes() for name in os.listdir(copied)}
    (copied / "report.json").unlink()
    agent = Counting()
    report = run(agent, battery=battery, out=copied, resume=True, **ASKED)
    assert agent.seen == []
    assert not report.partial
    assert {name: (copied / name).read_bytes() for name in os.listdir(copied)} == before


def test_resuming_does_exactly_what_is_missing(battery: Battery, copied: Path, finished: Path):
    """Nothing twice, nothing left out; how many there were already is told."""
    lines = (copied / "traces.jsonl").read_bytes().splitlines(keepends=True)
    (copied / "traces.jsonl").write_bytes(b"".join(lines[:7]))
    agent, heard = Counting(), []
    run(agent, battery=battery, out=copied, resume=True, progress=heard.append, **ASKED)
    assert len(agent.seen) == 5
    assert (heard[-1].resumed, heard[-1].done, heard[-1].total) == (7, 12, 12)
    assert (copied / "report.json").read_bytes() == (finished / "report.json").read_bytes()


@pytest.mark.parametrize("after", [b"", b"\n", b"\x00" * 100, b"\n\n"])
def test_a_torn_last_line_is_repaired_and_its_scenario_done_again(
    battery: Battery, copied: Path, finished: Path, after: bytes, caplog: pytest.LogCaptureFixture
):
    """Said once, in the log; the report shows no trace of it."""
    whole = (copied / "traces.jsonl").read_bytes()
    (copied / "traces.jsonl").write_bytes(whole[:-50] + after)
    assert rebuild(copied).left_out[0].source == "traces.jsonl"
    assert "torn last line" in rebuild(copied).left_out[0].reason
    assert rebuild(copied).partial
    agent = Counting()
    run(agent, battery=battery, out=copied, resume=True, **ASKED)
    assert len(agent.seen) == 1
    assert "traces.jsonl:12: torn last line" in caplog.text
    assert (copied / "traces.jsonl").read_bytes() == whole
    assert (copied / "report.json").read_bytes() == (finished / "report.json").read_bytes()


def test_damage_in_the_middle_is_an_error_that_names_the_line(battery: Battery, copied: Path):
    """For the runner and for whoever reads; nothing is run, nothing is changed."""
    data = bytearray((copied / "traces.jsonl").read_bytes())
    data[data.index(b"\n") + 200] ^= 1
    (copied / "traces.jsonl").write_bytes(bytes(data))
    agent = Counting()
    with pytest.raises(InputError, match=r"traces\.jsonl:2: line 2 is damaged"):
        run(agent, battery=battery, out=copied, resume=True, **ASKED)
    with pytest.raises(InputError, match=r"traces\.jsonl:2: line 2 is damaged"):
        rebuild(copied)
    assert agent.seen == []
    assert (copied / "traces.jsonl").read_bytes() == bytes(data)


def test_a_run_that_is_there_is_not_overwritten(battery: Battery, copied: Path):
    """Without `resume` it is refused, and stays as it is."""
    before = (copied / "traces.jsonl").read_bytes()
    with pytest.raises(UsageError, match="holds a run; resume it, or choose another directory"):
        run(Counting(), battery=battery, out=copied, **ASKED)
    assert (copied / "traces.jsonl").read_bytes() == before


def test_a_resume_that_asks_for_something_else_is_refused_with_every_difference(battery: Battery, copied: Path):
    """Agent, seed, repeats, labels, deadline, clock … all of them at once."""
    other = {**ASKED, "seed": 3, "reference": "other", "labels": {"model": "m"}, "timeout_s": 7.0, "repeats": 2}
    with pytest.raises(UsageError) as caught:
        run(Counting(), battery=battery, out=copied, resume=True, **other)
    message = str(caught.value)
    for words in (
        'agent: there "counting", asked "other"',
        "seed: there 2, asked 3",
        'labels: there null, asked {"model":"m"}',
        "timeout_s: there 300.0, asked 7.0",
        "repeats: there 1, asked 2",
        "runs: there 12, asked 24",
        "scenario_set_digest",
    ):
        assert words in message
    run(Counting(), battery=battery, out=copied, resume=True, concurrency=4, **ASKED)


def test_a_run_of_an_unknown_scenario_is_refused(battery: Battery, copied: Path, tmp_path: Path):
    """A journal from another battery under this manifest."""
    run(Counting(), battery=battery, out=tmp_path / "other", **{**ASKED, "seed": 9})
    shutil.copy(tmp_path / "other" / "traces.jsonl", copied / "traces.jsonl")
    with pytest.raises(InputError, match="a finished run is not one of this battery"):
        run(Counting(), battery=battery, out=copied, resume=True, **ASKED)


def test_resume_begins_what_is_not_there(battery: Battery, tmp_path: Path):
    """So that a script may always say it; also after a death between the first two files."""
    run(Counting(), battery=battery, out=tmp_path / "new", resume=True, **ASKED)
    (tmp_path / "born").mkdir()
    (tmp_path / "born" / "traces.jsonl").touch()
    run(Counting(), battery=battery, out=tmp_path / "born", **ASKED)
    assert (tmp_path / "born" / "report.json").read_bytes() == (tmp_path / "new" / "report.json").read_bytes()


class Endpoint:
    """An agent behind something that is out of reach for the calls of these numbers."""

    def __init__(self, down: Container[int] = (), error: type[Exception] = EnvironmentFault) -> None:
        self.down, self.error, self.calls = down, error, 0

    def __call__(self, task, tools):
        """Fail, or adapt."""
        self.calls += 1
        if self.calls in self.down:
            raise self.error("no answer from the endpoint")
        return adapt(task, tools)


def test_runs_that_failed_on_our_side_are_finished_and_not_done_again(battery: Battery, tmp_path: Path):
    """They are on record; repeating them would be choosing."""
    agent = Endpoint(range(100), HarnessError)
    for _ in range(2):
        report = run(agent, battery=battery, out=tmp_path / "r", resume=True, **ASKED)
    assert agent.calls == 12
    assert report.coverage.invalid == {"harness_error": 12}


def test_runs_that_an_outage_kept_from_measuring_are_tried_again_and_it_is_said(battery: Battery, tmp_path: Path):
    """Each scenario counts once, as it ended the last time; the files stay enough to rebuild the report."""
    agent = Endpoint({2, 5, 6, 14})
    first = run(agent, battery=battery, out=tmp_path / "r", **ASKED)
    assert (first.coverage.runs, first.coverage.invalid) == (12, {"infrastructure": 3})
    assert not any("tried again" in note for note in first.notes)
    second = run(agent, battery=battery, out=tmp_path / "r", resume=True, **ASKED)
    assert agent.calls == 15
    assert (second.coverage.runs, second.coverage.invalid) == (12, {"infrastructure": 1})
    assert "3 runs were tried again after something outside had kept them from measuring" in second.notes
    third = run(agent, battery=battery, out=tmp_path / "r", resume=True, **ASKED)
    assert (agent.calls, third.coverage.measured) == (16, 12)
    assert "3 runs were tried again after something outside had kept them from measuring" in third.notes
    assert to_json(rebuild(tmp_path / "r")) == to_json(third) == (tmp_path / "r" / "report.json").read_text()
    tries = Counter(judged.trace.extra.get("attempt", 1) for judged in RunDirectory(tmp_path / "r").traces())
    assert tries == {1: 9, 2: 2, 3: 1}


def test_a_second_try_changes_nothing_but_the_note(battery: Battery, tmp_path: Path):
    """The same seeds, faults and measurements as if there had been no outage."""
    asked = {**ASKED, "clock": "virtual", "reference": "agent"}
    undisturbed = run(Endpoint(), battery=battery, **asked)
    run(Endpoint({1, 7}), battery=battery, out=tmp_path / "r", **asked)
    resumed = run(Endpoint(), battery=battery, out=tmp_path / "r", resume=True, **asked)
    assert replace(resumed, notes=()) == replace(undisturbed, notes=())


@pytest.mark.parametrize(("concurrency", "calls"), [(1, 5), (3, 7)])
def test_a_battery_is_given_up_when_run_after_run_finds_nothing_there(
    battery: Battery, tmp_path: Path, concurrency: int, calls: int
):
    """After five in a row and what runs beside them; what was done is kept, and the rest follows later."""
    agent = Endpoint(range(3, 100))
    asked = {**ASKED, "scenarios": 30, "concurrency": concurrency}
    with pytest.raises(Unreachable, match=r"in a row could not be measured .no answer from the endpoint.") as given_up:
        run(agent, battery=battery, out=tmp_path / "r", **asked)
    report = given_up.value.report
    assert report is not None
    assert agent.calls < asked["scenarios"]
    assert report.partial
    assert 5 <= report.coverage.invalid["infrastructure"] <= calls + 4 * concurrency
    assert to_json(rebuild(tmp_path / "r")) == to_json(report) == (tmp_path / "r" / "report.json").read_text()
    whole = run(Endpoint(), battery=battery, out=tmp_path / "r", resume=True, **asked)
    assert (whole.partial, whole.coverage.measured) == (False, 30)


def test_an_outage_at_the_very_end_leaves_nothing_to_give_up(battery: Battery, tmp_path: Path):
    """Every scenario was tried; coverage says how many were measured."""
    report = run(Endpoint(range(6, 100)), battery=battery, **{**ASKED, "scenarios": 10})
    assert (report.partial, report.coverage.measured) == (False, 5)


def test_an_interrupted_second_try_leaves_the_first_on_record(battery: Battery, tmp_path: Path):
    """What was not tried again still counts as it ended."""
    run(Endpoint({2, 5, 6}), battery=battery, out=tmp_path / "r", **ASKED)

    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as interrupted:
        run(Endpoint(), battery=battery, out=tmp_path / "r", resume=True, progress=interrupt, **ASKED)
    report = interrupted.value.report
    assert (report.partial, report.coverage.runs) == (False, 12)
    assert to_json(rebuild(tmp_path / "r")) == (tmp_path / "r" / "report.json").read_text()


def test_a_manifest_of_a_later_version_keeps_what_it_says(battery: Battery, copied: Path):
    """Fields that this version does not know are a difference when resumed, and no obstacle to a report."""
    path = copied / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "later": 1}))
    assert to_json(rebuild(copied)) == (copied / "report.json").read_text()
    with pytest.raises(UsageError, match="later: there 1, asked null"):
        run(Counting(), battery=battery, out=copied, resume=True, **ASKED)


def test_rescoring_judges_the_same_runs_again(copied: Path):
    """With the current rules and instruments it is the same report; with others it says so in its fingerprint."""
    report = rebuild(copied)
    assert to_json(rescore(copied)) == to_json(report)
    old = rescore(copied, [find("irs@1.0") if each.id == "irs" else each for each in CURRENT])
    assert old.metric_versions["irs"] == "1.0"
    assert old.scoring_fingerprint != report.scoring_fingerprint


def test_durable_and_plain_runs_give_the_same_files(battery: Battery, copied: Path, tmp_path: Path):
    """Durability is about when, not what."""
    run(Counting(), battery=battery, out=tmp_path / "durable", durable=True, **ASKED)
    for name in os.listdir(copied):
        assert (tmp_path / "durable" / name).read_bytes() == (copied / name).read_bytes()


def test_an_interrupted_run_has_its_partial_report_on_disk(battery: Battery, tmp_path: Path):
    """And it is the one that `rebuild` gives."""

    def interrupts(progress):
        if progress.done >= 3:
            raise KeyboardInterrupt

    def slow(task):
        time.sleep(0.05)

    with pytest.raises(Interrupted):
        run(slow, battery=battery, out=tmp_path / "r", progress=interrupts, **ASKED)
    text = (tmp_path / "r" / "report.json").read_text()
    assert json.loads(text)["partial"] is True
    assert to_json(rebuild(tmp_path / "r")) == text
