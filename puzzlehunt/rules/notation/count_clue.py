"""A clue about counts, as a range for each kind of mark instead of a list of feedbacks."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, TypeAlias

from puzzlehunt.rules.notation.clue import UNREAD, Cell, Parts

if TYPE_CHECKING:
    from puzzlehunt.rules.notation.clue import FeedbackArray, Mask

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
        found = feedback[: len(self.ranges) - 1] if self.rest else feedback
        for count, (low, high) in zip((*found, self.marks - sum(found)), self.ranges, strict=True):
            if not low <= count <= high:
                return False
        if self.rest and self.rest != feedback[len(found) :]:
            return False
        return self._agrees_with_sets(feedback)

    def __iter__(self) -> Iterator[Parts]:
        """Iterate over the feedbacks that the clue admits, in ascending order."""
        *ranges, (fewest, most) = self.ranges
        for found in product(*(range(low, high + 1) for low, high in ranges)):
            misses = self.marks - sum(found)
            if fewest <= misses <= most and self._agrees_with_sets(found):
                yield (*found, *self.rest)

    def of_kinds(self, feedbacks: "FeedbackArray") -> "FeedbackArray":
        """Return the count of each kind in feedbacks (F, parts), as an array (F, kinds).

        Misses are in the last column.
        """
        import numpy as np

        found = feedbacks[:, : len(self.ranges) - 1]
        return np.concatenate((found, self.marks - found.sum(axis=1, keepdims=True)), axis=1)

    def mask(self, feedbacks: "FeedbackArray") -> "Mask":
        """Return whether the clue admits each of some feedbacks (F, parts), as an array (F,)."""
        counts = self.of_kinds(feedbacks).T
        fits: Mask = (feedbacks[:, len(counts) - 1 :] == self.rest).all(axis=1)
        for count, (low, high) in zip(counts, self.ranges, strict=True):
            fits &= (count >= low) & (count <= high)
        for kinds, low, high in self.set_ranges():
            total = counts[list(kinds)].sum(axis=0)
            fits &= (total >= low) & (total <= high)
        return fits

    @property
    def is_exact(self) -> bool:
        """Whether the clue admits only one count for each kind."""
        return all(low == high for low, high in self.ranges)

    def _agrees_with_sets(self, feedback: Parts) -> bool:
        return all(
            low <= sum(feedback[k] for k in ks) <= high for ks, low, high in self.set_ranges()
        )

    def set_ranges(self) -> list[tuple[tuple[int, ...], int, int]]:
        """Return bounds on the total count of several kinds, as tuples (kinds, least, greatest).

        They are needed if a mark may be one of several kinds. With more than three kinds, the
        ranges of single kinds then do not state all that the clue says (Hall, "On Representatives
        of Subsets", 1935). The list is empty if the ranges state everything.
        """
        kinds = len(self.ranges)
        if self.cells is None or kinds < 4 or all(len(cell) < 2 for cell in self.cells):
            return []
        return [
            (
                subset,
                sum(cell != UNREAD and set(cell) <= set(subset) for cell in self.cells),
                sum(cell == UNREAD or not set(cell).isdisjoint(subset) for cell in self.cells),
            )
            for size in range(2, kinds - 1)
            for subset in combinations(range(kinds - 1), size)
        ]

    def kinds_to_write(self) -> list[int]:
        """Return the kinds whose ranges have to be written; the other ranges follow from these."""
        kept = list(range(len(self.ranges)))
        for kind in reversed(range(len(self.ranges))):
            others = [k for k in kept if k != kind]
            whole = (0, self.marks)
            alone = tuple(each if k in others else whole for k, each in enumerate(self.ranges))
            if others and propagate_bounds(alone, self.marks) == self.ranges:
                kept = others
        return kept


def propagate_bounds(ranges: tuple[Range, ...], marks: int) -> tuple[Range, ...]:
    """Narrow ranges of counts as far as the sum of all counts, `marks`, allows.

    The narrowed ranges admit the same counts of this sum. If there are no such counts, some range
    comes back empty: its low is above its high.
    """
    lows, highs = map(sum, zip(*ranges, strict=True))
    bounds = []
    for low, high in ranges:
        bounds.append((max(low, marks - (highs - high)), min(high, marks - (lows - low))))
    return tuple(bounds)
