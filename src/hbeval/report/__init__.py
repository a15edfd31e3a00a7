"""Result documents: assembled from judged traces, written as JSON, tables, Markdown and one HTML file."""

from hbeval.report.assembly import Assembly

__all__ = ["Assembly"]
