"""The importers that ship with hbeval, in the order in which a file is offered to them."""

from __future__ import annotations

from hbeval.adapters.formats.agentdojo import AgentDojo
from hbeval.adapters.formats.base import Importer
from hbeval.adapters.formats.inspect import Inspect
from hbeval.adapters.formats.tau2_bench import Tau2Bench
from hbeval.adapters.formats.tau_bench import TauBench
from hbeval.adapters.formats.who_and_when import WhoAndWhen

__all__ = ["BUILTIN"]

BUILTIN: tuple[Importer, ...] = (AgentDojo(), TauBench(), Tau2Bench(), WhoAndWhen(), Inspect())
