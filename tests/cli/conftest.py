"""Running the command as a user does: in a process of its own, on real files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hbeval.battery.agents import adapt, blind_retry
from hbeval.battery.runner import run

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Standard output as one strict JSON document."""
        return json.loads(self.out, parse_constant=_refuse)


def _refuse(name: str) -> Any:
    raise AssertionError(f"{name} is not JSON")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A plain environment: the checkout on the path, a home of its own, no settings."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in ("PATH", "TMPDIR") or name.startswith("COVERAGE_PROCESS")
    }
    return {**kept, "PYTHONPATH": str(ROOT / "src"), "HOME": str(tmp_path), "PYTHONHASHSEED": "0"}


@pytest.fixture
def hbeval(tmp_path: Path, environment: dict[str, str]) -> Callable[..., Done]:
    """Run `hbeval …` in a folder of its own."""

    def call(*arguments: str | Path, cwd: Path | None = None, stdin: str = "", **settings: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "hbeval", *map(str, arguments)],
            cwd=cwd or tmp_path,
            env={**environment, **settings},
            input=stdin.encode(),
            capture_output=True,
            timeout=60,
            check=False,
        )
        return Done(code=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())

    return call


@pytest.fixture(scope="session")
def adapt_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run directory of a small battery against the agent that adapts. Read only."""
    return _finished(tmp_path_factory.mktemp("adapt run"), adapt, "adapt")


@pytest.fixture(scope="session")
def blind_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same battery against the agent that retries blindly. Read only."""
    return _finished(tmp_path_factory.mktemp("blind run"), blind_retry, "blind_retry")


def _finished(path: Path, agent: Any, name: str) -> Path:
    run(agent, out=path, reference=name, scenarios=14, repeats=2, seed=3)
    return path
