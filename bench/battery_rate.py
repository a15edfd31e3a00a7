"""How many scenario-runs a second: our battery with its journal on, beside pydantic-evals and Inspect in the same run.

    python bench/battery_rate.py [--peer-python PYTHON] [--json] [--check]

Each runs a trivial agent over as many cases as make it last about a second, on one core, three times; the best counts.
pydantic-evals keeps a trace of each case only if logfire is there and configured (its spans; nothing is sent): that is
what our runs are held against. Beside it stands the same without logfire, which keeps nothing. Peers live in an
environment of their own: `python -m venv peers && peers/bin/pip install 'pydantic-evals[logfire]' inspect-ai`, then
`--peer-python peers/bin/python`. `--check` fails below 4,000 runs/s or 8 × pydantic-evals with its traces.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

INSTALL = "python -m venv peers && peers/bin/pip install 'pydantic-evals[logfire]' inspect-ai"
TARGET, TIMES_PYDANTIC_EVALS = 4000, 8
TRACED, UNTRACED = "pydantic-evals, traces", "pydantic-evals, none"
ROUNDS = 3


def agent(task: str) -> str:
    """The trivial agent: an answer without a tool."""
    return "unknown"


async def async_agent(task: str) -> str:
    """The same as a coroutine."""
    return "unknown"


def hbeval_rate(runs: int, who: Callable[..., object] = agent) -> float:
    """Runs a second of our battery, from the call to the report, journal and report file included."""
    from hbeval.battery import run, standard

    battery = standard()
    with tempfile.TemporaryDirectory() as out:
        begun = time.perf_counter()
        report = run(who, battery=battery, scenarios=runs, out=Path(out) / "run")
        seconds = time.perf_counter() - begun
        assert report.coverage.measured == runs, report.coverage
        assert len((Path(out) / "run" / "traces.jsonl").read_bytes().splitlines()) == runs
    return runs / seconds


def pydantic_evals_rate(runs: int, *, traces: bool) -> float:
    """Cases a second of a pydantic-evals data set with one evaluator; the better of a sync and an async agent."""
    if traces:
        import logfire

        logfire.configure(send_to_logfire=False, console=False)
    else:
        sys.modules["logfire"] = None  # type: ignore[assignment]  # as if it were not installed
    from pydantic_evals import Case, Dataset
    from pydantic_evals.evaluators import EqualsExpected

    cases = [Case(name=f"case-{i}", inputs=f"find {i}", expected_output="known") for i in range(runs)]
    rates = []
    for who in (agent, async_agent):
        dataset = Dataset(name="bench", cases=cases, evaluators=[EqualsExpected()])
        begun = time.perf_counter()
        report = dataset.evaluate_sync(who, progress=False)
        rates.append(runs / (time.perf_counter() - begun))
        assert len(report.cases) == runs
    return max(rates)


def inspect_rate(runs: int) -> float:
    """Samples a second of an Inspect task with a custom solver and a custom scorer; its log is its journal."""
    import inspect_ai
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import Score, accuracy, scorer
    from inspect_ai.solver import solver

    @solver
    def answers():  # type: ignore[no-untyped-def]
        async def solve(state, generate):  # type: ignore[no-untyped-def]
            state.output.completion = await async_agent(state.input_text)
            return state

        return solve

    @scorer(metrics=[accuracy()])
    def exact():  # type: ignore[no-untyped-def]
        async def score(state, target):  # type: ignore[no-untyped-def]
            return Score(value=float(state.output.completion == target.text))

        return score

    samples = [Sample(input=f"find {i}", target="known") for i in range(runs)]
    task = inspect_ai.Task(dataset=samples, solver=answers(), scorer=exact())
    with tempfile.TemporaryDirectory() as logs:
        begun = time.perf_counter()
        (log,) = inspect_ai.eval(task, model="mockllm/model", log_dir=logs, display="none")
        seconds = time.perf_counter() - begun
    assert log.status == "success", log.error
    assert log.results is not None
    assert log.results.completed_samples == runs
    return runs / seconds


RATES: dict[str, tuple[Callable[[int], float], int]] = {
    "hbeval": (hbeval_rate, 8000),
    "hbeval, async agent": (lambda runs: hbeval_rate(runs, async_agent), 8000),
    TRACED: (lambda runs: pydantic_evals_rate(runs, traces=True), 1000),
    UNTRACED: (lambda runs: pydantic_evals_rate(runs, traces=False), 1000),
    "inspect": (inspect_rate, 100),
}


def best(name: str) -> float:
    """The best of some rounds, after a small one to warm up."""
    rate, runs = RATES[name]
    rate(20)
    return max(rate(runs) for _ in range(ROUNDS))


def peer(name: str, python: str) -> float | None:
    """A peer's rate, measured in its own environment; None, with what to do, if it is not there."""
    done = subprocess.run([python, __file__, "--one", name], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return float(done.stdout.splitlines()[-1])
    last = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no message"
    print(f"{name} was not measured by {python} ({last}); install it: {INSTALL}", file=sys.stderr)
    return None


def on_one_core() -> str:
    """Keep this process and those it starts to one core, where the platform can."""
    if not hasattr(os, "sched_setaffinity"):
        return "any core"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"core {core}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--peer-python", default=os.environ.get("HBEVAL_PEER_PYTHON", sys.executable))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--one", choices=RATES, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(best(asked.one))
        return 0
    core = on_one_core()
    rates: dict[str, float | None] = {name: best(name) for name in ("hbeval", "hbeval, async agent")}
    rates |= {name: peer(name, asked.peer_python) for name in (TRACED, UNTRACED, "inspect")}
    own, other = rates["hbeval"], rates[TRACED]
    ratio = own / other if own and other else None
    if asked.json:
        print(json.dumps({"runs_per_s": rates, "times_pydantic_evals": ratio, "on": core}))
    else:
        for name, rate in rates.items():
            print(f"{name:22} {'not measured' if rate is None else f'{rate:8,.0f} runs/s':>16}")
        print(f"hbeval ÷ {TRACED}: {'not measured' if ratio is None else f'{ratio:.1f}'} ({core})")
    if not asked.check:
        return 0
    return int(own is None or own < TARGET or (ratio is not None and ratio < TIMES_PYDANTIC_EVALS))


if __name__ == "__main__":
    sys.exit(main())
