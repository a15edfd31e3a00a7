"""What must not be kept: secrets and personal data, taken out of records before anything is written."""

from hbeval.redaction.fields import LOOSE, loose_fields
from hbeval.redaction.quick import Quick
from hbeval.redaction.redactor import Redacted, redact
from hbeval.redaction.rules import RULES, read_rules

__all__ = ["LOOSE", "RULES", "Quick", "Redacted", "loose_fields", "read_rules", "redact"]
