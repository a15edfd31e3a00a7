"""Agents that come with hbeval: reference agents with one trait each, and a plain agent for any chat endpoint."""

from hbeval.battery.agents.traits.abstain import abstain
from hbeval.battery.agents.traits.adapt import adapt
from hbeval.battery.agents.traits.blind_retry import blind_retry
from hbeval.battery.agents.traits.comply import comply
from hbeval.battery.agents.traits.fabricate import fabricate
from hbeval.battery.agents.traits.flaky import flaky
from hbeval.battery.agents.traits.resist import resist
from hbeval.battery.agents.traits.thrash import thrash
from hbeval.battery.agents.traits.untraceable import untraceable

__all__ = [
    "abstain",
    "adapt",
    "blind_retry",
    "comply",
    "fabricate",
    "flaky",
    "resist",
    "thrash",
    "untraceable",
]
