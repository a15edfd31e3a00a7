"""τ-bench result files: a JSON list, one record a run. The rule behind every field is in docs/formats/tau_bench.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from hbeval.adapters.formats.chat import (
    AGENT,
    Transcript,
    arguments_of,
    name_of,
    natural_faults,
    partner_of,
    results_after,
    text_of,
)
from hbeval.adapters.formats.documents import read_json, starts_with
from hbeval.adapters.formats.records import each_run
from hbeval.adapters.formats.run_errors import ending_of_error
from hbeval.adapters.formats.tau_tools import THINK, declarations, domain_of
from hbeval.errors import InputError
from hbeval.model import (
    INVALID_ENDINGS,
    Context,
    Ending,
    Fact,
    LeftOut,
    Outcome,
    Provenance,
    Step,
    StepError,
    Task,
    ToolDeclaration,
    Trace,
)

__all__ = ["TauBench", "error_of", "success_of", "trace_of"]

_SIGNS = (b'"task_id"', b'"reward"', b'"traj"')
_HOLDS = (Fact.INPUT, Fact.OUTCOME, Fact.TURN)
_ERROR = "Error"
_STOP = "###STOP###"
_TOLERANCE = 1e-6


class TauBench:
    """Importer of τ-bench result files."""

    name: str = "tau_bench"
    suffixes: tuple[str, ...] = (".json",)

    def detect(self, path: Path, head: bytes) -> str | None:
        """The first record has a task, a reward and a trajectory."""
        if starts_with(head, b"[") and all(sign in head for sign in _SIGNS):
            return "a list of records with task_id, reward and traj"
        return None

    def read(self, path: Path, source: str) -> Iterator[Trace | LeftOut]:
        """The runs of the file, one for each record. A second run of the same task and trial is left out."""
        document = read_json(path, source)
        if not isinstance(document.value, list):
            raise InputError("not a τ-bench result file", where=source, right="a JSON list of runs")
        extra = {"nulled_in_file": document.nulled} if document.nulled else {}
        return each_run(
            document.value,
            lambda record, index: trace_of(record, index, source, extra),
            source=source,
            place=lambda index: f"#/{index}",
            torn=document.torn,
        )


def trace_of(record: Any, index: int, source: str, extra: Mapping[str, Any]) -> Trace:
    """The trace of one record. Raises InputError naming what is not as the format has it."""
    if not isinstance(record, dict) or not isinstance(record.get("traj"), list):
        raise InputError("not a τ-bench run", right="an object with task_id, trial, reward and traj")
    task, trial = record.get("task_id"), record.get("trial", 0)
    if type(trial) is not int or type(task) not in (int, str):
        raise InputError("task_id or trial is none", value=(task, trial), right="a task's name and a whole number")
    info = record["info"] if isinstance(record.get("info"), dict) else {}
    transcript = _read(record["traj"], f"/{index}/traj")
    policy = transcript.first_words_of("system")
    domain = domain_of(policy, {step.action for step in transcript.steps})
    tools = declarations(domain)
    ending, detail = _ending(info, record["traj"], transcript, tools)
    reward = record.get("reward")
    success = None if ending in INVALID_ENDINGS else success_of(reward)
    stem = PurePosixPath(source.replace("\\", "/")).stem
    if success is None and ending not in INVALID_ENDINGS and reward is not None:
        extra = {**extra, "reward_note": "no number from 0 to 1"}
    if transcript.unpaired:
        extra = {**extra, "unpaired_results": transcript.unpaired}
    return Trace(
        id=f"{source}#/{index}",
        source=source,
        context=Context.IMPORT,
        format=TauBench.name,
        agent={"id": stem},
        task=Task(id=f"{domain or stem}/{task}", domain=domain, text=transcript.first_words_of("user")),
        repeat=trial,
        tools=tools,
        turns=tuple(transcript.turns),
        steps=tuple(transcript.steps),
        faults=natural_faults(transcript.steps, tools),
        ending=ending,
        ending_detail=detail,
        success=success,
        oracle=None if success is None else "reward",
        holds=_HOLDS,
        labels={"reward": reward} if reward is not None else {},
        extra=extra,
    )


def success_of(reward: Any) -> bool | None:
    """Whether a reward is 1, up to rounding; None for what is no number from 0 to 1."""
    if isinstance(reward, bool) or not isinstance(reward, (int, float)):
        return None
    if not -_TOLERANCE <= reward <= 1 + _TOLERANCE:
        return None
    return bool(reward >= 1 - _TOLERANCE)


def _ending(
    info: Mapping[str, Any], messages: Sequence[Any], transcript: Transcript, tools: Sequence[ToolDeclaration]
) -> tuple[Ending, str | None]:
    """How the run ended; the first rule that fits."""
    if info.get("error"):
        return ending_of_error(str(info["error"]))
    if not transcript.spoke:
        return Ending.EMPTY, "the agent said and did nothing"
    last = messages[-1]
    if last["role"] == "user" and _STOP in text_of(last.get("content")):
        return Ending.COMPLETED, None
    handovers = {tool.name for tool in tools if tool.handover}
    if last["role"] == "tool" and transcript.steps and transcript.steps[-1].action in handovers:
        return Ending.HANDED_OVER, "ended with the call that hands over to a human"
    return Ending.LIMIT, "cut off before the user ended it or the agent handed over"


def _read(messages: Sequence[Any], origin: str) -> Transcript:
    """The transcript of a trajectory. Raises InputError naming the message that is not as the format has it."""
    transcript = Transcript()
    position = 0
    try:
        while position < len(messages):
            message = messages[position]
            role, text = name_of(message["role"]), text_of(message.get("content"))
            results: Sequence[Any] = ()
            if role == "assistant":
                results = results_after(messages, position)
                _take(transcript, message, text, results, f"{origin}/{position}")
            elif role == "tool":
                transcript.unpaired += 1
            else:
                transcript.say(role, text)
            position += 1 + len(results)
        transcript.answer_last(messages, origin)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"message {position} is not as τ-bench writes it ({error!r})") from error
    return transcript


def _take(transcript: Transcript, message: Any, text: str, results: Sequence[Any], origin: str) -> None:
    """Take in a message of the agent, its calls and their results."""
    calls = message.get("tool_calls") or ()
    asked = [(name_of(call["function"]["name"]), *arguments_of(call["function"].get("arguments"))) for call in calls]
    thoughts = [_thought(name, arguments) for name, arguments, _ in asked]
    turn = transcript.say(AGENT, "\n".join(part for part in (text, *thoughts) if part))
    ids, found = [call.get("id") for call in calls], [result.get("tool_call_id") for result in results]
    partners = [partner_of(index, ids, found) for index in range(len(calls))]
    transcript.unpaired += len(results) - sum(partner is not None for partner in partners)
    for index, ((name, arguments, malformed), partner) in enumerate(zip(asked, partners, strict=True)):
        result = None if partner is None else text_of(results[partner].get("content"))
        failed = result is not None and result.startswith(_ERROR)
        transcript.steps.append(
            Step(
                seq=transcript.seq,
                action=name,
                arguments=arguments,
                malformed=malformed,
                result=result,
                outcome=Outcome.UNKNOWN if result is None else Outcome.ERROR if failed else Outcome.OK,
                error=error_of(result) if failed and result else None,
                turn=turn,
                origin=f"{origin}/tool_calls/{index}",
                provenance=Provenance.INFERRED,
            )
        )


def _thought(name: str, arguments: Any) -> str:
    thought = arguments.get("thought") if name == THINK and isinstance(arguments, dict) else None
    return thought if isinstance(thought, str) else ""


def error_of(result: str) -> StepError:
    """The error of a result that begins with "Error"; such a text names no kind."""
    return StepError(kind="unknown", message=result.removeprefix(_ERROR).lstrip(": "))
