"""The published schemas are those of the record types, and real documents fit them."""

from __future__ import annotations

import json
import subprocess
import sys

import jsonschema

from tests.conftest import ROOT


def test_the_published_schemas_are_current():
    """Made anew they are the same; the message says how to make them."""
    done = subprocess.run(
        [sys.executable, "tools/schemas.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_report_of_a_real_score_fits(tmp_path):
    """What `score --json` prints is what the schema says, invalid and undefined runs included."""
    command = [sys.executable, "-m", "hbeval", "score", str(ROOT / "tests" / "fixtures"), "--runs", "--json"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT / "src")}
    )
    schema = json.loads((ROOT / "docs" / "schemas" / "report.json").read_text(encoding="utf-8"))
    document = json.loads(done.stdout)
    jsonschema.Draft202012Validator(schema).validate(document)
    assert any(each["value"] is None for each in document["metrics"].values())


def test_the_traces_of_a_real_run_fit(tmp_path):
    """Every line of a journal holds a judged trace of the published form."""
    run = tmp_path / "run"
    command = [
        sys.executable,
        "-m",
        "hbeval",
        "run",
        "hbeval.battery.agents:comply",
        "--scenarios",
        "14",
        "--out",
        str(run),
    ]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, env={"PYTHONPATH": str(ROOT / "src")})
    schema = json.loads((ROOT / "docs" / "schemas" / "judged-trace.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    lines = (run / "traces.jsonl").read_text(encoding="ascii").splitlines()
    assert len(lines) == 14
    for line in lines:
        validator.validate(json.loads(line)["trace"])
