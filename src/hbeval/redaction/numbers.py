"""Checks that tell a card, an account or a telephone number from other figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

__all__ = ["CHECKS", "digits_of", "letters_of"]

_IBAN_LENGTHS: Mapping[str, int] = MappingProxyType(
    {
        country: int(length)
        for line in (
            "15:NO 16:BE 18:DK,FI,FK,FO,GL,NL,SD 19:MK,SI 20:AT,BA,EE,KZ,LT,LU,MN,XK 21:CH,HR,LI,LV",
            "22:BG,BH,CR,DE,GB,GE,IE,ME,RS,VA 23:AE,GI,IL,IQ,OM,SO,TL 24:AD,CZ,ES,MD,PK,RO,SA,SE,SK,TN,VG",
            "25:LY,PT,ST 26:IS,TR 27:BI,DJ,FR,GR,IT,MC,MR,SM 28:AL,AZ,BY,CY,DO,GT,HN,HU,LB,NI,PL,SV",
            "29:BR,EG,PS,QA,UA 30:JO,KW,MU,YE 31:MT,SC 32:LC 33:RU",
        )
        for length, countries in (part.split(":") for part in line.split())
        for country in countries.split(",")
    }
)


def digits_of(text: str) -> str:
    """The ASCII digits of a text."""
    return "".join(each for each in text if each.isascii() and each.isdigit())


def letters_of(text: str) -> str:
    """Letters and digits, in upper case."""
    return "".join(each for each in text if each.isalnum()).upper()


def _card(text: str) -> str | None:
    """A payment card: the first digits and the length of a network, and the Luhn checksum (ISO/IEC 7812-1)."""
    digits = digits_of(text)
    return text if len(digits) in _network(digits) and _luhn(digits) else None


def _network(digits: str) -> tuple[int, ...]:
    """Lengths of the network that issues such numbers."""
    first, two, three, four = (int(digits[:count]) for count in (1, 2, 3, 4))
    if first == 4 or 51 <= two <= 55 or 2221 <= four <= 2720 or 3528 <= four <= 3589:
        return (16,)
    if four == 6011 or two == 65 or 644 <= three <= 649 or two == 62:
        return (16,)
    if two in (34, 37):
        return (15,)
    return (14,) if two in (36, 38) or 300 <= three <= 305 else ()


def _luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (2 if place % 2 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _iban(text: str) -> str | None:
    """The part of a text that is an IBAN: the country's length and the remainder 1 modulo 97 (ISO 13616-1)."""
    length = _IBAN_LENGTHS.get(text[:2])
    if length is None:
        return None
    taken, end = "", 0
    for end, each in enumerate(text, 1):  # noqa: B007 the end is wanted
        taken += each if each != " " else ""
        if len(taken) == length:
            break
    if len(taken) != length or text[end : end + 1].isalnum():
        return None
    moved = "".join(str(int(each, 36)) for each in taken[4:] + taken[:4])
    return text[:end] if int(moved) % 97 == 1 else None


def _phone(text: str) -> str | None:
    """A telephone number in international form (ITU-T E.164: at most 15 digits), or in the North American one."""
    digits = digits_of(text)
    if not text.startswith("+"):
        return text
    if digits.startswith("1"):
        return text if len(digits) == 11 and digits[1] in "23456789" else None
    return text if (9 if text[1:].isdigit() else 8) <= len(digits) <= 15 else None


CHECKS: Mapping[str, Callable[[str], str | None]] = MappingProxyType({"card": _card, "iban": _iban, "phone": _phone})
"""Each gives the part of a match that is what it looks for, None if nothing is."""
