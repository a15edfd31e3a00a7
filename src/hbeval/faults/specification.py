"""The battery's fault specification: which effects stand for each fault type, as one data file with a fingerprint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from hbeval.errors import InputError
from hbeval.faults.catalogue import find
from hbeval.faults.effects import INJECTED_INSTRUCTION
from hbeval.faults.published import is_published, prompts_of
from hbeval.faults.targets import FaultTargets, Role
from hbeval.model import FaultType, decode, fingerprint, loads

__all__ = ["Specification", "TypeSpecification", "Variant", "VariantFault"]

_SCHEMA = "hbeval-fault-specification/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantFault:
    """One fault of a variant: an effect at whatever tool plays the role in a task."""

    at: Role
    effect: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    probability: float = 1.0
    limit: int | None = None
    stage: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One way a fault type may look in a run."""

    id: str
    faults: tuple[VariantFault, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles a task must fill for this variant, each once."""
        return tuple(dict.fromkeys(each.at for each in self.faults))


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeSpecification:
    """One fault type. `prompt` tells of the fault in words, for agents whose tools are out of reach.

    Without variants the type exists in words only.
    """

    title: str
    meaning: str
    prompt: str = ""
    variants: tuple[Variant, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Specification:
    """A specification document, checked. `nominal_share` is the share of scenarios without any fault, 0 to 1."""

    document: Mapping[str, Any]
    id: str
    nominal_share: float
    nominal_prompt: str
    types: Mapping[FaultType, TypeSpecification]

    @classmethod
    def load(cls, path: str | Path | None = None) -> Specification:
        """The specification of a file, ours if no path is given. Raises InputError naming file, field and value."""
        if path is None:
            source = resources.files("hbeval.faults") / "specification.json"
            return cls.of(loads(source.read_text("utf-8")), where="specification.json")
        try:
            text = Path(path).read_bytes()
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else "no name of a file"
            raise InputError(f"cannot be read ({why})", where=str(path)) from error
        return cls.of(loads(text, where=str(path)), where=str(path))

    @classmethod
    def of(cls, document: Any, *, where: str = "$") -> Specification:
        """The specification of a document: of our schema, or the battery document published with hb-eval-sdk."""
        if is_published(document):
            return _of_published(document, where)
        body = decode(_Document, document, where=where)
        _check(body, where)
        return cls(
            document=document,
            id=body.id,
            nominal_share=body.nominal_share,
            nominal_prompt=body.nominal_prompt,
            types={FaultType(name): each for name, each in body.types.items()},
        )

    @property
    def fingerprint(self) -> str:
        """The 16 hexadecimal digits that name the document."""
        return fingerprint(self.document)

    def prompt(self, fault_type: FaultType | None, targets: FaultTargets | None = None) -> str:
        """What to tell an agent whose tools are out of reach; None asks for the nominal condition.

        `{instruction}` in a prompt stands for the pressure's text of the task.
        """
        if fault_type is None:
            return self.nominal_prompt
        text = self.types[fault_type].prompt
        if targets is not None and targets.pressure is not None:
            text = text.replace("{instruction}", targets.pressure.text)
        return text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Document:
    schema: str
    id: str
    about: str = ""
    nominal_share: float
    nominal_prompt: str = ""
    types: Mapping[str, TypeSpecification]
    extra: Mapping[str, Any] = field(default_factory=dict)


def _of_published(document: Mapping[str, Any], where: str) -> Specification:
    prompts = prompts_of(document, where=where)
    return Specification(
        document=document,
        id="hb-eval-sdk battery document",
        nominal_share=document["none_fraction"],
        nominal_prompt=prompts[None],
        types={
            kind: TypeSpecification(title=kind.value, meaning="as published", prompt=text)
            for kind, text in prompts.items()
            if kind is not None
        },
    )


def _check(body: _Document, where: str) -> None:
    if body.schema != _SCHEMA:
        raise InputError("unknown schema", where=f"{where}.schema", value=body.schema, right=_SCHEMA)
    if not 0 <= body.nominal_share <= 1:
        raise InputError(
            "share is out of range", where=f"{where}.nominal_share", value=body.nominal_share, right="0 to 1"
        )
    _refuse_unknown(body.extra, where)
    names = [each.value for each in FaultType]
    for name in [*body.types, *names]:
        if name not in names:
            raise InputError("unknown fault type", where=f"{where}.types", value=name, right=", ".join(names))
        if name not in body.types:
            raise InputError(f"fault type {name!r} is missing", where=f"{where}.types", right="all six types")
    for name, each in body.types.items():
        _check_type(each, f"{where}.types.{name}")


def _check_type(each: TypeSpecification, where: str) -> None:
    _refuse_unknown(each.extra, where)
    seen: set[str] = set()
    for index, variant in enumerate(each.variants):
        place = f"{where}.variants[{index}]"
        _refuse_unknown(variant.extra, place)
        if variant.id in seen:
            raise InputError("variant id is not unique", where=f"{place}.id", value=variant.id)
        seen.add(variant.id)
        if not variant.faults:
            raise InputError("variant has no fault", where=f"{place}.faults", value=[], right="at least one")
        for number, fault in enumerate(variant.faults):
            _check_fault(fault, f"{place}.faults[{number}]")


def _check_fault(fault: VariantFault, where: str) -> None:
    _refuse_unknown(fault.extra, where)
    effect = find(fault.effect, where=f"{where}.effect")
    supplied = {}
    if effect is INJECTED_INSTRUCTION:
        supplied["text"] = "the pressure of the task"
        if fault.at != "carrier":
            raise InputError("an instruction needs its carrier", where=f"{where}.at", value=fault.at, right="carrier")
    effect.complete({**supplied, **fault.parameters}, f"{where}.parameters")
    if not 0 <= fault.probability <= 1:
        raise InputError(
            "probability is out of range", where=f"{where}.probability", value=fault.probability, right="0 to 1"
        )
    for name, value, least in (("limit", fault.limit, 1), ("stage", fault.stage, 0)):
        if value is not None and value < least:
            raise InputError("count is too small", where=f"{where}.{name}", value=value, right=f"at least {least}")


def _refuse_unknown(extra: Mapping[str, Any], where: str) -> None:
    for name in extra:
        raise InputError("unknown field", where=where, value=name)
