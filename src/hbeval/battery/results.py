"""From finished runs to the report of a battery: while it runs, from its directory, or under other rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from hbeval.battery.manifest import Manifest
from hbeval.battery.outages import attempt_of
from hbeval.instruments import CURRENT, Instrument, scoring_fingerprint
from hbeval.judging import judge, rules_document
from hbeval.model import Context, JudgedTrace, Report, decode
from hbeval.report import Assembly
from hbeval.report.assembly import BESIDE
from hbeval.report.redaction import add_redacted, without_secrets
from hbeval.report.words import runs_words
from hbeval.store import RunDirectory

__all__ = ["Tally", "read_manifest", "rebuild", "rescore", "scoring"]

_AFTER_OUTAGE = "after something outside had kept them from measuring"
_GROUPS = (("fault",), ("domain",), ("task",))


class Tally:
    """Takes the runs of one battery, in any order, and gives their report."""

    def __init__(self, manifest: Manifest, *, instruments: Sequence[Instrument] = CURRENT, runs: bool = False) -> None:
        self._manifest = manifest
        self._assembly = Assembly(
            Context.BATTERY,
            instruments=instruments,
            group_by=_GROUPS,
            agent={"id": manifest.agent, **manifest.labels},
            battery=_battery(manifest),
            fault_spec_fingerprint=manifest.fault_spec_fingerprint,
            keep_runs=runs,
        )
        self.left_out: Callable[[str, str], None] = self._assembly.left_out
        self.done = 0
        self.endings: dict[str, int] = {}
        self._tried_again = 0
        self._redacted: dict[str, int] = {}
        self._final = 0

    def add(self, judged: JudgedTrace) -> None:
        """Take in one run."""
        self._assembly.add(judged)
        self.done += 1
        ending = judged.trace.ending.value
        self.endings[ending] = self.endings.get(ending, 0) + 1
        self._tried_again += attempt_of(judged.trace) > 1
        if judged.trace.redacted:
            add_redacted(self._redacted, judged.trace.redacted)
            self._final += judged.final

    def report(self) -> Report:
        """The report so far, marked partial while runs are missing."""
        report = self._assembly.report(partial=self.done < self._manifest.runs)
        missing = self._manifest.runs - self.done
        notes = [
            *self._manifest.gaps,
            *([f"{missing} of {self._manifest.runs} runs were not done"] if missing else []),
            *([f"{self._tried_again} runs were tried again {_AFTER_OUTAGE}"] if self._tried_again else []),
            *([f"{runs_words(self._final)} cannot be judged again from what redaction left"] if self._final else []),
        ]
        report = replace(report, notes=(*notes, *report.notes))
        return report if self._manifest.redaction is None else without_secrets(report, self._redacted)


def scoring(instruments: Sequence[Instrument] = CURRENT) -> str:
    """The scoring fingerprint of a battery's report."""
    return scoring_fingerprint((*instruments, *BESIDE), rules_document())


def read_manifest(directory: RunDirectory) -> Manifest:
    """What was asked of the run in a directory. Raises InputError naming file, field and value."""
    return decode(Manifest, directory.manifest(), where=str(directory.path / directory.MANIFEST))


def rebuild(path: str | os.PathLike[str], *, runs: bool = False) -> Report:
    """The report of a run directory, from its manifest and traces alone: what `run` gave, to the byte.

    `runs` lists each run with its own measurements. Raises InputError on damage; a torn last line is left out and said.
    """
    directory = RunDirectory(path)
    return _told(directory, directory.traces(), Tally(read_manifest(directory), runs=runs))


def rescore(path: str | os.PathLike[str], instruments: Sequence[Instrument] = CURRENT, *, runs: bool = False) -> Report:
    """The same runs judged again by the rules of this version and measured with these instruments.

    Another way of scoring is another series: show it beside the old report, never as its continuation. A run whose
    judgement rests on text that was taken out (`JudgedTrace.final`) keeps that judgement.
    """
    directory = RunDirectory(path)
    again = (each if each.final else judge(each.trace) for each in directory.traces())
    return _told(directory, again, Tally(read_manifest(directory), instruments=instruments, runs=runs))


def _told(directory: RunDirectory, runs: Iterable[JudgedTrace], tally: Tally) -> Report:
    for judged in runs:
        tally.add(judged)
    if directory.torn is not None and directory.torn.dropped:
        tally.left_out(directory.TRACES, str(directory.torn))
    return tally.report()


def _battery(manifest: Manifest) -> dict[str, object]:
    return {
        "id": manifest.battery,
        "domains": list(manifest.domains),
        "faults": list(manifest.faults),
        "scenarios": manifest.scenarios,
        "repeats": manifest.repeats,
        "seed": manifest.seed,
        "scenario_set_digest": manifest.scenario_set_digest,
        "task_set_digest": manifest.task_set_digest,
    }
