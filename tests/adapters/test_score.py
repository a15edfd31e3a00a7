"""From files to a report: every file is scored, or left out with a reason."""

import json
import os
import shutil
from pathlib import Path

import pytest

from hbeval.adapters.formats.agentdojo import AgentDojo
from hbeval.adapters.formats.builtin import BUILTIN
from hbeval.adapters.formats.score import find_files, score_paths
from hbeval.errors import InputError, UsageError
from hbeval.model import Context, LeftOut, Measured, NotMeasured, encode

FIXTURES = Path(__file__).parent.parent / "fixtures" / "agentdojo"


@pytest.fixture
def folder(tmp_path):
    """A folder with the six excerpts and files that are none."""
    root = tmp_path / "logs"
    shutil.copytree(FIXTURES, root / "a")
    (root / "torn.json").write_bytes((FIXTURES / "complied.json").read_bytes()[:3000])
    (root / "other.json").write_text('{"a": 1}')
    (root / "b").mkdir()
    (root / "b" / "notes.txt").write_text("hello")
    return root


def test_every_file_is_accounted_for(folder):
    """Runs and files left out add up to the files in the folder."""
    report = score_paths([folder])
    assert report.context is Context.IMPORT
    assert report.coverage.runs == 6
    assert report.coverage.invalid == {"infrastructure": 1, "empty": 1}
    assert report.coverage.cancelled == 1
    assert report.coverage.measured == 3
    reasons = {Path(each.source).name: each.reason for each in report.left_out}
    assert set(reasons) == {"torn.json", "other.json", "notes.txt", "LICENSE", "SOURCE.md"}
    assert "cut off" in reasons["torn.json"]
    assert "unknown format" in reasons["other.json"]
    assert "ending" in reasons["notes.txt"]
    assert all(reason and not reason.startswith(str(folder)) for reason in reasons.values())


def test_the_five_are_measured_or_say_why_not(folder):
    """No time in the logs: traceability is not measured, never 0."""
    report = score_paths([folder])
    assert isinstance(report["pei"], Measured)
    assert isinstance(report["ti"], NotMeasured)
    assert isinstance(report["frr"], Measured)
    assert (report.faults.met, report.faults.not_exposed) == (2, 1)
    assert report.faults.natural == 1


def test_order_and_repetition_of_paths_change_nothing(folder):
    """A file reached twice counts once."""
    once = score_paths([folder])
    again = score_paths([folder / "b", folder, folder / "a" / "complied.json"])
    assert encode(again) == encode(once)


def test_grouping_by_labels_of_agent_task_and_source():
    """Any label of the agent or of the log's ground truth can form groups."""
    report = score_paths([FIXTURES], group_by=("model", "attack"))
    assert {"model": "gpt-4o-2024-05-13", "attack": "important_instructions"} in [group.by for group in report.groups]
    side_by_side = score_paths([FIXTURES], group_by=(("suite",), ("task",)))
    assert {"suite": "banking"} in [group.by for group in side_by_side.groups]


def test_runs_are_listed_on_request():
    """With their endings and trials."""
    report = score_paths([FIXTURES / "complied.json"], runs=True)
    (run,) = report.runs
    assert run.source.endswith("complied.json")
    assert [trial.complied for trial in run.trials] == ["full"]
    assert score_paths([FIXTURES / "complied.json"]).runs is None


def test_progress_is_told_after_each_file():
    """Files done, files in all, the file."""
    told = []
    score_paths([FIXTURES], progress=lambda done, total, source: told.append((done, total, Path(source).name)))
    assert [each[0] for each in told] == list(range(1, 9))
    assert {each[1] for each in told} == {8}
    assert told[0][2] == "LICENSE"


def test_a_given_format_is_not_guessed_again(folder):
    """Every file is read as that format; what is none is left out."""
    report = score_paths([folder], format="agentdojo")
    assert report.coverage.runs == 6
    assert len(report.left_out) == 5


def test_a_path_that_is_not_there_is_a_usage_error(tmp_path):
    """The caller must act; nothing is scored."""
    with pytest.raises(InputError, match="no such file"):
        score_paths([tmp_path / "absent"])
    with pytest.raises(UsageError, match="nothing to score"):
        score_paths([])
    with pytest.raises(UsageError, match="not known"):
        score_paths([tmp_path], format="nonsense")


def test_an_empty_folder_gives_a_report_without_runs(tmp_path):
    """Nothing is measured, and it says so."""
    report = score_paths([tmp_path])
    assert report.coverage.runs == 0
    assert all(isinstance(report[key], NotMeasured) for key in ("pei", "frr", "irs", "ti", "csi"))


def test_an_unreadable_file_is_left_out(tmp_path):
    """A dangling link does not stop the others."""
    shutil.copy(FIXTURES / "complied.json", tmp_path)
    os.symlink(tmp_path / "gone.json", tmp_path / "link.json")
    report = score_paths([tmp_path])
    assert report.coverage.runs == 1
    assert "not readable" in report.left_out[0].reason


def test_a_copy_of_a_file_counts_once(folder, tmp_path):
    """Whatever it is called: a run weighs once, and the copy is left out with the name of the first."""
    shutil.copy(folder / "a" / "complied.json", folder / "b" / "renamed.json")
    report = score_paths([folder])
    assert report.coverage.runs == 6
    (copy,) = [each for each in report.left_out if "same" in each.reason]
    assert copy.source.endswith("renamed.json")
    assert copy.reason == f"same file as {(folder / 'a' / 'complied.json').as_posix()}"
    assert encode(score_paths([folder / "a", folder / "b"])["frr"]) == encode(score_paths([folder / "a"])["frr"])


def test_a_run_in_two_forms_of_its_log_counts_once(tmp_path):
    """An archive and the same log in JSON; the bytes differ, the run does not."""
    log = json.loads((FIXTURES.parent / "inspect" / "log_formats.json").read_text())
    for name, indent in (("one.json", None), ("two.json", 1)):
        (tmp_path / name).write_text(json.dumps(log, indent=indent))
    report = score_paths([tmp_path])
    assert report.coverage.runs == 1
    assert [each.reason for each in report.left_out] == [f"same run as {(tmp_path / 'one.json').as_posix()}"]


def test_runs_that_only_look_alike_count_each(tmp_path):
    """The same id with another content, and the same content of another agent, are other runs."""
    log = json.loads((FIXTURES.parent / "inspect" / "log_formats.json").read_text())
    (tmp_path / "one.json").write_text(json.dumps(log))
    log["samples"][0]["output"]["choices"][0]["message"]["content"] = "something else"
    (tmp_path / "two.json").write_text(json.dumps(log))
    run = json.loads((FIXTURES / "complied.json").read_text())
    for name in ("model-a", "model-b"):
        (tmp_path / f"{name}.json").write_text(json.dumps({**run, "pipeline_name": name}))
    report = score_paths([tmp_path])
    assert (report.coverage.runs, report.left_out) == (4, ())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_is_no_file_is_left_out_and_not_waited_for(tmp_path):
    """A pipe that nobody writes to has no end."""
    shutil.copy(FIXTURES / "complied.json", tmp_path)
    os.mkfifo(tmp_path / "pipe.json")
    os.symlink("/dev/zero", tmp_path / "zero.json")
    for chosen in ("auto", "agentdojo"):
        report = score_paths([tmp_path], format=chosen)
        assert report.coverage.runs == 1
        assert [each.reason for each in report.left_out] == ["not a regular file"] * 2


def test_a_folder_that_cannot_be_read_is_left_out(folder, monkeypatch):
    """Not passed over in silence."""
    scan = os.scandir

    def refusing(path):
        if str(path).endswith("b"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    reasons = {each.source: each.reason for each in score_paths([folder]).left_out}
    assert reasons[(folder / "b").as_posix()] == "folder is not readable"


def test_folders_are_walked_in_order_of_name(tmp_path):
    """The same on every machine."""
    for name in ("b/2.json", "b/1.json", "a/3.json", "0.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    names = [path.relative_to(tmp_path).as_posix() for path, _ in find_files([tmp_path])]
    assert names == ["0.json", "a/3.json", "b/1.json", "b/2.json"]


class Broken(AgentDojo):
    """An importer with a defect: it fails on one file, after a first record."""

    def read(self, path, source):
        """Fail on one file."""
        if path.name == "complied.json":
            yield LeftOut(source=source, reason="first record")
            raise ZeroDivisionError("defect")
        yield from super().read(path, source)


def test_a_defect_of_an_importer_is_recorded_and_costs_one_file():
    """It is named as ours, and what was read before it is kept."""
    report = score_paths([FIXTURES], importers=(Broken(),))
    reasons = [each.reason for each in report.left_out if each.source.endswith("complied.json")]
    assert "first record" in reasons
    assert any("ZeroDivisionError" in reason and "report this" in reason for reason in reasons)
    assert report.coverage.runs == 5


def test_a_defect_of_the_judge_is_recorded_and_costs_one_run(monkeypatch):
    """The run is left out, not scored as a failure."""

    def fail(trace):
        raise KeyError(trace.id)

    monkeypatch.setattr("hbeval.adapters.formats.score.judge", fail)
    report = score_paths([FIXTURES / "complied.json"])
    assert report.coverage.runs == 0
    assert "failed to judge" in report.left_out[0].reason


@pytest.mark.data
def test_all_public_logs_are_accounted_for(data):
    """Endings of the runs with a run-level error, and of the empty ones, by their rules."""
    folder = data / "agentdojo"
    files = sum(1 for path in folder.rglob("*") if path.is_file())
    errors, empty = _expected(folder)
    report = score_paths([folder], importers=BUILTIN)
    assert report.coverage.runs + len(report.left_out) == files
    assert report.coverage.invalid == {"infrastructure": errors["server"], "empty": empty}
    assert report.coverage.cancelled == 1
    assert report.coverage.endings["limit"] >= errors["context"]
    assert isinstance(report["ti"], NotMeasured)


def _expected(folder):
    """Counts read from the raw logs by the words in `error`."""
    errors, empty = {"server": 0, "context": 0}, 0
    for path in folder.rglob("*.json"):
        log = json.loads(path.read_bytes())
        if log["error"]:
            errors["context" if "context_length_exceeded" in log["error"] else "server"] += 1
        elif not log["messages"]:
            empty += 1
    return errors, empty
