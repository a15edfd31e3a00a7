"""Finished runs on their way into the journal and the report: without what must not be kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hbeval.judging import judge
from hbeval.model import JudgedTrace
from hbeval.redaction import Quick, redact
from hbeval.store import Journal, Wire

__all__ = ["Keeper", "without_secrets"]


class Keeper:
    """Puts each finished run into the journal and hands it to `tell`, the same run to both.

    With `redacts` secrets and personal data are taken out first. The verdicts stay those on the run as it was. Without
    a journal runs are not kept, and nothing is taken out of them.
    """

    __slots__ = ("_journal", "_quick", "_tell", "_wire")

    def __init__(self, journal: Journal | None, tell: Callable[[JudgedTrace], None], *, redacts: bool) -> None:
        self._journal, self._tell = journal, tell
        self._quick = Quick() if redacts and journal is not None else None
        self._wire = Wire()

    def keep(self, judged: JudgedTrace) -> None:
        """Take in one run. Raises what `Journal.append` raises, and then has not told of it."""
        text: str | None = None
        if self._quick is not None:
            text = self._wire.text(judged)
            if not self._quick.is_clean(self._wire.loose):
                redacted = without_secrets(judged)
                if redacted is judged:
                    self._quick.remember(self._wire.loose)
                else:
                    judged, text = redacted, None
        if self._journal is not None:
            self._journal.append(judged, text)
        self._tell(judged)


def without_secrets(judged: JudgedTrace) -> JudgedTrace:
    """The judged trace with placeholders for secrets and personal data; the same object if it holds none.

    It is marked `final` if judging what is left would give other verdicts.
    """
    found = redact(judged)
    if not found.counts:
        return judged
    made = found.value
    counts = {**judged.trace.redacted}
    for rule, count in found.counts.items():
        counts[rule] = counts.get(rule, 0) + count
    made = replace(made, trace=replace(made.trace, redacted=counts))
    return made if judged.final or _same_verdicts(made, judge(made.trace)) else replace(made, final=True)


def _same_verdicts(one: JudgedTrace, other: JudgedTrace) -> bool:
    """Whether two judgements say the same of steps, trials, claims and evidence."""
    return _verdicts(one) == _verdicts(other)


def _verdicts(judged: JudgedTrace) -> tuple[object, ...]:
    claims = tuple((each.kind, each.turn, each.supported) for each in judged.claims)
    return judged.rules, judged.steps, judged.trials, claims, judged.evidence, judged.missing
