"""Kinds of marks, and a clue about their counts: a range for each kind, not a list of feedbacks."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import NamedTuple, TypeAlias

import numpy as np

from puzzlehunt.rules.notation.clue import UNREAD, Cell, FeedbackArray, Mask, Parts
from puzzlehunt.rules.notation.synonyms import COLOUR_OF, SIGNS

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
        narrower = min(other, self, key=lambda clue: len([*clue]))
        common = sum(feedback in self for feedback in other)
        both = self._together(other)
        is_both = both is not None and 0 < common == len([*both]) < len([*narrower])
        return both if is_both else narrower if common else None

    def _together(self, other: "CountClue") -> "CountClue | None":
        """Return the marks of both clues if each is of one certain kind, or else their ranges."""
        if self.cells is not None and other.cells is not None:
            read = list(filter(None, (Counter(self.cells) | Counter(other.cells)).elements()))
            if all(len(cell) == 1 for cell in read):
                return other.with_cells(read + [UNREAD] * (self.marks - len(read)))
        pairs = zip(self.ranges, other.ranges, strict=True)
        ranges = [(max(a[0], b[0]), min(a[1], b[1])) for a, b in pairs]
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
            others = [k for k in kept if k != kind]
            alone = tuple(self.ranges[k] if k in others else (0, self.marks) for k in kinds)
            if others and propagate_bounds(alone, self.marks) == self.ranges:
                kept = others
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
    unread = [UNREAD] * cells.count(UNREAD)
    may_be = [*chain.from_iterable(cells), *[*range(kinds)] * len(unread)]
    ranges = [(cells.count((kind,)), may_be.count(kind)) for kind in range(kinds)]
    ordered = [*sorted(sorted(filter(None, cells)), key=len), *unread]
    return CountClue(tuple(ranges), len(cells), tuple(ordered), rest)


def of_ranges(ranges: Sequence[Range], marks: int, rest: Parts = ()) -> CountClue | None:
    """Return the clue with a range for each kind; None if no counts in them sum to `marks`."""
    tight = propagate_bounds(tuple(ranges), marks)
    if any(low > high for low, high in (*tight, *ranges)):
        return None
    if all(low == high for low, high in tight):
        cells = [(kind,) for kind, (count, _) in enumerate(tight) for _ in range(count)]
        return of_cells(cells, len(tight), rest)
    return CountClue(tight, marks, None, rest)


_WITHOUT_PLURAL = {*SIGNS, "grey", "gray", "common", "later", "earlier"}


def plural(label: str) -> str:
    """Return the plural of a label: gears, misses, but black."""
    if label.endswith(("s", "ch", "sh", "x")):
        return f"{label}es"
    if label == "half":
        return "halves"
    return label if label in _WITHOUT_PLURAL else label + "s"


class Kind(NamedTuple):
    """A kind of mark: the rule's name, the game's name (label), and its mark, or None.

    Labels with a plural are written as counts (2 bulls), others as marks (BBW).
    """

    name: str
    label: str
    mark: str | None


_OF_NAMES = {
    "match": "⚫", "white": "⚪", "common": "⚪", "half": "🟡", "later": "🔼", "earlier": "🔽",
    "miss": "⭕",
}  # fmt: skip
"""The circles for kinds that no game calls by a colour, by the rule's name; others are black."""
BLACK = SIGNS["black"][0]
"""The circle for black; one for each symbol of the secret is the winning feedback."""


def sign_of(kind: Kind) -> str:
    """Return the circle for marks of a kind."""
    return SIGNS.get(kind.label, _OF_NAMES.get(kind.name, BLACK))[0]


def kinds_of_signs(kinds: Sequence[Kind]) -> dict[str, int]:
    """Return the kinds (by number) that circles, and other signs of their colours, stand for."""
    of_signs: dict[str, int] = {}
    for number, kind in reversed([*enumerate(kinds)]):
        sign = sign_of(kind)
        of_signs |= dict.fromkeys(SIGNS.get(COLOUR_OF.get(sign, ""), sign), number)
    return of_signs
