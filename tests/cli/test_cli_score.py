"""`hbeval score` on logs, good and bad."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
EXCERPTS = Path(__file__).parents[1] / "fixtures" / "agentdojo"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder of real logs, a file cut in the middle, one with NaN, an empty one and one of no known format."""
    folder = tmp_path / "lögs"
    shutil.copytree(EXCERPTS, folder)
    some = next(path for path in sorted(folder.rglob("*.json")))
    (folder / "cut.json").write_bytes(some.read_bytes()[:300])
    (folder / "nan.json").write_text('{"score": NaN}')
    (folder / "empty.json").write_text("")
    (folder / "notes.txt").write_text("nothing to score")
    return folder


def test_a_folder_is_scored_and_every_file_accounted_for(hbeval: Run, logs: Path) -> None:
    """Runs and left-out files add up; each left-out file has its reason; what cannot be known is null."""
    done = hbeval("score", logs, "--json")
    assert done.code == 0
    document = done.document
    left_out = {Path(each["source"]).name: each["reason"] for each in document["left_out"]}
    assert {"cut.json", "nan.json", "empty.json", "notes.txt"} <= set(left_out)
    assert all(left_out.values())
    files = [path for path in logs.rglob("*") if path.is_file()]
    assert document["coverage"]["runs"] + len(left_out) == len(files)
    assert document["context"] == "import"
    assert document["metrics"]["ti"]["value"] is None
    assert document["metrics"]["ti"]["reason"]


def test_the_table_says_what_was_left_out(hbeval: Run, logs: Path) -> None:
    """Names with other letters than ASCII are shown as they are."""
    done = hbeval("score", logs)
    assert done.code == 0
    assert "Left out (" in done.out
    assert "lögs" in done.out


def test_groups_and_runs_on_demand(hbeval: Run, logs: Path) -> None:
    """`--group-by` makes groups, `--runs` lists each run with its source."""
    document = hbeval("score", logs, "--json", "--group-by", "model,suite", "--runs").document
    assert document["groups"]
    assert set(document["groups"][0]["by"]) == {"model", "suite"}
    assert len(document["runs"]) == document["coverage"]["runs"]


def test_the_document_can_be_kept_and_reported(hbeval: Run, logs: Path, tmp_path: Path) -> None:
    """--out writes what --json prints; `report` reads it."""
    done = hbeval("score", logs, "--json", "--out", tmp_path / "r.json", "--progress")
    assert (tmp_path / "r.json").read_text() == done.out
    assert "written to" in done.err
    assert "score: " in done.err
    assert hbeval("report", tmp_path / "r.json").code == 0


def test_nothing_to_score_is_not_measured(hbeval: Run, tmp_path: Path) -> None:
    """An empty folder, or one where nothing is a log: exit code 4 and the report with its reasons."""
    (tmp_path / "none").mkdir()
    done = hbeval("score", tmp_path / "none", "--json")
    assert done.code == 4
    assert done.document["coverage"]["runs"] == 0
    (tmp_path / "none" / "x.json").write_text("[]")
    done = hbeval("score", tmp_path / "none")
    assert done.code == 4
    assert "none of 0 runs could be measured, 1 input left out" in done.err


def test_coverage_counts_where_a_minimum_is_stated(hbeval: Run, logs: Path) -> None:
    """An invalid run costs nothing by itself; with a minimum of 1 it costs the exit code."""
    broken = json.loads(next(iter(sorted(EXCERPTS.rglob("*.json")))).read_text())
    broken["messages"] = []
    (logs / "nothing_said.json").write_text(json.dumps(broken))
    assert hbeval("score", logs, "--json").code == 0
    done = hbeval("score", logs, "--json", "--min-coverage", "1")
    assert done.code == 4
    assert done.document["coverage"]["invalid"]["empty"] == 1
    assert "below the minimum of 1" in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gone"], "gone"),
        (["."], ""),
        ([], "PATH"),
        ([".", "--format", "agentdogo"], "did you mean 'agentdojo'?"),
        ([".", "--min-coverage", "nan"], "between 0 and 1"),
    ],
)
def test_what_cannot_be_scored_gets_one_line(hbeval: Run, arguments: list[str], words: str) -> None:
    """Usage errors end with 2, an empty folder with 4."""
    done = hbeval("score", *arguments)
    assert done.code == (4 if arguments == ["."] else 2)
    assert words in done.err
    assert done.err.count("\n") == 1


@pytest.mark.data
def test_the_large_folder_is_scored_as_a_whole(hbeval: Run, data: Path) -> None:
    """Every AgentDojo file is a run or left out; the report stands although coverage is below 0.95."""
    done = hbeval("score", data / "agentdojo", "--json")
    assert done.code == 0
    document = done.document
    files = [path for path in (data / "agentdojo").rglob("*") if path.is_file()]
    assert document["coverage"]["runs"] + len(document["left_out"]) == len(files)
    assert document["coverage"]["invalid"]["empty"] == 10
    assert any("is below 0.95" in note for note in document["notes"])
