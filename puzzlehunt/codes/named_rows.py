"""Codes that are the rows of a table: each has a name, and a cell in each column."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from puzzlehunt.codes.alphabet import MOST_SYMBOLS
from puzzlehunt.codes.constraints import AllOf, AnyOf, At, Constraint, require
from puzzlehunt.codes.named_codes import NamedCodes


@dataclass(frozen=True, slots=True)
class RowPlaces:
    """Where the rows of a table stand, for messages: in the `lines` (from 1) of a file `source`.

    If `source` is `row`, `lines` are the numbers of rows in a list.
    """

    source: str
    lines: Sequence[int]

    def of(self, number: int) -> str:
        """Return where the row with a number (from 0) stands: `elements.csv:7`, or `row 7`."""
        sign = " " if self.source == "row" else ":"
        return f"{self.source}{sign}{self.lines[number]}"


@dataclass(frozen=True, repr=False)
class NamedRows(NamedCodes):
    """An alphabet in which each code is a row of a table, in the table's order.

    `columns` maps the title of each column to the cells of all rows, a blank text for a missing
    value. Where each row has a text of its own without digits, these name the rows, too. `places`
    says where each row stands, for messages. The digits of a code write the row's number (from 0)
    in base `MOST_SYMBOLS`.
    """

    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    places: RowPlaces = field(default=RowPlaces("row", ()), compare=False)

    def __post_init__(self) -> None:
        """Check nothing: whoever reads a table knows where its rows stand, and checks the names."""

    @cached_property
    def plain_names(self) -> tuple[str, ...]:
        """The name of each row."""
        return self.values  # type: ignore[return-value]

    def __hash__(self) -> int:
        return hash((len(self.values), self.values[:3]))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        rows_of: dict[str, set[int]] = {}
        for cells in self.columns.values():
            if len({*cells}) == len(cells) and all(map(_is_name, cells)):
                for row, cell in enumerate(cells):
                    rows_of.setdefault(" ".join(cell.split()).casefold(), set()).add(row)
        others = {name: rows.pop() for name, rows in rows_of.items() if len(rows) == 1}
        return others | super()._numbers

    def among(self, numbers: Iterable[int]) -> Constraint:
        """Return the constraint that a code is one of the rows with these numbers."""
        return _among(sorted(numbers), self.length, 0)


def _is_name(text: str) -> bool:
    return any(map(str.isalpha, text)) and not any(map(str.isdecimal, text))


def _among(numbers: Sequence[int], length: int, position: int) -> Constraint:
    if length == 1:
        return require(At(position, tuple(numbers)))
    size = MOST_SYMBOLS ** (length - 1)
    rest_of: dict[int, list[int]] = {}
    for number in numbers:
        rest_of.setdefault(number // size, []).append(number % size)
    # Leading digits with the same rest share one part.
    leading: dict[tuple[int, ...], list[int]] = {}
    for digit, rest in rest_of.items():
        leading.setdefault(tuple(rest), []).append(digit)
    return AnyOf(
        tuple(
            AllOf((require(At(position, tuple(digits))), _among(rest, length - 1, position + 1)))
            for rest, digits in leading.items()
        )
    )
