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

LIKE_A_DATE = re.compile(r"\d{1,4}([-/.])\d\d?\1\d{1,4}")


class NumberForm(NamedTuple):
    """How the numbers of a column are written: the unit of each, and the sign before a fraction.

    `decimal` is a dot or a comma; "" if no number shows which of them.
    """

    unit: str = ""
    decimal: str = "."

    def value(self, text: str) -> float:
        """Return the number that a text writes in this form. Raises ValueError."""
        unit, values = _read(text)
        if not self.decimal and len({*values.values()}) > 1:
            ways = " or ".join(f"{value:.10g}" for value in values.values())
            raise ValueError(f"may be {ways}; write one of these")
        number = values.get(self.decimal or ".")
        if number is None or unit != self.unit:
            with_unit = f" with the unit {self.unit:.20}" if self.unit else ""
            raise ValueError(f"is not a number{with_unit}, so it has no order")
        if math.isinf(number):
            raise ValueError("is too large a number")
        return number


def form_of(texts: Collection[str]) -> NumberForm:
    """Return the form that most of the numbers among some texts have."""
    read = [_read(text) for text in texts]
    units = Counter(unit for unit, values in read if values)
    decimals = Counter(sign for _, values in read if len(values) == 1 for sign in values)
    is_unclear = any("," in t and len(v) > 1 for t, (_, v) in zip(texts, read, strict=True))
    [(unit, _)] = units.most_common(1) or [("", 0)]
    [(decimal, _)] = decimals.most_common(1) or [("" if is_unclear else ".", 0)]
    return NumberForm(unit, decimal)


def share_of_numbers(texts: Collection[str]) -> float:
    """Return the share of some texts that are numbers with one unit, or without, or dates."""
    own, count = form_of(texts).unit, 0
    for text in texts:
        unit, values = _read(text)
        count += bool((values and unit == own) or LIKE_A_DATE.fullmatch(text))
    return count / max(1, len(texts))


def _read(text: str) -> tuple[str, dict[str, float]]:
    """Return the unit of a number, and its value by the sign that may begin its fraction."""
    found, values = _WRITTEN.fullmatch(text), dict[str, float]()
    if not found:
        return "", values
    sign = "-" if found["sign"] in ("-", "\u2212") else ""
    for decimal, form in _DIGITS.items():
        if parts := form.fullmatch(found["digits"]):
            values[decimal] = float(f"{sign}{re.sub('[^0-9]', '', parts[1])}.{parts[2] or '0'}")
    return found["coin"] + (found["unit"] or "").rstrip(), values
