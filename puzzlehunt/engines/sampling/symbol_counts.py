"""Symbol counts: how often each symbol occurs in a code, at whatever positions.

There are 2.8 * 10^12 codes of 16 positions and 6 colours, but only 20,349 different symbol counts:
few enough to test one by one. Sums of black and white pegs are slow in a solver and fast here.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from math import comb

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.constraints import TRUE, AllOf, AnyOf, At, Bound, Constraint, Literal, Term
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item
from puzzlehunt.kernels.packed_codes import CodeArray, Mask

MOST_COUNTS = 3_000_000
"""At most this many symbol counts are listed for one game."""


class SymbolCounts:
    """All symbol counts of a game's secrets: `table` (N, symbols), how often each symbol occurs."""

    def __init__(self, game: Game, table: CodeArray) -> None:
        self.game = game
        self.table = table
        self._tables: list[tuple[Item, CodeArray]] = []
        """The items of the last call of `allowed`, each with what it and those before it allow."""

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

    def allowed(self, items: Sequence[Item], also: Constraint = TRUE) -> CodeArray:
        """Return (M, symbols): the symbol counts that turns, facts and a constraint allow.

        They are those of all codes that fit, and maybe some others. A turn that may lie allows all.
        """
        pairs = zip(items, self._tables, strict=False)
        tables = [before for item, before in takewhile(lambda pair: pair[0] == pair[1][0], pairs)]
        table = tables[-1][1] if tables else self.table
        for item in items[len(tables) :]:
            if not meaning.may_lie(self.game, item):
                table = table[_allowed_rows(meaning.clue_constraint(self.game, item), table)]
            tables.append((item, table))
        self._tables = tables
        return table if also == TRUE else table[_allowed_rows(also, table)]


def arrangements(table: CodeArray) -> npt.NDArray[np.float64]:
    """Return (N,): how many codes have each row's symbol counts."""
    # A multinomial coefficient is the product of binomial ones, symbol by symbol.
    codes, lengths = np.ones(len(table)), np.zeros(len(table), dtype=np.intp)
    numbers = range(int(table[:1].sum()) + 1)
    binomials = np.array([[comb(n, k) for k in numbers] for n in numbers], float)
    for column in table.T:
        lengths += column
        codes *= binomials[lengths, column]
    return codes


def codes_of_counts(table: CodeArray) -> Callable[[np.random.Generator, int], CodeArray]:
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


@lru_cache(maxsize=2)
def _symbol_counts(length: int, symbols: int, most: int) -> CodeArray:
    """Return (N, symbols): all rows that sum to `length`, of numbers from 0 to `most`.

    Rows descend. Each step adds a column: a row becomes one for each number that may follow.
    """
    rows, missing = np.empty((1, 0), dtype=np.uint8), np.array([length])
    for columns_after in reversed(range(symbols)):
        greatest, least = np.minimum(missing, most), np.maximum(missing - columns_after * most, 0)
        choices = greatest - least + 1
        before = np.repeat(np.arange(len(rows)), choices)
        nth_choice = np.arange(len(before)) - (choices.cumsum() - choices)[before]
        column = greatest[before] - nth_choice
        rows = np.column_stack((rows[before], column.astype(np.uint8)))
        missing = missing[before] - column
    return rows


def _allowed_rows(constraint: Constraint, table: CodeArray) -> Mask:
    """Return a mask of all rows of a table that a constraint allows, and maybe some others."""
    mask = np.full(len(table), not isinstance(constraint, AnyOf))
    match constraint:
        case AllOf(parts):
            for part in reversed(parts):  # the last one, a total, mostly excludes most
                mask[mask] = _allowed_rows(part, table[mask])
        case AnyOf(parts):
            for part in parts:
                mask |= _allowed_rows(part, table)
        case Bound(low, terms, high):
            least, most = _sums(terms, table)
            if low is not None:
                mask &= most >= low
            if high is not None:
                mask &= least <= high
    return mask


def _sums(terms: Iterable[Term], table: CodeArray) -> npt.NDArray[np.int32]:
    """Return (2, N): the least and the greatest sum of weighted literals by each row of a table.

    These bounds need not be reached: literals at different positions count as independent.
    """
    length = int(table[:1].sum())
    bounds: dict[tuple[int, ...], npt.NDArray[np.int32]] = {}
    for weight, literal in terms:
        of_literal = (weight * _truth_bounds(literal, length))[:: 1 if weight > 0 else -1]
        bounds[literal.symbols] = bounds.get(literal.symbols, 0) + of_literal
    sums = np.zeros((2, len(table)), dtype=np.int32)
    for symbols, of_symbols in bounds.items():
        occurrences = table[:, list(symbols)].sum(axis=1, dtype=np.uint8)
        sums += of_symbols.take(occurrences, axis=1)
    return sums


@cache
def _truth_bounds(literal: Literal, length: int) -> npt.NDArray[np.int32]:
    """Return (2, length + 1): whether a literal must be true (0 or 1), and whether it can be.

    The columns are for a code in which the literal's symbols occur 0, 1, ..., `length` times.
    """
    times = np.arange(length + 1)
    if isinstance(literal, At):
        inside = literal.position < length
        certain, possible = (times == length) & inside, (times > 0) & inside
    else:
        certain = possible = times >= literal.times
    return np.array([certain, possible], dtype=np.int32)
