"""The front door: help, versions, unknown words, defects, and where output goes."""

from __future__ import annotations

import html
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hbeval import __version__, errors
from hbeval.cli import main as front
from hbeval.cli.console import Console
from hbeval.cli.main import COMMANDS, main
from hbeval.cli.parser import Parser

Run = Callable[..., object]


@pytest.mark.parametrize("flag", ["--help", "-h", "help"])
def test_help_names_every_command(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    """On standard output, with exit code 0 and an example."""
    assert main([flag]) == 0
    out = capsys.readouterr().out
    assert all(f"  {each.name} " in out for each in COMMANDS)
    assert "example:" in out


def test_nothing_asked_is_a_usage_error_with_help(capsys: pytest.CaptureFixture[str]) -> None:
    """`hbeval` alone shows the help and exits 2."""
    assert main([]) == 2
    assert "commands:" in capsys.readouterr().out


def test_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    """`hbeval --version`."""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"hbeval {__version__}\n"


@pytest.mark.parametrize("name", [each.name for each in COMMANDS])
def test_every_command_has_help_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` exits 0 and shows the flags that every command has."""
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"usage: hbeval {name}" in out
    assert f"example:\n  hbeval {name}" in out
    assert "--json" in out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["scor"], "hbeval: unknown command 'scor'; did you mean 'score'?\n"),
        (["--vresion"], "hbeval: unknown flag '--vresion'; did you mean '--version'?\n"),
        (["metrics", "lst"], "hbeval: unknown action 'lst'; did you mean 'list'? (see 'hbeval metrics --help')\n"),
        (
            ["metrics", "list", "--jsno"],
            "hbeval: unknown flag '--jsno'; did you mean '--json'? (see 'hbeval metrics --help')\n",
        ),
        (["metrics", "list", "a", "b"], "hbeval: unexpected argument 'b' (see 'hbeval metrics --help')\n"),
        (
            ["metrics"],
            "hbeval: the following arguments are required: list|history|explain (see 'hbeval metrics --help')\n",
        ),
    ],
)
def test_misspelt_words_get_the_nearest_one(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line on standard error, nothing on standard output, exit code 2."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err == line
    assert captured.out == ""


def test_a_word_like_no_other_gets_all_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is guessed where nothing is near."""
    assert main(["xyzzy"]) == 2
    assert "; there are demo, run, score" in capsys.readouterr().err


class _Module:
    """A command that ends as the test says."""

    def __init__(self, ending: BaseException | int) -> None:
        self.ending = ending

    def parser(self) -> Parser:
        made = Parser(prog="hbeval demo")
        made.add_argument("--debug", action="store_true")
        return made

    def execute(self, args: object, console: Console) -> int:
        if isinstance(self.ending, int):
            return self.ending
        raise self.ending


@pytest.mark.parametrize(
    ("ending", "code", "line"),
    [
        (0, 0, ""),
        (errors.UsageError("no"), 2, "hbeval: no\n"),
        (errors.InputError("bad", where="x", value=1), 2, "hbeval: x: bad, got 1\n"),
        (errors.AgentError("takes no task"), 2, "hbeval: takes no task\n"),
        (errors.EnvironmentFault("out of reach"), 4, "hbeval: out of reach\n"),
        (errors.HarnessError("ours"), 4, "hbeval: ours\n"),
        (errors.NotComparable(("a", "b")), 4, "hbeval: not comparable: a; b\n"),
        (errors.UsageError("two\nlines"), 2, "hbeval: two lines\n"),
        (KeyboardInterrupt(), 130, "hbeval: interrupted\n"),
        (PermissionError(13, "Permission denied", "out"), 2, "hbeval: out: Permission denied\n"),
        (OSError(28, "No space left on device"), 4, "hbeval: system: No space left on device\n"),
    ],
)
def test_every_ending_has_its_exit_code_and_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    ending: BaseException | int,
    code: int,
    line: str,
) -> None:
    """Who must act decides the code; the message is one line."""
    monkeypatch.setattr(front, "load", lambda command: _Module(ending))
    assert main(["demo"]) == code
    assert capsys.readouterr().err == line


def test_a_defect_is_ours_and_its_traceback_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """One line says it is a defect in hbeval and where the traceback is; exit code 4."""
    monkeypatch.setattr(front, "load", lambda command: _Module(ZeroDivisionError("by zero")))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["demo"]) == 4
    line = capsys.readouterr().err
    assert line.startswith("hbeval: ZeroDivisionError: by zero; this is a defect in hbeval (traceback in ")
    (kept,) = tmp_path.glob("hbeval-defect-*.txt")
    assert "ZeroDivisionError" in kept.read_text()
    assert str(kept) in line


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With --debug it is on standard error and nothing is written."""
    monkeypatch.setattr(front, "load", lambda command: _Module(ZeroDivisionError("by zero")))
    assert main(["demo", "--debug"]) == 4
    err = capsys.readouterr().err
    assert "Traceback (most recent call last)" in err
    assert err.endswith("this is a defect in hbeval\n")


def test_a_defect_without_a_place_for_its_traceback_is_still_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """No temporary folder: the line says how to see the traceback."""
    monkeypatch.setattr(front, "load", lambda command: _Module(ZeroDivisionError("by zero")))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    assert main(["demo"]) == 4
    assert "run again with --debug" in capsys.readouterr().err


def test_help_is_fast(environment: dict[str, str]) -> None:
    """No command's module is loaded for it: within 100 ms of an empty interpreter (processor time, best of five)."""
    command = [sys.executable, "-m", "hbeval", "--help"]
    bare = min(_seconds([sys.executable, "-c", "pass"], environment) for _ in range(5))
    assert min(_seconds(command, environment) for _ in range(5)) - bare < 0.1


def _seconds(command: list[str], environment: dict[str, str]) -> float:
    plain = {name: value for name, value in environment.items() if not name.startswith("COVERAGE_PROCESS")}
    before = os.times()
    subprocess.run(command, env=plain, check=True, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def test_a_reader_that_goes_away_changes_nothing(environment: dict[str, str]) -> None:
    """`| head -1` gets its line; no traceback, exit code 0."""
    line = f"{sys.executable} -m hbeval metrics list | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout == "Instruments\n"
    assert done.stderr == ""


def test_a_closed_standard_output_is_no_defect(environment: dict[str, str]) -> None:
    """`>&-`: the command does its work and says nothing."""
    line = f"{sys.executable} -m hbeval metrics list >&-"
    done = subprocess.run(["bash", "-c", line], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.parametrize(
    "settings", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}]
)
def test_other_encodings_lose_no_output(hbeval: Run, settings: dict[str, str]) -> None:
    """Drawn lines fall back to ASCII where the encoding has no more; the text is all there."""
    done = hbeval("metrics", "list", **settings)
    assert done.code == 0  # type: ignore[attr-defined]
    assert "frr@1.0" in done.out  # type: ignore[attr-defined]
    if settings == {"PYTHONIOENCODING": "ascii"}:
        assert done.out.isascii()  # type: ignore[attr-defined]


def test_a_page_on_an_output_without_unicode_is_still_the_page(hbeval: Run, adapt_run: Path) -> None:
    """What the encoding lacks becomes character references; escapes would be read as text."""
    plain = hbeval("report", adapt_run, "--html", PYTHONIOENCODING="ascii").out  # type: ignore[attr-defined]
    whole = hbeval("report", adapt_run, "--html", PYTHONIOENCODING="utf-8").out  # type: ignore[attr-defined]
    assert plain.isascii()
    assert not whole.isascii()
    assert html.unescape(plain) == html.unescape(whole)


def test_no_home_is_no_problem(environment: dict[str, str]) -> None:
    """Nothing is looked for in a home directory."""
    bare = {name: value for name, value in environment.items() if name != "HOME"}
    command = [sys.executable, "-m", "hbeval", "doctor", "--json"]
    assert subprocess.run(command, env=bare, capture_output=True, check=False).returncode == 0


def test_colour_needs_a_terminal_and_no_objection(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR, a dumb terminal and a pipe each turn it off."""

    class Terminal(io.StringIO):
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Console(Terminal(), io.StringIO()).color
    assert not Console(io.StringIO(), io.StringIO()).color
    monkeypatch.setenv("TERM", "dumb")
    assert not Console(Terminal(), io.StringIO()).color
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Console(Terminal(), io.StringIO()).color


def test_json_keeps_human_text_off_standard_output() -> None:
    """With --json what people read goes to standard error, the document to standard output."""
    out, err = io.StringIO(), io.StringIO()
    console = Console(out, err, json=True)
    console.say("for people")
    console.document({"a": None})
    assert out.getvalue() == '{\n  "a": null\n}\n'
    assert err.getvalue() == "for people\n"
    quiet = Console(out := io.StringIO(), io.StringIO())
    quiet.document({"a": 1})
    assert out.getvalue() == ""


def test_an_error_line_does_not_act_on_the_terminal() -> None:
    """File names and foreign servers' words stand in it."""
    err = io.StringIO()
    Console(io.StringIO(), err).error("a\nb\x1b[31mred\r\x00\x9b2J")
    assert err.getvalue() == "hbeval: a b\\x1b[31mred\\x0d\\x00\\x9b2J\n"


def test_a_broken_pipe_is_silenced_once() -> None:
    """Later writes go nowhere, without an exception."""
    read, write = os.pipe()
    os.close(read)
    stream = os.fdopen(write, "w")
    console = Console(stream, io.StringIO())
    console.say("x" * 100_000)
    console.say("again")
    stream.close()


def test_a_stream_without_a_descriptor_may_break_too() -> None:
    """An embedded stream that breaks does not raise either."""

    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    Console(Broken(), io.StringIO()).say("x")
