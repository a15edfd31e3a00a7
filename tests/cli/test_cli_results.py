"""Commands on results: report, compare, rescore, export."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hbeval.report.document import parse, to_json

Run = Callable[..., Any]


def test_a_run_directory_is_shown_as_a_table(hbeval: Run, adapt_run: Path) -> None:
    """Coverage, evidence, metrics with their instruments; nothing but the result on standard output."""
    done = hbeval("report", adapt_run)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("adapt  battery, standard@1")
    assert "frr@1.0" in done.out
    assert "By fault" in done.out


def test_json_is_the_result_document_itself(hbeval: Run, adapt_run: Path) -> None:
    """The same bytes as report.json, strict JSON."""
    done = hbeval("report", adapt_run, "--json")
    assert done.out == (adapt_run / "report.json").read_text()
    assert done.document["schema"] == "hbeval-report/1"


def test_runs_are_listed_on_demand(hbeval: Run, adapt_run: Path) -> None:
    """From the traces, each with trials in the document's own words."""
    runs = hbeval("report", adapt_run, "--json", "--runs").document["runs"]
    assert len(runs) == 28
    trial = next(trial for run in runs for trial in run["trials"])
    assert set(trial) >= {"fault", "target", "handling", "complied", "complied_in_part", "fabricated", "signals"}


def test_a_document_without_runs_cannot_list_them(hbeval: Run, adapt_run: Path) -> None:
    """Said, not ignored."""
    done = hbeval("report", adapt_run / "report.json", "--runs")
    assert (done.code, done.out) == (2, "")
    assert "--runs needs the run directory" in done.err


def test_a_result_document_alone_is_enough(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """Also from a path with spaces and other letters, for every form."""
    path = tmp_path / "réport 漢.json"
    shutil.copy(adapt_run / "report.json", path)
    for flags, start in (([], "adapt"), (["--md"], "# hbeval report: adapt"), (["--html"], "<!doctype html>")):
        done = hbeval("report", path, *flags)
        assert done.code == 0
        assert done.out.startswith(start)


def test_a_missing_report_is_rebuilt_from_the_traces(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """Manifest and traces are enough, byte for byte, and the directory is left as it was."""
    copy = tmp_path / "copy"
    shutil.copytree(adapt_run, copy)
    (copy / "report.json").unlink()
    assert hbeval("report", copy, "--json").out == (adapt_run / "report.json").read_text()
    assert not (copy / "report.json").exists()


def test_the_page_shows_runs_of_the_directory(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """With traces there are runs step by step; --out writes and says where."""
    out = tmp_path / "new" / "page.html"
    done = hbeval("report", adapt_run, "--html", "--out", out)
    assert (done.code, done.out) == (0, "")
    assert done.err == f"written to {out}\n"
    text = out.read_text(encoding="utf-8")
    assert "Runs, step by step" in text
    assert "https://" not in text


def test_json_and_html_together_write_the_page_beside(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """Standard output stays one document; the page goes to a file."""
    path = tmp_path / "result.json"
    shutil.copy(adapt_run / "report.json", path)
    done = hbeval("report", path, "--html", "--json")
    assert done.document["schema"] == "hbeval-report/1"
    assert (tmp_path / "report.html").exists()


def test_text_can_go_to_a_file(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """--out without a form writes the table."""
    assert hbeval("report", adapt_run, "--out", tmp_path / "r.txt").out == ""
    assert (tmp_path / "r.txt").read_text(encoding="utf-8").startswith("adapt")


def test_forms_exclude_each_other(hbeval: Run, adapt_run: Path) -> None:
    """Markdown or HTML, not both."""
    assert hbeval("report", adapt_run, "--md", "--html").code == 2


@pytest.mark.parametrize("command", ["report", "compare", "rescore", "export"])
def test_what_is_no_result_gets_one_line(hbeval: Run, tmp_path: Path, command: str) -> None:
    """A missing path, an empty folder, and a file that holds something else: exit code 2, one line, nothing written."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "nan.json").write_text('{"schema": NaN}')
    (tmp_path / "torn.json").write_text('{"schema": "hbeval-rep')
    before = sorted(tmp_path.rglob("*"))
    for name in ("gone", "empty", "other.json", "nan.json", "torn.json"):
        paths = [tmp_path / name] * (2 if command == "compare" else 1)
        done = hbeval(command, *paths)
        assert (done.code, done.out) == (2, ""), name
        assert done.err.startswith(f"hbeval: {tmp_path / name}"), name
        assert done.err.count("\n") == 1, name
        assert "; expected " in done.err, name
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("command", ["report", "export"])
def test_the_folder_above_names_the_run_directories_in_it(hbeval: Run, tmp_path: Path, command: str) -> None:
    """Five at most."""
    for number in range(7):
        (tmp_path / "out" / f"run{number}").mkdir(parents=True)
        (tmp_path / "out" / f"run{number}" / "manifest.json").write_text("{}")
    done = hbeval(command, "out")
    assert done.code == 2
    inside = ", ".join(os.path.join("out", f"run{number}") for number in range(5))
    assert done.err.endswith(f"expected one of the run directories in it: {inside}, …\n")


def test_a_field_of_the_wrong_type_is_named(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """File, field, value, what would be right."""
    document = json.loads((adapt_run / "report.json").read_text())
    document["metrics"]["frr"]["n"] = 10**400
    (tmp_path / "huge.json").write_text(json.dumps(document))
    assert hbeval("report", tmp_path / "huge.json").code == 0
    document["metrics"]["frr"]["n"] = "12"
    (tmp_path / "r.json").write_text(json.dumps(document))
    done = hbeval("report", tmp_path / "r.json")
    assert done.code == 2
    assert done.err == f"hbeval: {tmp_path / 'r.json'}.metrics.frr.n: wrong type, got '12'; expected an integer\n"


def test_two_agents_stand_side_by_side(hbeval: Run, adapt_run: Path, blind_run: Path, tmp_path: Path) -> None:
    """Same battery, same scoring: comparable, exit code 0, values of both; the page on demand."""
    done = hbeval("compare", adapt_run, blind_run, "--html", tmp_path / "c.html")
    assert done.code == 0
    assert "adapt" in done.out
    assert "blind_retry" in done.out
    assert "Comparable:" in done.out
    assert "Comparable:" in (tmp_path / "c.html").read_text()
    document = hbeval("compare", adapt_run, blind_run, "--json").document
    assert document["comparable"] is True
    assert document["reasons"] == []
    assert document["a"]["metrics"]["frr"]["value"] > document["b"]["metrics"]["frr"]["value"]


def test_what_must_not_be_compared_is_refused_with_every_reason(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """Values are still shown; each reason has its line; exit code 4; the same paths name two equal agents."""
    document = json.loads((adapt_run / "report.json").read_text())
    document["fault_spec_fingerprint"] = "f" * 16
    document["scoring_fingerprint"] = "e" * 16
    (tmp_path / "other.json").write_text(json.dumps(document))
    done = hbeval("compare", adapt_run, tmp_path / "other.json", "--html", tmp_path / "c.html")
    assert done.code == 4
    assert "FRR" in done.out
    assert str(tmp_path / "other.json")[:10] in done.out
    assert "hbeval: not comparable: scoring fingerprint: " in done.err
    assert "hbeval: not comparable: fault specification fingerprint: " in done.err
    assert "Not comparable." in (tmp_path / "c.html").read_text()
    refused = hbeval("compare", adapt_run, tmp_path / "other.json", "--json")
    assert refused.code == 4
    assert refused.document["comparable"] is False
    assert len(refused.document["reasons"]) == 2


def test_evidence_must_be_a_known_level(hbeval: Run, adapt_run: Path) -> None:
    """A misspelt level is a usage error, a stricter one a refusal."""
    assert "did you mean 'E1'" in hbeval("compare", adapt_run, adapt_run, "--accept-evidence", "e1").err
    done = hbeval("compare", adapt_run, adapt_run, "--accept-evidence", "E0")
    assert done.code == 4
    assert "evidence: " in done.err


def test_rescoring_shows_old_and_new_beside_each_other(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """Another profile is another series, and the run directory is not touched."""
    before = {path.name: path.read_bytes() for path in adapt_run.iterdir()}
    done = hbeval("rescore", adapt_run, "--profile", "irs@1.0,pei@2.0-candidate", "--out", tmp_path / "new.json")
    assert done.code == 0
    assert "irs@2.0 / irs@1.0" in done.out
    assert "Scored differently: two series, not one." in done.out
    assert parse((tmp_path / "new.json").read_bytes())["irs"].instrument == "irs@1.0"
    assert {path.name: path.read_bytes() for path in adapt_run.iterdir()} == before


def test_rescoring_with_the_same_profile_is_the_same_report(hbeval: Run, adapt_run: Path) -> None:
    """The current rules on the same traces give the same bytes."""
    done = hbeval("rescore", adapt_run, "--json")
    assert done.out == (adapt_run / "report.json").read_text()
    assert "Scored differently" not in hbeval("rescore", adapt_run).out


def test_an_unknown_profile_gets_the_nearest(hbeval: Run, adapt_run: Path) -> None:
    """Usage error with the id that was meant."""
    done = hbeval("rescore", adapt_run, "--profile", "irs@1")
    assert done.code == 2
    assert "did you mean 'irs@1.0'?" in done.err


def test_tables_are_exported_with_a_codebook(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """Three tables and the codebook; the counts say how many rows each has."""
    done = hbeval("export", adapt_run, "--csv", "--out", tmp_path / "t")
    assert done.code == 0
    assert sorted(path.name for path in (tmp_path / "t").iterdir()) == [
        "codebook.csv",
        "runs.csv",
        "steps.csv",
        "trials.csv",
    ]
    document = hbeval("export", adapt_run, "--json", "--out", tmp_path / "t").document
    assert document["rows"]["runs"] == 28


def test_parquet_says_what_it_needs(hbeval: Run, adapt_run: Path) -> None:
    """Not there yet: usage error with the alternative, nothing written."""
    done = hbeval("export", adapt_run, "--parquet")
    assert done.code == 2
    assert "use --csv" in done.err
    assert not (adapt_run / "tables").exists()


def test_a_torn_last_line_is_told_and_the_rest_exported(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """What is whole is exported; what was left out is said on standard error."""
    copy = tmp_path / "copy"
    shutil.copytree(adapt_run, copy)
    traces = (copy / "traces.jsonl").read_bytes()
    (copy / "traces.jsonl").write_bytes(traces[:-200])
    done = hbeval("export", copy)
    assert done.code == 0
    assert "torn last line" in done.err
    assert (copy / "tables" / "runs.csv").read_text().count("\n") == 28


def test_damage_in_the_middle_is_an_error_that_names_the_line(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """Exit code 2, the file and the line."""
    copy = tmp_path / "copy"
    shutil.copytree(adapt_run, copy)
    lines = (copy / "traces.jsonl").read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b'"runtime_observed"', b'"runtime_obzerved"', 1)
    (copy / "traces.jsonl").write_bytes(b"".join(lines))
    (copy / "report.json").unlink()
    done = hbeval("report", copy)
    assert done.code == 2
    assert "traces.jsonl:4" in done.err


def test_a_place_that_cannot_be_written_is_a_usage_error(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """A read-only folder (root may write there) and a file in a folder's place: path, reason, remedy."""
    (tmp_path / "file").write_text("")
    (tmp_path / "locked").mkdir(mode=0o500)
    for folder in ("file",) if os.geteuid() == 0 else ("file", "locked"):
        place = tmp_path / folder
        for command in (["export", adapt_run, "--out", place / "t"], ["report", adapt_run, "--out", place / "r.txt"]):
            done = hbeval(*command)
            assert done.code == 2
            assert f"hbeval: {place}" in done.err
            assert "choose another place with --out" in done.err
        compared = hbeval("compare", adapt_run, adapt_run, "--html", place / "c.html")
        assert (compared.code, compared.err.partition("choose ")[2]) == (2, "another place with --html\n")


def test_a_document_survives_the_command_line(hbeval: Run, adapt_run: Path) -> None:
    """Read and written again, it is the same text."""
    text = (adapt_run / "report.json").read_text()
    assert to_json(parse(text)) == text
    assert hbeval("report", adapt_run, "--json").out == text
