"""Clues about answers that have a fixed number of places, and all feedbacks of such answers.

A tile, a column of a table, and a whole answer that is one value are places: each has a number of
digits, and a clue says for each place which of them it may have.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
import numpy.typing as npt

from puzzlehunt.rules.notation.clue import UNREAD, Cell, Feedback, FeedbackArray, Mask, Parts


@dataclass(frozen=True, slots=True)
class CellsClue:
    """The digits, ascending, that each place may have; `UNREAD` for a place that was not read.

    `sizes` are the numbers of digits. Two rows of a table may be equal in all columns, so that
    these alone do not say that a guess won: feedbacks of tables end with 1 if the guess is the
    secret, otherwise with 0, and `won` says which; it is None for other clues.

    An answer that is one value has one place, whose digits number the `values`. A further digit,
    beyond the size, is that of the winning value.
    """

    cells: tuple[Cell, ...]
    sizes: tuple[int, ...]
    won: bool | None = None
    values: tuple[Feedback, ...] = field(default=(), compare=False, repr=False)

    @property
    def marks(self) -> int:
        """The number of places."""
        return len(self.cells)

    @property
    def shape(self) -> tuple[object, ...]:
        """The numbers of digits, and the values that they stand for."""
        return self.sizes, self.values

    @property
    def nothing_read(self) -> bool:
        """Whether no place was read."""
        return not any(self.cells)

    @property
    def may_win(self) -> bool:
        """Whether the guess may be the secret: it won, or not all of its equal columns were read.

        If all columns are read and equal, and the guess did not win, another row is like it.
        """
        is_like = all(not cell or 0 in cell for cell in self.cells)
        return self.won is True or (is_like and {*self.cells} != {(0,)})

    def choices(self, place: int) -> Sequence[int]:
        """Return the digits that a place may have."""
        return self.cells[place] or range(self.sizes[place])

    def with_cells(self, cells: Iterable[Cell]) -> "CellsClue":
        """Return this clue with other cells; it is then not won."""
        won = None if self.won is None else False
        return CellsClue(tuple(cells), self.sizes, won, self.values)

    def with_cell(self, place: int, cell: Cell) -> "CellsClue":
        """Return this clue with another cell at a place."""
        return self.with_cells((*self.cells[:place], cell, *self.cells[place + 1 :]))

    def __contains__(self, feedback: Feedback) -> bool:
        if self.values:
            return any(self.values[digit] == feedback for digit in self.choices(0))
        if any(feedback[self.marks :]):
            return self.may_win
        pairs = zip(feedback, self.cells, strict=False)
        return not self.won and all(not cell or digit in cell for digit, cell in pairs)

    def __iter__(self) -> Iterator[Feedback]:
        """Iterate over all feedbacks that the clue admits, in ascending order."""
        if self.values:
            yield from (self.values[digit] for digit in self.choices(0))
            return
        lost = () if self.won is None else (0,)
        if not self.won:
            for digits in product(*map(self.choices, range(self.marks))):
                yield (*digits, *lost)
        if lost and self.may_win:
            yield (0,) * self.marks + (1,)

    def mask(self, feedbacks: FeedbackArray) -> Mask:
        """Return whether the clue admits each of some feedbacks (F, parts) of digits, as (F,)."""
        fits = np.full(len(feedbacks), not self.won)
        for place, cell in enumerate(self.cells):
            if cell:
                fits &= np.isin(np.arange(self.sizes[place]), cell)[feedbacks[:, place]]
        return fits if self.won is None else np.where(feedbacks[:, -1] == 1, self.may_win, fits)

    def without(self, feedback: Parts) -> "Iterator[CellsClue]":
        """Yield clues that together admit every feedback of this clue except the given one."""
        if feedback not in self:
            yield self
            return
        for place, digit in enumerate(feedback):
            if others := tuple(d for d in self.choices(place) if d != digit):
                yield self.with_cell(place, others)

    def __and__(self, other: "CellsClue") -> "CellsClue | None":
        """Return what two clues say together; None if they contradict each other."""
        if self.won or other.won:
            winner, loser = (self, other) if self.won else (other, self)
            return winner if loser.may_win else None
        cells: list[Cell] = []
        for one, more in zip(self.cells, other.cells, strict=True):
            cells.append(tuple(sorted({*one} & {*more})) if one and more else one or more)
            if not cells[-1] and (one or more):
                return None
        return other.with_cells(cells)


def whole(digits: Sequence[int], size: int) -> Cell:
    """Return a cell of some of `size` digits: `UNREAD` if they are all."""
    return UNREAD if len(digits) == size else tuple(digits)


class CellsFeedbacks(Sequence[Parts]):
    """All feedbacks of places with `sizes` digits each, in ascending order, never held in memory.

    The index of a feedback is the number that its digits write in these bases. If a win is told
    apart, the feedbacks end with 0, and it is the last one: zeros and a 1.
    """

    def __init__(self, sizes: Sequence[int], win_apart: bool = False) -> None:
        self.sizes = tuple(sizes)
        self.total = math.prod(sizes)
        """The number of losing feedbacks, if a win is told apart."""
        self._win_apart = win_apart

    def __len__(self) -> int:
        return self.total + self._win_apart

    def __getitem__(self, index: int) -> Parts:  # type: ignore[override]
        won, number = divmod(range(len(self))[index], self.total)
        digits = [won] * self._win_apart
        for size in reversed(self.sizes):
            number, digit = divmod(number, size)
            digits.insert(0, digit)
        return tuple(digits)

    def array(self, indices: npt.NDArray[np.integer]) -> FeedbackArray:
        """Return the feedbacks at some indices (F,), as an array (F, parts)."""
        won, numbers = np.divmod(indices.astype(np.int64), self.total)
        parts = [*np.unravel_index(numbers, self.sizes), *[won] * self._win_apart]
        return np.array(parts, dtype=np.int64).reshape(len(parts), -1).T

    def index(self, value: Parts, start: int = 0, stop: int | None = None) -> int:
        """Return the index of a feedback. Raises ValueError if the sequence does not contain it."""
        *digits, number = value if self._win_apart else (*value, 0)
        for digit, size in zip(digits, self.sizes, strict=True):
            number = number * size + range(size).index(digit)
        return range(len(self))[start:stop].index(number)
