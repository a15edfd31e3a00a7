"""Versioned metrics, their catalogue, and what may be compared."""

from hbeval.instruments.base import Accumulator, Instrument
from hbeval.instruments.catalogue import (
    BUILTIN,
    CURRENT,
    METRIC_SCHEMA,
    SCORING_VERSION,
    find,
    metric_versions,
    scoring_document,
    scoring_fingerprint,
)
from hbeval.instruments.comparability import Pair, compare, reasons_not_comparable
from hbeval.instruments.entries import Catalogue, Change, Entry, entry, read_catalogue
from hbeval.instruments.pass_k import PassK

__all__ = [
    "BUILTIN",
    "CURRENT",
    "METRIC_SCHEMA",
    "SCORING_VERSION",
    "Accumulator",
    "Catalogue",
    "Change",
    "Entry",
    "Instrument",
    "Pair",
    "PassK",
    "compare",
    "entry",
    "find",
    "metric_versions",
    "read_catalogue",
    "reasons_not_comparable",
    "scoring_document",
    "scoring_fingerprint",
]
