"""What a worker of a Who&When run says about its own attempt, by the signs in the data file beside this module."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from hbeval.model import Outcome, StepError

__all__ = ["Said", "last_exception", "said_by"]

_CONSOLE = re.compile(
    r"\n?Error processing publish message\n|\n?FINAL ANSWER:|\n?SCENARIO\.PY |\n?RUN\.SH |\n/\S+\.py:\d+: UserWarning: "
)
_EXCEPTION = re.compile(r"^(?:[\w.]+\.)?(\w*(?:Error|Exception|Interrupt|Timeout|Warning)): ?(.*)$", re.MULTILINE)
_TITLES = (
    re.compile(r"^Here is a screenshot of \[(.*?)\]\(", re.MULTILINE | re.DOTALL),
    re.compile(r"^Title: (.*)$", re.MULTILINE),
)
_PAGE = "the following text:"
_TIMED_OUT = 124
_LONGEST_MESSAGE = 400


class Said(NamedTuple):
    """The words of a worker, without the console output that runs into some, and what they say of the attempt."""

    words: str
    outcome: Outcome
    error: StepError | None = None
    exit_code: int | None = None


class _Sign(NamedTuple):
    place: str
    pattern: re.Pattern[str]
    kind: str
    outcome: Outcome
    longest: int | None


def said_by(content: str) -> Said:
    """What one entry of a worker amounts to."""
    end = _CONSOLE.search(content)
    words = content[: end.start()] if end else content
    places = _places(words)
    for sign in _signs():
        text = places[sign.place]
        if text is None or (sign.longest is not None and len(text) > sign.longest):
            continue
        found = sign.pattern.match(text) if sign.place != "page" else sign.pattern.search(text)
        if found:
            return _judged(words, sign, found.groupdict())
    return Said(words, Outcome.OK)


def last_exception(text: str) -> tuple[str, str] | None:
    """Name and message of the last exception printed in a text."""
    found = _EXCEPTION.findall(text)
    return (found[-1][0], found[-1][1]) if found else None


def _places(words: str) -> dict[str, str | None]:
    titles = (pattern.search(words) for pattern in _TITLES)
    title = next((found.group(1).strip() for found in titles if found), None)
    _, shown, page = words.partition(_PAGE)
    return {"start": words, "title": title, "page": page.strip() if shown else words}


def _judged(words: str, sign: _Sign, groups: Mapping[str, str | None]) -> Said:
    if groups.get("code") is not None:
        code = int(groups["code"] or 0)
        return Said(words, Outcome.ERROR if code else Outcome.OK, _exit_error(words, code) if code else None, code)
    if sign.outcome is not Outcome.ERROR:
        return Said(words, sign.outcome)
    status = groups.get("status")
    message = words[:_LONGEST_MESSAGE]
    return Said(
        words, Outcome.ERROR, StepError(kind=sign.kind, message=message, status=int(status) if status else None)
    )


def _exit_error(words: str, code: int) -> StepError:
    raised = last_exception(words)
    if raised is not None:
        return StepError(kind=raised[0], message=raised[1])
    kind = "timeout" if code == _TIMED_OUT else "unknown"
    return StepError(kind=kind, message=words[-_LONGEST_MESSAGE:])


@cache
def _signs() -> tuple[_Sign, ...]:
    document = json.loads(files("hbeval.adapters.formats").joinpath("who_and_when_signs.json").read_text("utf-8"))
    return tuple(
        _Sign(
            each["place"],
            re.compile(each["pattern"], re.MULTILINE | re.IGNORECASE),
            each.get("kind", "unknown"),
            Outcome(each.get("outcome", "error")),
            each.get("longest"),
        )
        for each in document["signs"]
    )
