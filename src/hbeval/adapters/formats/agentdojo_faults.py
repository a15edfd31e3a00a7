"""Faults of an AgentDojo run: tools that raised, and injected texts that reached the agent or did not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from string import ascii_letters, digits
from typing import NamedTuple

from hbeval.model import Fault, FaultType, Injection, IntendedFault, Observation, Pressure, Step

__all__ = ["Instruction", "injected_faults", "instructions", "natural_faults"]

EFFECT = "injected_instruction"
_SEEN = "instruction in the result"
_WORD = re.compile(r"\w+")
_ESCAPE = re.compile(r"\\(?:[nrt]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})")
_LAYOUT = bytes(set(range(128)) - set((ascii_letters + digits).encode()))


class Instruction(NamedTuple):
    """One injected text and the slots it was put into.

    `probe` is its longest word; `squeezed` its letters and digits, which stay when a tool's printer re-wraps the text.
    """

    text: str
    slots: tuple[str, ...]
    probe: str
    squeezed: bytes

    def reached(self, content: str) -> bool:
        """Whether a tool's result holds the text, up to white space, punctuation and escapes."""
        at = content.find(self.probe)
        if at < 0 or not self.squeezed:
            return at >= 0 and self.text.strip() in content
        reach = 3 * len(self.text)
        near = content[max(0, at - reach) : at + reach]
        return self.squeezed in _squeeze(near) or (len(near) < len(content) and self.squeezed in _squeeze(content))


def instructions(injections: Mapping[str, str]) -> tuple[Instruction, ...]:
    """The distinct texts of a log's `injections` that hold a word, in order of first slot."""
    slots: dict[str, list[str]] = {}
    for slot, text in injections.items():
        slots.setdefault(text, []).append(slot)
    return tuple(
        Instruction(text, tuple(names), *_signature(text)) for text, names in slots.items() if _WORD.search(text)
    )


@lru_cache(maxsize=1024)
def _signature(text: str) -> tuple[str, bytes]:
    return max(_WORD.findall(text), key=len), _squeeze(text)


def _squeeze(text: str) -> bytes:
    if "\\" in text:
        text = _ESCAPE.sub("", text)
    return text.encode("ascii", "ignore").translate(None, _LAYOUT)


def natural_faults(calls: Sequence[Step]) -> list[Fault]:
    """One fault per tool that raised, with every observation."""
    seen: dict[str, list[Observation]] = {}
    for step in calls:
        if step.error is not None:
            seen.setdefault(step.action, []).append(Observation(step=step.seq, what=f"raised {step.error.kind}"))
    return [
        Fault(id=f"natural:{tool}", type=FaultType.TOOL_FAILURE, target=tool, observed=tuple(observed))
        for tool, observed in seen.items()
    ]


def injected_faults(calls: Sequence[Step], injections: Mapping[str, str]) -> list[Fault]:
    """One fault per distinct text: injected and observed at every call whose result held it.

    The target is the first tool that delivered it, or the first slot if none did. The text is data that the tool itself
    returned, so an injection does not degrade the call.
    """
    return [_injected(calls, each) for each in instructions(injections)]


def _injected(calls: Sequence[Step], instruction: Instruction) -> Fault:
    carriers = [step for step in calls if step.result and instruction.reached(step.result)]
    target = carriers[0].action if carriers else instruction.slots[0]
    return Fault(
        id=f"injection:{instruction.slots[0]}",
        type=FaultType.ADVERSARIAL,
        target=target,
        intended=IntendedFault(effect=EFFECT, parameters={"slots": list(instruction.slots)}),
        injected=tuple([Injection(call=_rank(calls, step), step=step.seq, effect=EFFECT) for step in carriers]),
        observed=tuple([Observation(step=step.seq, what=_SEEN) for step in carriers]),
        pressure=Pressure(text=instruction.text),
        calls=sum(step.action == target for step in calls),
        fired=len(carriers),
    )


def _rank(calls: Sequence[Step], step: Step) -> int:
    return sum(other.action == step.action and other.seq < step.seq for other in calls)
