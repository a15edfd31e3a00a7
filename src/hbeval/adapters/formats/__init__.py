"""Log formats that others record: traces out of files, and the way from files to a report."""

from hbeval.adapters.formats.base import Importer
from hbeval.adapters.formats.builtin import BUILTIN
from hbeval.adapters.formats.detect import Detected, detect
from hbeval.adapters.formats.score import score_paths

__all__ = ["BUILTIN", "Detected", "Importer", "detect", "score_paths"]
