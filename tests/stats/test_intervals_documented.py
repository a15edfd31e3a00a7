"""docs/intervals.md explains every method that a report can name."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_method_of_a_measurement_is_explained() -> None:
    """The method strings of the interval functions that instruments use each have a row."""
    page = (ROOT / "docs" / "intervals.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE))
    source = "".join((ROOT / "src/hbeval/stats" / name).read_text("utf-8") for name in ("ratio.py", "mean.py"))
    named = set(re.findall(r'method="([^"]+)"', source))
    assert named == {text for text in explained if "clusters" in text}
    assert explained - named == {"newcombe", "none"}
