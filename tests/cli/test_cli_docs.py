"""The reference page holds every command and flag, and all examples of the documentation run."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hbeval.cli.main import COMMANDS, load
from hbeval.cli.reference import page_with_reference
from hbeval.cli.settings import SETTINGS

Run = Callable[..., Any]
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "cli.md"
PAGES = [PAGE, *sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def _examples() -> list[str]:
    """Every `$ hbeval …` of the README and the documentation, each once."""
    found = [
        line for page in PAGES for line in re.findall(r"^ *\$ (hbeval .*)$", page.read_text("utf-8"), re.MULTILINE)
    ]
    assert len(found) >= len(COMMANDS)
    return list(dict.fromkeys(found))


def test_the_page_is_what_the_commands_say() -> None:
    """Made anew it is the same; the line in the page says how to make it."""
    text = PAGE.read_text(encoding="utf-8")
    assert page_with_reference(text) == text


def test_every_command_flag_and_setting_is_on_the_page() -> None:
    """Nothing can be asked that is not written down."""
    text = PAGE.read_text(encoding="utf-8")
    for each in COMMANDS:
        section = text.split(f"\n## {each.name}\n")[1].split("\n## ")[0]
        for flag in load(each).parser().flags():
            assert f"`{flag}" in section or flag in ("--help", "--json", "--debug"), (each.name, flag)
    for name in SETTINGS:
        assert f"| `{name}` |" in text


@pytest.mark.parametrize("line", _examples())
def test_every_example_of_the_documentation_runs(
    hbeval: Run, tmp_path: Path, adapt_run: Path, blind_run: Path, line: str
) -> None:
    """In a folder that holds what the example names, each ends with 0."""
    demo = tmp_path / "out" / "demo"
    shutil.copytree(adapt_run, demo / "adapt")
    shutil.copytree(blind_run, demo / "blind_retry")
    if line == "hbeval demo":
        shutil.rmtree(demo)
    shutil.copytree(ROOT / "tests" / "fixtures" / "agentdojo", tmp_path / "logs")
    shutil.copytree(ROOT / "tests" / "fixtures", tmp_path / "tests" / "fixtures")
    package = tmp_path / "my_package"
    package.mkdir()
    (package / "my_agent.py").write_text("def agent(task, tools):\n    return None\n")
    words = shlex.split(line)[1:]
    if ">" in words:
        words = words[: words.index(">")]
    done = hbeval(*words)
    assert done.code == 0, done.err


def _snippets() -> list[tuple[str, str]]:
    """Every Python block of the README and the documentation, with its page's name."""
    return [
        (page.name, block)
        for page in PAGES
        for block in re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    ]


@pytest.mark.parametrize(("page", "snippet"), _snippets())
def test_every_snippet_of_the_documentation_runs(
    environment: dict[str, str], tmp_path: Path, page: str, snippet: str
) -> None:
    """As it stands, in an empty folder, and it shows a result: what it prints names something measured or met."""
    done = subprocess.run(
        [sys.executable, "-c", snippet], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (page, done.stderr)
    assert "Measured(value=" in done.stdout or "met" in done.stdout
