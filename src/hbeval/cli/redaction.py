"""The flag that switches redaction off, and what it means for reports."""

from __future__ import annotations

import argparse

from hbeval.model import Report
from hbeval.redaction import RULES
from hbeval.report.redaction import without_secrets

__all__ = ["add_redaction_flag", "fit_to_keep"]


def add_redaction_flag(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """`--no-redact`; without it `args.redacts` is true."""
    parser.add_argument(
        "--no-redact",
        dest="redacts",
        action="store_false",
        help=f"leave secrets and personal data in what is written ({RULES} takes them out: docs/redaction.md)",
    )


def fit_to_keep(report: Report, args: argparse.Namespace) -> Report:
    """The report as it may be shown and written."""
    return without_secrets(report) if args.redacts else report
