"""What may come between an agent and its plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hbeval.battery.agents.record import Tool

__all__ = ["Gone", "Note", "Rethink", "Trouble"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A call that gave nothing to go on. `what` says it in words; `error` is None if data came back, but unusable."""

    tool: Tool
    arguments: Mapping[str, Any]
    what: str
    error: Exception | None = None

    @property
    def transient(self) -> bool:
        """Whether the same call may work later: not if the service called it wrong."""
        return not isinstance(self.error, (LookupError, ValueError, TypeError))

    @property
    def retry_after_s(self) -> float | None:
        """What the service asked to wait, in seconds."""
        value = getattr(self.error, "retry_after", None)
        return float(value) if isinstance(value, (int, float)) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """An instruction found in the data of a tool, and the act it asks for."""

    text: str
    act: Tool
    carrier: Tool


class Rethink(Exception):
    """Plan again with what is known now."""


@dataclass(eq=False)
class Gone(Exception):
    """The work ends here; `answer` is what there is to say."""

    answer: Mapping[str, Any] = field(default_factory=dict)
