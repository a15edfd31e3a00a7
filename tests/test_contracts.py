"""The house keeps its own rules, and the rules can fail."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.conftest import ROOT

CONTRACT = """
[tool.importlinter]
root_package = "hbeval"
include_external_packages = true
contract_types = ["standard_library_only: tools.contracts.StandardLibraryOnly"]

[[tool.importlinter.contracts]]
name = "planted"
type = "standard_library_only"
rooms = ["{room}"]
"""


def _lint(config):
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"]
    command += ["--no-cache", "--config", str(config)]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)


def test_the_core_contract_finds_a_foreign_import(tmp_path):
    """A room that imports a third-party package breaks the contract, and the message names module and package."""
    config = tmp_path / "planted.toml"
    config.write_text(CONTRACT.format(room="cli"))
    result = _lint(config)
    assert result.returncode == 1
    assert "hbeval.cli.tables imports rich" in result.stdout


def test_a_room_that_does_not_exist_is_an_error(tmp_path):
    """A contract about nothing must not pass."""
    config = tmp_path / "planted.toml"
    config.write_text(CONTRACT.format(room="nowhere"))
    assert _lint(config).returncode != 0
