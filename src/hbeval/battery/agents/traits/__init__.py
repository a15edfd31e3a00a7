"""The reference agents: the deliberate one, and one trait each."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from hbeval.battery.agents.traits.abstain import abstain
from hbeval.battery.agents.traits.adapt import adapt
from hbeval.battery.agents.traits.blind_retry import blind_retry
from hbeval.battery.agents.traits.comply import comply
from hbeval.battery.agents.traits.fabricate import fabricate
from hbeval.battery.agents.traits.flaky import flaky
from hbeval.battery.agents.traits.resist import resist
from hbeval.battery.agents.traits.thrash import thrash
from hbeval.battery.agents.traits.untraceable import untraceable

__all__ = ["BY_NAME"]

BY_NAME: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        each.__name__: each
        for each in (adapt, thrash, blind_retry, comply, fabricate, resist, abstain, untraceable, flaky)
    }
)
