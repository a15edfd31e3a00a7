"""From judged traces to a report."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from hbeval.errors import UsageError
from hbeval.instruments import CURRENT, find
from hbeval.instruments.samples import judged_trace, random_traces
from hbeval.judging import rules_document
from hbeval.model import Context, Ending, EvidenceLevel, JudgedTrace, Measured, NotMeasured
from hbeval.report import Assembly
from hbeval.report.assembly import BESIDE
from hbeval.report.document import to_json

RULES = {"id": "sample@1"}


def _assembly(context: Context = Context.BATTERY, **settings: object) -> Assembly:
    return Assembly(context, rules=RULES, group_by=(("fault",), ("task",)), **settings)  # type: ignore[arg-type]


def _report_of(runs: list[JudgedTrace], **settings: object) -> str:
    assembly = _assembly(**settings)
    for judged in runs:
        assembly.add(judged)
    return to_json(assembly.report())


@pytest.mark.parametrize("seed", range(5))
def test_any_order_and_sharding_gives_the_same_bytes(seed: int) -> None:
    """Adding one by one, shuffled, or in merged shards is one and the same report."""
    runs = random_traces(seed, 60)
    whole = _report_of(runs, keep_runs=True)
    rng = random.Random(seed)
    rng.shuffle(runs)
    assert _report_of(runs, keep_runs=True) == whole
    shards = [_assembly(keep_runs=True) for _ in range(4)]
    for judged in runs:
        rng.choice(shards).add(judged)
    rng.shuffle(shards)
    merged = _assembly(keep_runs=True)
    for shard in shards:
        merged.merge(shard)
    assert to_json(merged.report()) == whole


def test_merging_what_was_made_otherwise_is_refused() -> None:
    """Assemblies with different rules do not add up."""
    other = Assembly(Context.BATTERY, rules={"id": "other@1"}, group_by=(("fault",), ("task",)))
    with pytest.raises(UsageError, match="cannot be merged"):
        _assembly().merge(other)


def test_nothing_gives_a_report_without_numbers() -> None:
    """No run: every metric says why, coverage is 0 of 0, no weakest, evidence E0."""
    report = _assembly().report()
    assert all(isinstance(report[each.id], NotMeasured) for each in CURRENT)
    assert report.coverage.runs == 0
    assert report.coverage.share is None
    assert report.weakest is None
    assert report.evidence.level is EvidenceLevel.E0
    assert report.notes == ()


def test_the_five_are_always_there_and_the_others_only_where_measured() -> None:
    """Success rate appears with known outcomes, pass_k with repeats, the gap with both arms."""
    assembly = _assembly()
    assembly.add(judged_trace("1001", success=None))
    assert list(assembly.report().metrics) == ["pei", "frr", "irs", "ti", "csi"]
    assembly.add(judged_trace("1001", id="b", success=True))
    assert list(assembly.report().metrics)[5:] == ["success_rate"]
    assembly.add(judged_trace("1001", id="c", success=False, condition="cascade"))
    assert list(assembly.report().metrics)[5:] == ["success_rate", "reliability_gap"]
    assembly.add(judged_trace("1001", id="d", success=True))
    assembly.add(judged_trace("1001", id="e", success=True, condition="cascade"))
    assert list(assembly.report().metrics)[5:] == ["success_rate", "pass_1", "pass_2", "reliability_gap"]


def test_pass_k_goes_no_further_than_the_batterys_repeats() -> None:
    """Conditions of one task add trials, but the report's k stays within what was asked."""
    assembly = _assembly(battery={"id": "b@1", "repeats": 2})
    for number in range(6):
        assembly.add(judged_trace("1001", id=str(number), success=True))
    assert [key for key in assembly.report().metrics if key.startswith("pass")] == ["pass_1", "pass_2"]


def test_what_is_asked_for_is_shown_although_not_measured() -> None:
    """An instrument given by the caller stands in the report with its reason, a second version under its full name."""
    assembly = _assembly(instruments=(*CURRENT, find("irs@1.0"), find("success_rate@1.0")))
    report = assembly.report()
    assert list(report.metrics)[5:] == ["irs@1.0", "success_rate"]
    assert isinstance(report["success_rate"], NotMeasured)
    assert report.metric_versions["irs@1.0"] == "1.0"


def test_metric_versions_name_what_is_shown() -> None:
    """The five and the schema; others once they are measured."""
    assembly = _assembly()
    assert list(assembly.report().metric_versions) == ["schema", "pei", "frr", "irs", "ti", "csi"]
    assembly.add(judged_trace("1001", success=True))
    assert list(assembly.report().metric_versions)[6:] == ["success_rate"]


def test_the_scoring_fingerprint_does_not_depend_on_the_runs() -> None:
    """Two reports scored alike are comparable whether or not a metric came out measured."""
    assembly = _assembly()
    before = assembly.report().scoring_fingerprint
    for judged in random_traces(3, 20):
        assembly.add(judged)
    assert assembly.report().scoring_fingerprint == before
    assert Assembly(Context.BATTERY, rules={"id": "sample@2"}).report().scoring_fingerprint != before


def test_the_rules_are_those_of_this_version_unless_given() -> None:
    """Without rules the judging rules document goes into the fingerprint."""
    default = Assembly(Context.BATTERY).report().scoring_fingerprint
    assert default == Assembly(Context.BATTERY, rules=rules_document()).report().scoring_fingerprint


def test_invalid_and_cancelled_runs_are_coverage_and_nothing_else(full_run: Callable[..., JudgedTrace]) -> None:
    """They leave metrics, faults and evidence as they were, and show in the counts."""
    assembly = _assembly()
    assembly.add(full_run("a"))
    alone = assembly.report()
    assembly.add(full_run("b", ending=Ending.INFRASTRUCTURE, level=EvidenceLevel.E0))
    assembly.add(full_run("c", ending=Ending.CANCELLED, level=EvidenceLevel.E0))
    report = assembly.report()
    assert report.metrics == alone.metrics
    assert report.faults == alone.faults
    assert report.evidence == alone.evidence
    coverage = report.coverage
    assert (coverage.runs, coverage.measured, coverage.cancelled) == (3, 1, 1)
    assert coverage.invalid == {"infrastructure": 1}
    assert coverage.endings == {"completed": 1, "cancelled": 1, "infrastructure": 1}


def test_low_coverage_is_said() -> None:
    """Below 0.95 a note names n of N; at 0.95 there is none."""
    assembly = _assembly()
    for number in range(19):
        assembly.add(judged_trace("1001", id=str(number)))
    assembly.add(judged_trace("1001", id="x", ending="infrastructure"))
    assert not any("coverage" in note for note in assembly.report().notes)
    assembly.add(judged_trace("1001", id="y", ending="empty"))
    assert "coverage 19 of 21 runs is below 0.95" in assembly.report().notes[0]


def test_invalid_runs_say_why_the_commonest_reasons_first(full_run: Callable[..., JudgedTrace]) -> None:
    """At most five reasons with their counts, then how many others there are."""
    assembly = _assembly()
    for number, reason in enumerate(["refused", "refused", "b", "c", "d", "e", "f", "g"]):
        assembly.add(full_run(str(number), ending=Ending.INFRASTRUCTURE, text=reason))
    notes = [note for note in assembly.report().notes if note.startswith("invalid")]
    assert notes[0] == "invalid, infrastructure: refused (2 runs)"
    assert notes[1] == "invalid, infrastructure: b (1 run)"
    assert notes[5:] == ["invalid, 2 other reasons"]


def test_faults_are_counted_by_what_became_of_them(full_run: Callable[..., JudgedTrace]) -> None:
    """One met, one not exposed, one natural a run, with calls, draws and applications."""
    assembly = _assembly()
    assembly.add(full_run("a"))
    assembly.add(full_run("b"))
    faults = assembly.report().faults
    assert (faults.intended, faults.met, faults.not_exposed, faults.failed, faults.natural) == (4, 2, 2, 0, 2)
    assert (faults.calls, faults.fired, faults.applied) == (4, 2, 2)


def test_evidence_is_the_weakest_never_an_average(full_run: Callable[..., JudgedTrace]) -> None:
    """One E0 run among E2 runs makes E0; fields and provenance add up; a repeated claim carries its count."""
    assembly = _assembly()
    for number in range(3):
        assembly.add(full_run(str(number)))
    assembly.add(full_run("weak", level=EvidenceLevel.E0, text="other"))
    evidence = assembly.report().evidence
    assert evidence.level is EvidenceLevel.E0
    assert (evidence.known, evidence.required) == (36, 40)
    assert evidence.provenance == {"runtime_inferred": 4, "runtime_observed": 32}
    assert evidence.claims_unsupported == ("carrier_api (3 times)", "other")


def test_missing_declarations_become_notes(full_run: Callable[..., JudgedTrace]) -> None:
    """Each once, with the number of runs it cost."""
    assembly = _assembly()
    assembly.add(full_run("a"))
    assert assembly.report().notes == ("declaration missing: safeguard of refund (1 run)",)
    assembly.add(full_run("b"))
    assert assembly.report().notes == ("declaration missing: safeguard of refund (2 runs)",)


def test_a_label_that_no_run_holds_is_said(full_run: Callable[..., JudgedTrace]) -> None:
    """A misspelt one would otherwise look like a finding; one that some runs hold is none."""
    assembly = Assembly(Context.IMPORT, rules=RULES, group_by=("task", "modle"))
    assert not [note for note in assembly.report().notes if "label" in note]
    assembly.add(full_run("a"))
    notes = [note for note in assembly.report().notes if "label" in note]
    assert notes == ["no run holds the label 'modle': nothing is grouped by it"]


def test_groups_hold_their_own_runs_only() -> None:
    """Each group's coverage adds up to the whole, grouping by grouping."""
    assembly = _assembly()
    for judged in random_traces(2, 50):
        assembly.add(judged)
    report = assembly.report()
    for key in ("fault", "task"):
        members = [group for group in report.groups if list(group.by) == [key]]
        assert sum(group.coverage.runs for group in members) == 50
        assert [group.by[key] for group in members] == sorted(group.by[key] for group in members)


def test_runs_come_sorted_with_their_own_metrics(full_run: Callable[..., JudgedTrace]) -> None:
    """A run's metric has no interval, because it is one run; an invalid run has none at all and says why."""
    assembly = _assembly(keep_runs=True)
    assembly.add(full_run("b"))
    assembly.add(full_run("a", ending=Ending.EMPTY))
    assembly.add(full_run("c", ending=Ending.CANCELLED))
    runs = assembly.report().runs
    assert runs is not None
    assert [(run.source, run.status) for run in runs] == [
        ("logistics/a", "invalid"),
        ("logistics/b", "measured"),
        ("logistics/c", "cancelled"),
    ]
    assert runs[0].metrics == {}
    assert runs[0].reason == "carrier_api"
    frr = runs[1].metrics["frr"]
    assert isinstance(frr, Measured)
    assert frr.interval is None
    assert frr.no_interval == "one run"
    assert _assembly().report().runs is None


def test_the_weakest_is_relative_to_its_scale() -> None:
    """TI 2.5 of 5 is weaker than PEI 0.6; what is not measured is never the weakest."""
    assembly = _assembly()
    assembly.add(judged_trace("1001 1011 1000 1010"))
    report = assembly.report()
    pei, ti = report["pei"], report["ti"]
    assert isinstance(pei, Measured)
    assert isinstance(ti, Measured)
    assert (pei.value, ti.value) == (0.5, 2.5)
    assert report.weakest == "pei"
    assembly.add(judged_trace("1000 1000", id="b"))
    assert assembly.report().weakest == "ti"


def test_agent_labels_are_those_all_runs_share(full_run: Callable[..., JudgedTrace]) -> None:
    """Runs of two models are not the report of one model; given labels are taken as they are."""
    assembly = _assembly()
    assembly.add(full_run("a"))
    assert assembly.report().agent == {"id": "sample", "model": "one"}
    assembly.add(full_run("b", model="two"))
    assert assembly.report().agent == {"id": "sample"}
    assert _assembly(agent={"id": "given"}).report().agent == {"id": "given"}


def test_imports_carry_a_task_set_digest_and_batteries_do_not(full_run: Callable[..., JudgedTrace]) -> None:
    """The digest is that of the set: order and repetition do not matter, another task does."""
    digests = []
    for tasks in (["a", "b", "a"], ["b", "a"], ["a", "c"]):
        assembly = _assembly(Context.IMPORT)
        for number, task in enumerate(tasks):
            assembly.add(full_run(str(number), task=task))
        digests.append(assembly.report().task_set_digest)
    assert digests[0] == digests[1] != digests[2]
    assert _assembly(Context.IMPORT).report().task_set_digest is None
    battery = _assembly()
    battery.add(full_run())
    assert battery.report().task_set_digest is None


def test_left_out_inputs_are_listed_in_order() -> None:
    """Every input that became no run is named with its reason."""
    assembly = _assembly()
    assembly.left_out("b.json", "no messages")
    assembly.left_out("a.json", "not JSON")
    assert [each.source for each in assembly.report().left_out] == ["a.json", "b.json"]


def test_a_partial_report_says_so() -> None:
    """What was interrupted is marked."""
    assert _assembly().report(partial=True).partial
    assert not _assembly().report().partial


def test_adding_costs_little_beyond_its_instruments() -> None:
    """Counting coverage, faults and evidence takes less than the eight accumulators do (best of seven rounds)."""
    runs = random_traces(1, 400)
    whole = min(_seconds(Assembly(Context.IMPORT, rules=RULES).add, runs) for _ in range(7))
    instruments = (*CURRENT, *BESIDE)
    bare = min(sum(_seconds(each.start().update, runs) for each in instruments) for _ in range(7))
    assert whole < 2 * bare, f"{whole * 1e6 / len(runs):.1f} µs a run, {bare * 1e6 / len(runs):.1f} of them measuring"


def _seconds(take: Callable[[JudgedTrace], None], runs: list[JudgedTrace]) -> float:
    started = time.perf_counter()
    for judged in runs:
        take(judged)
    return time.perf_counter() - started
