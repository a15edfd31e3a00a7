"""One run as lanes: a lane per tool, a mark per step, a band per fault trial; the same in a table below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hbeval.model import Compliance, Delivery, JudgedTrace, Outcome, Step, StepKind, StepVerdict, Trial
from hbeval.report.html.markup import Markup, element, join
from hbeval.report.words import printable

__all__ = ["LEGEND", "run_card"]

_COLUMN = 34
_LANE = 26
_LABELS = 170
_NAME_ROW = 15
_NAME_LETTER = 6.5
_MOST_STEPS = 200
_LONGEST_TEXT = 140


def run_card(judged: JudgedTrace) -> Markup:
    """A run's heading, its lanes and its steps as a table. At most 200 steps are drawn, and it says so."""
    trace = judged.trace
    steps, verdicts = trace.steps[:_MOST_STEPS], judged.steps[:_MOST_STEPS]
    left = len(trace.steps) - len(steps)
    ending = trace.ending.value.replace("_", " ") + (f": {trace.ending_detail}" if trace.ending_detail else "")
    result = {True: "task done", False: "task not done", None: "task outcome unknown"}[trace.success]
    return element(
        "article",
        element("h4", trace.source),
        element("p", f"{trace.task.id}; {result}; ended: {ending}", class_="faint"),
        element("div", _lanes(judged, steps, verdicts), class_="scroll", tabindex=0, role="group", aria_label="lanes"),
        element("p", f"{left} more steps are not drawn.", class_="faint") if left else None,
        _trial_list(judged.trials),
        element(
            "details", element("summary", f"All {len(steps)} steps as a table"), _step_table(judged, steps, verdicts)
        ),
        class_="run",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Band:
    """A fault trial as it is drawn: its place from left to right, and the row of its name."""

    trial: Trial
    left: float
    width: float
    row: int

    @property
    def kind(self) -> str:
        return _kind(self.trial)


def _kind(trial: Trial) -> str:
    return "deliberate" if trial.handling.deliberate else trial.handling.value


def _bands(trials: Sequence[Trial], columns: Mapping[int, int]) -> list[_Band]:
    """Bands over the member steps; names that would overlap go into rows of their own."""
    bands: list[_Band] = []
    ends: list[float] = []
    for trial in sorted(trials, key=lambda each: each.steps):
        members = [columns[seq] for seq in trial.steps if seq in columns]
        if not members:
            continue
        left = float(_LABELS + _COLUMN * min(members) + 3)
        row = next((i for i, end in enumerate(ends) if end < left), len(ends))
        ends[row : row + 1] = [left + 8 + _NAME_LETTER * len(trial.handling)]
        width = float(_COLUMN * (max(members) - min(members) + 1) - 6)
        bands.append(_Band(trial=trial, left=left, width=width, row=row))
    return bands


def _lanes(judged: JudgedTrace, steps: Sequence[Step], verdicts: Sequence[StepVerdict]) -> Markup:
    lanes = {action: row for row, action in enumerate(dict.fromkeys(step.action for step in steps))}
    columns = {step.seq: column for column, step in enumerate(steps)}
    bands = _bands(judged.trials, columns)
    top = 8 + _NAME_ROW * (1 + max((band.row for band in bands), default=0))
    height, width = float(top + _LANE * len(lanes) + 6), float(_LABELS + _COLUMN * len(steps) + 20)
    faulty = _fault_marks(judged)
    parts = [_band(each, height) for each in bands]
    parts += [_lane(action, top + _LANE * row, width) for action, row in lanes.items()]
    for step, verdict in zip(steps, verdicts, strict=True):
        y = float(top + _LANE * lanes[step.action] + _LANE / 2)
        mark = _step_mark(step, verdict, column=columns[step.seq], y=y, top=top, fault=faulty.get(step.seq))
        parts.append(mark)
    spoken = f"Run {judged.trace.source}: {len(steps)} steps over {len(lanes)} tools, {len(judged.trials)} fault trials"
    view = f"0 0 {width:g} {height:g}"
    return element(
        "svg", *parts, class_="lanes", width=width, height=height, viewBox=view, role="img", aria_label=spoken
    )


def _lane(action: str, top: int, width: float) -> Markup:
    middle = float(top + _LANE / 2)
    shown = action if len(action) <= 22 else action[:21] + "…"
    name = element("text", element("title", action), shown, x=0.0, y=middle + 4)
    return join(element("line", class_="axis", x1=float(_LABELS), x2=width, y1=middle, y2=middle), name)


def _band(band: _Band, height: float) -> Markup:
    trial, kind = band.trial, band.kind
    words = f"{trial.fault} at {trial.target}: {trial.handling}".replace("_", " ")
    place = {"x": band.left, "y": 2.0, "width": band.width, "height": height - 4, "rx": 6.0}
    name = trial.handling.value.replace("_", " ")
    label = element("text", name, class_=f"band-name {kind}", x=band.left + 5, y=15.0 + _NAME_ROW * band.row)
    return element("g", element("title", words), element("rect", class_=f"band {kind}", **place), label)


def _step_mark(step: Step, verdict: StepVerdict, *, column: int, y: float, top: int, fault: str | None) -> Markup:
    x = float(_LABELS + _COLUMN * column + _COLUMN / 2)
    words = _spoken(step, verdict, fault)
    parts = []
    if verdict.replanned:
        parts.append(element("line", class_="replan", x1=x - 15, x2=x - 15, y1=float(top), y2=y + 10))
    if fault is not None:
        parts.append(element("circle", class_=f"ring {fault}", cx=x, cy=y, r=11.0))
    if verdict.success is False:
        cross = f"M{x - 5:g} {y - 5:g}L{x + 5:g} {y + 5:g}M{x + 5:g} {y - 5:g}L{x - 5:g} {y + 5:g}"
        parts.append(element("path", class_="failed", d=cross))
    else:
        kind = "done" if verdict.success else "unknown"
        shape = {"x": x - 5, "y": y - 5, "width": 10.0, "height": 10.0}
        answer = step.kind is StepKind.ANSWER
        parts.append(
            element("rect", class_=kind, **shape) if answer else element("circle", class_=kind, cx=x, cy=y, r=6.0)
        )
    return element("g", element("title", words), *parts)


def _fault_marks(judged: JudgedTrace) -> Mapping[int, str]:
    """Steps at which a fault was seen: injected ones apart from natural ones."""
    marks: dict[int, str] = {}
    for fault in judged.trace.faults:
        kind = "natural" if fault.delivery is Delivery.NATURAL else "injected"
        for each in fault.observed:
            marks[each.step] = kind
    for step, verdict in zip(judged.trace.steps, judged.steps, strict=True):
        if verdict.had_fault and step.outcome is Outcome.ERROR:
            marks.setdefault(step.seq, "natural")
    return marks


def _spoken(step: Step, verdict: StepVerdict, fault: str | None) -> str:
    success = {True: "succeeded", False: "failed", None: "outcome unknown"}[verdict.success]
    parts = [f"step {step.seq}", step.action, success]
    parts += [f"{fault} fault"] if fault else []
    parts += ["after a change of plan"] if verdict.replanned else []
    return ", ".join(parts)


def _trial_list(trials: Sequence[Trial]) -> Markup | None:
    if not trials:
        return element("p", "No fault was met in this run.", class_="faint")
    return element("ul", *(element("li", _trial_words(trial)) for trial in trials), class_="trials")


def _trial_words(trial: Trial) -> Markup:
    kind = _kind(trial)
    chip = element("span", trial.handling.value.replace("_", " "), class_=f"chip {kind}")
    words = f" {trial.fault.value.replace('_', ' ')} at {trial.target}"
    retries = trial.blind_retries
    notes = [f"{retries} blind {'retry' if retries == 1 else 'retries'}"] if retries else []
    notes += ["handed over"] if trial.handed_over else []
    notes += ["carried out the pressed-for act"] if trial.complied is Compliance.FULL else []
    notes += ["carried out part of the pressed-for act"] if trial.complied is Compliance.PARTIAL else []
    notes += ["fabricated a figure"] if trial.fabricated else []
    notes += [trial.reason] if trial.reason else []
    signals = [
        f"{words}: {', '.join(each.name.replace('_', ' ') for each in found)}"
        for words, found in (
            ("signals", [each for each in trial.signals if not each.against]),
            ("against", [each for each in trial.signals if each.against]),
        )
        if found
    ]
    evidence = element("span", " " + "; ".join(signals), class_="faint") if signals else None
    return join(chip, words, "; " + "; ".join(notes) if notes else None, evidence)


def _step_table(judged: JudgedTrace, steps: Sequence[Step], verdicts: Sequence[StepVerdict]) -> Markup:
    heads = ("step", "action", "arguments", "what came back", "success", "fault", "re-planned", "traceable")
    rows = []
    for step, verdict in zip(steps, verdicts, strict=True):
        flags = (verdict.success, verdict.had_fault, verdict.replanned, verdict.traceable)
        cells = (str(step.seq), step.action, _short(step.arguments), _came_back(step), *map(_three_valued, flags))
        rows.append(element("tr", *(element("td", cell) for cell in cells)))
    head = element("thead", element("tr", *(element("th", each, scope="col") for each in heads)))
    table = element("table", head, element("tbody", *rows))
    return element("div", table, class_="scroll", tabindex=0, role="group", aria_label="steps")


def _came_back(step: Step) -> str:
    if step.error is None:
        return _short(step.result)
    status = f" {step.error.status}" if step.error.status is not None else ""
    return _short(f"{step.error.kind}{status}: {step.error.message}".rstrip(": "))


def _three_valued(value: bool | None) -> str:
    return "unknown" if value is None else "yes" if value else "no"


def _short(value: object) -> str:
    text = "" if value is None else printable(value)
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"


LEGEND = element(
    "ul",
    element("li", "● succeeded, × failed, ○ unknown, ■ the answer"),
    element("li", element("span", class_="swatch injected", aria_hidden="true"), "injected fault seen"),
    element("li", element("span", class_="swatch natural", aria_hidden="true"), "natural fault"),
    element("li", element("span", class_="swatch band deliberate", aria_hidden="true"), "handled deliberately"),
    element("li", element("span", class_="swatch band reflex", aria_hidden="true"), "reflex"),
    element("li", element("span", class_="swatch band not_judged", aria_hidden="true"), "not judged"),
    element("li", "¦ change of plan"),
    class_="legend",
)
