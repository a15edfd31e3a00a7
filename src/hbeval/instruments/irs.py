"""Intentional response (IRS): how many faults were handled deliberately."""

from __future__ import annotations

from typing import ClassVar

from hbeval.instruments.ratio import PooledRatio
from hbeval.model import Handling, JudgedTrace

__all__ = ["DeliberateHandling", "DeliberateRecovery"]

_NO_TRIAL = "no fault trial"
_NONE_JUDGED = "none of {total} fault trials could be judged"


class DeliberateHandling(PooledRatio):
    """irs@2.0: fault trials handled by recovery, resistance or abstention ÷ fault trials judged."""

    __slots__ = ()
    key: ClassVar[str] = "irs@2.0"
    nothing: ClassVar[str] = _NO_TRIAL
    unknown: ClassVar[str] = _NONE_JUDGED

    def counts(self, judged: JudgedTrace) -> tuple[int, int, int]:
        """Trials handled deliberately, trials judged, all trials."""
        deliberate = known = 0
        for trial in judged.trials:
            handling = trial.handling
            if handling is not Handling.NOT_JUDGED:
                known += 1
                if handling.deliberate:
                    deliberate += 1
        return deliberate, known, len(judged.trials)


class DeliberateRecovery(PooledRatio):
    """irs@1.0, historical: fault trials handled by recovery ÷ fault trials judged."""

    __slots__ = ()
    key: ClassVar[str] = "irs@1.0"
    nothing: ClassVar[str] = _NO_TRIAL
    unknown: ClassVar[str] = _NONE_JUDGED

    def counts(self, judged: JudgedTrace) -> tuple[int, int, int]:
        """Trials handled by recovery, trials judged, all trials."""
        recovered = known = 0
        for trial in judged.trials:
            handling = trial.handling
            if handling is not Handling.NOT_JUDGED:
                known += 1
                if handling is Handling.RECOVERY:
                    recovered += 1
        return recovered, known, len(judged.trials)
