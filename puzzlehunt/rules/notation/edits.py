"""Clues near a given one: with a mark changed, erased or exchanged, and what a clue leaves open.

A *share* is the probability that an edit is the one that was made, if one of its kind was.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias, cast

from puzzlehunt.rules.notation.clue import UNREAD, Cell, Clue, Feedback
from puzzlehunt.rules.notation.count_clue import CountClue
from puzzlehunt.rules.notation.counts import CountNotation
from puzzlehunt.rules.notation.tiles import TileClue

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlehunt.rules.notation.clue import FeedbackArray

Shares: TypeAlias = list[tuple[float, Clue]]
"""Clues, each with its share."""


class Edits(ABC):
    """The edits of the clues of one rule."""

    @abstractmethod
    def one_mark_edits(self, clue: Clue) -> Shares:
        """Return the clues that differ from a given one in one mark.

        The share is the probability to read the given clue if the other one was right, and one mark
        of it was misread.
        """

    @abstractmethod
    def erasures(self, clue: Clue) -> Shares:
        """Return the clues in which one of the read marks is unread; all marks are equally likely.

        An erasure is the loss of a symbol at a known position (Elias, "Coding for Two Noisy
        Channels", 1955).
        """

    @abstractmethod
    def transpositions(self, clue: Clue) -> Shares:
        """Return the clues with two tiles (or two kinds) exchanged; all pairs are equally likely.

        After Damerau, "A Technique for Computer Detection and Correction of Spelling Errors", 1964.
        """

    @abstractmethod
    def distance(self, clue: Clue, feedback: Feedback) -> int:
        """Return how many marks of a clue would have to change for it to admit a feedback."""

    @abstractmethod
    def open_marks(self, clue: Clue) -> Sequence[int | None]:
        """Return the marks whose kinds a clue leaves open: the positions (from 0) of their tiles.

        Of marks without order, a None for each.
        """

    @abstractmethod
    def open_kinds(
        self, clue: Clue, feedbacks: "FeedbackArray", position: int | None
    ) -> "npt.NDArray[np.float64]":
        """Return (F, K): how many marks of each kind feedbacks have among those left open.

        `position` is one of `open_marks`: only the mark of this tile is counted; with None all are.
        The clue must admit the feedbacks.
        """


class CountEdits(Edits):
    """The edits of clues about counts; the last kind is the miss."""

    def __init__(
        self,
        notation: CountNotation,
        counts_of: Callable[[Clue], CountClue],
        with_counts: Callable[[Clue, CountClue], Clue],
    ) -> None:
        self.notation = notation
        self.kinds = len(notation.kinds)
        self._counts_of = counts_of
        self._with_counts = with_counts

    def one_mark_edits(self, clue: Clue) -> Shares:
        counts = self._counts_of(clue)
        if counts.cells is None:
            return [(s, self._with_counts(clue, c)) for s, c in self._one_count_edits(counts)]
        read = [cell for cell in counts.cells if cell != UNREAD]
        definite = sum([len(cell) == 1 for cell in read])
        edits: Shares = []
        for wrong in dict.fromkeys(read):
            others = [k for k in range(self.kinds) if k not in wrong]
            for kind in others:
                changed = self._with_cell(counts, wrong, (kind,))
                ways = (changed.cells or ()).count((kind,))
                share = (
                    ways / max(1, definite)
                    if len(wrong) == 1
                    else counts.cells.count(wrong) / max(1, len(read))
                )
                edits.append((share / len(others), self._with_counts(clue, changed)))
        return edits

    def _one_count_edits(self, clue: CountClue) -> list[tuple[float, CountClue]]:
        """Return the clues that count one mark as another kind, each with its probability.

        Any mark of the feedback is taken for any other kind. A mark that the result counts as the
        kind `more` was read as the kind `fewer`.
        """
        edits = []
        for more in range(self.kinds):
            for fewer in range(self.kinds):
                ranges = list(clue.ranges)
                low, high = ranges[fewer]
                if more == fewer or high < 1:
                    continue
                ranges[fewer] = (max(low, 1) - 1, high - 1)
                low, high = ranges[more]
                ranges[more] = (low + 1, min(high, clue.marks - 1) + 1)
                if counted := self.notation.of_ranges(ranges, clue.marks):
                    share = ranges[more][0] / clue.marks / (self.kinds - 1)
                    edits.append((share, counted))
        return edits

    def _with_cell(self, counts: CountClue, old: Cell, new: Cell) -> CountClue:
        """Return a clue with one of its cells replaced."""
        cells = list(counts.cells or ())
        cells[cells.index(old)] = new
        return self.notation.of_cells(cells, counts.marks)

    def one_mark_changed(self, clue: Clue) -> list[Clue]:
        """Return clues that together admit what one mark of another kind makes of a clue.

        Some may be such that no guess can get them.
        """
        counts = self._counts_of(clue)
        if counts.cells is None:
            return [clue for _, clue in self.one_mark_edits(clue)]
        clues: dict[tuple[Cell, ...], Clue] = {}
        for false in dict.fromkeys(counts.cells):
            others = tuple(kind for kind in range(self.kinds) if false != (kind,))
            cell = UNREAD if len(others) == self.kinds else others
            changed = self._with_cell(counts, false, cell)
            clues.setdefault(changed.cells or (), self._with_counts(clue, changed))
        return list(clues.values())

    def erasures(self, clue: Clue) -> Shares:
        counts = self._counts_of(clue)
        read = [cell for cell in counts.cells or () if cell != UNREAD and self.visible(cell)]
        return [
            (
                read.count(cell) / len(read),
                self._with_counts(clue, self._with_cell(counts, cell, UNREAD)),
            )
            for cell in dict.fromkeys(read)
        ]

    def visible(self, cell: Cell) -> bool:
        """Return whether a cell has a mark to be seen, which a miss may not have."""
        return self.notation.miss_has_mark or self.kinds - 1 not in cell

    def transpositions(self, clue: Clue) -> Shares:
        counts = self._counts_of(clue)
        pairs = list(combinations([k for k in range(self.kinds) if self.visible((k,))], 2))
        edits: Shares = []
        for a, b in pairs:
            exchanged = {a: b, b: a}
            if counts.cells is None:
                ranges = [counts.ranges[exchanged.get(k, k)] for k in range(self.kinds)]
                changed = self.notation.of_ranges(ranges, counts.marks)
            else:
                cells = [tuple(sorted(exchanged.get(k, k) for k in c)) for c in counts.cells]
                changed = self.notation.of_cells(cells, counts.marks)
            if changed is not None and changed != counts:
                edits.append((1 / len(pairs), self._with_counts(clue, changed)))
        return edits

    def distance(self, clue: Clue, feedback: Feedback) -> int:
        counts = self._counts_of(clue)
        found = feedback[: self.kinds - 1]
        pairs = list(zip((*found, counts.marks - sum(found)), counts.ranges, strict=True))
        fewer = sum(max(0, low - n) for n, (low, _) in pairs)
        more = sum(max(0, n - high) for n, (_, high) in pairs)
        return max(fewer, more, int(feedback not in clue))

    def open_marks(self, clue: Clue) -> Sequence[int | None]:
        counts = self._counts_of(clue)
        return [None] * (counts.marks - sum([low for low, _ in counts.ranges]))

    def open_kinds(
        self, clue: Clue, feedbacks: "FeedbackArray", position: int | None
    ) -> "npt.NDArray[np.float64]":
        counts = self._counts_of(clue)
        lows = [low for low, _ in counts.ranges]
        return (counts.of_kinds(feedbacks) - lows).astype(float)


class TileEdits(Edits):
    """The edits of clues about tiles, of which the first `width` may change."""

    def __init__(self, width: int) -> None:
        self.width = width

    def _with_cells(self, clue: Clue, *changes: tuple[int, Cell]) -> TileClue:
        """Return a clue with other cells at some positions."""
        cells = list(cast(TileClue, clue).cells)
        for position, cell in changes:
            cells[position] = cell
        return TileClue(tuple(cells))

    def _read(self, clue: Clue) -> list[tuple[int, Cell]]:
        """Return the positions and cells of the tiles that were read, in part at least."""
        cells = enumerate(cast(TileClue, clue).cells[: self.width])
        return [(position, cell) for position, cell in cells if len(cell) < 3]

    def one_mark_edits(self, clue: Clue) -> Shares:
        read = self._read(clue)
        return [
            (1 / len(read) / (3 - len(cell)), self._with_cells(clue, (position, (digit,))))
            for position, cell in read
            for digit in range(3)
            if digit not in cell
        ]

    def erasures(self, clue: Clue) -> Shares:
        read = self._read(clue)
        return [
            (1 / len(read), self._with_cells(clue, (position, (0, 1, 2)))) for position, _ in read
        ]

    def transpositions(self, clue: Clue) -> Shares:
        cells = list(enumerate(cast(TileClue, clue).cells[: self.width]))
        pairs = [(a, b) for a, b in combinations(cells, 2) if a[1] != b[1]]
        return [
            (1 / len(pairs), self._with_cells(clue, (a, at_b), (b, at_a)))
            for (a, at_a), (b, at_b) in pairs
        ]

    def distance(self, clue: Clue, feedback: Feedback) -> int:
        cells = cast(TileClue, clue).cells
        return sum(digit not in cell for digit, cell in zip(feedback, cells, strict=True))

    def open_marks(self, clue: Clue) -> Sequence[int | None]:
        cells = cast(TileClue, clue).cells[: self.width]
        return [position for position, cell in enumerate(cells) if len(cell) > 1]

    def open_kinds(
        self, clue: Clue, feedbacks: "FeedbackArray", position: int | None
    ) -> "npt.NDArray[np.float64]":
        import numpy as np

        return np.equal(feedbacks[:, position, None], [0, 1, 2]).astype(np.float64)
