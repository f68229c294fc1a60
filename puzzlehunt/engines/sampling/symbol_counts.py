"""Symbol counts: how often each symbol occurs in a code, at whatever positions.

There are 2.8 * 10^12 codes of 16 positions and 6 colours, but only 20,349 different symbol counts:
few enough to test one by one. Constraints on symbol counts, such as the sum of black and white
pegs, are slow in a solver and fast here.
"""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from math import comb
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.constraints import TRUE, AllOf, At, Bound, Constraint, Literal, Term
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Item
from puzzlehunt.kernels.packed_codes import Indices

MOST_COUNTS = 3_000_000
"""At most this many symbol counts are listed for one game."""
_FEW_COUNTS = 10
"""The codes of so few symbol counts are counted for each by itself."""

Mask: TypeAlias = npt.NDArray[np.bool_]
"""(N,): which rows of a table of symbol counts are possible."""
_Table: TypeAlias = npt.NDArray[np.uint8]


class SymbolCounts:
    """All symbol counts of a game's secrets: `table` (N, symbols), how often each symbol occurs."""

    def __init__(self, game: Game, table: _Table) -> None:
        self.game = game
        self.table = table
        self._masks: dict[Item, Mask] = {}
        self._last_asked: tuple[tuple[Item, ...], Indices] = (), np.arange(len(table))

    @classmethod
    def of(cls, game: Game) -> "SymbolCounts | None":
        """Return the symbol counts of a game's secrets; None for a word list, or if too many."""
        space = game.secrets
        if not space.free or game.length > 255:
            return None
        length, symbols = game.length, len(space.alphabet)
        number = comb(symbols, length) if space.distinct else comb(length + symbols - 1, length)
        if number > MOST_COUNTS:
            return None
        return cls(game, _symbol_counts(length, symbols, 1 if space.distinct else length))

    def constraint_mask(self, constraint: Constraint) -> Mask:
        """Return a mask of all symbol counts that a constraint allows, and maybe some others."""
        return _allowed_rows(constraint, self.table)

    def item_mask(self, item: Item) -> Mask:
        """Return the mask of the symbol counts that an item allows: all for a turn that may lie."""
        if item not in self._masks:
            self._masks[item] = self.constraint_mask(self._constraint(item))
        return self._masks[item]

    def _constraint(self, item: Item) -> Constraint:
        if isinstance(item, Fact):
            return item.constraint
        return TRUE if self.game.may_lie(item) else self.game.clue_constraint(item)

    def allowed_places(self, items: Iterable[Item]) -> Indices:
        """Return (M,): the places in `table` that each of some turns and facts allows.

        What was asked last is stored, so that one more item is tested only on the places left.
        """
        items = tuple(items)
        known, places = self._last_asked
        if items[: len(known)] != known:
            known, places = (), np.arange(len(self.table))
        for item in items[len(known) :]:
            if item in self._masks or len(places) == len(self.table):
                places = places[self.item_mask(item)[places]]
            elif len(places):
                places = places[_allowed_rows(self._constraint(item), self.table[places])]
        self._last_asked = items, places
        return places

    def allowed_mask(self, items: Iterable[Item]) -> Mask:
        """Return the mask of the symbol counts that each of some turns and facts allows."""
        mask = np.zeros(len(self.table), dtype=np.bool_)
        mask[self.allowed_places(items)] = True
        return mask

    def allowed(self, items: Iterable[Item]) -> _Table:
        """Return (M, symbols): the symbol counts that each of some turns and facts allows."""
        return self.table[self.allowed_places(items)]

    def codes_with(self, allowed: Mask) -> int:
        """Return the exact number of codes that have one of the allowed symbol counts."""
        if allowed.all():
            return self.game.secrets.size
        if np.count_nonzero(allowed) <= _FEW_COUNTS:
            return sum(map(arrangements, self.table[allowed].tolist()))
        shape_of, codes = self._shapes
        numbers = np.bincount(shape_of[allowed], minlength=len(codes))
        return sum(number * each for number, each in zip(numbers.tolist(), codes, strict=True))

    @cached_property
    def _shapes(self) -> tuple[npt.NDArray[np.int32], list[int]]:
        """The number of each row's shape, (N,): its sorted counts; and how many codes a row has."""
        # A sum of 64 random bits for each count: no two of some thousand shapes have the same one.
        random_bits = np.random.default_rng(0).integers(0, 1 << 64, 256, dtype=np.uint64)
        keys = np.zeros(len(self.table), dtype=np.uint64)
        for column in self.table.T:
            keys += random_bits[column]
        _, first, shape_of = np.unique(keys, return_index=True, return_inverse=True)
        return shape_of.astype(np.int32), [arrangements(row) for row in self.table[first].tolist()]

    def narrowing_places(self, masks: Iterable[Mask]) -> list[int]:
        """Return the places (0-based) of masks that exclude more than all masks before them."""
        allowed = np.ones(len(self.table), dtype=np.bool_)
        chosen = []
        for place, mask in enumerate(masks):
            if (allowed & ~mask).any():
                chosen.append(place)
                allowed &= mask
        return chosen

    def bounds(self, allowed: Mask) -> tuple[list[int], list[int]] | None:
        """Return the least and the greatest count of each symbol; None if nothing is allowed."""
        table = self.table[allowed]
        return (table.min(axis=0).tolist(), table.max(axis=0).tolist()) if len(table) else None


def arrangements(counts: Iterable[int]) -> int:
    """Return how many codes have the given symbol counts."""
    codes, length = 1, 0
    for times in counts:
        length += times
        codes *= comb(length, times)
    return codes


@lru_cache(maxsize=2)
def _symbol_counts(length: int, symbols: int, most: int) -> _Table:
    """Return (N, symbols): all rows that sum to `length`, of numbers from 0 to `most`."""
    by_sum = {total: np.full((1, 1), total, dtype=np.uint8) for total in range(most + 1)}
    for columns in range(1, symbols):
        longer: dict[int, _Table] = {}
        for total in range(min(length, (columns + 1) * most) + 1):
            if columns == symbols - 1 and total != length:
                continue
            blocks = [
                np.insert(by_sum[total - first], 0, first, axis=1)
                for first in range(min(most, total), -1, -1)
                if total - first in by_sum
            ]
            longer[total] = np.concatenate(blocks)
        by_sum = longer
    return by_sum[length]


def _allowed_rows(constraint: Constraint, table: _Table) -> Mask:
    """Return a mask of all rows of a table that a constraint allows, and maybe some others."""
    mask = np.full(len(table), isinstance(constraint, AllOf | Bound))
    match constraint:
        case AllOf(parts):
            for part in reversed(parts):  # the last one, a total, mostly excludes most
                mask[mask] = _allowed_rows(part, table[mask])
        case Bound(low, terms, high):
            least, most = _sums(terms, table)
            if low is not None:
                mask &= most >= low
            if high is not None:
                mask &= least <= high
        case _:
            for part in constraint.parts:
                mask |= _allowed_rows(part, table)
    return mask


def _sums(
    terms: Iterable[Term], table: _Table
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return (N,) twice: bounds, not tight, on a sum of weighted literals, for each row."""
    length = int(table[:1].sum())
    bounds: dict[tuple[int, ...], npt.NDArray[np.int32]] = {}
    for weight, literal in terms:
        least_and_most = weight * _truth_bounds(literal, length)[:: 1 if weight > 0 else -1]
        if literal.symbols in bounds:
            least_and_most += bounds[literal.symbols]
        bounds[literal.symbols] = least_and_most
    least = np.zeros(len(table), dtype=np.int32)
    most = np.zeros(len(table), dtype=np.int32)
    for symbols, (low, high) in bounds.items():
        chosen = list(symbols)
        if len(chosen) == 1:
            occurrences = table[:, chosen[0]]
        else:
            occurrences = table[:, chosen].sum(axis=1, dtype=np.uint8)
        least += low.take(occurrences)
        most += high.take(occurrences)
    return least, most


@lru_cache(maxsize=1 << 12)
def _truth_bounds(literal: Literal, length: int) -> npt.NDArray[np.int32]:
    """Return (2, length + 1): whether a literal must be true, and can be, by its symbols' count."""
    times = np.arange(length + 1)
    if isinstance(literal, At):
        inside = literal.position < length
        certain, possible = (times == length) & inside, (times > 0) & inside
    else:
        places = length if literal.places is None else len(literal.places)
        certain = times - (length - places) >= literal.times
        possible = np.minimum(times, places) >= literal.times
    return np.array([certain, possible], dtype=np.int32)
