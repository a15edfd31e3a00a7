"""What was asked of a run: enough to resume it, to rebuild its report, and to refuse a resume that asks otherwise."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hbeval.battery.clock import ClockKind
from hbeval.errors import UsageError
from hbeval.model import dumps, encode

__all__ = ["Manifest", "refuse_differences", "versions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a run directory was made for.

    agent          how the agent was named; `labels` are the user's own (model, prompt_version, commit …)
    scenarios      how many scenarios, each done `repeats` times; `runs` is their number in all
    faults         fault types asked for; empty = nominal only
    gaps           what the scenario set leaves uncovered
    timeout_s      deadline of one run, None = none; `clock` is what time meant in it
    versions       of hbeval and of Python
    redaction      id@version of the rules by which secrets and personal data are taken out, None = they are not
    """

    schema: Literal["hbeval-manifest/1"] = "hbeval-manifest/1"
    agent: str
    labels: Mapping[str, str] = field(default_factory=dict)
    battery: str
    domains: tuple[str, ...]
    faults: tuple[str, ...]
    scenarios: int
    repeats: int
    runs: int
    seed: int
    timeout_s: float | None
    clock: ClockKind
    scenario_set_digest: str
    task_set_digest: str
    fault_spec_fingerprint: str
    scoring_fingerprint: str
    versions: Mapping[str, str]
    gaps: tuple[str, ...] = ()
    redaction: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


def versions(hbeval: str) -> dict[str, str]:
    """The versions a run depends on."""
    return {"hbeval": hbeval, "python": ".".join(platform.python_version_tuple()[:2])}


def refuse_differences(there: Manifest, asked: Manifest, where: str) -> None:
    """Raise UsageError with every difference unless a run that was begun is what is asked for now."""
    old, new = encode(there), encode(asked)
    names = [name for name in dict.fromkeys((*old, *new)) if old.get(name) != new.get(name)]
    if names:
        told = "; ".join(f"{name}: there {_short(old.get(name))}, asked {_short(new.get(name))}" for name in names)
        raise UsageError(
            f"{where}: what was begun there is not what is asked now, so it is not resumed ({told}); "
            "ask as before, or choose another directory"
        )


def _short(value: Any) -> str:
    text = dumps(value)
    return text if len(text) <= 60 else text[:59] + "…"
