"""The environment variables that hbeval reads: one table, for the doctor and the documentation."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["SETTINGS"]

SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        "HBEVAL_DISABLE": "any value but 0: tools pass through, nothing is injected or recorded",
        "HBEVAL_DATA": "folder of the large real traces, for the project's own tests",
        "NO_COLOR": "any value: no colour on the terminal",
    }
)
