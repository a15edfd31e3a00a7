"""Commands that tell: spec, faults, metrics, doctor, init."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hbeval.faults import Specification

Run = Callable[..., Any]

PUBLISHED = {
    "fault_contexts": {
        name: f"words of {name}"
        for name in (
            "none",
            "tool_failure",
            "context_corruption",
            "stochastic",
            "adversarial",
            "cascade",
            "combined",
        )
    },
    "fault_types": ["tool_failure", "context_corruption", "stochastic", "adversarial", "cascade", "combined"],
    "domains": ["one"],
    "max_scenarios": 60,
    "min_scenarios": 6,
    "none_fraction": 0.2,
}


def test_the_fingerprint_is_sixteen_digits_of_our_specification(hbeval: Run) -> None:
    """Printed alone, ready for a script."""
    done = hbeval("spec", "fingerprint")
    assert (done.code, done.err) == (0, "")
    assert done.out == Specification.load().fingerprint + "\n"
    assert hbeval("spec", "fingerprint", "--json").document["fingerprint"] == Specification.load().fingerprint


def test_the_fingerprint_of_a_file_or_of_standard_input(hbeval: Run, tmp_path: Path) -> None:
    """Of any JSON document; a path with other letters than ASCII is fine."""
    path = tmp_path / "spéc 漢字.json"
    path.write_text('{"b": 1, "a": "\\u2013"}')
    named = hbeval("spec", "fingerprint", path)
    assert named.code == 0
    assert len(named.out) == 17
    assert hbeval("spec", "fingerprint", "-", stdin=path.read_text()).out == named.out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a":\n ]', "at line 2 column 2"),
        ("9" * 5000, "integer string conversion"),
        ("[" * 200_000, "nested too deeply"),
    ],
)
def test_a_damaged_document_gets_one_line(hbeval: Run, tmp_path: Path, text: str, words: str) -> None:
    """File, place and reason; exit code 2; nothing on standard output."""
    path = tmp_path / "spec.json"
    path.write_text(text)
    done = hbeval("spec", "fingerprint", path)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith(f"hbeval: {path}: ")
    assert words in done.err
    assert done.err.count("\n") == 1


def test_a_missing_file_says_so(hbeval: Run) -> None:
    """The path and what the system said."""
    done = hbeval("spec", "fingerprint", "gone.json")
    assert (done.code, done.out) == (2, "")
    assert done.err == "hbeval: gone.json: cannot be read (No such file or directory); expected a JSON document\n"


def test_show_prints_types_and_effects(hbeval: Run) -> None:
    """Each variant with its effects; with --json the document itself, whose fingerprint is the same."""
    done = hbeval("spec", "show")
    assert done.code == 0
    assert "cascade" in done.out
    assert Specification.load().fingerprint in done.out
    assert hbeval("spec", "show", "--json").document == Specification.load().document


def test_a_document_of_the_published_shape_is_imported(hbeval: Run, tmp_path: Path) -> None:
    """It keeps its own fingerprint; another text is not called the published one; --out writes it."""
    path, out = tmp_path / "theirs.json", tmp_path / "new" / "kept.json"
    path.write_text(json.dumps(PUBLISHED))
    done = hbeval("spec", "import", path, "--out", out)
    assert done.code == 0
    assert "not the published one" in done.out
    assert json.loads(out.read_text()) == PUBLISHED
    document = hbeval("spec", "import", path, "--json").document
    assert document["published"] is False
    assert hbeval("spec", "show", out).out.count("in words only") == 6


@pytest.mark.parametrize("arguments", [["import"], ["import", "gone.json"]])
def test_import_needs_a_file(hbeval: Run, arguments: list[str]) -> None:
    """Without one, or with one that is not there: usage error."""
    assert hbeval("spec", *arguments).code == 2


def test_import_into_a_place_that_cannot_be_written(hbeval: Run, tmp_path: Path) -> None:
    """One line with the path and the remedy."""
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps(PUBLISHED))
    done = hbeval("spec", "import", path, "--out", path / "below.json")
    assert done.code == 2
    assert "choose another place with --out" in done.err


def test_faults_are_listed_with_their_meaning(hbeval: Run) -> None:
    """Six types and every effect with its parameters."""
    document = hbeval("faults", "list", "--json").document
    assert len(document["types"]) == 6
    assert {"timeout", "rate_limit", "injected_instruction", "noop"} <= {each["effect"] for each in document["effects"]}
    done = hbeval("faults", "list")
    assert done.code == 0
    assert "retry_after_s" in done.out


def test_a_preview_shows_what_an_agent_would_meet(hbeval: Run) -> None:
    """Call by call, the same for the same seed, on the task's own data."""
    first = hbeval("faults", "preview", "cascade", "--json").document
    assert first == hbeval("faults", "preview", "cascade", "--json").document
    assert first["type"] == "cascade"
    assert any(each["fires"] for each in first["meetings"])
    assert len({each["target"] for each in first["meetings"]}) == 2
    done = hbeval("faults", "preview", "tool_failure", "--variant", "timeout")
    assert "raises TimeoutError" in done.out
    assert "Nothing was run." in done.out


@pytest.mark.parametrize("variant", ["empty_null", "truncated", "rate_limit"])
def test_a_preview_words_every_kind_of_meeting(hbeval: Run, variant: str) -> None:
    """Altered data, errors, and calls after the limit."""
    done = hbeval("faults", "preview", "tool_failure", "--variant", variant, "--calls", "3")
    assert done.code == 0
    assert ("gets " if variant != "rate_limit" else "untouched") in done.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["preview"], "needs a TYPE"),
        (["preview", "cascad"], "did you mean 'cascade'?"),
        (["preview", "cascade", "--domain", "nowhere"], "nowhere"),
        (["preview", "cascade", "--task", "logistics/etta"], "did you mean 'logistics/eta'?"),
        (["preview", "tool_failure", "--variant", "x"], "has no variant 'x'"),
        (["preview", "cascade", "--calls", "0"], "at least 1"),
    ],
)
def test_a_preview_that_cannot_be_given_says_why(hbeval: Run, arguments: list[str], words: str) -> None:
    """One line and exit code 2."""
    done = hbeval("faults", *arguments)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert done.err.count("\n") == 1


def test_metrics_are_listed_and_explained(hbeval: Run) -> None:
    """By id every version, the current one first; by id@version that one."""
    names = [each["name"] for each in hbeval("metrics", "list", "--json").document["instruments"]]
    assert {"pei@1.0", "irs@1.0", "irs@2.0", "csi@1.0-provisional"} <= set(names)
    both = hbeval("metrics", "explain", "irs", "--json").document["instruments"]
    assert [each["name"] for each in both] == ["irs@2.0", "irs@1.0"]
    done = hbeval("metrics", "explain", "irs@1.0")
    assert "replaced by   irs@2.0" in done.out
    assert "Starting points, not findings" in done.out
    assert "not measured  " in done.out


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("FRR", "frr@1.0"),
        ("pass^3", "pass_k@1.0"),
        ("pass_2", "pass_k@1.0"),
        ("pass_12@1.0", "pass_k@1.0"),
        ("success rate", "success_rate@1.0"),
        ("Reliability Gap", "reliability_gap@1.0"),
        ("csi@1.0-provisional", "csi@1.0-provisional"),
    ],
)
def test_a_metric_is_explained_by_the_name_a_table_shows(hbeval: Run, name: str, found: str) -> None:
    """One step from any number to its definition, its constants included."""
    done = hbeval("metrics", "explain", name)
    assert done.code == 0
    assert done.out.startswith(f"{found}  ")


def test_the_constants_of_a_definition_have_their_values(hbeval: Run) -> None:
    """A definition names c and spread_runs; the values stand below it."""
    assert "constants     c = 0.5, spread_runs = 100" in hbeval("metrics", "explain", "csi@1.0-provisional").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["explain"], "needs an ID"),
        (["explain", "ffr"], "did you mean 'frr'?"),
        (["explain", "frr@9.9"], "did you mean 'frr@1.0'?"),
    ],
)
def test_an_unknown_metric_gets_the_nearest(hbeval: Run, arguments: list[str], words: str) -> None:
    """One line and exit code 2."""
    done = hbeval("metrics", *arguments)
    assert done.code == 2
    assert words in done.err


def test_the_history_is_complete(hbeval: Run) -> None:
    """Every change with its date and text; for an unmeasured share, the command that shows the version beside a run."""
    document = hbeval("metrics", "history", "--json").document
    done = hbeval("metrics", "history")
    assert done.code == 0
    for change in document["history"]:
        assert change["date"] in done.out
        assert change["after"] in done.out
    assert "irs@1.0 to irs@2.0" in done.out
    assert "hbeval rescore RUN --profile irs@1.0" in done.out


def test_the_doctor_says_what_is_there(hbeval: Run) -> None:
    """Version, Python, extras and settings, and nothing is changed."""
    findings = {each["what"]: each for each in hbeval("doctor", "--json", HBEVAL_DISABLE="1").document["findings"]}
    assert findings["hbeval"]["state"] == "installed"
    assert findings["HBEVAL_DISABLE"]["state"] == "set"
    assert findings["NO_COLOR"]["state"] == "not set"
    assert findings["extra terminal"]["state"] in ("installed", "not installed")
    assert "hbeval doctor" in hbeval("doctor").out


def test_init_writes_what_the_battery_accepts(hbeval: Run, tmp_path: Path) -> None:
    """The files it writes are a battery, whose domain passes its own checks."""
    from hbeval.battery.batteries import load

    done = hbeval("init", tmp_path / "mine")
    assert done.code == 0
    assert "next: cd " in done.out
    battery = load(tmp_path / "mine" / "battery.json")
    assert battery.arrange().gaps == ()


def test_the_agent_of_init_works_on_its_battery(hbeval: Run, tmp_path: Path) -> None:
    """It recovers from what its sources do, leaves its reasoning in the record, and is traceable."""
    from hbeval.battery import load, run
    from hbeval.cli.template.agent import agent

    assert hbeval("init").code == 0
    report = run(agent, battery=load(tmp_path / "battery.json"), seed=7)
    assert report.coverage.endings.keys() <= {"completed", "handed_over"}
    assert report["ti"].value == 5.0
    assert report["irs"].value == 1.0
    assert report["success_rate"].value > 0.8


def test_init_overwrites_nothing(hbeval: Run, tmp_path: Path) -> None:
    """One file in the way: nothing at all is written."""
    (tmp_path / "agent.py").write_text("mine")
    done = hbeval("init")
    assert done.code == 2
    assert "overwrites nothing" in done.err
    assert (tmp_path / "agent.py").read_text() == "mine"
    blocked = hbeval("init", "agent.py/inside")
    assert blocked.code == 2
    assert blocked.err.endswith("choose another place\n")
    assert not (tmp_path / "battery.json").exists()


def test_init_tells_a_script_what_it_wrote(hbeval: Run) -> None:
    """With --json the paths and the next command."""
    document = hbeval("init", "here", "--json").document
    assert document["written"] == [os.path.join("here", name) for name in ("agent.py", "helpdesk.json", "battery.json")]
    assert document["next"].startswith("hbeval run agent:agent")
