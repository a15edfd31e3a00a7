"""Files for CI, written by the command as a pipeline runs it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

Run = Callable[..., Any]


def test_a_gate_writes_all_its_outputs(hbeval: Run, tmp_path: Path, adapt_run: Path, blind_run: Path) -> None:
    """JUnit, SARIF, Markdown, HTML, and what GitHub reads, from one verdict."""
    summary, outputs = tmp_path / "summary", tmp_path / "outputs"
    summary.write_text("earlier\n")
    done = hbeval(
        *("gate", blind_run, "--baseline", adapt_run, "--json", "--github", "--enforce"),
        *("--junit", "o/j.xml", "--sarif", "o/s.json", "--md", "o/g.md", "--html", "o/g.html"),
        GITHUB_STEP_SUMMARY=str(summary),
        GITHUB_OUTPUT=str(outputs),
    )
    verdict = done.document["verdict"]
    assert (done.code, verdict) == (1, "FAIL")
    suite = Xml.parse(tmp_path / "o" / "j.xml").getroot()[0]
    assert int(suite.get("failures")) >= 2
    assert json.loads((tmp_path / "o" / "s.json").read_text())["runs"][0]["invocations"][0]["exitCode"] == 1
    assert "Gate: FAIL" in (tmp_path / "o" / "g.html").read_text(encoding="utf-8")
    assert summary.read_text(encoding="utf-8") == "earlier\n" + (tmp_path / "o" / "g.md").read_text(encoding="utf-8")
    assert re.search(r"^verdict<<(\w+)\nFAIL\n\1$", outputs.read_text(), re.MULTILINE)
    assert "::error title=hbeval gate%3A FAIL::" in done.err


def test_report_mode_warns(hbeval: Run, adapt_run: Path) -> None:
    """The exit code is 0 and nothing is an error; outside of GitHub it says what was not written."""
    done = hbeval("gate", adapt_run, "--require", "frr >= 0.999", "--github")
    assert done.code == 0
    assert "::warning title=hbeval gate%3A" in done.err
    assert "::error" not in done.err
    assert "GITHUB_STEP_SUMMARY is not set" in done.err


def test_lines_for_people_are_no_commands(hbeval: Run, adapt_run: Path) -> None:
    """They stand between a word that stops commands and the same word; the word is new each time."""
    words = set()
    for _ in range(2):
        done = hbeval("gate", adapt_run, "--require", "frr >= 0.2", "--github")
        first, *_, last = done.out.splitlines()
        match = re.fullmatch(r"::stop-commands::([0-9a-f]{32})", first)
        assert match is not None
        assert last == f"::{match[1]}::"
        words.add(match[1])
    assert len(words) == 2


@pytest.mark.parametrize("flag", ["--junit", "--sarif", "--md", "--html"])
def test_a_file_that_cannot_be_written_changes_the_exit_code(hbeval: Run, adapt_run: Path, flag: str) -> None:
    """Also of a verdict that passes; the message names the flag."""
    done = hbeval("gate", adapt_run, "--require", "frr >= 0.01", flag, "/dev/null/x")
    assert done.code == 2
    assert flag in done.err


@pytest.mark.parametrize("name", ["GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"])
def test_a_file_of_github_that_cannot_be_written_does_too(
    hbeval: Run, adapt_run: Path, tmp_path: Path, name: str
) -> None:
    """No summary is no green."""
    done = hbeval("gate", adapt_run, "--require", "frr >= 0.01", "--github", **{name: str(tmp_path / "no" / "x")})
    assert done.code == 2
    assert "cannot be written to" in done.err


def test_a_baseline_is_not_updated_where_an_output_failed(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """What CI could not show has not happened."""
    kept = tmp_path / "baseline.json"
    done = hbeval(
        *("gate", adapt_run, "--baseline", adapt_run, "--require", "frr >= 0.01"),
        *(f"--update-baseline={kept}", "--junit", "/dev/null/x"),
    )
    assert done.code == 2
    assert not kept.exists()


def test_a_plain_report_as_junit(hbeval: Run, adapt_run: Path, tmp_path: Path) -> None:
    """On standard output or in a file; a metric a line, passed or skipped with the reason."""
    done = hbeval("report", adapt_run, "--junit")
    assert done.code == 0
    suite = Xml.fromstring(done.out)[0]
    names = [case.get("name") for case in suite.findall("testcase")]
    assert names[:6] == ["coverage", "pei", "frr", "irs", "ti", "csi"]
    written = hbeval("report", adapt_run, "--junit", "--out", "r.xml")
    assert written.code == 0
    assert (tmp_path / "r.xml").read_text(encoding="utf-8") == done.out
    assert hbeval("report", adapt_run, "--junit", "--out", "/dev/null/x").code == 2
