"""A verdict for machines that show it: JUnit, SARIF, GitHub, Markdown, HTML."""

from hbeval.gate.outputs.github import (
    SUMMARY_LIMIT,
    Annotation,
    annotations_of,
    outputs_of,
    outputs_text,
    summary_within,
)
from hbeval.gate.outputs.html import gate_page
from hbeval.gate.outputs.junit import gate_suite
from hbeval.gate.outputs.markdown import gate_markdown
from hbeval.gate.outputs.sarif import gate_sarif

__all__ = [
    "SUMMARY_LIMIT",
    "Annotation",
    "annotations_of",
    "gate_markdown",
    "gate_page",
    "gate_sarif",
    "gate_suite",
    "outputs_of",
    "outputs_text",
    "summary_within",
]
