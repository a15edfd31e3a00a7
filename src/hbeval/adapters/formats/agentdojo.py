"""AgentDojo run logs: one JSON file is one run. The rule behind every field is in docs/formats/agentdojo.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hbeval.adapters.formats.agentdojo_faults import injected_faults, natural_faults
from hbeval.adapters.formats.agentdojo_messages import Reading
from hbeval.adapters.formats.agentdojo_tools import declarations
from hbeval.adapters.formats.documents import read_json, starts_with
from hbeval.adapters.formats.run_errors import ending_of_error
from hbeval.errors import InputError
from hbeval.model import Context, Ending, Fact, Fault, FaultType, LeftOut, Task, Trace

__all__ = ["AgentDojo", "trace_of"]

_SIGNS = (b'"suite_name"', b'"pipeline_name"', b'"user_task_id"')
_HOLDS = (Fact.INPUT, Fact.OUTCOME, Fact.TURN)
_HOLDS_ID = (Fact.ID, Fact.INPUT, Fact.OUTCOME, Fact.TURN)
_SKIPPING = re.compile(r"^Skipping task .*? (?:because of|due to) ")
_DEFENCES = ("repeat_user_prompt", "tool_filter", "transformers_pi_detector", "spotlighting_with_delimiting")


class AgentDojo:
    """Importer of AgentDojo run logs."""

    name: str = "agentdojo"
    suffixes: tuple[str, ...] = (".json",)

    def detect(self, path: Path, head: bytes) -> str | None:
        """The file's first keys name a suite, a pipeline and a user task."""
        if starts_with(head, b"{") and all(sign in head for sign in _SIGNS):
            return "keys suite_name, pipeline_name and user_task_id"
        return None

    def read(self, path: Path, source: str) -> Iterator[Trace | LeftOut]:
        """The one run of the file. Raises InputError if it is not a run."""
        document = read_json(path, source)
        if document.torn:
            raise InputError(document.torn, where=source, right="a whole run")
        trace = trace_of(document.value, source)
        yield replace(trace, extra={**trace.extra, "nulled_in_file": document.nulled}) if document.nulled else trace


def trace_of(document: Any, source: str) -> Trace:
    """The trace of one decoded run log. Raises InputError naming what is not as the format has it."""
    if not isinstance(document, dict):
        raise InputError("not an AgentDojo run", where=source, value=document, right="a JSON object")
    suite, task_id, pipeline = (_text(document, key, source) for key in ("suite_name", "user_task_id", "pipeline_name"))
    attack = document.get("attack_type")
    reading = Reading(document.get("messages"), source)
    ending, detail = _ending(document, reading)
    success = document.get("utility") if ending in (Ending.COMPLETED, Ending.LIMIT) else None
    if not isinstance(success, bool):
        success = None
    return Trace(
        id=source,
        source=source,
        context=Context.IMPORT,
        format=AgentDojo.name,
        agent=_agent(pipeline, suite, source),
        task=Task(id=_task(document, suite, task_id), domain=suite, text=reading.task),
        condition=FaultType.ADVERSARIAL if attack else None,
        tools=declarations(suite),
        turns=tuple(reading.turns),
        steps=(*reading.calls, reading.answer) if reading.answer else tuple(reading.calls),
        faults=(*natural_faults(reading.calls), *_injected(document, reading, source)),
        ending=ending,
        ending_detail=detail,
        success=success,
        oracle=None if success is None else "utility",
        holds=_HOLDS_ID if reading.all_ids else _HOLDS,
        labels=_labels(document, suite, task_id),
        extra=_extra(document, reading),
    )


def _text(document: Mapping[str, Any], key: str, source: str) -> str:
    value = document.get(key)
    if not isinstance(value, str):
        raise InputError(f"{key} is not a name", where=source, value=value, right="a string")
    return value


def _task(document: Mapping[str, Any], suite: str, task: str) -> str:
    attack = document.get("attack_type")
    return f"{suite}/{task}/{attack}/{document.get('injection_task_id')}" if attack else f"{suite}/{task}"


def _injected(document: Mapping[str, Any], reading: Reading, source: str) -> list[Fault]:
    injections = document.get("injections") or {}
    if not document.get("attack_type"):
        return []
    if not isinstance(injections, dict) or not all(isinstance(text, str) for text in injections.values()):
        raise InputError("injections is not a mapping of slot to text", where=source, value=injections)
    return injected_faults(reading.calls, injections)


def _agent(pipeline: str, suite: str, source: str) -> dict[str, str]:
    parts = source.replace("\\", "/").rsplit("/", 5)
    return dict(_named(parts[-5] if len(parts) > 4 and parts[-4] == suite else pipeline))


@lru_cache(maxsize=256)
def _named(pipeline: str) -> dict[str, str]:
    for defence in _DEFENCES:
        if pipeline.endswith(f"-{defence}"):
            return {"id": pipeline, "model": pipeline[: -len(defence) - 1], "defence": defence}
    return {"id": pipeline, "model": pipeline}


def _labels(document: Mapping[str, Any], suite: str, task: str) -> dict[str, Any]:
    attack = document.get("attack_type")
    labels = {"suite": suite, "user_task": task, "attack": attack or "none"}
    if attack:
        labels["injection_task"] = document.get("injection_task_id")
    if document.get("error") is None:
        labels["utility"] = document.get("utility")
        if attack:
            labels["security"] = document.get("security")
    return labels


def _extra(document: Mapping[str, Any], reading: Reading) -> dict[str, Any]:
    extra = {"duration_s": document.get("duration")}
    for key in ("benchmark_version", "evaluation_timestamp", "agentdojo_package_version"):
        if key in document:
            extra[key] = document[key]
    if reading.unpaired:
        extra["unpaired_results"] = reading.unpaired
    return extra


def _ending(document: Mapping[str, Any], reading: Reading) -> tuple[Ending, str | None]:
    """How the run ended; the first rule that fits."""
    error = document.get("error")
    if error is not None:
        return ending_of_error(_SKIPPING.sub("", str(error)))
    if not reading.spoke:
        return Ending.EMPTY, "the agent said and did nothing"
    if "utility" not in document and "security" not in document:
        return Ending.CANCELLED, "half-written: no verdicts"
    if reading.outstanding:
        return Ending.LIMIT, "ended with calls outstanding"
    if reading.answer is None:
        return Ending.LIMIT, "ended without an answer"
    return Ending.COMPLETED, None
