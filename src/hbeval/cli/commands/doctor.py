"""`hbeval doctor`: what is installed, configured and reachable."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from hbeval import __version__
from hbeval.cli.console import Console
from hbeval.cli.parser import Parser, command
from hbeval.cli.settings import SETTINGS
from hbeval.cli.tables import text_table
from hbeval.faults import Specification

__all__ = ["execute", "parser"]

_EXTRAS = {"terminal": ("rich", "nicer tables on a terminal")}


def parser() -> Parser:
    """The command's arguments."""
    return command(
        "doctor",
        "What is installed, configured and reachable.",
        description="Looks, and changes nothing. Nothing is sent anywhere.",
        example="hbeval doctor --json",
    )


def execute(args: argparse.Namespace, console: Console) -> int:
    """Look around."""
    findings = [*_core(), *_extras(), *_settings(), *_places()]
    console.document({"schema": "hbeval-doctor/1", "findings": findings})
    if not console.json:
        rows = [(each["what"], each["state"], each["detail"]) for each in findings]
        console.say(text_table("hbeval doctor", ("what", "state", "detail"), rows, console, width=160))
    return 0


def _finding(what: str, state: str, detail: object) -> dict[str, Any]:
    return {"what": what, "state": state, "detail": str(detail)}


def _core() -> list[dict[str, Any]]:
    encoding = getattr(sys.stdout, "encoding", None) or "unknown"
    return [
        _finding("hbeval", "installed", f"{__version__} at {Path(__file__).resolve().parents[2]}"),
        _finding("python", "installed", f"{platform.python_version()} ({platform.python_implementation()})"),
        _finding("platform", "found", platform.platform()),
        _finding("standard output", "found", encoding),
        _finding("fault specification", "installed", f"fingerprint {Specification.load().fingerprint}"),
    ]


def _extras() -> list[dict[str, Any]]:
    found = []
    for extra, (package, use) in _EXTRAS.items():
        try:
            found.append(_finding(f"extra {extra}", "installed", f"{package} {version(package)}: {use}"))
        except PackageNotFoundError:
            found.append(
                _finding(f"extra {extra}", "not installed", f"pip install '.[{extra}]' in the checkout: {use}")
            )
    return found


def _settings() -> list[dict[str, Any]]:
    return [
        _finding(name, "set" if name in os.environ else "not set", f"{os.environ.get(name, '')} ({meaning})".strip())
        for name, meaning in SETTINGS.items()
    ]


def _places() -> list[dict[str, Any]]:
    places = {"working folder": Path.cwd(), "temporary folder": Path(tempfile.gettempdir())}
    return [
        _finding(what, "writable" if os.access(path, os.W_OK) else "not writable", path)
        for what, path in places.items()
    ]
