"""What each number of a page means, in the catalogue's own words, so that the page can be read where hbeval is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from hbeval.instruments.entries import Entry
from hbeval.model import Measured, Measurement
from hbeval.report.facts import described, label
from hbeval.report.html.markup import Markup, element

__all__ = ["definitions"]


def definitions(reports: Iterable[Mapping[str, Measurement]]) -> Markup:
    """One entry per instrument of the reports' metrics, folded away; those unknown to this version are left out."""
    labels: dict[str, list[str]] = {}
    entries: dict[str, Entry] = {}
    methods: dict[str, list[str]] = {}
    for key, result in (pair for each in reports for pair in each.items()):
        entry = described(result)
        if entry is not None:
            entries[entry.name] = entry
            _note(labels, entry.name, label(key))
            if isinstance(result, Measured) and result.interval is not None:
                _note(methods, entry.name, result.method)
    parts = (
        part for name, entry in entries.items() for part in _entry(entry, labels[name], methods.get(name, ["none"]))
    )
    return element("details", element("summary", "What each number means"), element("dl", *parts))


def _note(into: dict[str, list[str]], key: str, word: str) -> None:
    if word not in into.setdefault(key, []):
        into[key].append(word)


def _entry(entry: Entry, labels: list[str], methods: list[str]) -> Iterator[Markup]:
    direction = "higher is better" if entry.higher_is_better else "lower is better"
    named = f"{entry.name}, {entry.status}; {entry.scale[0]:g} to {entry.scale[1]:g}, {direction}"
    yield element("dt", element("b", ", ".join(labels)), " ", element("span", named, class_="faint"))
    yield element("dd", entry.definition)
    constants = ", ".join(f"{name} = {value:g}" for name, value in entry.parameters.items())
    told = {
        **({"Constants": constants} if constants else {}),
        "Counts": entry.counts,
        "Not measured": entry.undefined_when,
        "Interval": "; ".join(methods),
        "Limitation": entry.limitation or "none found so far",
        "Source": entry.source.text + (f" (doi:{entry.source.doi})" if entry.source.doi else ""),
    }
    for name, words in told.items():
        yield element("dd", element("b", f"{name}: "), words, class_="note")
