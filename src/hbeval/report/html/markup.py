"""Elements whose text is always escaped. Only `Markup` passes unescaped, and only `element` makes it."""

from __future__ import annotations

from html import escape

from hbeval.report.words import printable

__all__ = ["Markup", "element", "join"]

_EMPTY_ELEMENTS = frozenset({"circle", "line", "meta", "path", "rect"})


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def element(name: str, /, *children: str | None, **attributes: str | float | None) -> Markup:
    """One element. Children that are not `Markup` are escaped, their control characters made visible.

    A trailing underscore of an attribute is dropped, other underscores become hyphens; None leaves it out.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_escaped(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _EMPTY_ELEMENTS:
        return Markup(f"<{name}{written}/>" if name != "meta" else f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(*children)}</{name}>")


def join(*children: str | None) -> Markup:
    """Children one after the other, escaped where they are not markup."""
    return Markup(
        "".join(each if isinstance(each, Markup) else _escaped(each) for each in children if each is not None)
    )


def _escaped(value: str | float) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return escape(printable(value, keep="\n"), quote=True)
