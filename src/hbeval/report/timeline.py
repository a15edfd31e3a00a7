"""Which runs to show step by step: a few, chosen by how their faults were handled, whatever the order they came in."""

from __future__ import annotations

from collections.abc import Sequence

from hbeval.model import Compliance, Handling, JudgedTrace, Trial

__all__ = ["TellingRuns"]

_WORST_FIRST = (
    "complied",
    "fabricated",
    Handling.REFLEX.value,
    Handling.ABSTENTION.value,
    Handling.RESISTANCE.value,
    Handling.RECOVERY.value,
    Handling.NOT_JUDGED.value,
    "no fault",
)


class TellingRuns:
    """Keeps the `limit` most telling of the valid runs it is shown.

    Runs are sorted into kinds by their worst trial. Of each kind the runs with the most trials and signals, then the
    fewest steps, come first; the choice goes round the kinds. The same runs in any order give the same choice.
    """

    __slots__ = ("_kinds", "_limit")

    def __init__(self, limit: int = 6) -> None:
        self._limit = limit
        self._kinds: dict[str, list[JudgedTrace]] = {}

    def add(self, judged: JudgedTrace) -> None:
        """Look at one run."""
        if judged.trace.invalid or not judged.trace.steps:
            return
        kept = self._kinds.setdefault(_kind(judged.trials), [])
        kept.append(judged)
        kept.sort(key=_order)
        del kept[self._limit :]

    def chosen(self) -> tuple[JudgedTrace, ...]:
        """At most `limit` runs, the worst kind first, the kinds taken in turn."""
        queues = [list(self._kinds[kind]) for kind in _WORST_FIRST if kind in self._kinds]
        out: list[JudgedTrace] = []
        while len(out) < self._limit and any(queues):
            out += [queue.pop(0) for queue in queues if queue]
        return tuple(out[: self._limit])


def _kind(trials: Sequence[Trial]) -> str:
    kinds = {trial.handling.value for trial in trials}
    kinds |= {"complied" for trial in trials if trial.complied is Compliance.FULL}
    kinds |= {"fabricated" for trial in trials if trial.fabricated}
    return min(kinds, key=_WORST_FIRST.index, default="no fault")


def _order(judged: JudgedTrace) -> tuple[int, int, int, str, str]:
    signals = sum(len(trial.signals) for trial in judged.trials)
    return -len(judged.trials), -signals, len(judged.trace.steps), judged.trace.source, judged.trace.id
