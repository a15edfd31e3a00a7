"""The task sets a battery draws from, and the digest that names them."""

from __future__ import annotations

from collections.abc import Iterable

from hbeval.battery.environments import (
    STANDARD,
    BatteryTask,
    Domain,
    Environment,
    Verdict,
    load_domain,
)
from hbeval.model import digest

__all__ = ["STANDARD", "BatteryTask", "Domain", "Environment", "Verdict", "load_domain", "task_set_digest"]


def task_set_digest(domains: Iterable[Domain]) -> str:
    """SHA-256 over the canonical documents of the domains, whatever their order; 64 hexadecimal digits.

    It covers tables, tools, tasks and their ground truth; the fault specification has its own fingerprint.
    """
    return digest(sorted(digest(each.document) for each in domains))
