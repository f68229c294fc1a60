"""Codes with names of their own, such as `Anna` or `1 2 | 3 4`, and those that are rows of a table.

A name may hold blanks and any signs.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from typing import Self

from puzzlehunt.codes.alphabet import FOREIGN, MOST_SYMBOLS, Alphabet, Code
from puzzlehunt.codes.languages import without_accent
from puzzlehunt.errors import InvalidCodeError, check_type, counted, did_you_mean

_DIGITS = tuple(map(str, range(MOST_SYMBOLS)))


@dataclass(frozen=True, repr=False)
class NamedCodes(Alphabet):
    """An alphabet in which each code has one name: the text of one of `values`, in code order.

    All codes have the same `length`. If it is 1, the names are the symbols. Otherwise the symbols
    are the digits of a code's number, and mean nothing by themselves. Case, the width of blanks and
    missing accents are ignored. Raises ValueError for a name that cannot be typed, or that occurs
    twice.
    """

    names_codes = True
    joiner = ""

    values: tuple[Hashable, ...] = ()
    length: int = 1

    @classmethod
    def of(cls, values: Sequence[Hashable]) -> Self:
        """Return the alphabet of the texts of some values, in this order.

        The codes are so long that no value can be taken for one of them.
        """
        value_lengths = {len(value) for value in values if isinstance(value, tuple)}
        length = 1
        while MOST_SYMBOLS**length < len(values) or length in value_lengths:
            length += 1
        symbols = tuple(map(text_of, values)) if length == 1 else _DIGITS
        return cls(symbols, values=tuple(values), length=length)

    def __post_init__(self) -> None:
        seen: dict[str, Hashable] = {}
        for name, value in zip(self.plain_names, self.values, strict=True):
            if not name:
                raise ValueError("a name has no text; every value needs one")
            if name[0] in "/#" or " #" in name:
                raise ValueError(f"{name!r:.40} cannot be typed: it begins a command or a note")
            other = seen.setdefault(name.casefold(), value)
            if other is not value:
                raise ValueError(
                    f"two values, {other!r:.40} and {value!r:.40}, have the same text "
                    f"{name!r:.40}; give them texts that differ"
                )

    def __repr__(self) -> str:
        return f"<NamedCodes: {counted(len(self.plain_names), 'name')}>"

    def __hash__(self) -> int:
        return hash(self.plain_names)

    @cached_property
    def plain_names(self) -> tuple[str, ...]:
        """The name of each code, in code order."""
        return tuple(map(text_of, self.values))

    @cached_property
    def _code_of(self) -> dict[Hashable, Code]:
        return dict(zip(self.values, self.codes, strict=True))

    def code_of(self, value: Hashable) -> Hashable:
        return self._code_of.get(value, value)

    @cached_property
    def codes(self) -> tuple[Code, ...]:
        """The code of each name, in the order of the names."""
        return tuple(islice(product(range(MOST_SYMBOLS), repeat=self.length), len(self.values)))

    def number_of(self, code: Code) -> int:
        """Return the number (from 0) of the name of a code."""
        return sum(digit * MOST_SYMBOLS**place for place, digit in enumerate(reversed(code)))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        number_of = {name.casefold(): number for number, name in enumerate(self.plain_names)}
        times = Counter(map(without_accent, number_of))
        plain = [(without_accent(name), number) for name, number in number_of.items()]
        return {name: number for name, number in plain if times[name] == 1} | number_of

    def _number(self, text: str) -> int | None:
        return self._numbers.get(text_of(text).casefold())

    def number(self, symbol: str) -> int | None:
        check_type("symbol", symbol, str, "a text")
        return self._number(symbol) if self.length == 1 else None

    def __contains__(self, name: object) -> bool:
        # A name may hold a /, which therefore never stands between codes.
        return isinstance(name, str) and (name == "/" or self._number(name) is not None)

    def spell(self, word: str) -> Code | None:
        number = self._number(word)
        return None if number is None else self.codes[number]

    def tokens(self, text: str) -> list[str]:
        return [text]

    def foreign_names(self, text: str) -> list[str]:
        return [text] if self._number(text) is None else []

    def parse(self, text: str, *, foreign: bool = False) -> Code:
        check_type("code", text, str, "a text")
        if (code := self.spell(text)) is not None:
            return code
        # To compare many more names takes too long.
        near = did_you_mean(text_of(text), self.plain_names[:5_000])
        raise InvalidCodeError(f"{text!r:.60} is not a name of this game{near}")

    def names(self, code: Code) -> list[str]:
        number = -1 if FOREIGN in code or len(code) != self.length else self.number_of(code)
        if not 0 <= number < len(self.plain_names):
            raise InvalidCodeError(f"{code!r:.60} is not a code of {self!r}")
        return [self.plain_names[number]]

    def leading_name(self, text: str) -> str:
        for end in range(len(text), 0, -1):
            is_whole = text[end : end + 1] in " \t,;|:=>"
            if is_whole and self._number(text[:end]) is not None:
                return text[:end].rstrip()
        return ""


def text_of(value: Hashable) -> str:
    """Return the text of a value, on one line and without blanks around it."""
    return " ".join(str(value).split())


@dataclass(frozen=True, repr=False)
class NamedRows(NamedCodes):
    """An alphabet in which each code is a row of a table, in the table's order.

    `columns` maps the title of each column to the cells of all rows, a blank text for a missing
    value. Where each row has a text of its own without digits, these name the rows, too. `places`
    says where each row stands, for messages: `elements.csv:7`, or `row 7`. Names are not checked:
    whoever reads a table knows where its rows stand.
    """

    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    places: Sequence[str] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        pass

    def __hash__(self) -> int:
        return hash((len(self.values), self.values[:3]))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        rows_of: dict[str, set[int]] = {}
        for cells in self.columns.values():
            has_digits = any(map(str.isdecimal, "".join(cells)))
            are_names = all(any(map(str.isalpha, cell)) for cell in cells) and not has_digits
            if are_names and len({*cells}) == len(cells):
                for row, cell in enumerate(cells):
                    rows_of.setdefault(text_of(cell).casefold(), set()).add(row)
        others = {name: rows.pop() for name, rows in rows_of.items() if len(rows) == 1}
        return others | super()._numbers
