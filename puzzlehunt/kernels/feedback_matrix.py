"""Tables of feedbacks: the feedback of every secret to every guess, as indices in a rule's list.

A partition has, for each feedback to a guess, the number or the weight of the secrets with it.

For a rule that counts true literals, each code is stored as two bit-rows, so that the score of a
guess against a secret takes two ANDs and two popcounts (a popcount is the number of bits that are
1). For a rule that looks at the tiles of a guess, the feedback is a sum of one number for each
tile.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import MOST_TILES, PAD
from puzzlehunt.errors import TooLargeError
from puzzlehunt.kernels.packed_codes import Bits, CodeArray, PackedCodes

Counts: TypeAlias = npt.NDArray[Any]
"""An array of counts: numbers of codes (int64), or sums of their weights (float64)."""
Table: TypeAlias = (
    npt.NDArray[np.uint8] | npt.NDArray[np.uint16] | npt.NDArray[np.uint32] | npt.NDArray[np.uint64]
)
"""An array (guesses, secrets) of indices in a rule's `feedbacks`."""

BLOCK = 1 << 16
"""Size of a block of feedbacks (cells) that fits the processor's cache with temporary arrays."""
_MOST_CELLS = 1 << 24
"""Cap on a block of a table, and on the summands of all tiles for some secrets (cells)."""


def popcount_table(guesses: PackedCodes, secrets: PackedCodes, dtype: Any) -> Table:
    """Return the feedback of each secret to each guess (guesses, secrets), from two popcounts.

    If guess and secret have m of their `position_bits` and n of their `count_bits` in common, the
    feedback is n * (n + 1) / 2 + m, which the type has to hold.
    """
    rows, columns = len(guesses.codes), len(secrets.codes)
    table: Table = np.empty((rows, columns), dtype)
    step = max(1, BLOCK // max(1, columns))
    in_common: Callable[[Any, Any], CodeArray] = _common_bits
    (ours, our_counts), (theirs, their_counts) = guesses.bits, secrets.bits
    if ours.shape[1] > 1:
        # Symbols are compared faster than several words; PAD becomes foreign, as no secret is.
        ours = np.where(guesses.codes == PAD, PAD - 1, guesses.codes)
        in_common, theirs = _common_symbols, np.asfortranarray(secrets.codes)
    for row, column in product(range(0, rows, step), range(0, columns, BLOCK)):
        block, part = slice(row, row + step), slice(column, column + BLOCK)
        places = in_common(ours[block], theirs[part])
        repeats = _common_bits(our_counts[block], their_counts[part])
        # The even one of n and n + 1 is halved first: products that small types hold are fast.
        offsets = np.multiply(repeats + 1 >> 1, repeats | 1, dtype=dtype)
        np.add(offsets, places, out=table[block, part])
    return table


def _common_symbols(guesses: CodeArray, secrets: CodeArray) -> CodeArray:
    """Return (guesses, secrets): how many positions hold the same symbol."""
    total: CodeArray = np.zeros((len(guesses), len(secrets)), dtype=np.uint8)
    for ours, theirs in zip(guesses.T, secrets.T, strict=True):
        total += (ours[:, None] == theirs).view(np.uint8)
    return total


def _common_bits(guesses: Bits, secrets: Bits) -> CodeArray:
    """Return (guesses, secrets): how many bits two bit-rows (N, words) have in common."""
    total: CodeArray = np.bitwise_count(guesses[:, None, 0] & secrets[None, :, 0])
    for word in range(1, guesses.shape[1]):
        if guesses[:, word].any():
            total += np.bitwise_count(guesses[:, None, word] & secrets[None, :, word])
    return total


def unsigned_type(values: int) -> Any:
    """Return the smallest unsigned numpy type that holds the numbers 0 to `values` - 1.

    Raises TooLargeError if the numbers need more than 64 bits.
    """
    if values > 1 << 64:
        raise TooLargeError("guesses are too long: their answers are too many to number")
    types = (np.uint8, np.uint16, np.uint32, np.uint64)
    return next(each for each in types if values - 1 <= np.iinfo(each).max)


def table_blocks(guesses: int, secrets: int, cells: int = _MOST_CELLS) -> Iterator[slice]:
    """Yield slices of guesses, at least one, whose tables have at most `cells` cells."""
    step = max(1, cells // max(1, secrets))
    yield from (slice(start, start + step) for start in range(0, max(1, guesses), step))


@dataclass(frozen=True, slots=True)
class Tile:
    """One symbol of a guess, and its `place` (0-based position) there.

    `earlier` is how often the guess has the same symbol before this place; `later` are the places
    after it that have the same symbol.
    """

    place: int
    symbol: int
    earlier: int
    later: tuple[int, ...]


def tiles_of(codes: CodeArray, symbols: int, later: bool = True) -> Bits:
    """Return each tile of some guesses as one number (N, length); `tile_of` reads it back.

    Foreign symbols, and the places after the end of a short guess, are the number 0. Without
    `later`, the places `later` are left out of every tile. With them, raises TooLargeError for
    guesses of more than MOST_TILES symbols.
    """
    # Bits 0 to 7 hold the place, 8 to 15 the symbol, 16 to 23 `earlier`, bit 24 + p is set for each
    # later place p, and bit 63 is always set, so that no tile is the number 0.
    count, length = codes.shape
    if later and length > MOST_TILES:
        raise TooLargeError(f"guesses of {length} symbols are too long; at most {MOST_TILES}")
    tiles = np.zeros((count, length), dtype=np.uint64)
    for place in range(length):
        column = codes[:, place]
        number = np.full(count, place, dtype=np.uint64) | column.astype(np.uint64) << 8
        for other in range(length if later else place):
            if other != place:
                same = (codes[:, other] == column).astype(np.uint64)
                number += same << np.uint64(16 if other < place else 24 + other)
        tiles[:, place] = np.where(column < symbols, number + np.uint64(1 << 63), 0)
    return tiles


@lru_cache(1 << 12)
def tile_of(number: int) -> Tile:
    """Return the tile that was encoded as a number by `tiles_of`."""
    later = tuple(place for place in range(MOST_TILES) if number >> (24 + place) & 1)
    return Tile(number & 0xFF, number >> 8 & 0xFF, number >> 16 & 0xFF, later)


def sum_table(
    guesses: CodeArray,
    symbols: int,
    secrets: CodeArray,
    summands_of: Callable[[Tile, CodeArray], CodeArray | Table],
    dtype: npt.DTypeLike,
    later: bool = True,
) -> Table:
    """Return a table (guesses, secrets), each cell of which is a sum of one number for each tile.

    `summands_of` returns these numbers for one tile of a guess and some secrets, as an array
    (secrets,). It is called once, for each block of secrets, for equal tiles of all guesses. Symbol
    numbers of `symbols` or more add nothing. `later` is explained at `tiles_of`.
    """
    guess_tiles = tiles_of(guesses, symbols, later)
    numbers, tile_indices = np.unique(guess_tiles, return_inverse=True)
    table: Table = np.empty((len(guess_tiles), len(secrets)), dtype=dtype)
    for columns in table_blocks(len(secrets), len(numbers)):
        block = np.ascontiguousarray(secrets[columns].T).T
        summands = np.zeros((len(numbers), len(block)), dtype=dtype)
        for row, number in zip(summands, numbers.tolist(), strict=True):
            if number:
                row[:] = summands_of(tile_of(number), block)
        for first in range(0, len(guess_tiles), 256):
            out = table[first : first + 256, columns]
            indices = tile_indices[first : first + 256]
            out[:] = summands[indices[:, 0]]
            for place in range(1, indices.shape[1]):
                out += summands[indices[:, place]]
    return table


# Partitions: for each guess, the number or the weight of the secrets with each feedback.


def popcount_partitions(
    guesses: PackedCodes,
    secrets: PackedCodes,
    offsets: Table,
    feedbacks: int,
    weights: npt.NDArray[np.float64] | None = None,
) -> Counts:
    """Return the number of secrets with each feedback to each guess (guesses, feedbacks).

    With `weights` (secrets,), returns the sum of their weights instead. `offsets` are explained at
    `Rule.pair_offsets`. Compiled kernels count.
    """
    from puzzlehunt.kernels.compiled import grouping
    from puzzlehunt.kernels.compiled.threads import LEAST_SHARED, parallel_for

    counts = np.zeros((len(guesses), feedbacks), np.int64 if weights is None else np.float64)
    secret_weights = np.ones(1, np.int64) if weights is None else weights
    secret_bits = secrets.bits

    def fill(begin: int, end: int) -> None:
        bits = *guesses[begin:end].bits, *secret_bits
        grouping.popcount_partitions(*bits, offsets, secret_weights, counts[begin:end])

    parallel_for(fill, len(guesses), math.ceil(LEAST_SHARED / max(1, len(secrets))))
    return counts


def partitions_of_every_code(guesses: CodeArray, symbols: int) -> Counts:
    """Return what `popcount_partitions` does if every code of the same length may be the secret.

    The counts are exact, and no code is scored.
    """
    times = [np.count_nonzero(guesses == symbol, axis=1) for symbol in range(symbols)]
    counts = [_in_common_and_in_place(own, guesses.shape[1]) for own in zip(*times, strict=True)]
    in_common, in_place = np.tril_indices(guesses.shape[1] + 1)
    return np.array(counts)[:, in_common, in_place]


def _in_common_and_in_place(times: Sequence[int], length: int) -> Counts:
    """Return how many of all codes have n symbols in common with a guess, m of them in place.

    The counts are (length + 1, length + 1), by n and then by m. `times` is how often the guess has
    each symbol of the alphabet. The generating function of the codes in which some places are held
    by the guess's symbols, whatever the others hold, is a product over the symbols; inclusion and
    exclusion turn "at least these" into "only these".
    """
    size = length + 1
    choose = np.array([[math.comb(n, k) for k in range(size)] for n in range(size)])
    # By how many places are held, how many others are filled, and how many symbols are in common.
    ways = np.zeros((size, size, size), np.int64)
    ways[0, 0, 0] = 1
    for own in times:
        before, ways = ways, np.zeros_like(ways)
        for held, filled in product(range(own + 1), range(size)):
            if held + filled < size:
                common = min(own, held + filled)
                orders = choose[own, held] * choose[filled:, filled, None]
                less = before[: size - held, : size - filled, : size - common]
                ways[held:, filled:, common:] += orders * less
    numbers = np.arange(size)
    signs = np.where((numbers + numbers[:, None]) % 2, -1, 1)
    return np.asarray((signs * choose.T @ ways[numbers, length - numbers]).T)


def table_partitions(
    table: Table, feedbacks: int, weights: npt.NDArray[np.float64] | None = None
) -> Counts:
    """Return the number of secrets with each feedback in each row of a table (guesses, feedbacks).

    With `weights` (secrets,), returns the sum of their weights instead. `table` (guesses, secrets)
    holds indices of feedbacks.
    """
    blocks = []
    for rows in table_blocks(len(table), table.shape[1], BLOCK):
        block = table[rows]  # its rows are counted as one long row, each with numbers of its own
        shifted = (block + np.arange(len(block))[:, None] * feedbacks).ravel()
        repeated = None if weights is None else weights[None].repeat(len(block), axis=0).ravel()
        counts = np.bincount(shifted, repeated, minlength=len(block) * feedbacks)
        blocks.append(counts.reshape(len(block), feedbacks))
    return np.concatenate(blocks)


def entropy_terms(chances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return what each probability adds to the entropy of a distribution (bits)."""
    logs = np.log2(chances, out=np.zeros_like(chances), where=chances > 0)
    return np.asarray(-chances * logs)


def relabelled(table: Table) -> Table:
    """Return a table (guesses, secrets) whose rows are renumbered from 0 without gaps, in order.

    It has no more feedbacks than secrets, so that counts of its parts take little memory.
    """
    order = np.argsort(table, axis=1)
    ordered = np.take_along_axis(table, order, axis=1)
    numbers = np.zeros(table.shape, np.intp)
    labels = np.empty(table.shape, unsigned_type(table.shape[1]))
    np.cumsum(ordered[:, 1:] != ordered[:, :-1], axis=1, out=numbers[:, 1:])
    np.put_along_axis(labels, order, numbers, axis=1)
    return labels
