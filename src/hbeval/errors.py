"""The one exception root, with leaves named by who must act."""

from __future__ import annotations

__all__ = [
    "AgentError",
    "EnvironmentFault",
    "HarnessError",
    "HbevalError",
    "InputError",
    "LimitReached",
    "NotComparable",
    "UsageError",
]


class HbevalError(Exception):
    """Root of every error that hbeval raises on purpose."""


class UsageError(HbevalError):
    """The caller asked for something that cannot be done as asked. The caller must act (exit code 2)."""


class InputError(UsageError):
    """A file or document does not hold what it should. Whoever wrote it must act.

    The message is one line: where, what, the value, what would be right.
    """

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        value: object = ...,
        right: str | None = None,
    ) -> None:
        self.what, self.where, self.value, self.right = what, where, value, right
        line = f"{where}: {what}" if where else what
        if value is not ...:
            line += f", got {_short(value)}"
        if right:
            line += f"; expected {right}"
        super().__init__(line)


class NotComparable(HbevalError):
    """Two results must not be compared. `reasons` holds every reason, not only the first."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        self.reasons = reasons
        super().__init__("not comparable: " + "; ".join(reasons))


class AgentError(HbevalError):
    """The agent under test is not usable as an agent (wrong signature, unserialisable answer). Its author must act."""


class LimitReached(HbevalError):
    """The agent stopped at a limit of its own (steps, context, cost, time). The run is measured as far as it went."""


class EnvironmentFault(HbevalError):
    """Something hbeval depends on is missing or out of reach. The operator must act (exit code 4)."""


class HarnessError(HbevalError):
    """hbeval itself failed. We must act; the run is invalid, not a failure of the agent."""


def _short(value: object, limit: int = 80) -> str:
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001  too deep, too many digits, or foreign code: the message is said anyway
        text = f"a {type(value).__name__} that cannot be shown ({type(error).__name__})"
    return text if len(text) <= limit else text[: limit - 1] + "…"
