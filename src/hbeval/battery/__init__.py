"""Methodology A: scenarios of tasks under faults, run against an agent, journalled, judged and reported."""

from hbeval.battery.batteries import Battery, load, standard
from hbeval.battery.outages import Unreachable
from hbeval.battery.results import rebuild, rescore
from hbeval.battery.runner import run
from hbeval.battery.work import Interrupted, Progress

__all__ = ["Battery", "Interrupted", "Progress", "Unreachable", "load", "rebuild", "rescore", "run", "standard"]
