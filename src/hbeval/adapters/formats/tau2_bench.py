"""τ²-bench result files: one object with many simulations. The rule behind every field: docs/formats/tau2_bench.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

from hbeval.adapters.formats.chat import (
    AGENT,
    Transcript,
    arguments_of,
    epoch_of,
    id_of,
    name_of,
    natural_faults,
    partner_of,
    results_after,
    span_of,
    text_of,
)
from hbeval.adapters.formats.documents import object_at, read_json, starts_with
from hbeval.adapters.formats.records import each_run
from hbeval.adapters.formats.tau_bench import error_of, success_of
from hbeval.adapters.formats.tau_tools import declarations
from hbeval.errors import InputError
from hbeval.model import INVALID_ENDINGS, Context, Ending, Fact, LeftOut, Outcome, Step, Task, Trace

__all__ = ["Tau2Bench", "trace_of"]

_SETTINGS = (b'"num_trials"', b'"max_errors"', b'"user_info"')
_RUNS = (b'"simulations"', b'"termination_reason"', b'"task_id"')
_HOLDS = (Fact.ID, Fact.TIME, Fact.INPUT, Fact.OUTCOME, Fact.TURN)
_ENDINGS: Mapping[str, Ending] = MappingProxyType(
    {
        "user_stop": Ending.COMPLETED,
        "agent_stop": Ending.COMPLETED,
        "max_steps": Ending.LIMIT,
        "too_many_errors": Ending.LIMIT,
        "timeout": Ending.LIMIT,
        "agent_error": Ending.AGENT_ERROR,
        "user_error": Ending.HARNESS_ERROR,
        "unexpected_error": Ending.HARNESS_ERROR,
        "infrastructure_error": Ending.INFRASTRUCTURE,
    }
)


class Tau2Bench:
    """Importer of τ²-bench result files."""

    name: str = "tau2_bench"
    suffixes: tuple[str, ...] = (".json",)

    def detect(self, path: Path, head: bytes) -> str | None:
        """The settings of a τ²-bench run stand at the beginning; tasks may fill more than a head with their texts."""
        if not starts_with(head, b"{"):
            return None
        if all(sign in head for sign in _SETTINGS):
            return "settings num_trials, max_errors and user_info"
        if all(sign in head for sign in _RUNS):
            return "simulations with task_id and termination_reason"
        return None

    def read(self, path: Path, source: str) -> Iterator[Trace | LeftOut]:
        """The runs of the file, one for each simulation. A second run of the same task and trial is left out."""
        document = read_json(path, source)
        whole = document.value
        runs = whole.get("simulations") if isinstance(whole, dict) else None
        if not isinstance(runs, list):
            raise InputError("no list of simulations", where=source, right="a τ²-bench result file")
        common = _Common(whole.get("info"), source, document.nulled)
        return each_run(
            runs,
            lambda simulation, index: trace_of(simulation, index, common),
            source=source,
            place=lambda index: f"#/simulations/{index}",
            torn=document.torn,
        )


class _Common:
    """What all simulations of a file share."""

    __slots__ = ("agent", "domain", "extra", "source", "tools")

    def __init__(self, info: Any, source: str, nulled: int) -> None:
        self.source = source
        self.extra: dict[str, Any] = {"nulled_in_file": nulled} if nulled else {}
        agent, user, environment = (object_at(info, f"{part}_info") for part in ("agent", "user", "environment"))
        domain = environment.get("domain_name")
        self.domain = domain if isinstance(domain, str) else None
        self.tools = declarations(self.domain)
        stem = PurePosixPath(source.replace("\\", "/")).stem
        told = {
            "id": agent.get("llm") or stem,
            "model": agent.get("llm"),
            "implementation": agent.get("implementation"),
            "user_model": user.get("llm"),
            "commit": object_at(info).get("git_commit"),
        }
        self.agent = {key: value for key, value in told.items() if isinstance(value, str)}


def trace_of(simulation: Any, index: int, common: _Common) -> Trace:
    """The trace of one simulation. Raises InputError naming what is not as the format has it."""
    if not isinstance(simulation, dict) or not isinstance(simulation.get("messages"), list):
        raise InputError("not a simulation", right="an object with task_id, trial, termination_reason and messages")
    task, trial, seed = simulation.get("task_id"), simulation.get("trial", 0), simulation.get("seed")
    if type(trial) is not int or type(task) not in (int, str):
        raise InputError("task_id or trial is none", value=(task, trial), right="a task's name and a whole number")
    transcript = _read(simulation["messages"], f"/simulations/{index}/messages")
    ending, detail = _ending(simulation.get("termination_reason"), transcript)
    reward = object_at(simulation, "reward_info").get("reward")
    success = None if ending in INVALID_ENDINGS else success_of(reward)
    started, ended = span_of(simulation.get("start_time"), simulation.get("end_time"))
    extra = dict(common.extra)
    if transcript.unpaired:
        extra["unpaired_results"] = transcript.unpaired
    for key in ("id", "duration", "agent_cost", "user_cost"):
        if simulation.get(key) is not None:
            extra[f"simulation_{key}"] = simulation[key]
    return Trace(
        id=f"{common.source}#/simulations/{index}",
        source=common.source,
        context=Context.IMPORT,
        format=Tau2Bench.name,
        agent=common.agent,
        task=Task(
            id=f"{common.domain}/{task}" if common.domain else str(task),
            domain=common.domain,
            text=transcript.first_words_of("user"),
        ),
        repeat=trial,
        seed=seed if type(seed) is int else None,
        tools=common.tools,
        turns=tuple(transcript.turns),
        steps=tuple(transcript.steps),
        faults=natural_faults(transcript.steps, common.tools),
        ending=ending,
        ending_detail=detail,
        success=success,
        oracle=None if success is None else "reward",
        holds=_HOLDS,
        started_at=started,
        ended_at=ended,
        labels={"reward": reward} if reward is not None else {},
        extra=extra,
    )


def _ending(reason: Any, transcript: Transcript) -> tuple[Ending, str | None]:
    """How the run ended; the first rule that fits."""
    if reason is None:
        return Ending.CANCELLED, "half-written: no termination_reason"
    ending = _ENDINGS.get(str(reason))
    if ending is None:
        return Ending.HARNESS_ERROR, f"unknown termination_reason: {reason}"
    if ending not in INVALID_ENDINGS and not transcript.spoke:
        return Ending.EMPTY, "the agent said and did nothing"
    return ending, str(reason)


def _read(messages: Sequence[Any], origin: str) -> Transcript:
    """The transcript of a simulation. Raises InputError naming the message that is not as the format has it."""
    transcript = Transcript()
    position = 0
    try:
        while position < len(messages):
            message = messages[position]
            results: Sequence[Any] = ()
            if message["role"] == "assistant":
                results = results_after(messages, position)
                _take(transcript, message, results, f"{origin}/{position}")
            elif message["role"] != "tool":
                _say(transcript, name_of(message["role"]), message)
            elif message.get("requestor") != "user":
                transcript.unpaired += 1
            position += 1 + len(results)
        transcript.answer_last(messages, origin)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"message {position} is not as τ²-bench writes it ({error!r})") from error
    return transcript


def _say(transcript: Transcript, speaker: str, message: Mapping[str, Any]) -> int:
    reasoning = message.get("reasoning")
    return transcript.say(
        speaker,
        text_of(message.get("content")),
        id=id_of(message.get("turn_idx")),
        at=epoch_of(message.get("timestamp")),
        extra={"reasoning": reasoning} if reasoning else None,
    )


def _take(transcript: Transcript, message: Mapping[str, Any], results: Sequence[Any], origin: str) -> None:
    """Take in a message of the agent, its own calls and their results; those of the simulated user are left aside."""
    turn = _say(transcript, AGENT, message)
    calls = message.get("tool_calls") or ()
    results = [result for result in results if result.get("requestor", "assistant") == "assistant"]
    ids, found = [call.get("id") for call in calls], [result.get("id") for result in results]
    partners = [partner_of(index, ids, found) for index in range(len(calls))]
    transcript.unpaired += len(results) - sum(partner is not None for partner in partners)
    for index, (call, partner) in enumerate(zip(calls, partners, strict=True)):
        if call.get("requestor", "assistant") == "assistant":
            result = None if partner is None else results[partner]
            step = _step(
                call,
                result,
                seq=transcript.seq,
                turn=turn,
                asked_at=message.get("timestamp"),
                origin=f"{origin}/tool_calls/{index}",
            )
            transcript.steps.append(step)


def _step(call: Any, result: Any, *, seq: int, turn: int, asked_at: Any, origin: str) -> Step:
    arguments, malformed = arguments_of(call.get("arguments"))
    text = None if result is None else text_of(result.get("content"))
    failed = result is not None and bool(result.get("error"))
    started, ended = span_of(asked_at, None if result is None else result.get("timestamp"))
    return Step(
        seq=seq,
        action=name_of(call["name"]),
        arguments=arguments,
        malformed=malformed,
        result=text,
        outcome=Outcome.UNKNOWN if text is None else Outcome.ERROR if failed else Outcome.OK,
        error=error_of(text) if failed and text is not None else None,
        id=id_of(call.get("id")),
        started_at=started,
        ended_at=ended,
        turn=turn,
        origin=origin,
    )
