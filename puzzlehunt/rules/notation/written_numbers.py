"""Numbers as the cells of a sheet write them: `1,98`, `1,165,000`, `198 cm`, `$5`."""

import math
import re
from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

_BLANKS = "' \u00a0\u202f"
_WRITTEN = re.compile(
    rf"(?P<coin>[$€£¥]?)\s*(?P<sign>[-+\u2212]?)(?P<digits>[.,]?\d(?:[\d.,{_BLANKS}]*\d)?)"
    r"\s*(?P<unit>(?:(?!\d)[\w%°])[^\d,;|]*)?"
)
_DIGITS = {
    decimal: re.compile(rf"([1-9]\d{{0,2}}(?:[{other}{_BLANKS}]\d{{3}})+|\d*)(?:[{decimal}](\d+))?")
    for decimal, other in (".,", ",.")
}
"""The digits before and after each sign that may begin a fraction."""
_UNCLEAR = re.compile(r"([1-9]\d{0,2})[.,](\d{3})")
"""Digits in which a comma or dot may begin a fraction or part thousands."""

LIKE_A_DATE = re.compile(r"\d{1,4}([-/.])\d\d?\1\d{1,4}")


class NumberForm(NamedTuple):
    """How the numbers of a column are written: the unit of each, and the sign before a fraction.

    `decimal` is a dot or a comma; "" if no number shows which of them.
    """

    unit: str = ""
    decimal: str = "."

    def value(self, text: str) -> float:
        """Return the number that a text writes in this form. Raises ValueError."""
        found = _WRITTEN.fullmatch(text)
        digits = found["digits"] if found else ""
        if not self.decimal and (unclear := _UNCLEAR.fullmatch(digits)):
            whole, fraction = unclear.groups()
            raise ValueError(f"may be {whole}{fraction} or {whole}.{fraction}; write one of these")
        parts = _DIGITS[self.decimal or "."].fullmatch(digits)
        if found is None or parts is None or _unit(found) != self.unit:
            with_unit = f" with the unit {self.unit:.20}" if self.unit else ""
            raise ValueError(f"is not a number{with_unit}, so it has no order")
        sign = "-" if found["sign"] in ("-", "\u2212") else ""
        number = float(f"{sign}{re.sub('[^0-9]', '', parts[1])}.{parts[2] or '0'}")
        if math.isinf(number):
            raise ValueError("is too large a number")
        return number


def form_of(texts: Collection[str]) -> NumberForm:
    """Return the form that most of the numbers among some texts have."""
    units, decimals, is_unclear = Counter[str](), Counter[str](), False
    for text in texts:
        if found := _WRITTEN.fullmatch(text):
            ways = _ways(found)
            units[_unit(found)] += bool(ways)
            decimals.update(ways if len(ways) == 1 else ())
            is_unclear |= len(ways) > 1 and "," in text
    shown = decimals.most_common(1)
    [(unit, _)] = units.most_common(1) or [("", 0)]
    return NumberForm(unit, shown[0][0] if shown else "" if is_unclear else ".")


def share_of_numbers(texts: Collection[str]) -> float:
    """Return the share of some texts that are numbers with one unit, or without, or dates."""
    unit, count = form_of(texts).unit, 0
    for text in texts:
        found = _WRITTEN.fullmatch(text)
        is_number = found and _unit(found) == unit and _ways(found)
        count += bool(is_number or LIKE_A_DATE.fullmatch(text))
    return count / max(1, len(texts))


def _unit(found: re.Match[str]) -> str:
    return found["coin"] + (found["unit"] or "").rstrip()


def _ways(found: re.Match[str]) -> list[str]:
    """Return the signs that may begin a fraction in a number; [] if it is none."""
    return [sign for sign, form in _DIGITS.items() if form.fullmatch(found["digits"])]
