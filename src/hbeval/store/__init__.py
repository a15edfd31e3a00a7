"""Where records live without a server: the journal of a battery run, and its directory."""

from hbeval.store.base import Journal, may_come_again
from hbeval.store.directory import RunDirectory
from hbeval.store.journal import FileJournal
from hbeval.store.lines import Torn
from hbeval.store.memory import MemoryJournal
from hbeval.store.wire import Wire

__all__ = ["FileJournal", "Journal", "MemoryJournal", "RunDirectory", "Torn", "Wire", "may_come_again"]
