"""Environments as data: domain files, the engine that interprets them, and the oracle of each run."""

from hbeval.battery.environments.document import BatteryTask, Call, Forbidden, Guard
from hbeval.battery.environments.domain import Domain
from hbeval.battery.environments.environment import ORACLE, Environment, Verdict, answered
from hbeval.battery.environments.loading import STANDARD, load_domain

__all__ = [
    "ORACLE",
    "STANDARD",
    "BatteryTask",
    "Call",
    "Domain",
    "Environment",
    "Forbidden",
    "Guard",
    "Verdict",
    "answered",
    "load_domain",
]
