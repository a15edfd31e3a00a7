"""Tidy tables and their codebook."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hbeval.instruments.samples import judged_trace, random_traces
from hbeval.model import Ending, Handling, JudgedTrace
from hbeval.report.export import CODEBOOK, TABLES, write_csv


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_each_table_has_a_row_per_unit(tmp_path: Path) -> None:
    """One row per run, per trial and per step, and the counts say so."""
    runs = random_traces(1, 30)
    counts = write_csv(runs, tmp_path)
    expected = {
        "runs": len(runs),
        "trials": sum(len(judged.trials) for judged in runs),
        "steps": sum(len(judged.steps) for judged in runs),
    }
    assert counts == expected
    assert {name: len(_rows(tmp_path / f"{name}.csv")) for name in expected} == expected


def test_every_column_is_in_the_codebook(tmp_path: Path) -> None:
    """Name, type, meaning, and what an empty cell is."""
    write_csv([], tmp_path)
    book = {(row["table"], row["column"]) for row in _rows(tmp_path / CODEBOOK)}
    for table in TABLES:
        with (tmp_path / f"{table.name}.csv").open(encoding="utf-8") as file:
            header = file.readline().strip().split(",")
        assert {(table.name, name) for name in header} <= book
    assert all(row["meaning"] and row["type"] and row["empty_cell"] for row in _rows(tmp_path / CODEBOOK))


def test_the_codebook_lists_the_words_of_a_closed_set(tmp_path: Path) -> None:
    """Handling, ending and what closed an episode; and which clock a battery's times are of."""
    write_csv([], tmp_path)
    meanings = {row["column"]: row["meaning"] for row in _rows(tmp_path / CODEBOOK)}
    assert all(each.value in meanings["handling"] for each in Handling)
    assert all(each.value in meanings["ending"] for each in Ending)
    assert meanings["closed"].endswith("met, substituted, answered, acted, ended")
    assert "begins at 2026-01-01" in meanings["started_at"]


def test_unknown_is_empty_and_false_is_false(tmp_path: Path) -> None:
    """Three values stay three: true, false and the empty cell."""
    write_csv([judged_trace("1?0? 0???", success=None)], tmp_path)
    first, second = _rows(tmp_path / "steps.csv")
    assert (first["success"], first["had_fault"], first["replanned"], first["traceable"]) == ("true", "", "false", "")
    assert (second["success"], second["had_fault"]) == ("false", "")
    assert _rows(tmp_path / "runs.csv")[0]["success"] == ""


def test_tables_join_on_the_run(tmp_path: Path) -> None:
    """Every trial and step belongs to a row of the runs."""
    write_csv(random_traces(2, 20), tmp_path)
    runs = {row["run_id"] for row in _rows(tmp_path / "runs.csv")}
    for name in ("trials", "steps"):
        assert {row["run_id"] for row in _rows(tmp_path / f"{name}.csv")} <= runs


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t"])
def test_no_text_is_a_formula_in_a_spreadsheet(tmp_path: Path, full_run: Callable[..., JudgedTrace], sign: str) -> None:
    """Names of tools and words of exceptions are foreign; numbers and JSON stay what they are."""
    text = f"{sign}HYPERLINK(1)"
    judged = full_run(text=text)
    steps = (replace(judged.trace.steps[0], action=text, arguments=-5, started_at=-1.5), *judged.trace.steps[1:])
    write_csv([replace(judged, trace=replace(judged.trace, steps=steps, ending_detail=text))], tmp_path)
    step, run = _rows(tmp_path / "steps.csv")[0], _rows(tmp_path / "runs.csv")[0]
    assert (step["action"], run["ending_detail"]) == (f"'{text}", f"'{text}")
    assert (step["arguments"], step["started_at"]) == ("-5", "-1.5")


def test_a_lone_carriage_return_does_not_end_the_row(tmp_path: Path, full_run: Callable[..., JudgedTrace]) -> None:
    """Some readers take it for the end of a line, and the writer does not quote it."""
    write_csv([full_run(text="one\rtwo")], tmp_path)
    assert len(_rows(tmp_path / "steps.csv")) == 3
    assert "\r" not in (tmp_path / "steps.csv").read_bytes().decode()
    assert _rows(tmp_path / "steps.csv")[0]["action"].startswith("one\\")


def test_hostile_text_survives_as_one_cell(tmp_path: Path, full_run: Callable[..., JudgedTrace], hostile: str) -> None:
    """Quotes, line breaks, NUL and lone surrogates neither break the file nor get lost."""
    write_csv([full_run(text=hostile + "\nsecond line"), full_run("b", handling=Handling.NOT_JUDGED)], tmp_path)
    rows = _rows(tmp_path / "steps.csv")
    assert len(rows) == 6
    assert rows[0]["action"].endswith("\nsecond line")
    assert "\\ud83d" in rows[0]["action"]
    assert rows[0]["error_kind"] == "TimeoutError"
    assert rows[0]["error_status"] == "504"
    assert rows[1]["error_kind"] == ""
    assert _rows(tmp_path / "trials.csv")[1]["reason"] == "no safeguard is declared"
