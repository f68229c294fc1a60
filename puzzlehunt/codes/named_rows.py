"""Codes that are the rows of a table: each has a name, and a cell in each column."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from puzzlehunt.codes.constraints import AllOf, AnyOf, At, Constraint, require
from puzzlehunt.codes.named_codes import NamedCodes


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
            if len({*cells}) == len(cells) and all(map(_is_name, cells)):
                for row, cell in enumerate(cells):
                    rows_of.setdefault(" ".join(cell.split()).casefold(), set()).add(row)
        others = {name: rows.pop() for name, rows in rows_of.items() if len(rows) == 1}
        return others | super()._numbers

    def among(self, numbers: Iterable[int]) -> Constraint:
        """Return the constraint that a code is one of the rows with these numbers."""
        last_of: dict[tuple[int, ...], list[int]] = {}
        for number in sorted(numbers):
            *leading, last = self.codes[number]
            last_of.setdefault(tuple(leading), []).append(last)
        parts = []
        for leading_digits, last_digits in last_of.items():
            symbols = [*([digit] for digit in leading_digits), last_digits]
            parts.append([require(At(n, tuple(some))) for n, some in enumerate(symbols)])
        if self.length == 1:
            return parts[0][0] if parts else require(At(0, ()))
        return AnyOf(tuple(map(AllOf, map(tuple, parts))))


def _is_name(text: str) -> bool:
    return any(map(str.isalpha, text)) and not any(map(str.isdecimal, text))
