"""The commands write no secret unless they are told to."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
KEY, MAIL = "sk-proj-0123456789abcdefghij", "anna@example.com"
AGENT = f"""
import hbeval
from hbeval.battery.agents import adapt

def agent(task, tools):
    hbeval.turn("I use {KEY} and tell {MAIL}")
    adapt(task, tools)
    raise RuntimeError("refused for {MAIL}")
"""


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """A folder with an agent that cannot keep a secret."""
    (tmp_path / "loose_agent.py").write_text(AGENT, encoding="utf-8")
    return tmp_path


def written(folder: Path) -> str:
    """Everything under a folder."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*")) if path.is_file())


def begin(hbeval: Run, *flags: str) -> Any:
    """A small run with labels that should not be kept either."""
    return hbeval(
        *("run", "loose_agent:agent", "--scenarios", "6", "--out", "r", "--json", "--runs", *flags),
        *("--label", f"owner={MAIL}", "--label", f"api_key={KEY}"),
    )


def test_run_report_score_export_and_gate_write_no_secret(hbeval: Run, told: Path) -> None:
    """Not to disk and not to standard output; the report counts what was taken out."""
    done = begin(hbeval)
    assert done.code == 0
    assert done.document["redacted"]["email"] >= 12
    assert done.document["redacted"]["vendor-key"] >= 6
    said = done.out
    for form in ("--html", "--md", "--junit", "--json"):
        said += hbeval("report", "r", "--runs", form, "--out", f"p/{form}").out
    said += hbeval("export", "r", "--out", "p/tables").out
    said += hbeval("rescore", "r", "--runs", "--json", "--out", "p/rescored.json").out
    said += hbeval("gate", "r", "--require", "pei >= 0.5", "--junit", "p/g.xml", "--html", "p/g.html").out
    everything = said + written(told / "r") + written(told / "p")
    assert KEY not in everything
    assert MAIL not in everything
    assert "redacted-email-a@redacted.invalid" in everything


def test_told_so_a_run_keeps_everything_and_later_commands_still_take_it_out(hbeval: Run, told: Path) -> None:
    """`--no-redact` is said for each command; the manifest records it for the run."""
    assert begin(hbeval, "--no-redact").document["redacted"] is None
    assert KEY in written(told / "r")
    assert "redaction" not in json.loads((told / "r" / "manifest.json").read_text())
    page = hbeval("report", "r", "--html", "--runs", "--out", "a.html")
    assert page.code == 0
    assert MAIL not in (told / "a.html").read_text(encoding="utf-8")
    hbeval("report", "r", "--html", "--runs", "--no-redact", "--out", "b.html")
    assert MAIL in (told / "b.html").read_text(encoding="utf-8")
    hbeval("export", "r", "--out", "t")
    assert MAIL not in written(told / "t")
    hbeval("export", "r", "--out", "u", "--no-redact")
    assert MAIL in written(told / "u")


def test_a_first_baseline_holds_no_secret(hbeval: Run, told: Path) -> None:
    """It lists the runs with the reasons why they ended."""
    begin(hbeval, "--no-redact")
    done = hbeval("gate", "r", "--first-baseline", "base.json")
    assert done.code == 0
    assert MAIL not in (told / "base.json").read_text(encoding="utf-8")


def test_score_takes_secrets_out_of_its_report(hbeval: Run, told: Path) -> None:
    """What is left out is named with its reason, and a reason may quote."""
    (told / "log.json").write_text(json.dumps({"mail": MAIL}), encoding="utf-8")
    done = hbeval("score", "log.json", "--json", "--out", "s.json")
    assert MAIL not in done.out + (told / "s.json").read_text(encoding="utf-8")
    assert json.loads((told / "s.json").read_text(encoding="utf-8"))["redacted"] == {}
