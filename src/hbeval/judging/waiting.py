"""Whether retries of a passing fault waited: longer each time, or as long as the error asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from hbeval.judging.parameters import PARAMETERS
from hbeval.judging.reading import Reading
from hbeval.model import Step

__all__ = ["waited"]


def waited(reading: Reading, responses: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """`seq` of retries that came after a growing delay, or not before the error's Retry-After.

    `responses` are the places of failed calls, each with that of what the agent called next.

    A delay counts from the end of the failed call, or from the last thing said after it: a model's thinking time is no
    waiting. Where one of these times is missing, nothing can be said of that retry.
    """
    series = list(_delays(reading, responses))
    asked = {
        retry.seq
        for failed, retry, delay in series
        if failed.error is not None
        and failed.error.retry_after_s
        and delay >= failed.error.retry_after_s * PARAMETERS.retry_after_slack
    }
    growing = {retry.seq for _, retry, _ in series} if _grows([delay for _, _, delay in series]) else set()
    return tuple(sorted(asked | growing))


def _delays(reading: Reading, responses: Sequence[tuple[int, int]]) -> Iterator[tuple[Step, Step, float]]:
    """Each failed call of a passing fault with its retry at the same tool, and the seconds between."""
    for place, response in responses:
        failed, retry = reading.steps[place], reading.steps[response]
        if retry.action != failed.action or not _passing(failed):
            continue
        delay = _delay(reading, failed, retry)
        if delay is not None:
            yield failed, retry, delay


def _delay(reading: Reading, failed: Step, retry: Step) -> float | None:
    begin = failed.ended_at if failed.ended_at is not None else failed.started_at
    if begin is None or retry.started_at is None:
        return None
    for turn in reading.turns:
        if failed.seq < turn.seq < retry.seq:
            if turn.at is None:
                return None
            begin = max(begin, turn.at)
    return retry.started_at - begin


def _passing(step: Step) -> bool:
    """Whether the error is of a kind that may pass by itself."""
    error = step.error
    if error is None:
        return False
    if error.retry_after_s is not None or error.status in PARAMETERS.transient_status:
        return True
    return _passing_kind(error.kind)


@lru_cache(maxsize=256)
def _passing_kind(kind: str) -> bool:
    letters = "".join([letter for letter in kind.lower() if letter.isalpha()])
    return any(part in letters for part in PARAMETERS.transient_kinds)


def _grows(delays: Sequence[float]) -> bool:
    """Two delays or more, none much shorter than the one before, the last much longer than the first and no noise."""
    if len(delays) < 2 or delays[-1] < PARAMETERS.backoff_minimum_s:
        return False
    if any(later < earlier * PARAMETERS.backoff_slack for earlier, later in pairwise(delays)):
        return False
    return delays[-1] >= delays[0] * PARAMETERS.backoff_growth
