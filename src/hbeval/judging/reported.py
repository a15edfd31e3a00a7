"""Flags that the agent's own code gave. They are claims: they fill a gap in the record, they never overrule it."""

from __future__ import annotations

from hbeval.model import Claim, Provenance, Step

__all__ = ["disagreements", "flag", "settle"]

_REPORTED = Provenance.REPORTED


def flag(step: Step, name: str) -> bool | None:
    """The flag called `name`, None if it was not given."""
    value = step.reported.get(name)
    return value if isinstance(value, bool) else None


def settle(seen: bool | None, step: Step, name: str) -> bool | None:
    """What counts: what the runtime saw; where it saw nothing, or not the step itself, what was reported."""
    told = flag(step, name)
    if told is None:
        return seen
    if step.provenance is _REPORTED or seen is None:
        return told
    return seen


def disagreements(step: Step, name: str, seen: bool | None) -> tuple[Claim, ...]:
    """The claim that a flag makes against what counts, if it is another; none otherwise."""
    told = flag(step, name)
    if told is None or seen is None or told is seen:
        return ()
    text = f"{name}={'true' if told else 'false'} at step {step.seq}"
    return (Claim(kind=f"reported.{name}", text=text, turn=step.turn, supported=False),)
