"""How does an AI agent behave when things break?

    import hbeval

    @hbeval.tool("carrier_api", substitutes="post_api")
    def track(order_id: str) -> dict: ...

    report = hbeval.run(my_agent, repeats=5, seed=7)
    report["frr"]    # Measured(value=…, n=…, interval=…) or NotMeasured(reason=…)

Names are loaded when first used, so that `import hbeval` costs an agent next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hbeval import battery
    from hbeval.battery import run
    from hbeval.faults.exceptions import ServiceError
    from hbeval.model import Measured, Measurement, NotMeasured, Report
    from hbeval.observe import attempt, permit_faults, plan, tool, turn

__version__ = "0.1.0"

__all__ = [
    "Measured",
    "Measurement",
    "NotMeasured",
    "Report",
    "ServiceError",
    "attempt",
    "battery",
    "permit_faults",
    "plan",
    "run",
    "tool",
    "turn",
]

_HOMES = {
    "hbeval.model": ("Measured", "Measurement", "NotMeasured", "Report"),
    "hbeval.observe": ("attempt", "permit_faults", "plan", "tool", "turn"),
    "hbeval.faults.exceptions": ("ServiceError",),
    "hbeval.battery": ("run",),
}


def __getattr__(name: str) -> Any:
    """Load a public name from its room."""
    if name == "battery":
        return import_module("hbeval.battery")
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'hbeval' has no attribute {name!r}")
