"""Numbers as documents write them."""

from __future__ import annotations

__all__ = ["significant"]


def significant(value: float, digits: int = 12) -> float:
    """`value` to so many significant digits; the last bit of a double differs between platforms, documents must not."""
    return float(f"{value:.{digits}g}") + 0.0
