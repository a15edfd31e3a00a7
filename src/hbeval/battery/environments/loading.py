"""Domains from files: the bundled ones by name, anyone's by path."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from hbeval.battery.environments.checking import check_domain
from hbeval.battery.environments.document import read_document
from hbeval.battery.environments.domain import Domain, build_domain
from hbeval.errors import InputError, UsageError
from hbeval.model import loads

__all__ = ["STANDARD", "load_domain"]

STANDARD = ("logistics", "healthcare")


def load_domain(name_or_path: str | os.PathLike[str]) -> Domain:
    """The domain of a bundled name or of a JSON file, checked: its plans were executed and accomplish their tasks.

    Raises UsageError if there is no such domain or file, InputError (file, field, value, what is right) on its content.
    """
    where, text = _text(name_or_path)
    value = loads(text, where=where)
    document = read_document(value, where=where)
    tasks = tuple(replace(task, domain=document.name) for task in document.tasks)
    domain = build_domain(replace(document, tasks=tasks), value, where=where)
    if not domain.tasks:
        raise InputError("a domain without tasks", where=f"{where}.tasks", right="at least one task")
    check_domain(domain, where=where)
    return domain


def _text(name_or_path: str | os.PathLike[str]) -> tuple[str, str]:
    if name_or_path in STANDARD:
        resource = files("hbeval.battery") / "data" / f"{name_or_path}.json"
        return f"{name_or_path}.json", resource.read_text(encoding="utf-8")
    path = Path(name_or_path)
    try:
        return str(path), path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", where=str(path)) from error
    except (OSError, ValueError) as error:
        known, why = ", ".join(STANDARD), error.strerror if isinstance(error, OSError) else "no name of a file"
        raise UsageError(
            f"no domain {os.fspath(name_or_path)!r} ({why}); give one of {known}, or a domain file"
        ) from error
