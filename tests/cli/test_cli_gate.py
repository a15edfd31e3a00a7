"""`hbeval gate` on real runs: verdicts, exit codes, baselines, and whatever must never pass."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hbeval.battery import rebuild
from hbeval.battery.agents import adapt, blind_retry, flaky
from hbeval.battery.runner import run
from hbeval.cli.main import main
from hbeval.report.document import to_document
from tests.cli.conftest import Done

Run = Callable[..., Any]
FLOOR = ("--require", "frr >= 0.10")


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Run directories of reference agents over one scenario set."""

    adapt: Path
    blind: Path
    flaky: Path


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """Seven repeats of the standard battery against three agents. Read only."""
    folder = tmp_path_factory.mktemp("gate runs")
    for name, agent in (("adapt", adapt), ("blind", blind_retry), ("flaky", flaky)):
        run(agent, out=folder / name, reference=name, repeats=7, seed=3)
    return Runs(adapt=folder / "adapt", blind=folder / "blind", flaky=folder / "flaky")


@pytest.fixture
def hbeval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `hbeval …` in this process: most of what is tested here needs none of its own."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str | Path) -> Done:
        code = main([str(each) for each in arguments])
        captured = capsys.readouterr()
        return Done(code=code, out=captured.out, err=captured.err)

    return call


def enforced(hbeval: Run, *arguments: str | Path) -> Any:
    """The command with --enforce; in report mode an ERROR or a usage error must not exit 0 either."""
    done, mild = hbeval("gate", *arguments, "--enforce"), hbeval("gate", *arguments)
    assert mild.code == (done.code if done.code in (2, 4) else 0)
    return done


def test_blind_retry_against_adapt_fails(hbeval: Run, runs: Runs) -> None:
    """Real runs, both over the same scenarios; report mode says so and lets it pass."""
    done = enforced(hbeval, runs.blind, "--baseline", runs.adapt)
    assert done.code == 1
    assert done.out.startswith("FAIL: pei not worse by 0.05 and frr")
    assert "FAIL          irs not worse by 0.05" in done.out
    assert "Report mode: the exit code is 0" in hbeval("gate", runs.blind, "--baseline", runs.adapt).out


def test_adapt_against_adapt_passes_with_enough_runs(hbeval: Run, runs: Runs) -> None:
    """Seven repeats decide what two leave open."""
    done = enforced(hbeval, runs.adapt, "--baseline", runs.adapt)
    assert done.code == 0
    assert done.out.startswith("PASS: ")


def test_adapt_against_adapt_is_inconclusive_with_few_runs(hbeval: Run, adapt_run: Path) -> None:
    """And says how many would do; exit code 3 where verdicts are enforced."""
    done = enforced(hbeval, adapt_run, "--baseline", adapt_run)
    assert done.code == 3
    assert done.out.startswith("INCONCLUSIVE: ")
    assert "more runs on each side" in done.out.replace("\n", " ")


def test_a_flaky_agent_is_seen_where_success_is_required(hbeval: Run, runs: Runs) -> None:
    """The default requirements do not ask about success; that it fell is said all the same."""
    assert enforced(hbeval, runs.flaky, "--baseline", runs.adapt).code == 0
    out = " ".join(hbeval("gate", runs.flaky, "--baseline", runs.adapt).out.split())
    assert "success_rate is not required, and is worse than in the baseline" in out
    done = enforced(hbeval, runs.flaky, "--baseline", runs.adapt, "--require", "success_rate not worse by 0.05")
    assert done.code == 1


def test_json_is_one_strict_document(hbeval: Run, runs: Runs) -> None:
    """Every key there, human text elsewhere."""
    found = hbeval("gate", runs.blind, "--baseline", runs.adapt, "--json").document
    assert (found["schema"], found["verdict"], found["partial"]) == ("hbeval-gate/1", "FAIL", False)
    assert [each["metric"] for each in found["requirements"]] == ["pei", "frr", "irs", "ti"]
    assert found["requirements"][1]["verdict"] == "FAIL"
    assert set(found["requirements"][0]) == set(found["tasks"][0])
    assert found["coverage"]["runs"] == 728
    assert found["quarantined"] == []


def test_the_first_baseline_then_only_passes(hbeval: Run, runs: Runs, tmp_path: Path) -> None:
    """Begin, refuse a failure, take a pass, refuse to begin again."""
    place = tmp_path / "baselines"
    assert hbeval("gate", runs.adapt, "--first-baseline", place).code == 0
    first = (place / "current").read_text()
    failed = hbeval("gate", runs.blind, "--baseline", place, "--update-baseline", "--enforce")
    assert failed.code == 1
    assert "baseline not updated: the verdict is FAIL; only a PASS updates a baseline" in failed.err
    assert (place / "current").read_text() == first
    passed = hbeval("gate", runs.adapt, "--baseline", place, "--update-baseline")
    assert (passed.code, "baseline updated: " in passed.err) == (0, True)
    assert (place / "current").read_text() != first
    again = hbeval("gate", runs.blind, "--first-baseline", place)
    assert (again.code, "already" in again.err) == (2, True)


def test_a_baseline_file_is_written_where_it_is_named(hbeval: Run, runs: Runs, tmp_path: Path) -> None:
    """For a branch or an artifact: one file, its digest inside."""
    done = hbeval("gate", runs.adapt, *FLOOR, f"--update-baseline={tmp_path / 'kept' / 'b.json'}")
    assert done.code == 0
    assert hbeval("gate", runs.adapt, "--baseline", tmp_path / "kept" / "b.json", "--enforce").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--update-baseline"], "no requirement"),
        ([*FLOOR, "--update-baseline"], "--update-baseline needs a place"),
        ([*FLOOR, "--baseline", "RUN", "--update-baseline"], "is a result, not a baseline"),
        (["--first-baseline", "b.json", "--enforce"], "tests nothing; leave --enforce out"),
        (["--first-baseline", "b.json", *FLOOR], "tests nothing; leave --require out"),
        (["--baseline", "nowhere"], "nowhere/current: cannot be read"),
        (["--baseline", "nowhere.json"], "nowhere.json: cannot be read"),
    ],
)
def test_baselines_asked_for_wrongly_are_usage_errors(
    hbeval: Run, adapt_run: Path, arguments: list[str], words: str
) -> None:
    """One line with the remedy, nothing judged, nothing written."""
    done = hbeval("gate", adapt_run, *(str(adapt_run) if each == "RUN" else each for each in arguments))
    assert (done.code, done.out) == (2, "")
    assert words in done.err


def test_no_requirement_is_a_usage_error(hbeval: Run, adapt_run: Path) -> None:
    """With what would be one."""
    done = enforced(hbeval, adapt_run)
    assert done.code == 2
    assert "a gate without one cannot fail" in done.err


@pytest.mark.parametrize("text", ["frr >= 80", "frr >= nan", "frr >= -1", "frr >= 1.2", "ti >= 0.8", "csi >= 0.5"])
def test_a_threshold_without_a_single_reading_is_a_usage_error(hbeval: Run, adapt_run: Path, text: str) -> None:
    """The line names the scale."""
    done = enforced(hbeval, adapt_run, "--require", text)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("hbeval: ")
    assert "scale" in done.err or "cannot be gated" in done.err


@pytest.mark.parametrize("text", ["frr >= 0.1", "frr >= 10%", "ti >= 80%", "ti >= 4 of 5"])
def test_a_threshold_with_a_single_reading_is_taken(hbeval: Run, adapt_run: Path, text: str) -> None:
    """The reference agent meets each."""
    assert enforced(hbeval, adapt_run, "--require", text).code == 0


def test_requirements_come_from_a_file_and_from_flags(hbeval: Run, runs: Runs, tmp_path: Path) -> None:
    """All of both; flags override the file's settings."""
    (tmp_path / "gate.toml").write_text('alpha = 0.2\nall = ["frr >= 10%", { any = ["irs >= 0.9", "pei >= 0.99"] }]\n')
    done = hbeval(
        "gate", runs.adapt, "--requirements", "gate.toml", "--require", "ti >= 80%", "--alpha", "1%", "--json"
    )
    assert done.code == 0
    assert done.document["alpha"] == 0.01
    assert done.document["required"] == "frr >= 0.1 and (irs >= 0.9 or pei >= 0.99) and ti >= 4 of 5"


def _no_runs(value: dict[str, Any]) -> None:
    value["runs"] = []
    value["coverage"] = {"runs": 0, "measured": 0, "invalid": {}, "cancelled": 0, "endings": {}}
    for metric in value["metrics"].values():
        metric.update(value=None, k=None, n=0, n_total=0, reason="no runs", interval=None)


def _unknown_ending(value: dict[str, Any]) -> None:
    value["runs"][0]["ending"] = "fine"


def _unknown_status(value: dict[str, Any]) -> None:
    value["runs"][0]["status"] = "passed"


def _unknown_schema(value: dict[str, Any]) -> None:
    value["schema"] = "hbeval-report/9"


def _text_for_number(value: dict[str, Any]) -> None:
    value["metrics"]["frr"]["value"] = "0.9"


def _nan(value: dict[str, Any]) -> None:
    value["metrics"]["frr"]["value"] = float("nan")


def _above_one(value: dict[str, Any]) -> None:
    value["metrics"]["frr"]["value"] = 1.2


def _undefined(value: dict[str, Any]) -> None:
    for metrics in (value["metrics"], *(each["metrics"] for each in value["runs"])):
        metrics["frr"].update(value=None, k=None, n=0, reason="no faulted step", interval=None)


def _vanished(value: dict[str, Any]) -> None:
    del value["metrics"]["frr"]


def _dropped(value: dict[str, Any]) -> None:
    del value["runs"][3:9]


def _dropped_everywhere(value: dict[str, Any]) -> None:
    _dropped(value)
    value["coverage"].update(runs=22, measured=22)


def _rate_limited(value: dict[str, Any]) -> None:
    for each in value["runs"]:
        each.update(status="invalid", ending="infrastructure", reason="429", metrics={})
    value["coverage"] = {"runs": 28, "measured": 0, "invalid": {"infrastructure": 28}, "cancelled": 0, "endings": {}}
    for metric in value["metrics"].values():
        metric.update(value=None, k=None, n=0, n_total=0, reason="no runs", interval=None)


def _partial(value: dict[str, Any]) -> None:
    value["partial"] = True


@pytest.mark.parametrize(
    "damage",
    [
        (_no_runs, 4, "holds no runs"),
        (_unknown_ending, 2, "unknown word, got 'fine'"),
        (_unknown_status, 2, "unexpected value, got 'passed'"),
        (_unknown_schema, 2, "not a result document: field 'schema' differs"),
        (_text_for_number, 2, "got '0.9'"),
        (_nan, 2, "NaN"),
        (_above_one, 4, "which is no value of it"),
        (_undefined, 4, "so it is no pass"),
        (_vanished, 4, "frr is not measured in the result"),
        (_dropped, 4, "lists 22 runs, its coverage counts 28"),
        (_dropped_everywhere, 4, "22 runs of 28 that were asked for"),
        (_rate_limited, 4, "none of 28 runs could be measured (28 infrastructure)"),
        (_partial, 4, "is partial"),
    ],
)
def test_a_damaged_result_never_exits_0(
    hbeval: Run, adapt_run: Path, tmp_path: Path, damage: tuple[Callable[[dict[str, Any]], None], int, str]
) -> None:
    """Neither enforced nor in report mode; undamaged it passes."""
    change, code, words = damage
    document = json.loads(json.dumps(to_document(rebuild(adapt_run, runs=True))))
    path = tmp_path / "result.json"
    path.write_text(json.dumps(document))
    assert enforced(hbeval, path, *FLOOR).code == 0
    change(document)
    path.write_text(json.dumps(document))
    done = enforced(hbeval, path, *FLOOR)
    assert done.code == code
    assert words in " ".join((done.out + done.err).split())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 4}, "battery seed: 4 against 3"),
        ({"scenarios": 13}, "battery scenarios: 13 against 14"),
        ({"faults": ["cascade"]}, "battery faults: cascade against"),
    ],
)
def test_a_baseline_of_another_scenario_set_is_refused(
    hbeval: Run, adapt_run: Path, tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    """A real run of another seed or set; the difference is named and the exit code is 4."""
    run(adapt, out=tmp_path / "other", **{"scenarios": 14, "repeats": 2, "seed": 3, **change})
    done = enforced(hbeval, adapt_run, "--baseline", tmp_path / "other")
    assert done.code == 4
    assert words in " ".join(done.out.split())


def test_an_interrupted_run_is_no_pass(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """A journal that ends early is partial, whatever its report says."""
    cut = tmp_path / "cut"
    shutil.copytree(adapt_run, cut)
    lines = (cut / "traces.jsonl").read_bytes().splitlines(keepends=True)
    (cut / "traces.jsonl").write_bytes(b"".join(lines[:-1]) + lines[-1][:40])
    done = enforced(hbeval, cut, *FLOOR)
    assert done.code == 4
    assert "is partial" in done.out


def test_a_document_without_runs_says_how_to_get_them(hbeval: Run, adapt_run: Path) -> None:
    """The run directory, or --runs."""
    done = enforced(hbeval, adapt_run / "report.json", *FLOOR)
    assert done.code == 2
    assert "a run directory, or a result document written with --runs" in done.err


def _reader_at(pipe: Path, process: subprocess.Popen[str]) -> int:
    """The writing end of a pipe that the process has begun to read; it never gets a byte."""
    for _ in range(600):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
    raise AssertionError("nobody reads the pipe")


def test_ctrl_c_exits_130_with_a_partial_document(environment: dict[str, str], adapt_run: Path, tmp_path: Path) -> None:
    """While the result is being read: nothing is decided, no baseline is touched."""
    pipe = tmp_path / "result.json"
    os.mkfifo(pipe)
    words = [
        sys.executable,
        "-m",
        "hbeval",
        "gate",
        str(pipe),
        *FLOOR,
        "--json",
        f"--update-baseline={tmp_path / 'b.json'}",
    ]
    settings: dict[str, Any] = {"env": environment, "cwd": tmp_path, "text": True}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings) as process:
        end = _reader_at(pipe, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        os.close(end)
    assert process.returncode == 130, err
    found = json.loads(out)
    assert (found["verdict"], found["partial"]) == ("ERROR", True)
    assert "interrupted; nothing was decided" in err
    assert not (tmp_path / "b.json").exists()


def test_a_task_list_too_long_for_a_terminal_is_cut_and_said(hbeval: Run, runs: Runs) -> None:
    """All of it is in the document."""
    out = hbeval("gate", runs.blind, "--baseline", runs.adapt, "--require", "irs not worse by 0.05").out
    assert "Tasks that fail the gate:" in out
    assert "and 4 more (--json lists them)" in out


def test_quarantine_needs_evidence_and_is_shown(hbeval: Run, runs: Runs, tmp_path: Path) -> None:
    """A scenario of a steady agent cannot be put there; one that strays in seven repeats can."""
    text = 'quarantine = ["{}"]\nall = ["ti >= 80%"]\n'
    steady = "healthcare/bed/nominal"
    (tmp_path / "gate.toml").write_text(text.format(steady))
    refused = hbeval("gate", runs.adapt, "--baseline", runs.adapt, "--requirements", "gate.toml", "--enforce")
    assert refused.code == 4
    assert "does not show that it is flaky" in " ".join(refused.out.split())
    found = hbeval("gate", runs.flaky, "--baseline", runs.flaky, "--requirements", "gate.toml", "--json").document
    shaky = min(found["flaky"], key=lambda each: each["p_value"])["scenario"]
    (tmp_path / "gate.toml").write_text(text.format(shaky))
    taken = hbeval("gate", runs.flaky, "--baseline", runs.flaky, "--requirements", "gate.toml", "--enforce")
    assert taken.code == 0
    assert f"in quarantine, left out on both sides: {shaky}" in " ".join(taken.out.split())


def test_labels_with_secrets_reach_neither_document_nor_baseline(hbeval: Run, tmp_path: Path) -> None:
    """Whoever reads the verdict or the baseline need not be trusted with them."""
    secret = "jane.doe@example.org"
    run(adapt, out=tmp_path / "told", scenarios=14, repeats=2, seed=3, labels={"owner": secret}, redaction=False)
    assert secret in (tmp_path / "told" / "manifest.json").read_text()
    assert secret not in hbeval("gate", "told", *FLOOR, "--json").out
    assert hbeval("gate", "told", "--first-baseline", "b.json").code == 0
    assert secret not in (tmp_path / "b.json").read_text()
