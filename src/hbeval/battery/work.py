"""The doing of a battery: what is left, side by side, into the journal, and the report of it all."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from hbeval.battery.attempt import Run, Setting
from hbeval.battery.batteries import Battery
from hbeval.battery.clock import Clocks
from hbeval.battery.executor import Pool
from hbeval.battery.invoke import Callee
from hbeval.battery.keeping import Keeper
from hbeval.battery.lanes import LoopLane, ThreadLane
from hbeval.battery.manifest import Manifest, refuse_differences
from hbeval.battery.outages import Outages, Unreachable
from hbeval.battery.plans import Plans
from hbeval.battery.results import Tally, read_manifest
from hbeval.battery.scenario import Scenario
from hbeval.errors import InputError, UsageError
from hbeval.model import Report, encode
from hbeval.report.document import to_json
from hbeval.store import Journal, RunDirectory

__all__ = ["Interrupted", "Progress", "Work", "opened"]

_log = logging.getLogger("hbeval")


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a battery is. `done` counts finished runs, `resumed` those that an earlier start had finished."""

    done: int
    total: int
    resumed: int = 0
    endings: Mapping[str, int] = field(default_factory=dict)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C reached the battery. `report` covers what was done until then; with a directory it can be resumed."""

    def __init__(self, report: Report) -> None:
        super().__init__("interrupted")
        self.report = report


@contextmanager
def opened(directory: RunDirectory, manifest: Manifest, *, resume: bool, durable: bool) -> Iterator[Journal]:
    """The journal of a run directory: of a new run, or of the one that is to be resumed.

    Raises UsageError if there is a run that is not to be resumed, or that was asked for differently.
    """
    if not resume:
        _refuse_if_begun(directory)
    with directory.open(durable=durable) as journal:
        if not resume:
            _refuse_if_begun(directory)
        if directory.begun:
            refuse_differences(read_manifest(directory), manifest, str(directory.path))
        else:
            directory.write_manifest(encode(manifest))
        if journal.repaired is not None:
            _log.warning("%s", journal.repaired)
        yield journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is to be done, and the doing of it."""

    battery: Battery
    callee: Callee
    scenarios: tuple[Scenario, ...]
    manifest: Manifest
    clocks: Clocks
    concurrency: int
    progress: Callable[[Progress], None] | None = None

    def done(self, tally: Tally, journal: Journal | None, directory: RunDirectory | None = None) -> Report:
        """Do what is not done yet; the report of everything, also written to the directory.

        Raises Interrupted or Unreachable with the report of what was done until then.
        """
        outages = Outages(tally.add, together=self.concurrency)
        left = self._left(outages, journal)
        resumed = tally.done

        def tick() -> None:
            if self.progress is not None:
                counts = dict(tally.endings)
                self.progress(Progress(done=tally.done, total=self.manifest.runs, resumed=resumed, endings=counts))

        try:
            self._pool(left, outages, journal).run(1 if self.callee.is_async else self.concurrency, tick)
            tick()
        except KeyboardInterrupt as interrupt:
            outages.settle()
            raise Interrupted(_written(tally, directory)) from interrupt
        except Unreachable as trouble:
            outages.settle()
            if tally.done < self.manifest.runs:
                raise Unreachable(str(trouble), _written(tally, directory)) from trouble
        return _written(tally, directory)

    def _left(self, outages: Outages, journal: Journal | None) -> list[Scenario]:
        """The scenarios that are to be done, after counting those that are done."""
        known = {each.id for each in self.scenarios}
        finished = set()
        for judged in journal.read() if journal is not None else ():
            name = judged.trace.id
            if name not in known:
                raise InputError("a finished run is not one of this battery", value=name, right="its own runs")
            if not outages.on_record(judged):
                finished.add(name)
        return [each for each in self.scenarios if each.id not in finished]

    def _pool(self, left: list[Scenario], outages: Outages, journal: Journal | None) -> Pool[Scenario]:
        keeper = Keeper(journal, outages.tell, redacts=self.manifest.redaction is not None)
        setting = Setting(
            tasks=self.battery.tasks,
            plans=Plans(self.battery, self.manifest.seed),
            callee=self.callee,
            agent={"id": self.manifest.agent, **self.manifest.labels},
            clock=self.clocks,
            tries=outages.tries,
            deliver=keeper.keep,
        )
        return Pool(
            left,
            lambda scenario: Run(setting, scenario),
            (lambda pool: LoopLane(pool, self.concurrency)) if self.callee.is_async else ThreadLane,
            timeout_s=self.manifest.timeout_s,
        )


def _refuse_if_begun(directory: RunDirectory) -> None:
    if directory.begun:
        raise UsageError(f"{directory.path} holds a run; resume it, or choose another directory")


def _written(tally: Tally, directory: RunDirectory | None) -> Report:
    report = tally.report()
    if directory is not None:
        directory.write_report(to_json(replace(report, runs=None)))
    return report
