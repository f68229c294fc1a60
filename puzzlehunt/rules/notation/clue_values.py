"""Clues as values: about the counts of marks, and about places; clues near them; all feedbacks.

A tile, a column of a table, and a whole answer that is one value are places: each has a number of
digits, and a clue says for each place which of them it may have.

Where all marks of a lost guess may be those of the secret, the first number of the winning feedback
is one more than that of any lost guess.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations, product, zip_longest
from typing import TypeAlias, cast

import numpy as np

from puzzlehunt.kernels.packed_codes import Indices, Mask
from puzzlehunt.rules.notation.clue import UNREAD, Cell, Feedback, FeedbackArray, OwnFeedback, Parts

Range: TypeAlias = tuple[int, int]
"""The least and the greatest value of a count, both included."""


Shares: TypeAlias = "list[tuple[float, NotedClue]]"
"""Clues near a given one, with a mark changed, erased or exchanged, each with its *share*: the
probability of this edit, given that an edit of its kind was made."""


@dataclass(frozen=True, slots=True)
class CountClue:
    """A clue about counts: a range for the number of marks of each kind, the miss last.

    `marks` is the number of marks in the feedback, misses included. `cells` has a cell for each
    mark as it was read (`UNREAD` for an unread mark); it is None for a clue that states ranges
    instead of marks. `unseen` are the kinds that may be there without a mark.
    """

    ranges: tuple[Range, ...]
    marks: int
    cells: tuple[Cell, ...] | None = None
    unseen: Cell = field(default=(), compare=False, repr=False)

    def __contains__(self, feedback: Parts) -> bool:
        counts = (*feedback, self.marks - sum(feedback))
        for count, (low, high) in zip(counts, self.ranges, strict=True):
            if not low <= count <= high:
                return False
        return True

    def __iter__(self) -> Iterator[Parts]:
        """Iterate over the feedbacks that the clue admits, in ascending order."""
        counts = product(*(range(low, high + 1) for low, high in self.ranges[:-1]))
        return filter(self.__contains__, counts)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def of_kinds(self, feedbacks: FeedbackArray) -> FeedbackArray:
        """Return the count of each kind in feedbacks (F, parts), as an array (F, kinds).

        Misses are in the last column.
        """
        misses = self.marks - feedbacks.sum(axis=1, keepdims=True)
        return np.concatenate((feedbacks, misses), axis=1)

    def mask(self, feedbacks: FeedbackArray) -> Mask:
        """Return whether the clue admits each of some feedbacks (F, parts), as an array (F,)."""
        counts = self.of_kinds(feedbacks)
        lows, highs = np.array(self.ranges).T
        fits: Mask = ((counts >= lows) & (counts <= highs)).all(axis=1)
        return fits

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of kinds and of marks."""
        return len(self.ranges), self.marks

    def with_cells(self, cells: Sequence[Cell]) -> "CountClue":
        """Return this clue with other cells."""
        return of_cells(cells, len(self.ranges), self.unseen)

    def with_cell(self, place: int, cell: Cell) -> "CountClue":
        """Return this clue with another cell for a mark."""
        cells = self.cells or ()
        return self.with_cells((*cells[:place], cell, *cells[place + 1 :]))

    def __and__(self, other: "CountClue") -> "CountClue | None":
        """Return what two clues say together; None if they contradict each other."""
        pairs = zip(self.ranges, other.ranges, strict=True)
        common = tuple((max(low, least), min(high, most)) for (low, high), (least, most) in pairs)
        both = of_ranges(common, self.marks, self.unseen)
        tight = propagate_bounds(common, self.marks)
        if tight in (other.ranges, self.ranges):
            return other if tight == other.ranges else self
        if both is not None and self.cells is not None is not other.cells:
            read = list(filter(None, (Counter(self.cells) | Counter(other.cells)).elements()))
            if all(len(cell) == 1 for cell in read):
                return other.with_cells(read + [UNREAD] * (self.marks - len(read)))
        return both

    @property
    def nothing_read(self) -> bool:
        """Whether no mark was read."""
        return self.cells is not None and not any(self.cells)

    @property
    def is_exact(self) -> bool:
        """Whether the clue admits only one count for each kind."""
        return all(0 <= low == high for low, high in self.ranges)

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

    def one_mark_edits(self) -> Shares:
        """Return the clues that differ from this one in one mark, each with its share.

        This share is the probability that this clue is read although the returned clue is right,
        if exactly one mark of the returned clue is misread.
        """
        edits: Shares = []
        kinds = range(len(self.ranges))
        if self.cells is None:  # one mark more of a kind, one fewer of another
            for more, fewer in permutations(kinds, 2):
                (fewer_low, fewer_high), (low, high) = self.ranges[fewer], self.ranges[more]
                ranges = list(self.ranges)
                ranges[fewer] = (max(0, fewer_low - 1), fewer_high - 1)
                ranges[more] = (low + 1, min(self.marks, high + 1))
                if low >= 0 and (edit := of_ranges(ranges, self.marks, self.unseen)) is not None:
                    # Of a range, the least count stands for all.
                    edits.append(((low + 1) / self.marks / (len(kinds) - 1), edit))
            return edits
        read = Counter(filter(None, self.cells))
        for misread, count in read.items():
            others = {*kinds}.difference(misread)
            for kind in others:
                # The right clue has one more mark of the kind, each of which may be the misread
                # one; a mark of several kinds is as likely as any other to be wrong.
                ways = read[(kind,)] + 1 if len(misread) == 1 else count
                edit = self.with_cell(self.cells.index(misread), (kind,))
                edits.append((ways / read.total() / len(others), edit))
        return edits

    def erasures(self) -> Shares:
        """Return the clues with one read mark made unread; all read marks are equally likely.

        The name is that of Elias, "Coding for Two Noisy Channels", 1955.
        """
        cells = self.cells or ()
        read = Counter(cell for cell in cells if cell and not {*self.unseen} & {*cell})
        erased = [(n, self.with_cell(cells.index(cell), UNREAD)) for cell, n in read.items()]
        return [(n / read.total(), edit) for n, edit in erased]

    def transpositions(self) -> Shares:
        """Return the clues with two kinds (or two tiles) exchanged; all pairs are equally likely.

        After Damerau, "A Technique for Computer Detection and Correction of Spelling Errors", 1964.
        """
        edits: Shares = []
        kinds = range(len(self.ranges))
        pairs = list(combinations([kind for kind in kinds if kind not in self.unseen], 2))
        for a, b in pairs:
            other = [{a: b, b: a}.get(kind, kind) for kind in kinds]
            if self.cells is None:
                edit = replace(self, ranges=tuple(self.ranges[kind] for kind in other))
            else:
                edit = self.with_cells([(*sorted(other[k] for k in cell),) for cell in self.cells])
            if edit != self:
                edits.append((1 / len(pairs), edit))
        return edits

    def distance(self, feedback: OwnFeedback) -> int:
        """Return how many marks must be changed to make the clue admit a feedback."""
        too_few = too_many = 0
        counts = (*feedback, self.marks - sum(feedback))
        for count, (low, high) in zip(counts, self.ranges, strict=True):
            too_few += max(0, low - count)
            too_many += max(0, count - high)
        return max(too_few, too_many)  # a mark changed is one fewer here, one more there

    def open_marks(self) -> Sequence[int | None]:
        """Return, for each mark that is left open, the position of its place, or None without."""
        return [None] * (self.marks - sum(low for low, _ in self.ranges))

    def open_kinds(self, feedbacks: FeedbackArray, position: int | None) -> FeedbackArray:
        """Return the number of open marks (or that at a position) of each kind: (F, kinds)."""
        return np.asarray(self.of_kinds(feedbacks) - [low for low, _ in self.ranges])


def propagate_bounds(ranges: tuple[Range, ...], marks: int) -> tuple[Range, ...]:
    """Narrow ranges of counts as far as the sum of all counts, `marks`, allows.

    The narrowed ranges admit the same counts of this sum. If there are no such counts, some range
    comes back empty: its low is above its high.
    """
    lows, highs = map(sum, zip(*ranges, strict=True))
    return tuple(
        (max(low, marks - highs + high), min(high, marks - lows + low)) for low, high in ranges
    )


def of_cells(cells: Sequence[Cell], kinds: int, unseen: Cell) -> CountClue:
    """Return the clue with the given cells, one for each mark, of a number of kinds."""
    unread = cells.count(UNREAD)
    named = [kind for cell in cells for kind in cell]
    ranges = [(cells.count((kind,)), named.count(kind) + unread) for kind in range(kinds)]
    read = sorted(sorted(filter(None, cells)), key=len)
    return CountClue(tuple(ranges), len(cells), (*read, *[UNREAD] * unread), unseen)


def of_ranges(ranges: Sequence[Range], marks: int, unseen: Cell = ()) -> CountClue | None:
    """Return the clue with a range for each kind; None if no counts in them sum to `marks`."""
    tight = propagate_bounds(tuple(ranges), marks)
    if any(low > high for low, high in (*tight, *ranges)):
        return None
    if all(low == high for low, high in tight):
        cells = [(kind,) for kind, (count, _) in enumerate(tight) for _ in range(count)]
        return of_cells(cells, len(tight), unseen)
    return CountClue(tight, marks, None, unseen)


_MOST_APART = 12
"""A place with more other digits than these is edited to have any of them."""


@dataclass(frozen=True, slots=True)
class CellsClue:
    """The digits, ascending, that each place may have; `UNREAD` for a place that was not read.

    `sizes` are the numbers of digits that a place of a lost guess may have. Only places with the
    same of `types` may be exchanged. An answer that is one value has one place, whose digits number
    the `values`. What the methods of a `CountClue` return is said there.
    """

    cells: tuple[Cell, ...]
    sizes: tuple[int, ...]
    types: tuple[object, ...] = field(default=(), compare=False, repr=False)
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
        return not any(self.cells)

    @property
    def lost_cells(self) -> tuple[Cell, ...]:
        """The cells or, if the guess won, those of a lost guess that is equal in all places."""
        is_beyond = not self.values and self.cells[0] == (self.sizes[0],)
        return ((0,), *self.cells[1:]) if is_beyond else self.cells

    def choices(self, place: int) -> Sequence[int]:
        """Return the digits that a place may have."""
        return self.cells[place] or range(self.sizes[place])

    def with_cells(self, cells: Iterable[Cell]) -> "CellsClue":
        return replace(self, cells=tuple(cells))

    def with_cell(self, place: int, cell: Cell) -> "CellsClue":
        """Return this clue with another cell at a place; the guess then lost."""
        cells = self.lost_cells
        return self.with_cells((*cells[:place], cell, *cells[place + 1 :]))

    def __contains__(self, feedback: OwnFeedback) -> bool:
        if self.values:
            return any(self.values[digit] == feedback for digit in self.choices(0))
        places = zip(feedback, self.cells, self.sizes, strict=False)
        return all(digit in cell if cell else digit < size for digit, cell, size in places)

    def __iter__(self) -> Iterator[Feedback]:
        if self.values:
            return iter([self.values[digit] for digit in self.choices(0)])
        return product(*map(self.choices, range(self.marks)))

    def __bool__(self) -> bool:
        return True  # without counting

    def __len__(self) -> int:
        return math.prod(len(self.choices(place)) for place in range(self.marks))

    def mask(self, feedbacks: FeedbackArray) -> Mask:
        fits = np.full(len(feedbacks), True)
        for place, (cell, size) in enumerate(zip(self.cells, self.sizes, strict=True)):
            admitted = np.zeros(size + 1, dtype=np.bool_)
            admitted[list(cell) or slice(size)] = True
            fits &= admitted[feedbacks[:, place]]
        return fits

    def without(self, feedback: Parts) -> "Iterator[CellsClue]":
        """Yield clues that together admit every feedback of this clue except the given one."""
        if feedback not in self or len(feedback) > self.marks:
            yield self
            return
        for place, digit in enumerate(feedback):
            if others := tuple(d for d in self.choices(place) if d != digit):
                yield self.with_cell(place, others)

    def __and__(self, other: "CellsClue") -> "CellsClue | None":
        cells = []
        for mine, theirs in zip_longest(self.cells, other.cells, fillvalue=UNREAD):
            common = tuple(sorted({*mine} & {*theirs}))
            if mine and theirs and not common:
                return None
            cells.append(common or mine or theirs)  # an unread cell leaves the other
        return max(other, self, key=lambda clue: clue.marks).with_cells(cells)

    def _read(self) -> list[int]:
        """Return the places that were read and may have another digit."""
        places = enumerate(zip(self.cells, self.sizes, strict=False))
        return [place for place, (cell, size) in places if cell and (self.values or size > 1)]

    def one_mark_edits(self) -> Shares:
        edits: Shares = []
        cells, read = self.lost_cells, self._read()
        for place in read:
            others = tuple(sorted({*range(self.sizes[place])} - {*cells[place]}))
            are_apart = self.values or len(others) <= _MOST_APART
            share = 1 / len(read) / max(1, len(others))
            for cell in [(digit,) for digit in others] if are_apart else [others]:
                edits.append((share, self.with_cell(place, cell)))
        return edits

    def erasures(self) -> Shares:
        read = self._read()
        return [(1 / len(read), self.with_cell(place, UNREAD)) for place in read]

    def transpositions(self) -> Shares:
        cells, types = self.lost_cells, self.types or self.sizes
        places = combinations(range(self.marks), 2)
        pairs = [(a, b) for a, b in places if cells[a] != cells[b] and types[a] == types[b]]
        swapped = [self.with_cell(a, cells[b]).with_cell(b, cells[a]) for a, b in pairs]
        return [(1 / len(pairs), edit) for edit in swapped]

    def distance(self, feedback: OwnFeedback) -> int:
        if feedback in self or self.values:
            return int(feedback not in self)
        pairs = zip(feedback, self.lost_cells, strict=False)
        wrong = [digit for digit, cell in pairs if cell and digit not in cell]
        return max(1, len(wrong))

    def open_marks(self) -> Sequence[int | None]:
        """Return the places that are left open; None instead for an answer of one value."""
        places = [place for place in range(self.marks) if len(self.choices(place)) > 1]
        return [None] * len(places) if self.values else places

    def open_kinds(self, feedbacks: FeedbackArray, position: int | None) -> FeedbackArray:
        # (F, digits that occur), with 1 in the column of each feedback's digit
        _, numbers = np.unique(feedbacks[:, position or 0], return_inverse=True)
        return np.eye(numbers.max(initial=-1) + 1, dtype=np.int64)[numbers]


NotedClue: TypeAlias = CountClue | CellsClue


def whole(digits: Sequence[int], size: int) -> Cell:
    """Return a cell of some of `size` digits: `UNREAD` if they are all."""
    return UNREAD if len(digits) == size else tuple(digits)


class CellsFeedbacks(Sequence[Parts]):
    """All feedbacks of places with `sizes` digits each, in ascending order, never held in memory.

    The index of a feedback is the number that its digits write in these bases. With `win_apart`,
    the winning feedback follows: its first digit is one beyond the others, and all others are 0.
    """

    def __init__(self, sizes: Sequence[int], win_apart: bool = False) -> None:
        self.sizes = tuple(sizes)
        self.total = math.prod(sizes)
        """The number of feedbacks without the one that follows."""
        self._length = self.total + win_apart
        self._shape = (sizes[0] + 1, *sizes[1:])

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Parts:  # type: ignore[override]
        return tuple(self.array(np.array([range(len(self))[index]]))[0].tolist())

    def __contains__(self, value: object) -> bool:
        with suppress(TypeError, ValueError):
            return self.index(cast(Parts, value)) >= 0
        return False

    def array(self, indices: Indices) -> FeedbackArray:
        """Return the feedbacks at some indices (F,), as an array (F, parts)."""
        return np.array(np.unravel_index(indices.astype(np.int64), self._shape)).T

    def index(self, value: Parts, start: int = 0, stop: int | None = None) -> int:
        """Return the index of a feedback. Raises ValueError if the sequence does not contain it."""
        return range(len(self))[start:stop].index(int(np.ravel_multi_index(value, self._shape)))
