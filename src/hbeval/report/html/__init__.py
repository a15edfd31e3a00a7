"""A report as one self-contained HTML file: no script, no external resource, readable offline and on a phone."""

from hbeval.report.html.comparison import comparison_page
from hbeval.report.html.page import Shown, page

__all__ = ["Shown", "comparison_page", "page"]
