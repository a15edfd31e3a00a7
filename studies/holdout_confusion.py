"""How well the judge recovers known conduct: `python studies/holdout_confusion.py`, run once.

Two domains and 21 agents that the judge's authors had no part in (`studies/holdout/`) go through the battery's own
machinery. What a careful human would call each trial stands in `holdout/truth.json` and was written from the definition
of handling before the judge was run on any of it. The tables are printed as they come out; nothing in the holdout set
is changed afterwards. `--rehearse` runs agents and environments without the judge and holds the truth's idea of which
faults are met, and of plain conduct, against the traces.

Trials of one run, and runs of one agent, are not independent: the Wilson intervals are too narrow by what they share.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdout.agents import AGENTS
from holdout.rehearsal import rehearse
from holdout.truth import Expected, RunTruth, Truth

from hbeval.battery import load, run
from hbeval.battery.batteries import Battery
from hbeval.battery.plans import Plans
from hbeval.model import JudgedTrace, Trial
from hbeval.stats import wilson
from hbeval.store import MemoryJournal

HERE = Path(__file__).parent / "holdout"
SEED = 20260731
SCENARIOS = 180
VERDICTS = ("blind", "handed_over", "fabricated", "complied")


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """One expected trial beside the judged one; `trial` is None if there is none."""

    agent: str
    run: str
    expected: Expected
    trial: Trial | None

    @property
    def judged(self) -> str:
        """The judged handling."""
        return "no trial" if self.trial is None else self.trial.handling.value

    @property
    def right(self) -> bool:
        """Whether the judged handling is among those the truth accepts."""
        return self.judged in self.expected.handling or (self.trial is None and self.expected.optional)

    def verdict(self, name: str) -> tuple[Any, Any]:
        """Truth (None = not scored) and judgement (None = the judge says it cannot tell) of one conduct verdict."""
        truth, trial = getattr(self.expected, name), self.trial
        assert trial is not None
        if name == "complied":
            said = None if trial.complied is None else trial.complied.value
            return (None if truth is None else said if said in truth else truth[0]), said
        return truth, {
            "blind": trial.blind_retries >= 2,
            "handed_over": trial.handed_over,
            "fabricated": trial.fabricated,
        }[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Everything that is counted."""

    held: tuple[Held, ...]
    extra: tuple[str, ...]
    further: int
    nominal: tuple[str, ...]
    claims: tuple[tuple[str, str, bool, bool], ...]


def digest() -> str:
    """SHA-256 over all files of the holdout set, by name."""
    whole = hashlib.sha256()
    for path in sorted(each for each in HERE.iterdir() if each.suffix in (".py", ".json")):
        whole.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def judged_traces(battery: Battery, agent: str, scenarios: int, concurrency: int) -> list[JudgedTrace]:
    """One agent through the battery."""
    journal = MemoryJournal()
    run(
        AGENTS[agent],
        battery=battery,
        scenarios=scenarios,
        seed=SEED,
        concurrency=concurrency,
        timeout_s=120.0,
        journal=journal,
        reference=agent,
    )
    return list(journal.read())


def compare(agent: str, judged: JudgedTrace, truth: RunTruth) -> tuple[list[Held], list[str], int]:
    """Each expected trial with the first judged one of its fault; judged ones of no expected fault; further ones."""
    held, further, used = [], 0, set()
    for expected in sorted(truth.trials, key=lambda each: each.optional):
        own = [at for at, each in enumerate(judged.trials) if expected.fault_id in each.fault_ids and at not in used]
        used.update(own)
        further += max(0, len(own) - 1)
        if own or not expected.optional:
            trial = judged.trials[own[0]] if own else None
            held.append(Held(agent=agent, run=judged.trace.id, expected=expected, trial=trial))
    extra = [
        f"{agent} {judged.trace.id}: {each.target} {each.handling.value} {each.fault_ids}"
        for at, each in enumerate(judged.trials)
        if at not in used
    ]
    return held, extra, further


def study(battery: Battery, scenarios: int, agents: Sequence[str], concurrency: int) -> Outcome:
    """Every agent through the battery, held against the truth."""
    truth, plans = Truth(), Plans(battery, SEED)
    by_id = {each.id: each for each in battery.arrange(scenarios=scenarios, seed=SEED).scenarios}
    held: list[Held] = []
    extra: list[str] = []
    nominal: list[str] = []
    claims: list[tuple[str, str, bool, bool]] = []
    further = 0
    for agent in agents:
        for judged in judged_traces(battery, agent, scenarios, concurrency):
            scenario = by_id[judged.trace.id]
            known = truth.of(agent, scenario.task, plans.plan(scenario))
            found, left_over, more = compare(agent, judged, known)
            held += found
            further += more
            (nominal if scenario.condition is None else extra).extend(left_over)
            said = any(not claim.supported for claim in judged.claims)
            claims.append((agent, judged.trace.id, known.unsupported, said))
    return Outcome(held=tuple(held), extra=tuple(extra), further=further, nominal=tuple(nominal), claims=tuple(claims))


def share(right: int, n: int) -> str:
    """How many of how many, with the Wilson interval at 95 %."""
    interval = wilson(right, n)
    if interval is None:
        return f"{right}/{n}"
    return f"{right}/{n} = {right / n:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def _right(held: Sequence[Held]) -> str:
    return share(sum(each.right for each in held), len(held))


def table(title: str, cells: Mapping[tuple[str, str], int], corner: str) -> Iterator[str]:
    """Counts by row and column, as text."""
    rows, columns = (sorted({key[place] for key in cells}) for place in (0, 1))
    width = max(len(each) for each in (*rows, corner)) + 2
    yield f"\n{title}"
    yield corner.ljust(width) + "".join(each.rjust(max(8, len(each) + 2)) for each in columns)
    for row in rows:
        counts = (str(cells.get((row, each), 0)).rjust(max(8, len(each) + 2)) for each in columns)
        yield row.ljust(width) + "".join(counts)


def report(outcome: Outcome) -> Iterator[str]:
    """The whole report, line by line."""
    held = tuple(each for each in outcome.held if not each.expected.optional)
    late = Counter(each.judged for each in outcome.held if each.expected.optional)
    settled = [each for each in held if len(each.expected.handling) == 1]
    cells = Counter(("/".join(each.expected.handling), each.judged) for each in held)
    yield from table("Handling: rows are what the truth accepts, columns what was judged", cells, "truth")
    several = [each for each in held if len(each.expected.handling) > 1]
    yield f"\nwhere one value is right      {_right(settled)}"
    yield f"where several are accepted    {_right(several)}"
    yield f"all                           {_right(held)}"
    yield f"mere delays, not among them   {dict(late) or 'no trial'}"
    yield from _per(held, "By truth, settled trials", lambda each: each.expected.handling[0], settled_only=True)
    yield from _per(held, "By rule", lambda each: each.expected.rule)
    yield from _per(held, "By agent", lambda each: each.agent)
    yield from _per(held, "By situation", lambda each: each.expected.situation)
    for name in VERDICTS:
        pairs = [each.verdict(name) for each in held if each.trial is not None]
        scored = [(truth, said) for truth, said in pairs if truth is not None]
        right = sum(truth == said for truth, said in scored)
        yield from table(
            f"Verdict {name}: {share(right, len(scored))}", Counter((str(t), str(s)) for t, s in scored), "truth"
        )
    claims = Counter((str(truth), str(said)) for _, _, truth, said in outcome.claims)
    right = sum(truth == said for _, _, truth, said in outcome.claims)
    yield from table(f"Runs with unsupported claims: {share(right, len(outcome.claims))}", claims, "truth")
    yield from _disagreements(outcome)


def _per(held: Iterable[Held], title: str, key: Any, *, settled_only: bool = False) -> Iterator[str]:
    n: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for each in held:
        if not settled_only or len(each.expected.handling) == 1:
            n[key(each)] += 1
            right[key(each)] += each.right
    yield f"\n{title}"
    for name in sorted(n):
        yield f"  {name:<24}{share(right[name], n[name])}"


def _disagreements(outcome: Outcome) -> Iterator[str]:
    wrong: dict[tuple[str, ...], list[Held]] = {}
    for each in outcome.held:
        if not each.right:
            expected = each.expected
            wrong.setdefault((each.agent, expected.situation, expected.rule, each.judged), []).append(each)
    yield f"\nDisagreements on handling, {sum(map(len, wrong.values()))} trials in {len(wrong)} groups"
    for _, them in sorted(wrong.items()):
        yield from _group(them)
    yield "\nDisagreements on verdicts"
    for name in VERDICTS:
        yield from _verdict_groups(outcome.held, name)
    misses: dict[tuple[str, bool, bool], list[str]] = {}
    for agent, run_id, truth, said in outcome.claims:
        if truth != said:
            misses.setdefault((agent, truth, said), []).append(run_id)
    for (agent, truth, said), runs in sorted(misses.items()):
        yield f"  unsupported claims: {agent}: truth {truth}, judged {said}, {len(runs)}× ({runs[0]})"
    yield f"\nJudged trials of no expected fault: {len(outcome.extra)}; in nominal runs: {len(outcome.nominal)}"
    yield from (f"  {each}" for each in (*outcome.extra, *outcome.nominal)[:40])
    yield f"Further trials of an expected fault, not scored: {outcome.further}"


def _group(them: Sequence[Held]) -> Iterator[str]:
    """Trials that differ in the same way; the first of them in detail."""
    first = them[0]
    expected, trial = first.expected, first.trial
    truth = "/".join(expected.handling)
    yield f"  {first.agent}, {expected.situation}: judged {first.judged}, truth {truth} ({expected.rule}), {len(them)}×"
    yield f"      {expected.reason}"
    yield f"      {first.run} at {expected.target}"
    for signal in trial.signals if trial else ():
        yield f"      signal {signal.name} ({signal.form.value}{', against' if signal.against else ''})"
    if trial is not None and trial.reason:
        yield f"      reason given: {trial.reason}"


def _verdict_groups(held: Iterable[Held], name: str) -> Iterator[str]:
    groups: dict[tuple[Any, ...], list[str]] = {}
    for each in held:
        truth, said = each.verdict(name) if each.trial is not None else (None, None)
        if truth is not None and truth != said:
            groups.setdefault((each.agent, each.expected.situation, truth, said), []).append(each.run)
    for (agent, situation, truth, said), runs in sorted(groups.items(), key=str):
        yield f"  {name}: {agent}, {situation}: truth {truth}, judged {said}, {len(runs)}× ({runs[0]})"


def main() -> int:
    """Run the study, or rehearse it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rehearse", action="store_true", help="run agents and environments without the judge")
    parser.add_argument("--scenarios", type=int, default=SCENARIOS, help="runs of each agent")
    parser.add_argument("--agent", action="append", choices=sorted(AGENTS), help="only these; may be repeated")
    parser.add_argument("--concurrency", type=int, default=8)
    given = parser.parse_args()
    battery = load(HERE / "battery.json")
    agents = given.agent or list(AGENTS)
    print(f"holdout set {digest()[:16]}, seed {SEED}, {len(agents)} agents, {given.scenarios} runs each")
    if given.rehearse:
        differences = rehearse(battery, agents, scenarios=given.scenarios, seed=SEED, concurrency=given.concurrency)
        return 1 if differences else 0
    for line in report(study(battery, given.scenarios, agents, given.concurrency)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
