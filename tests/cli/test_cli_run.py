"""`hbeval run` on agents in a folder of the user's own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

AGENTS = '''
import os, time

def quick(task, tools):
    return {"owner": None, "hours_left": None}

def slow(task, tools):
    time.sleep(0.05)
    return {"owner": None, "hours_left": None}

def boom(task, tools):
    raise RuntimeError("no")

async def later(task, tools):
    return {}

def unreachable(task, tools):
    from hbeval.errors import EnvironmentFault
    raise EnvironmentFault("the model is out of reach")

def patchy(task, tools):
    """Out of reach for about a fifth of the runs."""
    if task.run_seed % 5 == 0:
        return unreachable(task, tools)
    return quick(task, tools)

def hardly():
    return None

number = 7
'''

NOISY = """
import os, subprocess, sys

print("at import")

def chatty(task, tools):
    print("by print")
    os.write(1, b"by write\\n")
    sys.__stdout__.write("past the stream")
    subprocess.run([sys.executable, "-c", "print('by a child')"], check=True)
    return {}


def closing(task, tools):
    if not sys.stdout.closed:
        print("before closing")
        sys.stdout.close()
    return {}
"""


@pytest.fixture
def here(hbeval: Run, tmp_path: Path) -> Path:
    """A folder with the example of `init` and a few agents."""
    assert hbeval("init").code == 0
    (tmp_path / "mine.py").write_text(AGENTS)
    return tmp_path


def test_the_example_of_init_runs(hbeval: Run, here: Path) -> None:
    """As its last line says: a table on standard output, a run directory, and where it is."""
    done = hbeval("run", "agent:agent", "--battery", "battery.json")
    assert done.code == 0
    assert done.out.startswith("agent:agent  battery, helpdesk@1")
    assert "kept in out/agent-agent-1; charts: hbeval report out/agent-agent-1 --html" in done.err
    kept = {path.name for path in (here / "out" / "agent-agent-1").iterdir()}
    assert kept == {"manifest.json", "traces.jsonl", "report.json"}


def test_json_is_the_document_that_is_kept(hbeval: Run, here: Path) -> None:
    """Standard output and report.json are the same bytes; the next run gets the next directory."""
    done = hbeval("run", "agent:agent", "--battery", "battery.json", "--json")
    assert done.out == (here / "out" / "agent-agent-1" / "report.json").read_text()
    again = hbeval("run", "agent:agent", "--battery", "battery.json", "--json")
    assert again.out == done.out
    assert (here / "out" / "agent-agent-2").exists()


def test_every_way_to_ask_reaches_the_battery(hbeval: Run, here: Path) -> None:
    """Domains, faults, scenarios, repeats, seed, labels and concurrency are in the result."""
    done = hbeval(
        *("run", "mine:later", "--battery", "battery.json", "--domains", "helpdesk", "--faults", "cascade,adversarial"),
        *("--scenarios", "5", "--repeats", "2", "--seed", "11", "--concurrency", "4", "--timeout-s", "9"),
        *("--label", "model=small", "--label", "commit=abc", "--out", "o", "--runs", "--json", "--durable"),
    )
    assert done.code == 0
    document = done.document
    assert document["battery"]["faults"] == ["adversarial", "cascade"]
    assert document["battery"]["seed"] == 11
    assert document["agent"] == {"id": "mine:later", "model": "small", "commit": "abc"}
    assert document["coverage"]["runs"] == 10
    assert len(document["runs"]) == 10


def test_nominal_runs_only(hbeval: Run, here: Path) -> None:
    """`--faults none`: nothing is injected."""
    done = hbeval("run", "mine:quick", "--battery", "battery.json", "--faults", "none", "--json")
    assert done.code == 0
    assert done.document["faults"]["intended"] == 0


def test_a_dry_run_calls_nothing(hbeval: Run, here: Path) -> None:
    """Runs, tools that write and a warning; the agent need not even exist; nothing is written."""
    done = hbeval("run", "gone:gone", "--battery", "battery.json", "--dry-run", "--repeats", "2")
    assert done.code == 0
    assert "gone:gone: 30 runs of helpdesk@1; nothing is called now" in done.out
    assert "these write to it: close_ticket" in done.out
    assert "WARNING: tools of your own" in done.out
    document = hbeval("run", "x:y", "--battery", "battery.json", "--dry-run", "--faults", "none", "--json").document
    assert document["cells"] == [{"domain": "helpdesk", "fault": "none", "runs": document["runs"]}]
    assert document["cost"] is None
    assert not (here / "out").exists()


def test_a_dry_run_names_what_is_not_covered(hbeval: Run, here: Path) -> None:
    """Too few scenarios for every type: the gap is said."""
    done = hbeval("run", "x:y", "--battery", "battery.json", "--dry-run", "--scenarios", "3")
    assert done.code == 0
    assert "not covered: " in done.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mine:quik"], "has no 'quik'"),
        (["gone:agent"], "no module 'gone'"),
        (["mine"], "names no agent"),
        (["mine:number"], "cannot be called"),
        (["mine:hardly"], "takes no task"),
        (["mine:quick", "--battery", "gone.json"], "gone.json: cannot be read"),
        (["mine:quick", "--battery", "mine.py"], "not JSON"),
        (["mine:quick", "--domains", "logistic"], "did you mean 'logistics'?"),
        (["mine:quick", "--faults", "cascad"], "did you mean 'cascade'?"),
        (["mine:quick", "--faults", "none,cascade"], "--faults none stands alone"),
        (["mine:quick", "--scenarios", "0"], "at least 1"),
        (["mine:quick", "--repeats", "many"], "a whole number of at least 1"),
        (["mine:quick", "--seed", "-1"], "at least 0"),
        (["mine:quick", "--timeout-s", "nan"], "a positive number of seconds"),
        (["mine:quick", "--min-coverage", "95"], "0.95, not 95"),
        (["mine:quick", "--label", "model"], "KEY=TEXT"),
        (["mine:quick", "--executor", "ray"], "needs an extra"),
        (["mine:quick", "--executor", "rya"], "did you mean 'ray'?"),
        (["mine:quick", "--resume"], "name it with --out"),
        (["mine:quick", "--key-env", "NO_SUCH_KEY"], "no such environment variable"),
        (["http://127.0.0.1:9/v1"], "which model?"),
        (["mine:quick", "--out", "mine.py"], "mine.py"),
        ([], "AGENT"),
    ],
)
def test_what_cannot_be_asked_gets_one_line(hbeval: Run, here: Path, arguments: list[str], words: str) -> None:
    """Exit code 2, one line with the remedy, nothing on standard output, no run directory."""
    done = hbeval("run", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("hbeval: ")
    assert words in done.err
    assert done.err.count("\n") == 1
    assert not (here / "out").exists()


def test_an_agent_out_of_reach_is_not_measured(hbeval: Run, here: Path) -> None:
    """Exit code 4 after a few tries; the report says why and gives no number, and the way to go on is named."""
    done = hbeval("run", "mine:unreachable", "--battery", "battery.json", "--out", "r")
    assert done.code == 4
    assert "hbeval: 5 runs in a row could not be measured (the model is out of reach); put that right" in done.err
    assert "5 runs are kept in r: the same command with --resume --out r goes on" in done.err
    assert "invalid, infrastructure: the model is out of reach (5 runs)" in done.out
    assert "10 of 15 runs were not done" in done.out
    assert "0.000" not in done.out
    again = hbeval("run", "mine:unreachable", "--battery", "battery.json", "--out", "r", "--resume", "--json")
    assert (again.code, again.document["coverage"]["runs"], again.document["partial"]) == (4, 5, True)
    assert "5 runs were tried again" in " ".join(again.document["notes"])


@pytest.mark.parametrize("agent", ["chatty", "closing"])
def test_what_an_agent_prints_does_not_break_the_document(hbeval: Run, here: Path, agent: str) -> None:
    """It goes to standard error: by print, past `sys.stdout`, from a child process, and after closing the stream."""
    (here / "noisy.py").write_text(NOISY)
    done = hbeval("run", f"noisy:{agent}", "--battery", "battery.json", "--json", "--out", "r")
    assert done.code == 0
    assert done.document["coverage"]["measured"] == 15
    assert json.loads((here / "r" / "report.json").read_text()) == done.document
    words = {"chatty": ("by print", "by write", "by a child", "at import"), "closing": ("before closing",)}[agent]
    assert all(each in done.err for each in words)


def test_a_request_to_end_keeps_what_is_done(here: Path, environment: dict[str, str]) -> None:
    """SIGTERM is what schedulers send before they kill."""
    process = subprocess.Popen(
        [sys.executable, "-m", "hbeval", "run", "mine:slow", "--out", "r", "--repeats", "20", "--json"],
        cwd=here,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + 20
    while not (here / "r" / "traces.jsonl").exists() or (here / "r" / "traces.jsonl").stat().st_size == 0:
        assert time.monotonic() < until
        time.sleep(0.02)
    process.terminate()
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert json.loads(out)["partial"] is True
    assert (here / "r" / "report.json").exists()


def test_low_coverage_is_reported_and_has_its_exit_code(hbeval: Run, here: Path) -> None:
    """The report still says n of N and the score of the rest, marked; the minimum is the user's to state."""
    done = hbeval("run", "mine:patchy", "--battery", "battery.json", "--repeats", "2")
    assert done.code == 4
    assert "is below the minimum of 0.95 (--min-coverage)" in done.err
    assert "PEI" in done.out
    assert "is below 0.95: the numbers speak of the measured runs only" in done.out
    accepted = hbeval("run", "mine:patchy", "--battery", "battery.json", "--repeats", "2", "--min-coverage", "0.2")
    assert accepted.code == 0


def test_an_agent_that_raises_is_measured(hbeval: Run, here: Path) -> None:
    """Its exceptions are its failures; where to see them is said."""
    done = hbeval("run", "mine:boom", "--battery", "battery.json", "--json")
    assert done.code == 0
    assert done.document["coverage"]["endings"] == {"agent_error": 15}
    assert "15 runs ended with an exception of the agent (the first: RuntimeError: no); each one: hbeval " in done.err
    assert "no fault was met" not in done.err


def test_an_agent_that_calls_none_of_the_tools_is_told_so(hbeval: Run, here: Path) -> None:
    """Nothing could break: which tools faults act on is said. With faults met there is nothing to say."""
    done = hbeval("run", "mine:quick", "--battery", "battery.json")
    assert done.code == 0
    assert "no fault was met: the agent called no tool that was to fail" in done.err
    assert "no fault was met" not in hbeval("run", "agent:agent", "--battery", "battery.json").err
    assert "no fault was met" not in hbeval("run", "mine:quick", "--battery", "battery.json", "--faults", "none").err


def test_an_agent_without_words_is_told_how_to_leave_them(hbeval: Run, here: Path) -> None:
    """Traceability 0 has one usual reason; the call that changes it is named."""
    words = "TI is 0: no call follows recorded words of the agent; it leaves them with hbeval.turn(text)"
    assert words in hbeval("run", "mine:quick", "--battery", "battery.json").err
    assert words not in hbeval("run", "agent:agent", "--battery", "battery.json").err


def test_disabled_says_so_and_measures_nothing(hbeval: Run, here: Path) -> None:
    """HBEVAL_DISABLE=1: a usage error that names the setting."""
    done = hbeval("run", "mine:quick", HBEVAL_DISABLE="1")
    assert (done.code, done.out) == (2, "")
    assert "unset it to run a battery" in done.err


def test_a_directory_with_a_run_is_not_overwritten(hbeval: Run, here: Path) -> None:
    """Resume it or choose another; resuming with another question is refused with the difference."""
    first = hbeval("run", "mine:quick", "--battery", "battery.json", "--out", "o", "--json")
    before = (here / "o" / "traces.jsonl").read_bytes()
    assert "resume it, or choose another" in hbeval("run", "mine:quick", "--battery", "battery.json", "--out", "o").err
    other = hbeval("run", "mine:quick", "--battery", "battery.json", "--out", "o", "--resume", "--seed", "8")
    assert other.code == 2
    assert "seed" in other.err
    again = hbeval("run", "mine:quick", "--battery", "battery.json", "--out", "o", "--resume", "--json")
    assert again.out == first.out
    assert (here / "o" / "traces.jsonl").read_bytes() == before


def test_progress_goes_to_standard_error_on_demand(hbeval: Run, here: Path) -> None:
    """Nobody looks: nothing is said, unless asked for."""
    quiet = hbeval("run", "mine:quick", "--battery", "battery.json")
    assert "of 15" not in quiet.err
    loud = hbeval("run", "mine:boom", "--battery", "battery.json", "--progress")
    assert "mine:boom: 15 of 15, 15 agent error\n" in loud.err


def test_ctrl_c_keeps_what_is_done_and_resumes_to_the_same_report(
    hbeval: Run, here: Path, environment: dict[str, str]
) -> None:
    """Exit code 130, the partial report, and how to go on; the end is that of an undisturbed run."""
    asked = ["run", "mine:slow", "--battery", "battery.json", "--repeats", "3", "--json"]
    undisturbed = hbeval(*asked, "--out", "whole")
    command = [sys.executable, "-m", "hbeval", *asked, "--out", "part"]
    with subprocess.Popen(
        command, cwd=here, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        _wait_for_runs(here / "part" / "traces.jsonl", 3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    document = json.loads(out)
    assert document["partial"] is True
    assert 0 < document["coverage"]["runs"] < 45
    assert "--resume --out part goes on" in err
    resumed = hbeval(*asked, "--out", "part", "--resume")
    assert resumed.code == 0
    assert resumed.out == undisturbed.out


def _wait_for_runs(traces: Path, least: int) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if traces.exists() and traces.read_bytes().count(b"\n") >= least:
            return
        time.sleep(0.01)
    raise AssertionError("no run was finished in time")


def test_the_current_folder_is_where_agents_are_found(hbeval: Run, here: Path) -> None:
    """Also one whose name is not ASCII."""
    folder = here / "répertoire 漢"
    folder.mkdir()
    (folder / "agent_here.py").write_text(AGENTS)
    done = hbeval("run", "agent_here:quick", "--scenarios", "2", "--out", "résultat", "--json", cwd=folder)
    assert done.code == 0
    assert os.path.exists(folder / "résultat" / "report.json")
