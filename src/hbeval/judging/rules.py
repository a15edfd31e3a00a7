"""Everything that decides a judgement, as data: the id of the rules, their parameters, their signals and text rules."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from hbeval.judging.acts.rules import act_rules_document
from hbeval.judging.handling.signals import SIGNALS
from hbeval.judging.parameters import PARAMETERS
from hbeval.judging.text.rules import load_text_rules

__all__ = ["RULES", "rules_document"]

RULES = "hb-judging@1.0"


def rules_document() -> dict[str, Any]:
    """All that decides how a trace is judged, as JSON: it goes into the scoring fingerprint."""
    return {
        "id": RULES,
        "parameters": _plain(asdict(PARAMETERS)),
        "signals": [_plain(asdict(each)) for each in SIGNALS],
        "text": load_text_rules().document(),
        "acts": act_rules_document(),
    }


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in record.items()}
