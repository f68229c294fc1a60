"""Clues about the columns of a table: the digits that each column's answer may be.

A feedback has a digit for each column, and last 1 if the guess is the secret, otherwise 0. Two rows
may be equal in all columns, so that these alone do not say that a guess won.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, ClassVar, cast

from puzzlehunt.rules.notation.clue import UNREAD, Cell, Clue, ComputedFeedbacks, Parts
from puzzlehunt.rules.notation.edits import Shares

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlehunt.rules.notation.clue import FeedbackArray, Mask

_MOST_APART = 12
"""Other answers of a column that are each an edit of their own."""


@dataclass(frozen=True, slots=True)
class ColumnsClue:
    """A clue about columns: the digits, ascending, that each may have answered; () if unread.

    `sizes` has the number of digits of each column. `won` says that the guess is the secret.
    """

    cells: tuple[Cell, ...]
    sizes: tuple[int, ...]
    won: bool = False

    unread: ClassVar[Cell] = UNREAD

    @property
    def marks(self) -> int:
        """The number of cells, one for each column."""
        return len(self.cells)

    @property
    def may_win(self) -> bool:
        """Whether the guess may be the secret: it won, or not all of its equal columns were read.

        If all columns are read and equal, and the guess did not win, another row is like it.
        """
        return self.won or (
            all(not cell or 0 in cell for cell in self.cells) and {*self.cells} != {(0,)}
        )

    def choices(self, place: int) -> Sequence[int]:
        """Return the digits that the column at a place may have answered."""
        return self.cells[place] or range(self.sizes[place])

    def __contains__(self, feedback: Parts) -> bool:
        *digits, won = feedback
        if won:
            return self.may_win
        pairs = zip(digits, self.cells, strict=True)
        return not self.won and all(not cell or digit in cell for digit, cell in pairs)

    def __iter__(self) -> Iterator[Parts]:
        """Iterate over all feedbacks that the clue admits; the winning one is the last."""
        if not self.won:
            for digits in product(*map(self.choices, range(len(self.cells)))):
                yield (*digits, 0)
        if self.may_win:
            yield (0,) * len(self.cells) + (1,)

    def mask(self, feedbacks: "FeedbackArray") -> "Mask":
        """Return whether the clue admits each of some feedbacks (F, columns + 1), as an array."""
        import numpy as np

        wins = feedbacks[:, -1] == 1
        fits = np.full(len(feedbacks), not self.won)
        for place, cell in enumerate(self.cells):
            if cell and not self.won:
                fits &= np.isin(feedbacks[:, place], cell)
        return np.where(wins, self.may_win, fits)


class ColumnFeedbacks(ComputedFeedbacks):
    """All feedbacks of columns with `sizes` digits each, in ascending order; the last one wins.

    The *number* of a losing feedback is what its digits write in these bases. `occurring` are the
    numbers of those that occur, ascending, if the others are left out.
    """

    def __init__(self, sizes: Sequence[int], occurring: Sequence[int] | None = None) -> None:
        self.sizes = tuple(sizes)
        self.total = math.prod(sizes)
        self.occurring = range(self.total) if occurring is None else occurring

    def __len__(self) -> int:
        return len(self.occurring) + 1

    def at(self, index: int) -> Parts:
        if index == len(self.occurring):
            return (0,) * len(self.sizes) + (1,)
        number, digits = int(self.occurring[index]), [0]
        for size in reversed(self.sizes):
            number, digit = divmod(number, size)
            digits.append(digit)
        return tuple(reversed(digits))

    def __contains__(self, value: object) -> bool:
        return self._place(value) is not None

    def _place(self, value: object) -> int | None:
        if not (isinstance(value, tuple) and len(value) == len(self.sizes) + 1):
            return None
        if value[-1] == 1:
            return len(self) - 1 if not any(value[:-1]) else None
        number = 0
        for digit, size in zip(value, self.sizes, strict=False):
            if digit not in range(size):
                return None
            number = number * size + digit
        if value[-1] != 0:
            return None
        place = bisect_left(self.occurring, number)
        found = place < len(self.occurring) and self.occurring[place] == number
        return place if found else None

    def index(self, value: Parts, start: int = 0, stop: int | None = None) -> int:
        """Return the index of a feedback. Raises ValueError if the sequence does not contain it."""
        place = self._place(value)
        if place is None or place not in range(len(self))[start:stop]:
            raise ValueError(f"{value} is not a feedback here")
        return place


class ColumnEdits:
    """Edits of clues about columns, as in `TileEdits`; `sizes` are the columns' numbers of digits.

    Only columns that answer with the same digits are exchanged: `alike` has a number for each.
    """

    def __init__(self, sizes: Sequence[int], alike: Sequence[object]) -> None:
        self._sizes, self._alike = tuple(sizes), tuple(alike)

    def with_cells(self, clue: Clue, cells: Sequence[Cell]) -> ColumnsClue:
        """Return the clue of other cells about the same columns."""
        return ColumnsClue(tuple(cells), self._sizes)

    def _changed(self, clue: Clue, *changes: tuple[int, Cell]) -> ColumnsClue:
        cells = dict(enumerate(cast(ColumnsClue, clue).cells)) | dict(changes)
        return self.with_cells(clue, tuple(cells.values()))

    def _read(self, clue: Clue) -> list[tuple[int, Cell]]:
        return [(n, cell) for n, cell in enumerate(cast(ColumnsClue, clue).cells) if cell]

    def _wrong(self, place: int, cell: Cell) -> Cell:
        """Return the other digits that a column may have answered."""
        return tuple(digit for digit in range(self._sizes[place]) if digit not in cell)

    def one_mark_edits(self, clue: Clue) -> Shares:
        """Return the clues in which one column answers with another digit.

        The digits of a column that has more than `_MOST_APART` are together in one clue.
        """
        read = self._read(clue)
        edits: Shares = []
        for place, cell in read:
            others = self._wrong(place, cell)
            together = [others] if len(others) > _MOST_APART else [(digit,) for digit in others]
            share = 1 / len(read) / max(1, len(others))
            edits += [(share, self._changed(clue, (place, each))) for each in together]
        return edits

    def erasures(self, clue: Clue) -> Shares:
        """Return the clues with one read column made unread, all equally likely."""
        read = self._read(clue)
        return [(1 / len(read), self._changed(clue, (place, UNREAD))) for place, _ in read]

    def transpositions(self, clue: Clue) -> Shares:
        """Return the clues with the answers of two columns of one kind exchanged."""
        cells = list(enumerate(cast(ColumnsClue, clue).cells))
        pairs = [
            (a, b)
            for a, b in combinations(cells, 2)
            if a[1] != b[1] and self._alike[a[0]] == self._alike[b[0]]
        ]
        return [
            (1 / len(pairs), self._changed(clue, (a, at_b), (b, at_a)))
            for (a, at_a), (b, at_b) in pairs
        ]

    def distance(self, clue: Clue, feedback: Parts) -> int:
        """Return how many columns of a clue must be changed to make it admit a feedback."""
        cells = cast(ColumnsClue, clue).cells
        wrong = sum(
            bool(cell) and digit not in cell for digit, cell in zip(feedback, cells, strict=False)
        )
        return max(wrong, int(feedback not in clue))

    def open_marks(self, clue: Clue) -> Sequence[int | None]:
        """Return the places of the columns whose answers a clue leaves open."""
        return [n for n, cell in enumerate(cast(ColumnsClue, clue).cells) if len(cell) != 1]

    def open_kinds(
        self, clue: Clue, feedbacks: "FeedbackArray", position: int | None
    ) -> "npt.NDArray[np.float64]":
        """Return (F, digits that occur), with 1 for the digit of the column at `position`."""
        import numpy as np

        _, numbers = np.unique(feedbacks[:, position], return_inverse=True)
        return np.asarray(np.eye(numbers.max(initial=-1) + 1)[numbers])
