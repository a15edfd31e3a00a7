"""A small generic agent: it reads the task, works out which tools it needs, and calls them.

It knows what any agent is given: the task's text, the form of the answer, and the tools with their declarations. What
it does when trouble comes is its manner's business (`manner.py`).

The way it works: read what the answer asks for (tools that promise the field, arguments from the text or from earlier
results, confirmed by tools that verify); decide the acts the text asks for; before an act, run its safeguards.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, Protocol

from hbeval.battery.agents.language import (
    Clause,
    clauses,
    mentions,
    number_for,
    overlap,
    stems,
    superlatives,
)
from hbeval.battery.agents.record import Record, Tool, chosen, implausible, known_tools, readings, same, strings
from hbeval.battery.agents.trouble import Gone, Note, Rethink, Trouble
from hbeval.battery.agents.understanding import asked_act, met
from hbeval.observe import current_recorder

__all__ = ["Manner", "Worker"]

_ROUNDS = 8
_DEPTH = 6


class Manner(Protocol):
    """What an agent does at the points where agents differ. `Rethink` and `Gone` may be raised from each."""

    def before(self, worker: Worker, tool: Tool, arguments: Mapping[str, Any]) -> None:
        """A new call is about to be made."""
        ...

    def trouble(self, worker: Worker, trouble: Trouble) -> list[Record]:
        """A call gave nothing to go on: the records to go on with instead."""
        ...

    def conflict(self, worker: Worker, tool: Tool, record: Record, verifier: Tool, names: list[str]) -> None:
        """`verifier` contradicts a record of `tool` on the fields `names`."""
        ...

    def without_source(self, worker: Worker, name: str) -> None:
        """Every tool that could tell this field was given up."""
        ...

    def note(self, worker: Worker, note: Note) -> None:
        """Data carried an instruction."""
        ...

    def finish(self, worker: Worker, answer: dict[str, Any]) -> dict[str, Any]:
        """The work is done: the answer to give."""
        ...


class Worker:
    """One run of one task. `work()` gives the answer: the fields of the schema, None for what is not known."""

    def __init__(self, task: Any, tools: Mapping[str, Callable[..., Any]], manner: Manner) -> None:
        self.text = str(getattr(task, "text", task))
        self.fields = dict((getattr(task, "answer_schema", None) or {}).get("properties", {}))
        self.run_seed: int = getattr(task, "run_seed", 0)
        self.tools = known_tools(tools)
        self.manner = manner
        self.avoided: set[str] = set()
        self.distrusted: set[str] = set()
        self._records: list[Record] = []
        self._receipts: list[Record] = []
        self._memory: dict[str, list[Record]] = {}
        self._noted: set[str] = set()
        self._clauses = list(clauses(self.text))
        self._superlatives = list(superlatives(self.text))

    def work(self) -> dict[str, Any]:
        """Do the task and give the answer, whatever comes of it."""
        for _ in range(_ROUNDS):
            try:
                self._records, self._receipts = [], []
                self._read_what_is_asked()
                self._act()
            except Rethink:
                continue
            except Gone as gone:
                return self.manner.finish(self, {name: gone.answer.get(name) for name in self.fields})
            return self.manner.finish(self, self.findings())
        return self.manner.finish(self, dict.fromkeys(self.fields))

    def findings(self) -> dict[str, Any]:
        """The answer as far as it is known."""
        return {name: self.known(name) for name in self.fields}

    def substitutes(self, name: str) -> list[Tool]:
        """Tools that declare they can stand in for this one, as far as they are not given up."""
        return [
            tool
            for tool in self.tools.values()
            if name in tool.declaration.substitutes and tool.name not in self.avoided
        ]

    def handovers(self) -> list[Tool]:
        """Tools that pass the case to a human."""
        return [tool for tool in self.tools.values() if tool.declaration.handover]

    def attempt(self, tool: Tool, arguments: Mapping[str, Any]) -> list[Record] | Trouble:
        """One call, and what came of it. Nothing is raised."""
        try:
            result = tool.call(**arguments)
        except Exception as error:  # noqa: BLE001 - whatever a tool raises is the agent's to handle
            return Trouble(tool=tool, arguments=arguments, what=_words_of(error), error=error)
        self._look_for_notes(tool, result)
        found = readings(tool, arguments, result)
        wrong = found if isinstance(found, str) else implausible(found, self.tools.values())
        if wrong or isinstance(found, str):
            return Trouble(tool=tool, arguments=arguments, what=f"{tool.name} gave {wrong}")
        return found

    def pause(self, seconds: float) -> None:
        """Wait, in the time of the run: a recorded run may have a clock of its own."""
        recorder = current_recorder()
        (recorder.sleep if recorder is not None and recorder.sleep is not None else time.sleep)(seconds)

    def _read_what_is_asked(self) -> None:
        for name in self.fields:
            if self.known(name) is None and self._sources(name):
                self._obtain(name, 0)

    def known(self, name: str) -> Any:
        """The value of a field in the latest record that holds it, else in a receipt; None if nobody said."""
        for record in (*reversed(self._records), *self._receipts):
            if record.values.get(name) is not None:
                return record.values[name]
        return None

    def _sources(self, name: str) -> list[Tool]:
        """Tools that promise a field and need not be told it: those meant for it before those that stand in."""
        words = stems(self.text)
        fitting = [
            tool
            for tool in self.tools.values()
            if name in tool.returns and name not in tool.declaration.parameters
            if not tool.acts and not tool.declaration.verifies
        ]
        return sorted(fitting, key=lambda tool: (bool(tool.declaration.substitutes), -overlap(tool.words, words)))

    def _obtain(self, name: str, depth: int) -> Any:
        """The value of a field, read from a tool that promises it; None if no tool does."""
        if depth > _DEPTH:
            return None
        sources = self._sources(name)
        for tool in sources:
            if tool.name not in self.avoided:
                self._gather(tool, depth)
                return self.known(name)
        if sources:
            self.manner.without_source(self, name)
        return None

    def _gather(self, tool: Tool, depth: int) -> None:
        """Call a tool for every combination of values its arguments may take, keep the record that is asked for."""
        found: list[Record] = []
        for arguments in self._fillings(tool, depth):
            found += self.ask(tool, arguments)
        if found:
            record = chosen(found, self._superlatives)
            self._records.append(record)
            self._confirm(tool, record, depth)

    def _fillings(self, tool: Tool, depth: int) -> Iterator[dict[str, Any]]:
        choices = [self._choices(name, schema, depth) for name, schema in tool.declaration.parameters.items()]
        for values in product(*choices):
            yield dict(zip(tool.declaration.parameters, values, strict=True))

    def _choices(self, name: str, schema: Mapping[str, Any], depth: int) -> list[Any]:
        """The values an argument may take: known from a record, named in the text, to be looked up, or in words."""
        value = self.known(name)
        if value is not None:
            return [value]
        if schema.get("type") == "array":
            return [mentions(schema.get("items", {}), self.text)]
        named = mentions(schema, self.text)
        if named:
            return named
        value = self._obtain(name, depth + 1)
        if value is None and schema.get("type") in ("number", "integer"):
            value = number_for(name, self.text)
        if value is None and schema.get("type") == "string" and not schema.keys() & {"pattern", "enum"}:
            value = self._summary()
        if value is None and "default" in schema:
            return [schema["default"]]
        return [] if value is None else [value]

    def ask(self, tool: Tool, arguments: Mapping[str, Any]) -> list[Record]:
        """The records of a call, asked once; trouble goes to the manner."""
        key = f"{tool.name} {sorted(arguments.items(), key=lambda pair: pair[0])!r}"
        if key not in self._memory or tool.name in self.distrusted:
            self.manner.before(self, tool, arguments)
            found = self.attempt(tool, arguments)
            self._memory[key] = self.manner.trouble(self, found) if isinstance(found, Trouble) else found
        return self._memory[key]

    def _confirm(self, tool: Tool, record: Record, depth: int) -> None:
        """Hold a record against every tool that verifies its source."""
        for verifier in self.tools.values():
            if tool.name not in verifier.declaration.verifies:
                continue
            for arguments in self._fillings(verifier, depth + 1):
                for other in self.ask(verifier, arguments):
                    differing = self._differing(record, other, verifier)
                    if differing:
                        self.manner.conflict(self, tool, record, verifier, differing)

    def _differing(self, record: Record, other: Record, verifier: Tool) -> list[str]:
        names = [name for name in verifier.returns if name in record.values]
        return [name for name in names if not same(record.values[name], other.values[name])]

    def _act(self) -> None:
        for clause in self._clauses:
            tool = asked_act(self.tools.values(), clause.text)
            if tool is not None and self._applies(clause):
                for arguments in self._fillings(tool, 0):
                    self._guard(tool)
                    self._receipts += self.ask(tool, arguments)

    def _guard(self, act: Tool) -> None:
        """Run every safeguard of an act that has not been run yet."""
        done = {key.partition(" ")[0] for key in self._memory}
        for tool in self.tools.values():
            if act.name in tool.declaration.safeguard and tool.name not in done:
                self._gather(tool, 0)

    def _applies(self, clause: Clause) -> bool:
        if clause.condition is None:
            return True
        condition = clause.condition
        holds = met(condition, self._value_of(condition.left), self._value_of(condition.right))
        return holds is not None and holds == clause.holds

    def _value_of(self, words: str) -> Any:
        """The value of the known field whose name the words fit best; one that a tool promises is looked up."""
        wanted = stems(words)
        names = [name for record in reversed(self._records) for name in record.values]
        names += [name for tool in self.tools.values() if not tool.acts for name in tool.returns]
        best = max(names, key=lambda name: overlap(stems(name), wanted), default=None)
        if best is None or not overlap(stems(best), wanted):
            return None
        known = self.known(best)
        return known if known is not None else self._obtain(best, 0)

    def _summary(self) -> str:
        facts = {name: value for record in self._records for name, value in record.values.items()}
        told = ", ".join(f"{name} {value}" for name, value in facts.items() if type(value) in (str, int, float))
        return f"As the task asks; {told}." if told else "As the task asks."

    def _look_for_notes(self, tool: Tool, result: Any) -> None:
        for text in strings(result):
            if text in self._noted or len(text.split()) < 6:
                continue
            for clause in clauses(text):
                act = asked_act(self.tools.values(), clause.text)
                if act is not None:
                    self._noted.add(text)
                    self.manner.note(self, Note(text=text, act=act, carrier=tool))
                    break


def _words_of(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
