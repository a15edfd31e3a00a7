"""Where the large traces are, and what a skip means."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("HBEVAL_DATA", ROOT.parent / "shared" / "data"))


def pytest_report_header() -> str:
    """One line that says whether the tests over the large real traces take part."""
    if DATA.is_dir():
        return f"large real traces: {DATA}"
    return f"large real traces: not at {DATA}, tests marked `data` are left out (set HBEVAL_DATA)"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests over the large traces where there are none."""
    if DATA.is_dir():
        return
    left_out = [item for item in items if item.get_closest_marker("data")]
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    """Where HBEVAL_FAIL_ON_SKIP is set, a skipped test has failed: CI installs what tests need."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("HBEVAL_FAIL_ON_SKIP"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but HBEVAL_FAIL_ON_SKIP is set: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    """The same for a module that skips itself while it is collected."""
    report = yield
    if report.skipped and os.environ.get("HBEVAL_FAIL_ON_SKIP"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but HBEVAL_FAIL_ON_SKIP is set: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of large real traces; only tests marked `data` may use it."""
    return DATA
