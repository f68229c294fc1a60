"""Clues as values: about the counts of marks, and about places; and all feedbacks of places.

A tile, a column of a table, and a whole answer that is one value are places: each has a number of
digits, and a clue says for each place which of them it may have.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.rules.notation.clue import UNREAD, Cell, Feedback, FeedbackArray, Mask, Parts

Range: TypeAlias = tuple[int, int]
"""The least and the greatest value of a count, both included."""


@dataclass(frozen=True, slots=True)
class CountClue:
    """A clue about counts: a range for the number of marks of each kind, the miss last.

    `marks` is the number of marks in the feedback, misses included. `cells` has a cell for each
    mark as it was read (`UNREAD` for an unread mark); it is None for a clue that states ranges
    instead of marks. `rest` has the parts of the feedback after its counts.
    """

    ranges: tuple[Range, ...]
    marks: int
    cells: tuple[Cell, ...] | None = None
    rest: Parts = ()

    def __contains__(self, feedback: Parts) -> bool:
        kinds = len(self.ranges) - 1
        counts = (*feedback[:kinds], self.marks - sum(feedback[:kinds]))
        for count, (low, high) in zip(counts, self.ranges, strict=True):
            if not low <= count <= high:
                return False
        return feedback[kinds:] == self.rest

    def __iter__(self) -> Iterator[Parts]:
        """Iterate over the feedbacks that the clue admits, in ascending order."""
        for found in product(*(range(low, high + 1) for low, high in self.ranges[:-1])):
            if (feedback := (*found, *self.rest)) in self:
                yield feedback

    def of_kinds(self, feedbacks: FeedbackArray) -> FeedbackArray:
        """Return the count of each kind in feedbacks (F, parts), as an array (F, kinds).

        Misses are in the last column.
        """
        found = feedbacks[:, : len(self.ranges) - 1]
        return np.concatenate((found, self.marks - found.sum(axis=1, keepdims=True)), axis=1)

    def mask(self, feedbacks: FeedbackArray) -> Mask:
        """Return whether the clue admits each of some feedbacks (F, parts), as an array (F,)."""
        counts = self.of_kinds(feedbacks)
        lows, highs = np.array(self.ranges).T
        fits: Mask = ((counts >= lows) & (counts <= highs)).all(axis=1)
        fits &= (feedbacks[:, len(self.ranges) - 1 :] == self.rest).all(axis=1)
        return fits

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of kinds, of marks and of the parts after them."""
        return len(self.ranges), self.marks, len(self.rest)

    def with_cells(self, cells: Sequence[Cell]) -> "CountClue":
        """Return this clue with other cells."""
        return of_cells(cells, len(self.ranges), self.rest)

    def with_cell(self, place: int, cell: Cell) -> "CountClue":
        """Return this clue with another cell for a mark."""
        cells = self.cells or ()
        return self.with_cells((*cells[:place], cell, *cells[place + 1 :]))

    def __and__(self, other: "CountClue") -> "CountClue | None":
        """Return what two clues say together, or the clue that says more; None if nothing fits."""
        common = sum(feedback in self for feedback in other)
        if not common:
            return None
        narrower = min(other, self, key=lambda clue: len([*clue]))
        both = self._together(other)
        says_both = both is not None and len([*both]) == common
        return both if says_both and common < len([*narrower]) else narrower

    def _together(self, other: "CountClue") -> "CountClue | None":
        """Return the marks of both clues if each is of one certain kind, or else their ranges."""
        if self.cells is not None and other.cells is not None:
            read = list(filter(None, (Counter(self.cells) | Counter(other.cells)).elements()))
            if all(len(cell) == 1 for cell in read):
                return other.with_cells(read + [UNREAD] * (self.marks - len(read)))
        ranges = [
            (max(low, least), min(high, most))
            for (low, high), (least, most) in zip(self.ranges, other.ranges, strict=True)
        ]
        return of_ranges(ranges, self.marks, other.rest)

    @property
    def nothing_read(self) -> bool:
        """Whether no mark was read."""
        return self.cells is not None and not any(self.cells)

    @property
    def is_exact(self) -> bool:
        """Whether the clue admits only one count for each kind."""
        return all(low == high for low, high in self.ranges)

    def kinds_to_write(self) -> list[int]:
        """Return the kinds whose ranges have to be written; the other ranges follow from these."""
        kinds = range(len(self.ranges))
        kept = [*kinds]
        for kind in reversed(kinds):
            fewer = [k for k in kept if k != kind]
            written = tuple(self.ranges[k] if k in fewer else (0, self.marks) for k in kinds)
            if fewer and propagate_bounds(written, self.marks) == self.ranges:
                kept = fewer
        return kept


def propagate_bounds(ranges: tuple[Range, ...], marks: int) -> tuple[Range, ...]:
    """Narrow ranges of counts as far as the sum of all counts, `marks`, allows.

    The narrowed ranges admit the same counts of this sum. If there are no such counts, some range
    comes back empty: its low is above its high.
    """
    lows, highs = map(sum, zip(*ranges, strict=True))
    return tuple(
        (max(low, marks - highs + high), min(high, marks - lows + low)) for low, high in ranges
    )


def of_cells(cells: Sequence[Cell], kinds: int, rest: Parts = ()) -> CountClue:
    """Return the clue with the given cells, one for each mark, of a number of kinds."""
    unread = cells.count(UNREAD)
    named = [kind for cell in cells for kind in cell]
    ranges = [(cells.count((kind,)), named.count(kind) + unread) for kind in range(kinds)]
    read = sorted(sorted(filter(None, cells)), key=len)
    return CountClue(tuple(ranges), len(cells), (*read, *[UNREAD] * unread), rest)


def of_ranges(ranges: Sequence[Range], marks: int, rest: Parts = ()) -> CountClue | None:
    """Return the clue with a range for each kind; None if no counts in them sum to `marks`."""
    tight = propagate_bounds(tuple(ranges), marks)
    if any(low > high for low, high in (*tight, *ranges)):
        return None
    if all(low == high for low, high in tight):
        cells = [(kind,) for kind, (count, _) in enumerate(tight) for _ in range(count)]
        return of_cells(cells, len(tight), rest)
    return CountClue(tight, marks, None, rest)


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
            won, beside = (self, other) if self.won else (other, self)
            return won if beside.may_win else None
        cells: list[Cell] = []
        for mine, theirs in zip(self.cells, other.cells, strict=True):
            common = tuple(digit for digit in mine if digit in theirs)
            if mine and theirs and not common:
                return None
            cells.append(common or mine or theirs)  # an unread cell leaves the other
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
        return self.total + 1 if self._win_apart else self.total

    def __getitem__(self, index: int) -> Parts:  # type: ignore[override]
        won, number = divmod(range(len(self))[index], self.total)
        digits = [won] if self._win_apart else []
        for size in reversed(self.sizes):
            number, digit = divmod(number, size)
            digits.insert(0, digit)
        return tuple(digits)

    def array(self, indices: npt.NDArray[np.integer]) -> FeedbackArray:
        """Return the feedbacks at some indices (F,), as an array (F, parts)."""
        won, numbers = np.divmod(indices.astype(np.int64), self.total)
        parts = [*np.unravel_index(numbers, self.sizes)]
        if self._win_apart:
            parts.append(won)
        return np.array(parts, dtype=np.int64).reshape(len(parts), -1).T

    def index(self, value: Parts, start: int = 0, stop: int | None = None) -> int:
        """Return the index of a feedback. Raises ValueError if the sequence does not contain it."""
        *digits, number = value if self._win_apart else (*value, 0)  # a win is the first digit
        for digit, size in zip(digits, self.sizes, strict=True):
            number = number * size + range(size).index(digit)
        return range(len(self))[start:stop].index(number)
