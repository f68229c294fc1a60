"""Symbol counts: how often each symbol occurs, without regard to where.

Codes of 16 positions and 6 colours are 2.8 * 10^12, ways in which their symbols may occur 20,349:
few enough to look at one by one. What turns say of that alone, such as the sum of black and white
pegs, is weak for a solver and quick here.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import comb
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.constraints import (
    TRUE,
    AllOf,
    At,
    Bound,
    Constraint,
    Literal,
    Term,
)
from puzzlehunt.codes.spaces import SymbolSpace
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Item

MOST_COUNTS = 3_000_000
"""Games with more ways in which symbols may occur are not looked at way by way."""

Mask: TypeAlias = npt.NDArray[np.bool_]
"""(N,): which rows of a table of symbol counts are left."""
_Table: TypeAlias = npt.NDArray[np.uint8]


class SymbolCounts:
    """All ways in which symbols may occur in a game: `table` (N, symbols), how often each does."""

    def __init__(self, game: Game, table: npt.NDArray[np.uint8]) -> None:
        self.game = game
        self.table = table
        self._masks: dict[Item, Mask] = {}

    @classmethod
    def of(cls, game: Game) -> "SymbolCounts | None":
        """Return the symbol counts of a game's secrets, None where they are too many or words.

        A secret is one code of any symbols, which may have to differ.
        """
        space = game.secrets
        if not isinstance(space, SymbolSpace) or game.length > 255:
            return None
        length, symbols = game.length, len(space.alphabet)
        number = comb(symbols, length) if space.distinct else comb(length + symbols - 1, length)
        if number > MOST_COUNTS:
            return None
        return cls(game, _symbol_counts(length, symbols, 1 if space.distinct else length))

    def fitting(self, constraint: Constraint) -> Mask:
        """Return which symbol counts some code may have that satisfies a constraint.

        Where they are ruled out, so is every code that has them; not the other way round.
        """
        match constraint:
            case AllOf(parts):
                mask = np.ones(len(self.table), dtype=np.bool_)
                for part in parts:
                    mask &= self.fitting(part)
                return mask
            case Bound(low, terms, high):
                least, most = _sums(terms, self.table)
                fits = np.ones(len(self.table), dtype=np.bool_)
                if low is not None:
                    fits &= most >= low
                if high is not None:
                    fits &= least <= high
                return fits
        mask = np.zeros(len(self.table), dtype=np.bool_)
        for part in constraint.parts:
            mask |= self.fitting(part)
        return mask

    def mask(self, item: Item) -> Mask:
        """Return which symbol counts a turn or a fact leaves; a turn that may lie says nothing."""
        if item not in self._masks:
            if isinstance(item, Fact):
                said = item.constraint
            else:
                said = TRUE if self.game.may_lie(item) else self.game.clue_constraint(item)
            self._masks[item] = self.fitting(said)
        return self._masks[item]

    def left(self, items: Iterable[Item]) -> Mask:
        """Return which symbol counts turns and facts leave."""
        mask = np.ones(len(self.table), dtype=np.bool_)
        for item in items:
            mask &= self.mask(item)
        return mask

    def enough(self, masks: Iterable[Mask]) -> list[int]:
        """Return the places of masks that together leave no more than all of them do.

        The earlier ones are taken first.
        """
        left = np.ones(len(self.table), dtype=np.bool_)
        chosen = []
        for place, mask in enumerate(masks):
            if (left & ~mask).any():
                chosen.append(place)
                left &= mask
        return chosen

    def between(self, masks: Iterable[Mask]) -> tuple[list[int], list[int]] | None:
        """Return how often each symbol occurs at least, and at most; None if nothing is left."""
        left = np.ones(len(self.table), dtype=np.bool_)
        for mask in masks:
            left &= mask
        table = self.table[left]
        if not len(table):
            return None
        return table.min(axis=0).tolist(), table.max(axis=0).tolist()


@lru_cache(maxsize=2)
def _symbol_counts(length: int, symbols: int, most: int) -> _Table:
    """Return all ways to write a length as a sum, one number a symbol, none above the most."""
    sums = {left: np.full((1, 1), left, dtype=np.uint8) for left in range(most + 1)}
    for columns in range(1, symbols):
        longer: dict[int, _Table] = {}
        for left in range(min(length, (columns + 1) * most) + 1):
            if columns == symbols - 1 and left != length:
                continue
            blocks = [
                np.insert(sums[left - first], 0, first, axis=1)
                for first in range(min(most, left), -1, -1)
                if left - first in sums
            ]
            longer[left] = np.concatenate(blocks)
        sums = longer
    return sums[length]


def _sums(
    terms: Iterable[Term], table: _Table
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the least and the most that weighted literals add up to, for each row.

    Each literal is bounded by itself, but for those that say how often a symbol occurs.
    """
    length = int(table[0].sum())
    bounds: dict[tuple[int, ...], npt.NDArray[np.int32]] = {}
    often = np.arange(length + 1)
    for weight, literal in terms:
        surely, maybe = _true_of(literal, often, length)
        sums = bounds.setdefault(literal.symbols, np.zeros((2, length + 1), dtype=np.int32))
        sums += weight * np.array([surely, maybe] if weight > 0 else [maybe, surely])
    least = np.zeros(len(table), dtype=np.int32)
    most = np.zeros(len(table), dtype=np.int32)
    for symbols, (low, high) in bounds.items():
        chosen = list(symbols)
        occur = (
            table[:, chosen[0]]
            if len(chosen) == 1
            else table[:, chosen].sum(axis=1, dtype=np.uint8)
        )
        least += low.take(occur)
        most += high.take(occur)
    return least, most


def _true_of(literal: Literal, often: npt.NDArray[np.intp], length: int) -> tuple[Mask, Mask]:
    """Return whether a literal is surely true, or may be, if its symbols occur so often."""
    if isinstance(literal, At):
        inside = literal.position < length
        return (often == length) & inside, (often > 0) & inside
    if literal.places is None:
        return often >= literal.times, often >= literal.times
    places = len(literal.places)
    return often - (length - places) >= literal.times, np.minimum(often, places) >= literal.times
