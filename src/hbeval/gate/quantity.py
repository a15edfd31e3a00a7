"""Numbers that people write as thresholds: taken only where there is one way to read them."""

from __future__ import annotations

import math
import re
from typing import Any

from hbeval.errors import InputError
from hbeval.gate.metrics import Metric

__all__ = ["error_rate", "share", "share_of_scale"]

_NUMBER = r"(?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))"
_FORM = re.compile(rf"{_NUMBER}\s*(?P<unit>%|of\s+(?:the\s+)?scale|of\s+(?P<top>[0-9]+(?:\.[0-9]+)?))?", re.ASCII)


_LARGEST = 1e300


def share_of_scale(metric: Metric, written: Any, *, where: str, example: float = 0.8) -> float:
    """A threshold or margin of a metric as a share of its scale, 0 to 1.

    Taken are a number on the scale ("0.7"; "3.5" where it ends at 5), per cent of the scale with the sign ("70%"),
    "3.5 of 5", and "0.05 of the scale". Raises InputError naming the unit for everything else: not finite, outside the
    scale, and what could be read in two ways (0.8 where the scale ends at 5; "0.8%"). `example` is a share that the
    message shows as one that would do.
    """

    def wrong(what: str) -> InputError:
        one = f"{example:g} or '{example:.0%}'" if metric.top == 1 else f"'{example * metric.top:g} of {metric.top:g}'"
        other = "" if metric.top == 1 else f" or '{example:.0%}'"
        right = f"a number on the scale of {metric.id}, {metric.scale}, such as {one}{other}"
        return InputError(what, where=where, value=written, right=right)

    parts = _parts(written)
    if parts is None:
        raise wrong("not a number with a known unit")
    number, unit, top = parts
    if not math.isfinite(number):
        raise wrong("a threshold is a finite number")
    if number < 0:
        raise wrong("a threshold is not negative")
    if unit == "%":
        if number > 100:
            raise wrong("more than the whole scale")
        if 0 < number < 1:
            raise wrong(f"{number:g} % is {number / 100:g}, and could be meant as {number:g}")
        return number / 100
    if top is not None and top != metric.top:
        raise wrong(f"{metric.id} runs from {metric.scale}, not to {top:g}")
    largest = 1.0 if unit == "scale" else metric.top
    if number > largest:
        raise wrong(f"outside {'the whole scale' if unit == 'scale' else 'the scale'}")
    if not unit and metric.top != 1 and 0 < number <= 1:
        raise wrong(f"{number:g} could mean {number:g} of {metric.top:g}, or {number * 100:g} % of the scale")
    return number / largest


def share(written: Any, *, what: str, where: str) -> float:
    """A share between 0 and 1, such as a minimum coverage. Raises InputError; per cent need their sign."""
    match = _FORM.fullmatch(written.strip()) if isinstance(written, str) else None
    value = _plain(written) if match is None else float(match["number"])
    if match is not None and match["unit"] == "%":
        value = value / 100 if value >= 1 else math.nan
    elif match is not None and match["unit"]:
        value = math.nan
    if not 0 <= value <= 1:
        raise InputError(f"{what} is a share of 1", where=where, value=written, right="0 to 1, such as 0.95 or '95%'")
    return value


def error_rate(written: Any, *, where: str) -> float:
    """An error rate of a test, above 0 and below one half. Raises InputError."""
    value = share(written, what="alpha, the error rate of each test,", where=where)
    if not 0 < value < 0.5:
        raise InputError(
            "alpha is the error rate of each test, not its level",
            where=where,
            value=written,
            right="above 0 and below 0.5, such as 0.05",
        )
    return value


def _parts(written: Any) -> tuple[float, str, float | None] | None:
    """Number, unit ("", "%", "of" or "scale") and the end of the scale that was named; None for other text."""
    if not isinstance(written, str):
        return _plain(written), "", None
    match = _FORM.fullmatch(written.strip())
    if match is None:
        word = written.strip().lower().lstrip("+-")
        return (math.nan, "", None) if word in ("nan", "inf", "infinity") else None
    if match["top"]:
        return float(match["number"]), "of", float(match["top"])
    return float(match["number"]), (match["unit"] or "").split(" ")[-1], None


def _plain(written: Any) -> float:
    if isinstance(written, bool) or not isinstance(written, (int, float)) or abs(written) > _LARGEST:
        return math.nan
    return float(written)
