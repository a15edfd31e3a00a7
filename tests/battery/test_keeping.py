"""What a battery keeps: no secret anywhere, the verdicts as they were, and nothing else changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import hbeval
from hbeval.adapters.formats.builtin import BUILTIN
from hbeval.adapters.formats.detect import detect
from hbeval.adapters.formats.score import Found, find_files, score_paths
from hbeval.battery import rebuild, rescore, run, standard
from hbeval.battery.agents import adapt, blind_retry, comply, fabricate
from hbeval.battery.keeping import Keeper, without_secrets
from hbeval.battery.results import read_manifest
from hbeval.errors import InputError, UsageError
from hbeval.judging import judge
from hbeval.model import Measured, NotMeasured, Trace
from hbeval.redaction import RULES, redact
from hbeval.report.document import to_document, to_json
from hbeval.store import MemoryJournal, RunDirectory

SECRETS = ("sk-proj-0123456789abcdefghij", "anna@example.com", "4111 1111 1111 1111", "hunter2secret", "+49 30 1234567")
NAMED = "cmd:a --token=t0k3n1"
SAID = f"With {SECRETS[0]} I ask for {SECRETS[1]}, card {SECRETS[2]}; password={SECRETS[3]}; call {SECRETS[4]}."


def talkative(task, tools):
    """Adapts, and says more than it should in its words; every fifth task makes it fail over them."""
    hbeval.turn(SAID)
    if int.from_bytes(str(task).encode(), "big") % 5 == 0:
        raise RuntimeError(f"refused: {SAID}")
    return adapt(task, tools)


def everything(folder: Path) -> str:
    """All that was written into a folder, escapes undone."""
    return "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("kept") / "run"
    labels = {"model": "m-1", "owner": SECRETS[1], "api_key": "abc"}
    run(
        talkative,
        out=out,
        scenarios=60,
        seed=3,
        runs=True,
        clock="virtual",
        labels=labels,
        reference="cmd:a --token=t0k3n1",
    )
    return out


def test_no_secret_is_written(kept):
    """Not into the manifest, the journal or the report; ids, figures and verdicts are all there."""
    text = everything(kept)
    assert not [each for each in (*SECRETS, "t0k3n1") if each in text]
    assert "redacted-email-a@redacted.invalid" in text
    assert read_manifest(RunDirectory(kept)).redaction == RULES
    assert read_manifest(RunDirectory(kept)).labels["model"] == "m-1"


def test_without_redaction_all_of_it_is_written(tmp_path):
    """What the flag is for; the manifest says that nothing was taken out."""
    run(talkative, out=tmp_path / "run", scenarios=60, seed=3, clock="virtual", redaction=False)
    text = everything(tmp_path)
    assert all(each in text for each in SECRETS)
    assert read_manifest(RunDirectory(tmp_path / "run")).redaction is None
    assert json.loads((tmp_path / "run" / "report.json").read_text())["redacted"] is None


def test_redaction_changes_no_measurement(kept, tmp_path):
    """The same battery without it gives the same numbers, to the last digit."""
    plain = run(talkative, out=tmp_path / "run", scenarios=60, seed=3, runs=True, clock="virtual", redaction=False)
    found = rebuild(kept, runs=True)
    assert found.metrics == plain.metrics
    assert found.groups == plain.groups
    assert [each.metrics for each in found.runs] == [each.metrics for each in plain.runs]
    assert [each.trials for each in found.runs] == [each.trials for each in plain.runs]


def test_judged_again_from_what_was_kept_the_verdicts_are_the_same(kept):
    """Every run, from the written trace alone."""
    traces = list(RunDirectory(kept).traces())
    assert sum(bool(each.trace.redacted) for each in traces) == len(traces)
    assert not any(each.final for each in traces)
    for each in traces:
        again = judge(each.trace)
        assert (again.steps, again.trials, again.evidence) == (each.steps, each.trials, each.evidence)
    assert rescore(kept).metrics == rebuild(kept).metrics


def test_the_report_counts_what_was_taken_out(kept):
    """Per rule, the same from the directory as from the run; a note of each invalid reason holds placeholders only."""
    written = json.loads((kept / "report.json").read_text())
    assert to_json(rebuild(kept)) == (kept / "report.json").read_text()
    assert set(written["redacted"]) == {"card", "email", "password", "phone", "vendor-key"}
    assert written["redacted"]["email"] >= 60
    reasons = {each.reason for each in rebuild(kept, runs=True).runs if each.reason}
    assert reasons == {"RuntimeError: refused: " + next(iter(reasons)).partition("refused: ")[2]}
    assert "redacted-card-700001" in next(iter(reasons))


def test_a_run_is_resumed_only_as_it_was_begun(kept):
    """A journal that is half redacted would be neither."""
    labels = {"model": "m-1", "owner": SECRETS[1], "api_key": "abc"}
    asked = {"scenarios": 60, "seed": 3, "clock": "virtual", "labels": labels, "reference": NAMED}
    before = (kept / "traces.jsonl").read_bytes()
    run(talkative, out=kept, resume=True, **asked)
    assert (kept / "traces.jsonl").read_bytes() == before
    with pytest.raises(UsageError, match="redaction: there"):
        run(talkative, out=kept, resume=True, redaction=False, **asked)


@pytest.mark.parametrize("agent", [adapt, blind_retry, comply, fabricate], ids=lambda agent: agent.__name__)
def test_nothing_of_the_bundled_batteries_looks_like_a_secret(agent, tmp_path):
    """Their ids, figures and texts match no rule, so redaction costs them nothing and changes nothing."""
    plain, redacted = tmp_path / "plain", tmp_path / "redacted"
    run(agent, out=plain, scenarios=120, clock="virtual", redaction=False)
    report = run(agent, out=redacted, scenarios=120, clock="virtual")
    assert report.redacted == {}
    assert (plain / "traces.jsonl").read_bytes() == (redacted / "traces.jsonl").read_bytes()


def test_the_tasks_of_the_bundled_batteries_hold_no_secret():
    """All of them, not only those that an agent met."""
    for domain in standard().domains:
        assert redact(domain.document).counts == {}
        assert redact(json.dumps(domain.document)).counts == {}


def test_a_memory_journal_keeps_no_secret_either():
    """Whatever the journal; without one nothing is kept, and the report is redacted at the end."""
    journal = MemoryJournal()
    run(talkative, scenarios=10, journal=journal)
    assert not any(SECRETS[0] in repr(each) for each in journal.read())
    report = run(talkative, scenarios=10, runs=True)
    assert not any(each in json.dumps(to_document(report)) for each in SECRETS)


def an_answer_that_rests_on_a_part(kept):
    """A run whose answer quotes the last digits of a card: from what is left nobody can tell where they come from."""
    judged = next(each for each in RunDirectory(kept).traces() if each.trace.success and each.trace.faults)
    steps = list(judged.trace.steps)
    place = next(i for i, each in enumerate(steps) if each.kind == "tool")
    steps[place] = replace(steps[place], result={"card": SECRETS[2], "was": steps[place].result})
    steps[-1] = replace(steps[-1], result={"card_ends_in": "1111", "was": steps[-1].result})
    return judge(replace(judged.trace, steps=tuple(steps)))


def test_a_judgement_that_cannot_be_made_again_is_kept(tmp_path, kept):
    """It is marked final, the report says how many there are, and rescoring keeps them."""
    judged = an_answer_that_rests_on_a_part(kept)
    left = without_secrets(judged)
    again = judge(left.trace)
    assert left.final is (again.trials != judged.trials)
    assert left.final
    assert left.trials == judged.trials
    folder = tmp_path / "run"
    with RunDirectory(folder).open() as journal:
        journal.append(left)
    manifest = json.loads((kept / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "runs": 1}))
    assert rescore(folder).metrics == rebuild(folder).metrics
    assert any("1 run " in note and "judged again" in note for note in rebuild(folder).notes)


def test_a_run_that_holds_nothing_is_the_same_object(kept):
    """No copy, no new text."""
    judged = next(RunDirectory(kept).traces())
    assert without_secrets(judged) is judged


def test_the_journal_and_the_report_get_the_same_run(kept):
    """Not one with and one without."""
    told, journal = [], MemoryJournal()
    keeper = Keeper(journal, told.append, redacts=True)
    judged = next(RunDirectory(kept).traces())
    steps = (replace(judged.trace.steps[0], arguments={"mail": "x@y.org"}), *judged.trace.steps[1:])
    keeper.keep(replace(judged, trace=replace(judged.trace, id="new", steps=steps)))
    assert told == list(journal.read())
    assert told[0].trace.steps[0].arguments == {"mail": "redacted-email-c@redacted.invalid"}


def readable(file: Found) -> Iterator[Trace]:
    """The runs of a file that an importer can read."""
    try:
        importer = detect(file.path, BUILTIN, where=file.source).importer
        yield from (each for each in importer.read(file.path, file.source) if isinstance(each, Trace))
    except InputError:
        return


@pytest.mark.data
@pytest.mark.parametrize("folder", ["agentdojo", "tau_bench", "tau2_bench", "who_and_when", "inspect_ai"])
def test_real_logs_are_judged_the_same_after_redaction(data, folder):
    """Of each log's runs, judged before and after; none may be judged otherwise without being marked."""
    judged = [judge(each) for file in find_files([data / folder]) for each in readable(file)]
    left = [without_secrets(each) for each in judged]
    assert len(left) >= 20
    assert sum(each.final for each in left) == 0
    for before, after in zip(judged, left, strict=True):
        assert (before.steps, before.trials) == (after.steps, after.trials)


def test_a_scored_log_loses_its_secrets_and_keeps_its_numbers():
    """Redaction comes after judging; only texts of the report differ."""
    path = Path(__file__).parents[1] / "fixtures" / "tau_bench"
    redacted, plain = score_paths([path], runs=True), score_paths([path], runs=True, redaction=False)
    assert plain.redacted is None
    assert redacted.redacted == {}
    assert replace(redacted, redacted=None) == plain
    assert any(isinstance(each, Measured | NotMeasured) for each in redacted.metrics.values())
