"""The battery against an agent: from what is asked to the report."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hbeval import __version__
from hbeval.battery.batteries import Battery, standard
from hbeval.battery.clock import ClockKind, clock_maker
from hbeval.battery.invoke import Callee
from hbeval.battery.manifest import Manifest, versions
from hbeval.battery.results import Tally, scoring
from hbeval.battery.tasks import task_set_digest
from hbeval.battery.work import Progress, Work, opened
from hbeval.errors import UsageError
from hbeval.model import FaultType, Report
from hbeval.observe import disabled
from hbeval.redaction import RULES, redact
from hbeval.store import Journal, RunDirectory

__all__ = ["run"]

_LARGEST_SEED = 2**53 - 1
_LONGEST_S = 1e9


def run(
    agent: Any,
    *,
    battery: Battery | None = None,
    scenarios: int | None = None,
    repeats: int = 1,
    seed: int = 0,
    domains: Sequence[str] | None = None,
    faults: Sequence[FaultType | str] | None = None,
    concurrency: int = 1,
    timeout_s: float | None = 300.0,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    durable: bool = False,
    journal: Journal | None = None,
    clock: ClockKind = "elapsed",
    progress: Callable[[Progress], None] | None = None,
    labels: Mapping[str, str] | None = None,
    reference: str | None = None,
    runs: bool = False,
    redaction: bool = True,
) -> Report:
    """Put an agent through a battery and report what was measured.

    agent        callable agent(task) or agent(task, tools), sync or async, giving text, a mapping, or None for no
                 answer; a class is instantiated anew for each run. Synchronous agents run in threads, asynchronous
                 ones as tasks of one event loop, never in the caller's thread. A thread that hangs cannot be stopped:
                 it is left behind, and what it does later is in no record. Native code that never lets go of the
                 interpreter stops everything, the deadline and Ctrl-C included; run such an agent as a program
    battery      None = `standard()`
    scenarios    how many, each done `repeats` times; None = every task under every fault type that fits it
    domains      names; None = all of the battery
    faults       fault types; None = all, empty or "none" = nominal runs only
    timeout_s    deadline of a run's agent; a run beyond it ends as "limit". None = none
    out          run directory (manifest, journal, report); `resume` continues the one that is there or begins it,
                 `durable` brings each run to the medium before it counts
    journal      where finished runs go without a directory
    clock        see `hbeval.battery.clock.clock_maker`
    progress     called in the caller's thread, some ten times a second at most, and at the end
    labels       of the agent (model, prompt_version, commit …); `reference` is its name, by default module:name
    runs         whether the report lists each run
    redaction    whether secrets and personal data are taken out of what is kept and reported, after judging

    Raises UsageError or AgentError for what cannot be asked, EnvironmentFault if the directory cannot be written to,
    Unreachable if run after run ends as "infrastructure", Interrupted on Ctrl-C. What was finished before is kept in
    each case, and `resume` goes on; runs that ended as "infrastructure" are then tried again.
    """
    _check(concurrency=concurrency, timeout_s=timeout_s, seed=seed)
    clocks = clock_maker(clock)
    if disabled():
        raise UsageError("HBEVAL_DISABLE is set, so nothing would be recorded; unset it to run a battery")
    if out is None and (resume or durable):
        raise UsageError("resume and durable are about a run directory; give out=")
    if out is not None and journal is not None:
        raise UsageError("out and journal are two places for the same runs; give one of them")
    battery = battery or standard()
    callee = Callee(agent)
    kinds = _fault_types(faults)
    chosen = battery.arrange(scenarios=scenarios, repeats=repeats, seed=seed, domains=domains, faults=kinds)
    domains_chosen = battery.chosen(domains)
    named: dict[str, Any] = {"agent": reference or callee.reference, "labels": _texts(labels or {})}
    if redaction:
        named = redact(named).value
    manifest = Manifest(
        agent=named["agent"],
        labels=named["labels"],
        battery=battery.id,
        domains=tuple(each.name for each in domains_chosen),
        faults=tuple(each.value for each in kinds),
        scenarios=len(chosen.scenarios) // repeats,
        repeats=repeats,
        runs=len(chosen.scenarios),
        seed=seed,
        timeout_s=timeout_s,
        clock=clock,
        scenario_set_digest=chosen.digest,
        task_set_digest=task_set_digest(domains_chosen),
        fault_spec_fingerprint=battery.specification.fingerprint,
        scoring_fingerprint=scoring(),
        versions=versions(__version__),
        gaps=chosen.gaps,
        redaction=RULES if redaction else None,
    )
    work = Work(
        battery=battery,
        callee=callee,
        scenarios=chosen.scenarios,
        manifest=manifest,
        clocks=clocks,
        concurrency=concurrency,
        progress=progress,
    )
    tally = Tally(manifest, runs=runs)
    if out is None:
        return work.done(tally, journal)
    directory = RunDirectory(out)
    with opened(directory, manifest, resume=resume, durable=durable) as kept:
        return work.done(tally, kept, directory)


def _fault_types(faults: Sequence[FaultType | str] | None) -> tuple[FaultType, ...]:
    if faults is None:
        return tuple(FaultType)
    given = [faults] if isinstance(faults, str) else list(faults)
    if given == ["none"]:
        return ()
    known = {each.value: each for each in FaultType}
    for name in given:
        if name not in known:
            raise UsageError(f"there is no fault type {name!r}; there are {', '.join(known)}, and none")
    return tuple(each for each in FaultType if each in given)


def _check(*, concurrency: int, timeout_s: float | None, seed: int) -> None:
    if isinstance(concurrency, bool) or not isinstance(concurrency, int) or concurrency < 1:
        raise UsageError(f"concurrency is {concurrency}; at least 1 is needed")
    if timeout_s is not None and not (isinstance(timeout_s, (int, float)) and 0 < timeout_s <= _LONGEST_S):
        raise UsageError(f"timeout_s is {timeout_s!r}; give seconds above 0, or None for no deadline")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise UsageError(f"seed is {seed!r}; give an integer")
    if not -_LARGEST_SEED <= seed <= _LARGEST_SEED:
        raise UsageError(f"seed is outside of ±{_LARGEST_SEED}, beyond which readers of JSON round; give a smaller one")


def _texts(labels: Mapping[str, str]) -> dict[str, str]:
    for name, value in labels.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise UsageError(f"label {name!r} is {value!r}; names and values of labels are text")
    return dict(labels)
