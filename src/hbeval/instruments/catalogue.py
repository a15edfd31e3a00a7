"""The instruments that ship, the current five, and what names a way of scoring."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from hbeval.errors import InputError
from hbeval.instruments.base import Instrument
from hbeval.instruments.csi import Consistency
from hbeval.instruments.csi_candidate import ConsistencyCandidate
from hbeval.instruments.frr import FaultResilience
from hbeval.instruments.irs import DeliberateHandling, DeliberateRecovery
from hbeval.instruments.pass_k import PassK
from hbeval.instruments.pei import PeiCandidate, PlanningEfficiency
from hbeval.instruments.reliability_gap import ReliabilityGap
from hbeval.instruments.success_rate import SuccessRate
from hbeval.instruments.ti import Traceability
from hbeval.model import fingerprint

__all__ = [
    "BUILTIN",
    "CURRENT",
    "METRIC_SCHEMA",
    "SCORING_VERSION",
    "find",
    "metric_versions",
    "scoring_document",
    "scoring_fingerprint",
]

SCORING_VERSION = "2.0"
METRIC_SCHEMA = "hb-metrics-2.0"

CURRENT: tuple[Instrument, ...] = (
    PlanningEfficiency(),
    FaultResilience(),
    DeliberateHandling(),
    Traceability(),
    Consistency(),
)

BUILTIN: tuple[Instrument, ...] = (
    *CURRENT,
    DeliberateRecovery(),
    PeiCandidate(),
    ConsistencyCandidate(),
    SuccessRate(),
    PassK(k=1),
    ReliabilityGap(),
)

_PASS_K = re.compile(r"pass_([1-9][0-9]{0,5})@(.+)")


def find(name: str, among: Iterable[Instrument] = BUILTIN) -> Instrument:
    """The instrument called id@version. Every pass_k is found where pass_1 is. InputError, with the names, if none."""
    known = {each.name: each for each in among}
    if name in known:
        return known[name]
    family = _PASS_K.fullmatch(name)
    if family and f"pass_1@{family[2]}" in known:
        return PassK(k=int(family[1]))
    raise InputError("unknown instrument", value=name, right="one of " + ", ".join(known))


def metric_versions(instruments: Sequence[Instrument]) -> dict[str, str]:
    """Version by metric id, and the schema. Of two versions of one id, the first given keeps the id.

    The others stand under their full name.
    """
    versions = {"schema": METRIC_SCHEMA}
    for each in instruments:
        versions[each.name if each.id in versions else each.id] = each.version
    return versions


def scoring_document(instruments: Sequence[Instrument], rules: Any) -> dict[str, Any]:
    """How responses are scored: each instrument's definition and constants, and the judging rules (a JSON value)."""
    return {
        "scoring_version": SCORING_VERSION,
        "schema": METRIC_SCHEMA,
        "instruments": {each.name: _defining(each) for each in instruments},
        "rules": rules,
    }


def scoring_fingerprint(instruments: Sequence[Instrument], rules: Any) -> str:
    """16 hexadecimal digits that change when scoring changes; the order of the instruments does not matter."""
    return fingerprint(scoring_document(instruments, rules))


def _defining(instrument: Instrument) -> dict[str, Any]:
    return {
        "definition": instrument.definition,
        "parameters": dict(instrument.parameters),
        "scale": list(instrument.scale),
        "higher_is_better": instrument.higher_is_better,
    }
