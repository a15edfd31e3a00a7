"""Injection at the boundary: what the agent meets, what is noted as injected, what as observed."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from hbeval.faults import BUILTIN, CannotApply, Effect, FaultPlan, PlannedFault, ServiceError, fires
from hbeval.faults.checks import settings_of
from hbeval.model import Delivery, FaultType, Outcome, Pressure, Task
from hbeval.observe import Recorder, permit_faults, recording, tool
from tests.observe.boundary_kit import fault, finished, only_fault, only_step, plan, recorder, run

RECORD = {"order": "A-1", "eta_h": 4, "stops": [9, 13]}


class Host:
    """Tools of every kind that return the same record, counting how often they really ran."""

    def __init__(self) -> None:
        self.ran = 0

    @tool("api")
    def method(self) -> Any:
        """A method."""
        self.ran += 1
        return dict(RECORD)

    @tool("api")
    async def async_method(self) -> Any:
        """An async method."""
        self.ran += 1
        return dict(RECORD)

    @tool("api")
    def generator(self) -> Iterator[Any]:
        """A generator."""
        self.ran += 1
        yield dict(RECORD)
        yield dict(RECORD, order="A-2")

    @tool("api")
    async def async_generator(self) -> AsyncIterator[Any]:
        """An async generator."""
        self.ran += 1
        yield dict(RECORD)
        yield dict(RECORD, order="A-2")

    def function(self) -> Any:
        """A function."""

        @tool("api")
        def inner() -> Any:
            self.ran += 1
            return dict(RECORD)

        return inner()

    def async_function(self) -> Any:
        """An async function."""

        @tool("api")
        async def inner() -> Any:
            self.ran += 1
            return dict(RECORD)

        return asyncio.run(inner())


async def _collect(given: Any) -> list[Any]:
    return [item async for item in given]


KINDS: dict[str, Callable[[Host], Any]] = {
    "function": Host.function,
    "async function": Host.async_function,
    "method": lambda host: host.method(),
    "async method": lambda host: asyncio.run(host.async_method()),
    "generator": lambda host: list(host.generator()),
    "async generator": lambda host: asyncio.run(_collect(host.async_generator())),
}


def planned(effect: Effect, parameters: Any) -> PlannedFault:
    given = dict(parameters)
    pressure = None
    if effect.name == "injected_instruction":
        pressure = Pressure(text=given.pop("text"))
    return fault(effect.name, parameters=given, pressure=pressure)


CASES = [
    pytest.param(effect, parameters, kind, id=f"{effect.name}-{parameters.get('kind', '')}-{kind}")
    for effect in BUILTIN
    for parameters in settings_of(effect)
    if not parameters.get("carried_out")
    for kind in KINDS
]


@pytest.mark.parametrize(("effect", "parameters", "kind"), CASES)
def test_every_effect_reaches_the_agent_at_every_kind_of_tool(effect: Effect, parameters: Any, kind: str) -> None:
    """Applied, seen, recorded as what the agent got; the same again under the same seed."""
    host = Host()
    given, trace = run(lambda: KINDS[kind](host), planned(effect, parameters))
    step, met = only_step(trace), only_fault(trace)
    assert met.delivery is Delivery.MET
    assert (met.calls, met.fired, len(met.injected), len(met.observed)) == (1, 1, 1, 1)
    assert met.injected[0].degraded == effect.degraded
    assert met.injected[0].step == met.observed[0].step == step.seq
    again, _ = run(lambda: KINDS[kind](Host()), planned(effect, parameters))
    stream = "generator" in kind
    true = [RECORD, {**RECORD, "order": "A-2"}] if stream else RECORD
    if effect.interrupt is None:
        assert step.outcome is Outcome.OK
        assert given != true
        assert step.result == given == again
        assert host.ran == 1
    elif isinstance(given, Exception):
        assert step.outcome is Outcome.ERROR
        assert step.error is not None
        assert step.error.kind == type(given).__name__ == type(again).__name__
        assert met.observed[0].what == f"raised {type(given).__name__}"
        assert host.ran == 0
    else:
        assert effect.name in ("latency", "noop")
        assert given == true == step.result
        assert host.ran == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("effect", ["timeout", "error"])
def test_a_call_may_be_carried_out_although_its_reply_is_lost(kind: str, effect: str) -> None:
    """The trap for whoever writes twice."""
    host = Host()
    error, trace = run(lambda: KINDS[kind](host), fault(effect, parameters={"carried_out": True}))
    assert isinstance(error, (TimeoutError, ServiceError))
    assert host.ran == 1
    assert only_step(trace).outcome is Outcome.ERROR
    assert only_fault(trace).delivery is Delivery.MET


def test_status_and_retry_after_are_in_the_record() -> None:
    """As the agent could read them."""
    error, trace = run(Host().method, fault("rate_limit", parameters={"retry_after_s": 7}))
    assert (error.status, error.retry_after) == (429, 7)
    found = only_step(trace).error
    assert found is not None
    assert (found.kind, found.status, found.retry_after_s) == ("ServiceError", 429, 7.0)


def test_a_tool_names_the_exceptions_of_its_client() -> None:
    """By class, dotted path or kind; bad names are refused when wrapping."""

    class ClientTimeout(Exception):
        pass

    for raises in (ClientTimeout, {"timeout": ClientTimeout}):
        error, trace = run(tool(lambda: 1, "api", raises=raises), fault("timeout"))
        assert type(error) is ClientTimeout
        assert only_fault(trace).observed[0].what == "raised ClientTimeout"
    with pytest.raises(Exception, match="leads to no exception type"):
        tool(lambda: 1, "api", raises="no.such.Type")


def test_latency_is_seen_by_the_clock_and_leaves_the_data_alone() -> None:
    """Late by what was asked for; an outcome like any other."""
    given, trace = run(Host().method, fault("latency", parameters={"delay_s": 3}))
    assert given == RECORD
    step = only_step(trace)
    assert step.started_at is not None
    assert step.ended_at is not None
    assert step.ended_at - step.started_at == 3.0
    assert only_fault(trace).observed[0].what == "returned 3.000 s late"


def test_a_delay_that_did_not_happen_was_not_seen() -> None:
    """A sleep that does not sleep leaves an injection nobody saw: failed, not met."""
    _, trace = run(Host().method, fault("latency"), sleep=lambda seconds: None)
    assert only_fault(trace).delivery is Delivery.FAILED


def test_real_time_passes_without_blocking_the_event_loop() -> None:
    """An async tool's injected delay lets other tasks run; a sync tool's really waits."""

    async def body() -> float:
        widest, stop = 0.0, False

        async def watch() -> None:
            nonlocal widest
            last = time.perf_counter()
            while not stop:
                await asyncio.sleep(0.005)
                now = time.perf_counter()
                widest, last = max(widest, now - last), now

        watching = asyncio.create_task(watch())
        await Host().async_method()
        stop = True
        await watching
        return widest

    made = Recorder(Task(id="t"), plan=plan(fault("latency", parameters={"delay_s": 0.2})))
    began = time.perf_counter()
    with recording(made):
        widest = asyncio.run(body())
    assert time.perf_counter() - began >= 0.2
    assert widest < 0.15
    assert finished(made).faults[0].delivery is Delivery.MET
    made = Recorder(Task(id="t"), plan=plan(fault("timeout", parameters={"after_s": 0.05})))
    began = time.perf_counter()
    with recording(made), pytest.raises(TimeoutError):
        Host().method()
    assert time.perf_counter() - began >= 0.05


def test_delays_altered_data_and_errors_combine_in_order() -> None:
    """Each is its own fault with its own record."""
    given, trace = run(
        Host().method,
        fault("latency", id="slow", parameters={"delay_s": 1}),
        fault("schema_drift", id="drift", parameters={"key": "/eta_h"}),
        fault("noop", id="control"),
        fault("conflicting", id="wrong", parameters={"values": {"/etaH": 40}}),
    )
    assert given == {"order": "A-1", "etaH": 40, "stops": [9, 13]}
    assert [each.delivery for each in trace.faults] == [Delivery.MET] * 4
    assert trace.faults[2].observed[0].what == "passed unchanged"
    error, trace = run(Host().method, fault("latency", id="slow"), fault("error", id="down"))
    assert isinstance(error, ServiceError)
    assert [each.delivery for each in trace.faults] == [Delivery.MET] * 2
    assert trace.faults[0].observed[0].what == "raised ServiceError 2.000 s late"


def test_a_result_that_cannot_be_altered_is_handed_out_and_the_fault_failed() -> None:
    """Never counted as met."""
    for value, why in ((5, "nothing that could be left out"), (object(), "(object) has no complete JSON form")):
        given, trace = run(tool(lambda value=value: value, "api"), fault("partial"))
        assert given is value
        assert only_fault(trace).delivery is Delivery.FAILED
        assert why in str(only_fault(trace).failure)


def _something() -> object:
    return object()


def test_a_blank_replaces_even_what_has_no_json_form() -> None:
    """There is nothing to read in it."""
    given, trace = run(tool(_something, "api"), fault("empty"))
    assert given is None
    assert only_fault(trace).delivery is Delivery.MET


def test_a_tool_that_fails_by_itself_leaves_nothing_to_alter() -> None:
    """The agent gets the tool's own exception; a delay before it was met all the same."""

    @tool("api")
    def broken() -> None:
        raise KeyError("own")

    error, trace = run(broken, fault("latency", id="slow"), fault("empty", id="blank"))
    assert isinstance(error, KeyError)
    slow, blank = trace.faults
    assert (slow.delivery, slow.observed[0].what) == (Delivery.MET, "raised KeyError 2.000 s late")
    assert (blank.delivery, blank.failure) == (
        Delivery.FAILED,
        "the call ended before it could be applied (KeyError)",
    )
    error, trace = run(broken, fault("timeout", parameters={"carried_out": True}))
    assert isinstance(error, KeyError)
    assert only_fault(trace).delivery is Delivery.FAILED


def test_a_broken_effect_is_the_faults_failure_not_the_agents() -> None:
    """Whatever a third party's effect raises."""

    def explode(call: Any) -> Any:
        raise RuntimeError("boom")

    def refuse(call: Any) -> Any:
        raise CannotApply("not today")

    for alter, why in ((explode, "effect bad failed (RuntimeError: boom)"), (refuse, "not today")):
        bad = Effect(name="bad", meaning="m", alter=alter)
        made = recorder(plan=FaultPlan(id="p", seed=1, faults=(fault("bad"),), effects=(bad,)))
        with recording(made):
            assert Host().method() == RECORD
        assert finished(made).faults[0].failure == why
    idle = Effect(name="idle", meaning="m", alter=lambda call: call.result)
    made = recorder(plan=FaultPlan(id="p", seed=1, faults=(fault("idle"),), effects=(idle,)))
    with recording(made):
        Host().method()
    assert finished(made).faults[0].failure == "the effect left the result as it was"


def test_a_dataclass_keeps_its_type_where_its_fields_are_all_there() -> None:
    """Corrupted figures in the form the agent's code expects; another structure is plain JSON."""

    @dataclass
    class Quote:
        price: int
        place: str

    quote = tool(lambda: Quote(100, "north"), "api")
    given, _ = run(quote, fault("conflicting", parameters={"values": {"/price": 7}}))
    assert given == Quote(7, "north")
    given, _ = run(quote, fault("schema_drift", parameters={"key": "/price"}))
    assert given == {"price_v2": 100, "place": "north"}


def test_a_stale_result_is_an_earlier_true_one() -> None:
    """Also where the earlier one was handed out altered."""
    numbers = iter(range(1, 5))
    count = tool(lambda: {"n": next(numbers)}, "api")

    def body() -> list[Any]:
        return [count() for _ in range(4)]

    given, trace = run(body, fault("stale"))
    assert given[0]["n"] != 1
    assert given[1:] == [{"n": 1}] * 3
    assert [each.call for each in only_fault(trace).injected] == [0, 1, 2, 3]


def test_results_from_before_a_fault_was_armed_can_be_the_stale_ones() -> None:
    """True results are remembered whether or not a fault hit them."""
    numbers = iter(range(1, 5))
    count = tool(lambda: {"n": next(numbers)}, "api")
    other = tool(lambda: 1, "other")

    def body() -> list[Any]:
        given = [count()]
        with pytest.raises(ServiceError):
            other()
        return [*given, count(), count()]

    given, _ = run(body, fault("error", id="one", target="other", stage=0), fault("stale", id="two", stage=1))
    assert given == [{"n": 1}] * 3


def test_the_agent_gets_its_own_copy_of_untouched_results() -> None:
    """Not a copy at all: the very object the tool returned."""
    held = {"a": [1]}
    given, trace = run(tool(lambda: held, "other"), fault("empty"))
    assert given is held
    assert only_fault(trace).delivery is Delivery.NOT_EXPOSED


STOCHASTIC = PlannedFault(
    id="f", type=FaultType.STOCHASTIC, target="api", effect="intermittent", probability=0.5, parameters={}
)


def fates(results: list[Any]) -> list[bool]:
    return [isinstance(each, Exception) for each in results]


def expected(count: int) -> list[bool]:
    return [fires(7, "p", "t", "api", call, probability=0.5) for call in range(count)]


def test_the_same_seed_gives_the_same_faults_under_gather() -> None:
    """Per call index of the target, with other tools busy in between."""
    other = tool(lambda: 1, "other")

    async def body() -> list[Any]:
        async def one() -> Any:
            other()
            return await Host().async_method()

        return list(await asyncio.gather(*(one() for _ in range(24)), return_exceptions=True))

    given, trace = run(lambda: asyncio.run(body()), STOCHASTIC)
    assert fates(given) == expected(24)
    assert [each.call for each in only_fault(trace).injected] == [call for call in range(24) if expected(24)[call]]


def test_the_same_seed_gives_the_same_faults_under_threads() -> None:
    """As many, at the same call indices, whoever gets them."""

    def body() -> list[Any]:
        def one() -> Any:
            try:
                return Host().method()
            except ServiceError as error:
                return error

        with ThreadPoolExecutor(6) as pool:
            return [each.result() for each in [pool.submit(one) for _ in range(60)]]

    given, trace = run(body, STOCHASTIC)
    assert sum(fates(given)) == sum(expected(60))
    assert [each.call for each in only_fault(trace).injected] == [call for call in range(60) if expected(60)[call]]
    assert len({step.seq for step in trace.steps}) == 60


def test_cascades_arm_when_the_runtime_saw_the_stage_before() -> None:
    """The backup works until the primary was seen to fail."""
    backup = tool(lambda: "ok", "backup")

    def body() -> list[Any]:
        given: list[Any] = [backup()]
        for call in (Host().method, backup, backup):
            try:
                given.append(call())
            except Exception as error:
                given.append(type(error).__name__)
        return given

    given, trace = run(
        body,
        fault("connection_refused", id="one", stage=0),
        fault("timeout", id="two", target="backup", stage=1, limit=1),
    )
    assert given == ["ok", "ConnectionRefusedError", "TimeoutError", "ok"]
    assert [(each.delivery, each.calls) for each in trace.faults] == [(Delivery.MET, 1), (Delivery.MET, 2)]


def test_a_long_permission_keeps_a_bounded_record() -> None:
    """The first ten thousand applications, and the count of the rest."""
    with permit_faults(plan(fault("noop"))) as permitted:
        for _ in range(10_005):
            Host().method()
        assert permitted.schedule is not None
        found = permitted.schedule.faults()[0]
    assert (found.fired, len(found.injected), len(found.observed)) == (10_005, 10_000, 10_000)
    assert found.extra == {"injections_dropped": 5}
    assert found.delivery is Delivery.MET


def test_outside_a_recording_nothing_is_injected_without_permission() -> None:
    """Permission is explicit, ends with its block, and tells what became of the faults."""
    host = Host()
    assert host.method() == RECORD
    with permit_faults(plan(fault("error"))) as permitted:
        with pytest.raises(ServiceError):
            host.method()
        assert permitted.schedule is not None
        assert permitted.schedule.faults()[0].delivery is Delivery.MET
    assert host.method() == RECORD


def test_every_recording_counts_for_itself() -> None:
    """Three permissions of one plan, one call each: one hit each, not one, two, three."""
    for _ in range(3):
        with permit_faults(plan(fault("error", limit=1))) as permitted:
            with pytest.raises(ServiceError):
                Host().method()
            assert permitted.schedule is not None
            assert [(each.calls, each.fired) for each in permitted.schedule.faults()] == [(1, 1)]


def test_the_faults_of_two_concurrent_recordings_never_mix() -> None:
    """Each thread meets its own plan, with its own call counts."""
    barrier = threading.Barrier(2)
    found: dict[str, Any] = {}

    def one(name: str, *faults: PlannedFault) -> None:
        def body() -> list[Any]:
            results: list[Any] = []
            for _ in range(50):
                barrier.wait(5)
                try:
                    results.append(Host().method())
                except Exception as error:
                    results.append(error)
            return results

        found[name] = run(body, *faults)

    threads = [
        threading.Thread(target=one, args=("faulted", STOCHASTIC)),
        threading.Thread(target=one, args=("clean",)),
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join(20)
    assert fates(found["faulted"][0]) == expected(50)
    assert found["clean"][0] == [RECORD] * 50
    assert [len(trace.steps) for _, trace in found.values()] == [50, 50]
