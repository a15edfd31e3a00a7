"""`hbeval demo` and `hbeval expectations`: the bundled agents."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]
ROOT = Path(__file__).parents[2]


def test_the_demo_runs_on_nothing_and_leaves_a_page(hbeval: Run, tmp_path: Path) -> None:
    """Under 30 s: both agents in one table, run directories and a page with runs of both."""
    started = time.monotonic()
    done = hbeval("demo")
    assert done.code == 0
    assert time.monotonic() - started < 30
    assert "adapt" in done.out
    assert "blind_retry" in done.out
    assert "weakest" in done.out
    page = (tmp_path / "out" / "demo" / "report.html").read_text(encoding="utf-8")
    assert page.count("Runs, step by step") == 2
    for name in ("adapt", "blind_retry"):
        assert (tmp_path / "out" / "demo" / name / "report.json").exists()


def test_the_readme_shows_what_the_demo_prints(hbeval: Run) -> None:
    """A figure has a command: each line of the README's table is a line of the demo's output. Copy it anew if not."""
    printed = hbeval("demo").out.splitlines()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"^    ((?:metric|FRR|IRS|─+) .*)$", readme, re.MULTILINE)
    assert len(shown) == 6
    assert [line for line in printed if line in shown] == shown


def test_without_repeats_the_reason_stands_below_the_table(hbeval: Run) -> None:
    """What is not measured keeps its reason whole, and the table its width."""
    lines = hbeval("demo", "--repeats", "1").out.splitlines()
    assert any(line.startswith("CSI of adapt not measured: no task has two runs") for line in lines)
    table = lines[lines.index(next(line for line in lines if line.startswith("metric "))) :]
    assert all(len(line) <= 100 for line in table[:12])


def test_a_second_demo_replaces_the_first(hbeval: Run, tmp_path: Path) -> None:
    """The same folder, other arguments: no error, no leftovers, the same again for the same seed."""
    first = hbeval("demo", "--repeats", "1", "--json", "--progress")
    assert first.code == 0
    assert "adapt: " in first.err
    document = first.document
    assert set(document["reports"]) == {"adapt", "blind_retry"}
    assert document["page"] == "out/demo/report.html"
    assert hbeval("demo", "--repeats", "1", "--seed", "8").code == 0
    assert hbeval("demo", "--repeats", "1", "--json").out == first.out


def test_the_demo_does_not_touch_another_run(hbeval: Run, tmp_path: Path, adapt_run: Path) -> None:
    """A folder that holds a run of another agent is left alone."""
    assert hbeval("demo", "--repeats", "1").code == 0
    manifest = tmp_path / "out" / "demo" / "adapt" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"agent": "adapt"', '"agent": "mine:agent"'))
    done = hbeval("demo", "--repeats", "1")
    assert done.code == 2
    assert "holds a run of another agent" in done.err
    assert manifest.exists()


def test_expectations_stand_beside_results(hbeval: Run) -> None:
    """Every trait and measure with what was expected and what was found; 1 if anything is not as expected."""
    done = hbeval("expectations", "--repeats", "1", "--json", "--progress")
    cells = done.document["comparisons"]
    failed = [each for each in cells if each["found"] not in ("as expected", "open") and each["expected"] != "open"]
    assert done.code == (1 if failed else 0)
    assert len({each["trait"] for each in cells}) >= 8
    assert "running adapt" in done.err
    table = hbeval("expectations", "--repeats", "1")
    assert "Expectation beside result" in table.out
    for name in ("trait thrash: ", "measure complied: ", "difference: "):
        assert f"\n{name}" in table.out
    assert "as expected;" in table.out
    assert "were left open" in table.out
    everything = hbeval("expectations", "--repeats", "1", "--all")
    assert len(everything.out) > len(table.out)
