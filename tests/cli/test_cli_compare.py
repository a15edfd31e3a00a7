"""`hbeval compare`: differences, where they are, and what changed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_differences_are_shown_with_intervals_and_in_words(hbeval: Run, adapt_run: Path, blind_run: Path) -> None:
    """Overall, by fault, domain and task; what changed in the inputs; what the intervals do not say."""
    done = hbeval("compare", adapt_run, blind_run)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("blind_retry less adapt, with 95 % intervals")
    assert "FRR: Worse by 0." in done.out
    for heading in (
        "Runs as clusters, paired by scenario",
        "By fault",
        "By domain",
        "By task",
        "What changed in the inputs",
    ):
        assert heading in done.out
    assert "agent id" in done.out
    assert "fewer than 20 are shown, but decide nothing" in done.out


def test_the_document_holds_three_estimates_of_each_difference(hbeval: Run, adapt_run: Path, blind_run: Path) -> None:
    """B less A; scenarios paired; parts and tasks."""
    document = hbeval("compare", adapt_run, blind_run, "--json").document
    frr = document["differences"]["frr"]
    assert frr["value"] == pytest.approx(frr["b"]["value"] - frr["a"]["value"])
    assert frr["interval"][0] < frr["value"] < frr["interval"][1] < 0
    assert (frr["shown"], document["paired"]) == ("worse", True)
    assert {each["clusters"] for each in (frr["runs"], frr["scenarios"], frr["tasks"])} == {
        "runs",
        "scenarios",
        "tasks",
    }
    assert {key for each in document["groups"] for key in each["by"]} == {"fault", "domain"}
    assert {key for each in document["tasks"] for key in each["by"]} == {"task"}


def test_a_result_against_itself_shows_nothing(hbeval: Run, adapt_run: Path) -> None:
    """No difference of any metric, and no input that changed."""
    document = hbeval("compare", adapt_run, adapt_run, "--json").document
    shown = {each["shown"] for each in document["differences"].values()}
    assert shown <= {"not shown", "not measured"}
    assert document["changes"] == []
    assert "What changed" not in hbeval("compare", adapt_run, adapt_run).out


def test_documents_without_runs_are_not_paired_and_it_is_said(
    hbeval: Run, adapt_run: Path, blind_run: Path, tmp_path: Path
) -> None:
    """What to give instead; with --runs a document pairs like its directory."""
    for path, name in ((adapt_run, "a"), (blind_run, "b")):
        shutil.copy(path / "report.json", tmp_path / f"{name}.json")
        (tmp_path / f"{name}-runs.json").write_text(hbeval("report", path, "--runs", "--json").out)
    bare = hbeval("compare", tmp_path / "a.json", tmp_path / "b.json", "--json").document
    assert bare["paired"] is False
    assert any("--runs" in each for each in bare["caveats"])
    listed = hbeval("compare", tmp_path / "a-runs.json", tmp_path / "b-runs.json", "--json").document
    whole = hbeval("compare", adapt_run, blind_run, "--json").document
    for metric in ("pei", "frr", "irs", "ti", "success_rate"):
        assert listed["differences"][metric] == whole["differences"][metric]
    assert listed["tasks"] == whole["tasks"]


def test_settings_of_the_run_directories_are_inputs_too(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """The version that ran and the time limit."""
    other = tmp_path / "other"
    shutil.copytree(adapt_run, other)
    manifest = json.loads((other / "manifest.json").read_text())
    manifest["versions"]["hbeval"] = "0.0.1"
    manifest["timeout_s"] = 1.5
    (other / "manifest.json").write_text(json.dumps(manifest))
    changed = {each["what"]: each for each in hbeval("compare", adapt_run, other, "--json").document["changes"]}
    assert changed["hbeval version"]["b"] == "0.0.1"
    assert changed["time limit (s)"]["b"] == 1.5


def test_the_page_shows_the_same_scenario_as_both_ran_it(
    hbeval: Run, adapt_run: Path, blind_run: Path, tmp_path: Path
) -> None:
    """Where they differ most; never where they must not be compared."""
    done = hbeval("compare", adapt_run, blind_run, "--html", tmp_path / "deep" / "c.html")
    assert "written to" in done.err
    page = (tmp_path / "deep" / "c.html").read_text()
    assert "The same scenario, run by both" in page
    assert "By task" in page
    hbeval("compare", adapt_run, blind_run, "--accept-evidence", "E0", "--html", tmp_path / "refused.html")
    assert "The same scenario" not in (tmp_path / "refused.html").read_text()


def test_many_tasks_are_cut_on_the_terminal_only(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """Sixty rows, and how many more there are."""
    document = json.loads(hbeval("report", adapt_run, "--runs", "--json").out)
    first = document["runs"][0]
    document["runs"] += [{**first, "task": f"task {place}", "source": f"s{place}"} for place in range(70)]
    (tmp_path / "many.json").write_text(json.dumps(document))
    done = hbeval("compare", tmp_path / "many.json", tmp_path / "many.json")
    assert "more rows (all with --json)" in done.out
    counted = hbeval("compare", tmp_path / "many.json", tmp_path / "many.json", "--json").document["tasks"]
    assert len(counted) > 70
