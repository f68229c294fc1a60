"""Clues that differ from a given one in a mark changed, erased or exchanged; intersections.

A *share* is the probability of one edit, given that an edit of its kind was made.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, permutations
from typing import TYPE_CHECKING, TypeAlias, cast

from puzzlehunt.errors import ImpossibleClueError
from puzzlehunt.rules.notation.cells_clue import CellsClue
from puzzlehunt.rules.notation.clue import UNREAD, Cell, Clue, Feedback, Parts
from puzzlehunt.rules.notation.count_clue import CountClue
from puzzlehunt.rules.notation.counts import CountNotation

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlehunt.rules.notation.clue import FeedbackArray

Shares: TypeAlias = list[tuple[float, Clue]]
"""Clues, each with its share."""
_MOST_APART = 12


def intersect(old: Clue, new: Clue, together: Callable[[], Clue | None]) -> Clue | None:
    """Return the intersection of two clues; None if no feedback agrees with both.

    The result is `new` if `new` implies `old`, and `old` if `old` implies `new`. Otherwise it is
    the clue that `together()` returns, if that admits exactly the feedbacks that both clues admit.
    If it does not, the result is the clue that admits fewer feedbacks.
    """
    common = sum(1 for feedback in new if feedback in old)
    new_count, old_count = (sum(1 for _ in clue) for clue in (new, old))
    if not common:
        return None
    if common == new_count:
        return new
    if common == old_count:
        return old
    clue = together()
    if clue is not None and sum(1 for _ in clue) == common:
        return clue
    return new if new_count <= old_count else old


class CountEdits:
    """Edits of clues about counts; the last kind of mark is the miss."""

    def __init__(self, notation: CountNotation) -> None:
        self.notation = notation
        self.kinds = len(notation.kinds)

    def with_cells(self, clue: Clue, cells: Sequence[Cell]) -> CountClue:
        """Return a clue with its cells replaced by other ones."""
        counts = cast(CountClue, clue)
        return self.notation.of_cells(cells, counts.marks, counts.rest)

    def _with_cell(self, counts: CountClue, old: Cell, new: Cell) -> CountClue:
        cells = list(counts.cells or ())
        cells[cells.index(old)] = new
        return self.with_cells(counts, cells)

    def one_mark_edits(self, clue: Clue) -> Shares:
        """Return the clues that differ from a given one in one mark, each with its share.

        This share is the probability that the given clue is read although the returned clue is
        right, if exactly one mark of the returned clue is misread.
        """
        counts = cast(CountClue, clue)
        if counts.cells is None:
            return self._one_count_edits(counts)
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
                edits.append((share / len(others), changed))
        return edits

    def _one_count_edits(self, clue: CountClue) -> Shares:
        """Return the clues that count one mark as another kind, any mark as any other kind."""
        edits: Shares = []
        for more, fewer in permutations(range(self.kinds), 2):
            ranges = list(clue.ranges)
            low, high = ranges[fewer]
            if high < 1:
                continue
            ranges[fewer] = (max(low, 1) - 1, high - 1)
            low, high = ranges[more]
            ranges[more] = (low + 1, min(high, clue.marks - 1) + 1)
            if counted := self.notation.of_ranges(ranges, clue.marks, clue.rest):
                share = ranges[more][0] / clue.marks / (self.kinds - 1)
                edits.append((share, counted))
        return edits

    def erasures(self, clue: Clue) -> Shares:
        """Return the clues with one read mark made unread, each with its share.

        All read marks are equally likely. An erasure is the loss of a symbol at a known position
        (Elias, "Coding for Two Noisy Channels", 1955).
        """
        counts = cast(CountClue, clue)
        read = [cell for cell in counts.cells or () if cell != UNREAD and self.visible(cell)]
        return [
            (read.count(cell) / len(read), self._with_cell(counts, cell, UNREAD))
            for cell in dict.fromkeys(read)
        ]

    def visible(self, cell: Cell) -> bool:
        """Return whether a cell shows a mark; a miss may have none."""
        return self.notation.miss_has_mark or self.kinds - 1 not in cell

    def transpositions(self, clue: Clue) -> Shares:
        """Return the clues with two kinds (or two tiles) exchanged, each with its share.

        All pairs are equally likely. After Damerau, "A Technique for Computer Detection and
        Correction of Spelling Errors", 1964.
        """
        counts = cast(CountClue, clue)
        pairs = list(combinations([k for k in range(self.kinds) if self.visible((k,))], 2))
        edits: Shares = []
        for a, b in pairs:
            exchanged = {a: b, b: a}
            changed: CountClue | None
            if counts.cells is None:
                ranges = [counts.ranges[exchanged.get(k, k)] for k in range(self.kinds)]
                changed = self.notation.of_ranges(ranges, counts.marks, counts.rest)
            else:
                cells = [tuple(sorted(exchanged.get(k, k) for k in c)) for c in counts.cells]
                changed = self.with_cells(counts, cells)
            if changed is not None and changed != counts:
                edits.append((1 / len(pairs), changed))
        return edits

    def distance(self, clue: Clue, feedback: Parts) -> int:
        """Return how many marks of a clue must be changed to make it admit a feedback."""
        counts = cast(CountClue, clue)
        found = feedback[: self.kinds - 1]
        pairs = list(zip((*found, counts.marks - sum(found)), counts.ranges, strict=True))
        fewer = sum(max(0, low - n) for n, (low, _) in pairs)
        more = sum(max(0, n - high) for n, (_, high) in pairs)
        return max(fewer, more, int(feedback not in clue))

    def open_marks(self, clue: Clue) -> Sequence[int | None]:
        """Return an item for each mark whose kind a clue leaves open.

        The item is the position (from 0) of the mark's tile, or None if marks have no positions.
        """
        counts = cast(CountClue, clue)
        return [None] * (counts.marks - sum([low for low, _ in counts.ranges]))

    def open_kinds(
        self, clue: Clue, feedbacks: "FeedbackArray", position: int | None
    ) -> "npt.NDArray[np.float64]":
        """Return the number of open marks of each kind in feedbacks (F, parts): (F, kinds).

        `position` is one of the items of `open_marks`. If it is the position of a tile, only the
        mark of that tile is counted; if it is None, all open marks are. The clue must admit all
        feedbacks.
        """
        counts = cast(CountClue, clue)
        lows = [low for low, _ in counts.ranges]
        return (counts.of_kinds(feedbacks) - lows).astype(float)

    def together(self, old: CountClue, new: CountClue) -> CountClue | None:
        """Return a clue that may be the intersection of two clues, for `intersect` to check.

        If each read mark is of one certain kind, the clue has the marks of both clues. Otherwise it
        has the ranges that both clues allow, or is None if no counts are in these ranges.
        """
        if old.cells is not None and new.cells is not None:
            marks = (Counter(old.cells) | Counter(new.cells)).elements()
            read = [cell for cell in marks if cell != UNREAD]
            if all(len(cell) == 1 for cell in read):
                return self.with_cells(new, read + [UNREAD] * (old.marks - len(read)))
        pairs = zip(old.ranges, new.ranges, strict=True)
        ranges = [(max(a[0], b[0]), min(a[1], b[1])) for a, b in pairs]
        return self.notation.of_ranges(ranges, old.marks, new.rest)

    def restates(self, old: CountClue, new: CountClue) -> bool:
        """Return whether a new clue corrects the marks of an old one: `BW` after `BB`.

        A correction replaces the old clue, even if some feedback agrees with both. Marks of other
        kinds (`W` after `B`) and an opposite bound (`<=2b` after `>=1b`) are additions, no
        corrections.
        """
        common = sum(1 for feedback in new if feedback in old)
        if not common or common in (sum(1 for _ in old), sum(1 for _ in new)):
            return False
        if old.cells is not None and new.cells is not None:
            return bool(self._kinds_written(old.cells) & self._kinds_written(new.cells))
        pairs = [sorted(pair) for pair in zip(old.ranges, new.ranges, strict=True)]
        return any(
            least < low <= high < most and (least, most) != (0, new.marks)
            for (least, high), (low, most) in pairs
        )

    def _kinds_written(self, cells: Iterable[Cell]) -> set[int]:
        return {kind for cell in cells for kind in cell if self.visible((kind,))}

    def with_more(self, clue: CountClue, added: CountClue) -> CountClue | None:
        """Return a clue with the marks of another clue added; None if either states ranges instead.

        Each added mark replaces an unread mark or, if misses have no mark, a miss. Raises
        ImpossibleClueError if there are not enough marks to replace.
        """
        if clue.cells is None or added.cells is None:
            return None
        cells = list(clue.cells)
        free = [UNREAD] if self.notation.miss_has_mark else [UNREAD, (self.kinds - 1,)]
        for cell in added.cells:
            if cell in free:
                continue
            place = next((old for old in free if old in cells), None)
            if place is None:
                raise ImpossibleClueError(
                    f"all {len(cells)} marks of this row were read: {self.notation.format(clue)}"
                )
            cells[cells.index(place)] = cell
        return self.with_cells(clue, cells)


class NumberEdits(CountEdits):
    """Edits of clues whose answer is one number: it is read whole, as a range, or not at all.

    A number that is wrong is out by one.
    """

    def erasures(self, clue: Clue) -> Shares:
        unread = self.notation.unread_clue(cast(CountClue, clue).marks)
        return [] if clue == unread else [(1.0, unread)]

    def open_marks(self, clue: Clue) -> Sequence[int | None]:
        """Return one item, None, if a clue leaves the number open; otherwise []."""
        return [] if cast(CountClue, clue).is_exact else [None]

    def open_kinds(
        self, clue: Clue, feedbacks: "FeedbackArray", position: int | None
    ) -> "npt.NDArray[np.float64]":
        """Return (F, numbers), with 1 in the column of each of F feedbacks: each is a kind."""
        numbers = range(cast(CountClue, clue).marks + 1)
        kinds: npt.NDArray[np.float64] = (feedbacks[:, :1] == numbers).astype(float)
        return kinds

    def with_more(self, clue: CountClue, added: CountClue) -> CountClue | None:
        """Return None: no part of a number is added to another one."""
        return None


class CellsEdits:
    """Edits of clues about places, as in `CountEdits`.

    `alike` has something for each place that may change: only places with the same are exchanged.
    If a place has more than `most_apart` other digits, they are one clue together.
    """

    def __init__(self, alike: Sequence[object], most_apart: int = _MOST_APART) -> None:
        self._alike, self._most_apart = tuple(alike), most_apart
        self.places = len(self._alike)
        """The number of places that may change."""

    def with_cells(self, clue: Clue, cells: Sequence[Cell]) -> CellsClue:
        """Return a clue with its cells replaced by other ones."""
        return cast(CellsClue, clue).with_cells(*enumerate(cells))

    def _read(self, clue: CellsClue) -> list[int]:
        """Return the places that may change and were read, in part at least."""
        return [place for place in range(self.places) if clue.cells[place]]

    def one_mark_edits(self, clue: Clue) -> Shares:
        own = cast(CellsClue, clue)
        read = self._read(own)
        edits: Shares = []
        for place in read:
            others = tuple(d for d in range(own.sizes[place]) if d not in own.cells[place])
            are_many = len(others) > self._most_apart
            together = [others] if are_many else [(digit,) for digit in others]
            share = 1 / len(read) / max(1, len(others))
            edits += [(share, own.with_cells((place, each))) for each in together]
        return edits

    def erasures(self, clue: Clue) -> Shares:
        own = cast(CellsClue, clue)
        read = self._read(own)
        return [(1 / len(read), own.with_cells((place, UNREAD))) for place in read]

    def transpositions(self, clue: Clue) -> Shares:
        own = cast(CellsClue, clue)
        pairs = [
            (a, b)
            for a, b in combinations(range(self.places), 2)
            if own.cells[a] != own.cells[b] and self._alike[a] == self._alike[b]
        ]
        return [
            (1 / len(pairs), own.with_cells((a, own.cells[b]), (b, own.cells[a]))) for a, b in pairs
        ]

    def distance(self, clue: Clue, feedback: Feedback) -> int:
        own = cast(CellsClue, clue)
        pairs = () if own.values else zip(feedback, own.cells, strict=False)
        wrong = sum(bool(cell) and digit not in cell for digit, cell in pairs)
        return max(wrong, int(feedback not in clue))

    def open_marks(self, clue: Clue) -> Sequence[int | None]:
        """Return the places that a clue leaves open; None instead for an answer of one value."""
        own = cast(CellsClue, clue)
        places = [place for place in range(self.places) if len(own.choices(place)) > 1]
        return [None] * len(places) if own.values else places

    def open_kinds(
        self, clue: Clue, feedbacks: "FeedbackArray", position: int | None
    ) -> "npt.NDArray[np.float64]":
        """Return (F, digits that occur), with 1 in the column of each feedback's digit."""
        import numpy as np

        _, numbers = np.unique(feedbacks[:, position or 0], return_inverse=True)
        return np.asarray(np.eye(numbers.max(initial=-1) + 1)[numbers])
