"""Studies import each other by name, as Python finds them beside the script that runs."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

STUDIES = Path(__file__).parents[2] / "studies"


@pytest.fixture(scope="session")
def load_study() -> Callable[[str], ModuleType]:
    """The module of a study, by its name."""

    def load(name: str) -> ModuleType:
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(str(STUDIES))
            return importlib.import_module(name)

    return load
