"""How often the gate is wrong, by simulation: `python studies/gate_characteristic.py --replicates 2000 --seed 1`.

A baseline and a candidate of known rates are drawn and judged by the gate's own decision. The candidate is truly worse
by the margin, or equal. Runs draw their number of trials evenly from a range and their successes from a beta-binomial
law with the given correlation within a run. Bars: PASS if worse and FAIL if equal at most 5.5 % (base rate up to .95,
up to 10 trials a run), at most 8 % elsewhere; exit code 1 if one is missed by more than three standard errors of the
simulation. The same runs are judged by a fixed drop of 0.05 and, where `--peers` names the Python of an environment
that holds them, by agentcheck-pytest-plugin 0.1.0 and agent-reliability-ci 0.8.0, which know one trial a run.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gate_simulation import REQUIRED, RULINGS, Cell, Floor, Unlike, cells, floors, unlike
from interval_coverage import span

PEER_BASES = (0.8, 0.95)
PEER_INSTALL = "pip install agentcheck-pytest-plugin==0.1.0 agent-reliability-ci==0.8.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One entry put to the other packages: what it is about, and what is sent."""

    about: str
    sent: Mapping[str, Any]


def pair_questions(seen: Iterable[Cell]) -> list[Question]:
    """Each cell whose samples were kept, once with the worse candidate and once with the equal one."""
    found = []
    for cell, candidate in itertools.product((each for each in seen if asked_of_peers(each)), ("worse", "equal")):
        sent = {"runs": cell.runs, "margin": cell.margin, "required": cell.base}
        samples = {"baseline": cell.samples["baseline"], "candidate": cell.samples[candidate]}
        words = f"{cell.runs:>3} runs, base {cell.base:.2f}, margin {cell.margin:.2f}, {candidate:<5}"
        found.append(Question(about=words, sent={**sent, **samples}))
    return found


def asked_of_peers(cell: Cell) -> bool:
    """Whether the other packages judge this cell: one trial a run, and not every base rate, for their slowness."""
    return cell.trials == (1, 1) and cell.base in PEER_BASES


def floor_questions(seen: Iterable[Floor]) -> list[Question]:
    """Every floor."""
    return [
        Question(
            about=f"{each.runs:>3} runs, true {each.true:.2f}, required {each.required:.2f}",
            sent={"runs": each.runs, "required": each.required, "candidate": each.samples},
        )
        for each in seen
    ]


def ask_peers(python: str, pairs: Sequence[Question], about_floors: Sequence[Question]) -> dict[str, Any]:
    """The rulings of the other packages, per package; an entry "error" where one cannot run."""
    asked = {"pairs": [each.sent for each in pairs], "floors": [each.sent for each in about_floors]}
    script = Path(__file__).with_name("peer_gates.py")
    try:
        ran = subprocess.run([python, str(script)], input=json.dumps(asked), capture_output=True, text=True, check=True)
        answer: dict[str, Any] = json.loads(ran.stdout)
    except (OSError, subprocess.CalledProcessError, json.JSONDecodeError) as error:
        return {"both": {"error": f"{python}: {error}"}}
    return answer


def per_cent(share: float) -> str:
    """One decimal, five characters."""
    return f"{100 * share:5.1f}"


def cell_lines(seen: Iterable[Cell]) -> Iterator[str]:
    """One line a cell under a heading a law; in per cent."""
    heads = "runs base margin | PASS   FAIL    bar | PASS   FAIL   | INCONCLUSIVE  | drop of 0.05"
    below = "                 | worse  equal       | equal  worse  | equal  worse   | PASS worse  FAIL equal"
    for (trials, correlation), group in itertools.groupby(seen, key=lambda each: (each.trials, each.correlation)):
        yield f"\n{span(trials)} trials a run, correlation {correlation:.1f}\n{heads}\n{below}"
        for cell in group:
            errors = f"{per_cent(cell.worse['pass'])}  {per_cent(cell.equal['fail'])}  {per_cent(cell.bar)}"
            power = f"{per_cent(cell.equal['pass'])}  {per_cent(cell.worse['fail'])}"
            undecided = f"{per_cent(cell.equal['inconclusive'])}  {per_cent(cell.worse['inconclusive'])}"
            fixed = f"{per_cent(cell.fixed_worse['pass'])}       {per_cent(cell.fixed_equal['fail'])}"
            mark = "!" if cell.missed else " "
            where = f"{cell.runs:>4} {cell.base:4.2f} {cell.margin:6.2f}"
            yield f"{where} | {errors}{mark}| {power}  | {undecided}   | {fixed}"


def unlike_lines(seen: Iterable[Unlike]) -> Iterator[str]:
    """One line each, in per cent."""
    for each in seen:
        (first, second), (one, two) = each.runs, each.correlations
        sides = f"{first:>3} and {second:>3} runs, correlation {one} and {two}"
        errors = f"PASS if worse {per_cent(each.worse['pass'])}  FAIL if equal {per_cent(each.equal['fail'])}"
        yield f"{sides}, base {each.base:.2f}: {errors}  PASS if equal {per_cent(each.equal['pass'])}"


def floor_lines(seen: Iterable[Floor]) -> Iterator[str]:
    """One line a floor, in per cent."""
    for each in seen:
        rulings = "  ".join(f"{word.upper()} {per_cent(each.rulings[word])}" for word in RULINGS)
        yield f"{each.runs:>4} runs, true {each.true:.2f}, required {each.required:.2f}: {rulings}"


def peer_lines(
    answers: Mapping[str, Any], pairs: Sequence[Question], about_floors: Sequence[Question]
) -> Iterator[str]:
    """What the other packages ruled, or why one did not run."""
    for package, answer in answers.items():
        if "error" in answer:
            yield f"\n{package}: not run, {answer['error']}"
            continue
        yield f"\n{package} {answer['version']}, one trial a run, in per cent of the samples"
        for questions, rulings in ((pairs, answer["pairs"]), (about_floors, answer["floors"])):
            if rulings is None:
                yield "  has no test against a required rate"
                continue
            for question, counts in zip(questions, rulings, strict=True):
                total = sum(counts.values())
                words = "  ".join(f"{each.upper()} {per_cent(count / total)}" for each, count in sorted(counts.items()))
                yield f"  {question.about}: {words} (of {total})"


def document(
    options: argparse.Namespace,
    seen: Sequence[Cell],
    beyond: Sequence[Unlike],
    about: Sequence[Floor],
    peers: Mapping[str, Any],
) -> dict[str, Any]:
    """Everything as one JSON value; the samples stay out."""
    listed = [
        {
            **{key: each for key, each in asdict(cell).items() if key != "samples"},
            "bar": cell.bar,
            "missed": cell.missed,
        }
        for cell in seen
    ]
    return {
        "schema": "hbeval-gate-characteristic/1",
        "seed": options.seed,
        "replicates": options.replicates,
        "cells": listed,
        "unlike": [asdict(each) for each in beyond],
        "floors": [{key: each for key, each in asdict(floor).items() if key != "samples"} for floor in about],
        "peers": dict(peers),
        "missed": sum(cell.missed for cell in seen),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; 1 if a cell misses its bar."""
    options = parse(arguments)
    say = (lambda text: None) if options.json else print
    say(f"seed {options.seed}, {options.replicates} replicates a cell, level .05 one-sided; shares in per cent")
    kept = min(options.peer_replicates, options.replicates)
    seen = list(cells(options.replicates, options.seed, kept=kept))
    for line in cell_lines(seen):
        say(line)
    beyond = list(unlike(options.replicates, options.seed))
    say("\nSides of unlike size or correlation, 3–10 trials a run, margin 0.10; no bar")
    for line in unlike_lines(beyond):
        say(line)
    about = list(floors(options.replicates, options.seed))
    say(f"\nA required rate of {REQUIRED:.2f}, one trial a run")
    for line in floor_lines(about):
        say(line)
    pairs, about_floors = pair_questions(seen), floor_questions(about)
    absent = {"both": {"error": f"--peers names no Python; in a virtual environment: {PEER_INSTALL}"}}
    peers = ask_peers(options.peers, pairs, about_floors) if options.peers else absent
    for line in peer_lines(peers, pairs, about_floors):
        say(line)
    missed = sum(cell.missed for cell in seen)
    say(f"\n{missed} cells miss their bar" if missed else "\nevery cell keeps its bar")
    if options.json:
        print(json.dumps(document(options, seen, beyond, about, peers), allow_nan=False, indent=1))
    return 1 if missed else 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, within their ranges."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--replicates", type=int, default=500, help="samples a cell, 100 to 100000 (default 500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the tables")
    parser.add_argument("--peers", metavar="PYTHON", help="interpreter of the environment that holds the two packages")
    parser.add_argument("--peer-replicates", type=int, default=100, help="samples a cell they judge (default 100)")
    options = parser.parse_args(arguments)
    if not 100 <= options.replicates <= 100_000:
        parser.error(f"--replicates must lie between 100 and 100000, got {options.replicates}")
    if not 1 <= options.peer_replicates <= 100_000:
        parser.error(f"--peer-replicates must lie between 1 and 100000, got {options.peer_replicates}")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
