"""Clues as values: about the counts of marks, and about places; their edits; feedbacks of places.

A tile, a column of a table, and a whole answer that is one value are places: each has a number of
digits, and a clue says for each place which of them it may have.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations, product
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.rules.notation.clue import (
    UNREAD,
    Cell,
    Clue,
    Feedback,
    FeedbackArray,
    Mask,
    OwnClue,
    Parts,
)

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
        return tuple(self.array(np.array([range(len(self))[index]]))[0].tolist())

    def array(self, indices: npt.NDArray[np.integer]) -> FeedbackArray:
        """Return the feedbacks at some indices (F,), as an array (F, parts)."""
        won, numbers = np.divmod(indices.astype(np.int64), self.total)
        parts = [*np.unravel_index(numbers, self.sizes)]
        if self._win_apart:
            parts.append(won)
        return np.array(parts, dtype=np.int64).reshape(len(parts), -1).T

    def index(self, value: Parts, start: int = 0, stop: int | None = None) -> int:
        """Return the index of a feedback. Raises ValueError if the sequence does not contain it."""
        *digits, won = value if self._win_apart else (*value, 0)
        number = won * self.total + int(np.ravel_multi_index(digits, self.sizes))
        return range(len(self))[start:stop].index(number)


# Edits: clues with a mark changed, erased or exchanged. A *share* is the probability of one edit,
# given that an edit of its kind was made.

Shares: TypeAlias = list[tuple[float, Clue]]
"""Clues, each with its share."""


class CountEdits:
    """Edits of clues about counts of `kinds` kinds, of which the last is the miss.

    `unseen` are the kinds that may be there without a mark.
    """

    def __init__(self, kinds: int, unseen: Cell) -> None:
        self.kinds, self._unseen = kinds, {*unseen}

    def one_mark_edits(self, clue: OwnClue) -> Shares:
        """Return the clues that differ from a given one in one mark, each with its share.

        This share is the probability that the given clue is read although the returned clue is
        right, if exactly one mark of the returned clue is misread.
        """
        edits: Shares = []
        if clue.cells is None:  # one mark more of a kind, one fewer of another
            for more, fewer in permutations(range(self.kinds), 2):
                (fewer_low, fewer_high), (low, high) = clue.ranges[fewer], clue.ranges[more]
                ranges = list(clue.ranges)
                ranges[fewer] = (max(0, fewer_low - 1), fewer_high - 1)
                ranges[more] = (low + 1, min(clue.marks, high + 1))
                if fewer_high and (edit := of_ranges(ranges, clue.marks, clue.rest)):
                    # Of a range, the least count stands for all.
                    edits.append(((low + 1) / clue.marks / (self.kinds - 1), edit))
            return edits
        read = Counter(filter(None, clue.cells))
        for misread, count in read.items():
            others = {*range(self.kinds)}.difference(misread)
            for kind in others:
                # The right clue has one more mark of the kind, each of which may be the misread
                # one; a mark of several kinds is as likely as any other to be wrong.
                ways = read[(kind,)] + 1 if len(misread) == 1 else count
                edit = clue.with_cell(clue.cells.index(misread), (kind,))
                edits.append((ways / read.total() / len(others), edit))
        return edits

    def erasures(self, clue: OwnClue) -> Shares:
        """Return the clues with one read mark made unread; all read marks are equally likely.

        The name is that of Elias, "Coding for Two Noisy Channels", 1955.
        """
        cells = clue.cells or ()
        read = Counter(cell for cell in cells if cell and self._unseen.isdisjoint(cell))
        erased = [(n, clue.with_cell(cells.index(cell), UNREAD)) for cell, n in read.items()]
        return [(n / read.total(), edit) for n, edit in erased]

    def transpositions(self, clue: OwnClue) -> Shares:
        """Return the clues with two kinds (or two tiles) exchanged; all pairs are equally likely.

        After Damerau, "A Technique for Computer Detection and Correction of Spelling Errors", 1964.
        """
        edits: Shares = []
        pairs = list(combinations([k for k in range(self.kinds) if k not in self._unseen], 2))
        for a, b in pairs:
            other = [{a: b, b: a}.get(kind, kind) for kind in range(self.kinds)]
            if clue.cells is None:
                edit = replace(clue, ranges=tuple(clue.ranges[kind] for kind in other))
            else:
                edit = clue.with_cells([(*sorted(other[k] for k in cell),) for cell in clue.cells])
            if edit != clue:
                edits.append((1 / len(pairs), edit))
        return edits

    def distance(self, clue: OwnClue, feedback: Parts) -> int:
        """Return how many marks of a clue must be changed to make it admit a feedback."""
        reported = feedback[: self.kinds - 1]
        too_few = too_many = 0
        counts = (*reported, clue.marks - sum(reported))
        for count, (low, high) in zip(counts, clue.ranges, strict=True):
            too_few += max(0, low - count)
            too_many += max(0, count - high)
        changes = max(too_few, too_many)  # a mark changed is one fewer here, one more there
        return changes if feedback in clue else max(1, changes)

    def open_marks(self, clue: OwnClue) -> Sequence[int | None]:
        """Return, for each mark that a clue leaves open, its tile's position, or None without."""
        return [None] * (clue.marks - sum(low for low, _ in clue.ranges))

    def open_kinds(
        self, clue: OwnClue, feedbacks: FeedbackArray, position: int | None
    ) -> FeedbackArray:
        """Return the number of open marks (or that at a position) of each kind: (F, kinds)."""
        kinds: FeedbackArray = clue.of_kinds(feedbacks) - [low for low, _ in clue.ranges]
        return kinds


class CellsEdits:
    """Edits of clues about places, as in `CountEdits`.

    `types` has something for each place that may change: only places with the same are exchanged.
    If a place has more than `most_apart` other digits, they are one clue together.
    """

    def __init__(self, types: Sequence[object], most_apart: int = 12) -> None:
        self._types, self._most_apart = tuple(types), most_apart
        self.places = len(self._types)
        """The number of places that may change."""

    def _read(self, clue: OwnClue) -> list[int]:
        return [place for place in range(self.places) if clue.cells[place]]

    def one_mark_edits(self, clue: OwnClue) -> Shares:
        edits: Shares = []
        read = self._read(clue)
        for place in read:
            others = tuple(d for d in range(clue.sizes[place]) if d not in clue.cells[place])
            together = [others] if len(others) > self._most_apart else [(d,) for d in others]
            share = 1 / len(read) / max(1, len(others))
            edits += [(share, clue.with_cell(place, cell)) for cell in together]
        return edits

    def erasures(self, clue: OwnClue) -> Shares:
        read = self._read(clue)
        return [(1 / len(read), clue.with_cell(place, UNREAD)) for place in read]

    def transpositions(self, clue: OwnClue) -> Shares:
        cells, types = clue.cells, self._types
        places = combinations(range(self.places), 2)
        pairs = [(a, b) for a, b in places if cells[a] != cells[b] and types[a] == types[b]]
        swapped = [clue.with_cell(a, cells[b]).with_cell(b, cells[a]) for a, b in pairs]
        return [(1 / len(pairs), edit) for edit in swapped]

    def distance(self, clue: OwnClue, feedback: Feedback) -> int:
        if feedback in clue:
            return 0
        if clue.values:
            return 1
        pairs = zip(feedback, clue.cells, strict=False)
        wrong = [place for place, (digit, cell) in enumerate(pairs) if cell and digit not in cell]
        return max(1, len(wrong))

    def open_marks(self, clue: OwnClue) -> Sequence[int | None]:
        """Return the places that a clue leaves open; None instead for an answer of one value."""
        places = [place for place in range(self.places) if len(clue.choices(place)) > 1]
        return [None] * len(places) if clue.values else places

    def open_kinds(
        self, clue: OwnClue, feedbacks: FeedbackArray, position: int | None
    ) -> FeedbackArray:
        # (F, digits that occur), with 1 in the column of each feedback's digit
        _, numbers = np.unique(feedbacks[:, position or 0], return_inverse=True)
        return np.eye(numbers.max(initial=-1) + 1, dtype=np.int64)[numbers]
