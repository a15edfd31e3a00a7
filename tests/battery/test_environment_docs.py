"""The domain in the documentation is a domain that works."""

from __future__ import annotations

import re
from pathlib import Path

from hbeval.battery.agents import adapt
from hbeval.battery.agents.traits import BY_NAME
from hbeval.battery.environments import Environment, load_domain
from hbeval.battery.environments.operations import OPERATIONS
from hbeval.battery.invoke import AskedTask

PAGE = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")


def test_the_example_domain_loads_and_is_solved(tmp_path: Path) -> None:
    """Copied from the page into a file, it passes all checks, and the reference agent does its task."""
    (example,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "library.json"
    path.write_text(example, encoding="utf-8")
    domain = load_domain(path)
    environment = Environment(domain, "library/lend")
    answer = adapt(AskedTask(environment.task), environment.tools())
    assert environment.check(answer).success


def test_the_page_names_every_agent_and_operation() -> None:
    """Nothing bundled is left undescribed."""
    for name in (*BY_NAME, *OPERATIONS):
        assert f"| `{name}` |" in PAGE
