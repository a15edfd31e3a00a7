"""How each fault was handled, on conduct first, and what was claimed without it."""

from hbeval.judging.judge import judge
from hbeval.judging.rules import RULES, rules_document

__all__ = ["RULES", "judge", "rules_document"]
