"""Clues that differ from a given one in a mark changed, erased or exchanged.

A *share* is the probability of one edit, given that an edit of its kind was made.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import TypeAlias

import numpy as np

from puzzlehunt.rules.notation.clue import UNREAD, Clue, Feedback, FeedbackArray, OwnClue, Parts
from puzzlehunt.rules.notation.clue_values import of_ranges
from puzzlehunt.rules.notation.counts import CountNotation

Shares: TypeAlias = list[tuple[float, Clue]]
"""Clues, each with its share."""


class CountEdits:
    """Edits of clues about counts; the last kind of mark is the miss."""

    def __init__(self, notation: CountNotation) -> None:
        self.kinds = len(notation.kinds)
        self._unseen = {*notation.left_out}
        """The kinds that may be there without a mark."""

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
