"""Symbol counts: how often each symbol occurs in a code, at whatever positions.

There are 2.8 * 10^12 codes of 16 positions and 6 colours, but only 20,349 different symbol counts:
few enough to test one by one. Constraints on symbol counts, such as the sum of black and white
pegs, are slow in a solver and fast here.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from math import comb
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.constraints import TRUE, AllOf, At, Bound, Constraint, Literal, Term
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Item
from puzzlehunt.kernels.packed_codes import CodeArray, Mask

MOST_COUNTS = 3_000_000
"""At most this many symbol counts are listed for one game."""

_Table: TypeAlias = npt.NDArray[np.uint8]


class SymbolCounts:
    """All symbol counts of a game's secrets: `table` (N, symbols), how often each symbol occurs."""

    def __init__(self, game: Game, table: _Table) -> None:
        self.game = game
        self.table = table
        self._asked: list[tuple[Item, _Table]] = []
        """The items that were last asked about, each with what it and those before it allow."""

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

    def allowed(self, items: Sequence[Item], also: Constraint = TRUE) -> _Table:
        """Return (M, symbols): the symbol counts that turns, facts and a constraint allow.

        They are those of all codes that fit, and maybe some others. A turn that may lie allows all.
        """
        pairs = zip(items, self._asked, strict=False)
        asked = [known for item, known in takewhile(lambda pair: pair[0] == pair[1][0], pairs)]
        table = asked[-1][1] if asked else self.table
        for item in items[len(asked) :]:
            table = table[_allowed_rows(self._constraint(item), table)]
            asked.append((item, table))
        self._asked = asked
        return table if also == TRUE else table[_allowed_rows(also, table)]

    def _constraint(self, item: Item) -> Constraint:
        if isinstance(item, Fact):
            return item.constraint
        return TRUE if self.game.may_lie(item) else self.game.clue_constraint(item)


def arrangements(table: _Table) -> npt.NDArray[np.float64]:
    """Return (N,): how many codes have each row's symbol counts."""
    codes, lengths = np.ones(len(table)), np.zeros(len(table), dtype=np.intp)
    longest = int(table[:1].sum())
    choices = np.array(
        [[comb(n, k) for k in range(longest + 1)] for n in range(longest + 1)], float
    )
    for column in table.T:
        lengths += column
        codes *= choices[lengths, column]
    return codes


def codes_of_counts(table: _Table) -> Callable[[np.random.Generator, int], CodeArray]:
    """Return a function that draws so many codes, (N, length), whose symbol counts are in a table.

    All such codes are equally likely.
    """
    cumulated, symbols = np.cumsum(arrangements(table)), np.arange(table.shape[1], dtype=np.uint8)

    def random_codes(generator: np.random.Generator, size: int) -> CodeArray:
        some = generator.random(size) * cumulated[-1]
        picked = np.minimum(np.searchsorted(cumulated, some, side="right"), len(table) - 1)
        codes = np.repeat(np.tile(symbols, size), table.take(picked, axis=0).ravel())
        return _shuffled(codes.reshape(size, -1), generator)

    return random_codes


def _shuffled(codes: CodeArray, generator: np.random.Generator) -> CodeArray:
    """Return codes (N, length), each in a random order: that of random numbers before symbols.

    Two of the 24-bit numbers are equal in about one of 10^5 codes, too few to be seen in a sample.
    """
    pairs = generator.integers(0, 2**64, -(-codes.size // 2), dtype=np.uint64)
    numbers = pairs.view(np.uint32)[: codes.size].reshape(codes.shape)
    keys = numbers & ~np.uint32(255) | codes
    keys.sort(axis=1)
    return keys.astype(np.uint8)


def bounds_of(table: _Table) -> tuple[list[int], list[int]] | None:
    """Return the least and the greatest count of each symbol in a table; None if it is empty."""
    return (table.min(axis=0).tolist(), table.max(axis=0).tolist()) if len(table) else None


@lru_cache(maxsize=2)
def _symbol_counts(length: int, symbols: int, most: int) -> _Table:
    """Return (N, symbols): all rows that sum to `length`, of numbers from 0 to `most`."""
    rows, left = np.empty((1, 0), dtype=np.uint8), np.array([length])
    for more in reversed(range(symbols)):
        highest, lowest = np.minimum(left, most), np.maximum(left - more * most, 0)
        numbers = highest - lowest + 1
        chosen = np.repeat(np.arange(len(rows)), numbers)
        less = np.arange(len(chosen)) - (numbers.cumsum() - numbers)[chosen]
        column = highest[chosen] - less
        rows = np.column_stack((rows[chosen], column.astype(np.uint8)))
        left = left[chosen] - column
    return rows


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
        occurrences = np.zeros(len(table), dtype=np.uint8)
        for symbol in symbols:
            occurrences += table[:, symbol]
        least += low.take(occurrences)
        most += high.take(occurrences)
    return least, most


@cache
def _truth_bounds(literal: Literal, length: int) -> npt.NDArray[np.int32]:
    """Return (2, length + 1): whether a literal must be true, and can be, by its symbols' count."""
    times = np.arange(length + 1)
    if isinstance(literal, At):
        inside = literal.position < length
        certain, possible = (times == length) & inside, (times > 0) & inside
    else:
        certain = possible = times >= literal.times
    return np.array([certain, possible], dtype=np.int32)
