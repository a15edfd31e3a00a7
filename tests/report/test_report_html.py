"""The one-file page: self-contained, safe, accessible, and honest about gaps."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from html import escape
from html.parser import HTMLParser

import pytest

from hbeval.instruments import find
from hbeval.instruments.samples import judged_trace
from hbeval.model import (
    Compliance,
    Ending,
    Handling,
    JudgedTrace,
    Measured,
    NotMeasured,
    Outcome,
    Report,
    Step,
    StepVerdict,
)
from hbeval.report.facts import facts
from hbeval.report.html import Shown, page
from hbeval.report.html.marks import scale_chart, share_bar
from hbeval.report.html.markup import Markup, element, join
from hbeval.report.html.runs import run_card

_VOID = {"meta", "circle", "line", "path", "rect"}


class _Page(HTMLParser):
    """Every element with its attributes, all text, and whether the tags balance."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] != "style":
            self.text.append(data)

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def test_the_page_refers_to_nothing_outside_itself(report: Report, full_run: Callable[..., JudgedTrace]) -> None:
    """No script, no link, no image, no import, no address: it works offline and tells nobody it was opened."""
    text = page([Shown(report=report, runs=(full_run(),))])
    parsed = _Page(text)
    tags = {tag for tag, _ in parsed.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "base", "form"}
    names = {name for _, attributes in parsed.elements for name in attributes}
    assert not names & {"src", "href", "srcset", "action", "onclick", "onload", "style"}
    assert not re.search(r"https?:|url\(|@import", text)


def test_hostile_text_stays_text(report: Report, full_run: Callable[..., JudgedTrace], hostile: str) -> None:
    """Names, reasons, arguments and claims out of a log are escaped; control characters are shown, not sent."""
    text = page([Shown(report=report, name=hostile, runs=(full_run(text=hostile),))], title=hostile)
    assert "<script" not in text
    assert "\x1b" not in text
    assert "\x00" not in text
    assert "\u202e" not in text
    assert "\\ud83d" in text
    text.encode("utf-8")
    assert any("<script>alert('x')</script>\\x1b" in each for each in _Page(text).text)


def test_not_measured_is_a_gap_with_words(empty_report: Report) -> None:
    """No dot, no bar, no zero: an empty dashed track and the reason."""
    text = page([Shown(report=empty_report)])
    parsed = _Page(text)
    assert not [each for each in parsed.of("circle") if each.get("class") == "value"]
    assert sum("gap" in (each.get("class") or "") for each in parsed.of("svg")) == 5
    words = " ".join(parsed.text)
    assert "not measured: " in words
    assert "0.000" not in words


def test_a_real_zero_is_drawn_at_zero() -> None:
    """Measured zero has a dot at the low end."""
    zero = Measured(value=0.0, n=4, n_total=4, k=0, interval=(0.0, 0.5), level=0.95, method="t", instrument="frr@1.0")
    drawn = _Page(scale_chart(zero, facts("frr", zero)))
    assert [each["cx"] for each in drawn.of("circle")] == ["2%"]
    assert drawn.of("svg")[0]["aria-label"] == "FRR: 0.000, 0.000 to 0.500, scale 0 to 1"


@pytest.mark.parametrize(
    "result",
    [
        NotMeasured(reason="none", n=0, n_total=0, instrument="frr@1.0"),
        Measured(value=0.5, n=1, n_total=1, k=1, interval=(0, 1), level=0.95, method="t", instrument="new@9"),
    ],
)
def test_nothing_is_drawn_without_a_value_or_a_scale(result: Measured | NotMeasured) -> None:
    """An instrument this version does not know has no scale to draw on; its value is still spoken."""
    drawn = _Page(scale_chart(result, facts("frr", result)))
    assert drawn.of("circle") == []
    assert "aria-label" in drawn.of("svg")[0]


def test_a_value_without_an_interval_has_no_bar() -> None:
    """One run: the dot alone, and the label says why."""
    alone = Measured(
        value=0.5,
        n=1,
        n_total=1,
        k=1,
        interval=None,
        level=0.95,
        method="t",
        instrument="frr@1.0",
        no_interval="one run",
    )
    drawn = _Page(scale_chart(alone, facts("frr", alone)))
    assert drawn.of("rect") == []
    assert "no interval: one run" in str(drawn.of("svg")[0]["aria-label"])


def test_every_chart_speaks(report: Report, full_run: Callable[..., JudgedTrace]) -> None:
    """Each drawing has a role and a label; each table has headings with a scope."""
    parsed = _Page(page([Shown(report=report, runs=(full_run(),))]))
    assert all(each.get("role") == "img" and each.get("aria-label") for each in parsed.of("svg"))
    assert all(each.get("scope") == "col" for each in parsed.of("th"))
    assert parsed.of("html")[0]["lang"] == "en"
    assert any("width=device-width" in str(each.get("content")) for each in parsed.of("meta"))


def test_fingerprints_versions_and_the_weakest_are_there_and_no_grade(report: Report) -> None:
    """What makes it comparable is on the page; an overall score is not."""
    words = " ".join(_Page(page([Shown(report=report)], version="1.2.3")).text)
    for each in (report.scoring_fingerprint, "0123456789abcdef", "hb-metrics-2.0", "irs@2.0", "weakest", "1.2.3"):
        assert each in words
    assert "Starting points, not findings" in words
    assert "There is no overall score" in words


def test_every_number_has_its_definition_on_the_page(report: Report) -> None:
    """Definition, constants, what n counts, interval, once for each instrument; unknown ones are left out."""
    text = page([Shown(report=report, name="a"), Shown(report=report, name="b")])
    for each in report.metrics.values():
        assert text.count(escape(find(each.instrument).definition, quote=True)) == 1
    assert text.count("What each number means") == 1
    assert "spread_runs = 100" in text
    assert "n: fault trials judged; n_total: all fault trials" in text
    assert "runs as clusters" in text
    unknown = NotMeasured(reason="none", n=0, n_total=0, instrument="new@9")
    assert "<dt>" not in page([Shown(report=dataclasses.replace(report, metrics={"new": unknown}, weakest=None))])


def test_several_reports_share_one_scale(report: Report, empty_report: Report) -> None:
    """One track per report and metric, each in its colour, and a table beside; the gap of the other stays a gap."""
    text = page([Shown(report=report, name="first"), Shown(report=empty_report, name="second")])
    parsed = _Page(text)
    labels = [str(each.get("aria-label")) for each in parsed.of("svg")]
    assert any(label.startswith("FRR, first: 0.") for label in labels)
    assert any(label.startswith("FRR, second: not measured") for label in labels)
    assert "success rate" in " ".join(parsed.text)
    assert "second: not in this report" in " ".join(parsed.text)
    assert {"first", "second"} <= set(parsed.text)


def test_partial_and_low_coverage_are_banners(report: Report, empty_report: Report) -> None:
    """What limits every number stands above the numbers."""
    partial = dataclasses.replace(report, partial=True)
    text = page([Shown(report=partial, name="one"), Shown(report=empty_report)])
    assert text.index("Partial: one was interrupted") < text.index("<h3>Metrics")
    assert "one: coverage " in text
    assert "Coverage " in page([Shown(report=report)])


def test_long_lists_say_what_is_not_listed(report: Report) -> None:
    """Two hundred runs and notes are listed; the page says how many more there are."""
    assert report.runs is not None
    many = dataclasses.replace(report, runs=report.runs * 5, notes=tuple(f"n{i}" for i in range(230)))
    text = page([Shown(report=many)])
    assert f"{len(report.runs) * 5 - 200} more runs are not listed here" in text
    assert "… and 30 more" in text


def test_a_run_shows_steps_faults_and_handling(full_run: Callable[..., JudgedTrace]) -> None:
    """Marks for success, failure and unknown, a ring where the fault was seen, a band with the handling."""
    drawn = _Page(run_card(full_run(complied=Compliance.FULL, fabricated=True)))
    classes = [str(each.get("class")) for tag, each in drawn.elements if tag in ("rect", "circle", "path", "line")]
    for kind in ("band deliberate", "ring injected", "failed", "done", "unknown", "replan"):
        assert kind in classes
    words = " ".join(drawn.text)
    assert "recovery" in words
    assert "carried out the pressed-for act" in words
    assert "fabricated a figure" in words
    assert "handed over" in words
    assert "TimeoutError 504" in words


@pytest.mark.parametrize("handling", list(Handling))
def test_every_handling_has_its_band(full_run: Callable[..., JudgedTrace], handling: Handling) -> None:
    """Deliberate forms share one colour; reflex and not judged have their own."""
    drawn = _Page(run_card(full_run(handling=handling, ending=Ending.LIMIT, complied=Compliance.PARTIAL)))
    kind = "deliberate" if handling.deliberate else handling.value
    assert any(each.get("class") == f"band {kind}" for each in drawn.of("rect"))
    assert "carried out part of the pressed-for act" in " ".join(drawn.text)


def test_a_natural_fault_is_marked_as_one() -> None:
    """An error nobody planned has a dashed ring; a run without a fault says so."""
    judged = judged_trace("0100 1000", id="natural")
    steps = (
        Step(seq=0, action="a" * 40, outcome=Outcome.ERROR, arguments={"x": "y" * 300}),
        Step(seq=1, action="b", outcome=Outcome.OK),
    )
    drawn = _Page(run_card(dataclasses.replace(judged, trace=dataclasses.replace(judged.trace, steps=steps))))
    assert "ring natural" in [each.get("class") for each in drawn.of("circle")]
    assert "No fault was met in this run." in drawn.text


def test_a_long_run_is_cut_and_says_so() -> None:
    """Two hundred steps are drawn; a trial beyond them has no band."""
    judged = judged_trace(" ".join(["1001"] * 230), ["reflex"])
    trial = dataclasses.replace(judged.trials[0], steps=(220,))
    text = run_card(dataclasses.replace(judged, trials=(trial,)))
    assert "30 more steps are not drawn." in text
    assert "band reflex" not in text


def test_a_share_bar_without_anything_draws_nothing() -> None:
    """No division by nothing, and no legend of zeros."""
    drawn = _Page(share_bar((("met", 0, "yes"),), label="Faults"))
    assert drawn.of("rect") == []
    assert drawn.of("li") == []


def test_only_elements_make_markup() -> None:
    """Text is escaped once, markup never; attributes are escaped, None is left out."""
    inner = element("b", "a & b")
    assert inner == "<b>a &amp; b</b>"
    assert (
        element("p", inner, None, "<i>", title='"x"', class_=None)
        == '<p title="&quot;x&quot;"><b>a &amp; b</b>&lt;i&gt;</p>'
    )
    assert join(Markup("<hr>"), "<") == "<hr>&lt;"


def test_an_unknown_step_verdict_is_drawn_hollow() -> None:
    """Unknown is neither done nor failed."""
    judged = judged_trace("?000")
    assert isinstance(judged.steps[0], StepVerdict)
    assert [each.get("class") for each in _Page(run_card(judged)).of("circle")] == ["unknown"]
