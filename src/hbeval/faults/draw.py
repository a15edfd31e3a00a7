"""The dice: whether a fault fires at one call of one target, from nothing but the names involved."""

from __future__ import annotations

from hashlib import sha256

__all__ = ["draw", "fires", "plan_part"]

_ALL_ONES = 0xFFFFFFFF


def plan_part(plan: str, task: str | None) -> str:
    """The plan's name in the dice, the task folded into it."""
    return f"{task}/{plan}" if task else plan


def draw(seed: int, plan: str, task: str | None, target: str, call: int) -> float:
    """A number from 0 to 1 inclusive: the first 8 hexadecimal digits of SHA-256("seed:plan:target:call") ÷ 0xFFFFFFFF.

    `call` counts the calls of that target from 0. Nothing else enters, so other tools' calls change nothing.
    """
    key = f"{seed}:{plan_part(plan, task)}:{target}:{call}"
    digest = sha256(key.encode("utf-8", "surrogatepass"))
    return int.from_bytes(digest.digest()[:4], "big") / _ALL_ONES


def fires(seed: int, plan: str, task: str | None, target: str, call: int, *, probability: float) -> bool:
    """Whether a fault of this probability fires at this call: always from 1, never from 0, else draw < probability."""
    if probability >= 1:
        return True
    return probability > 0 and draw(seed, plan, task, target, call) < probability
