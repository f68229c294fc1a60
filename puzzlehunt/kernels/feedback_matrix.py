"""Tables of feedbacks: what every secret answers to every guess, as indices in a rule's feedbacks.

A rule that counts true literals writes each code as two bit-rows, so that the score of a guess
against a secret is two ANDs and two popcounts (numbers of bits). A rule that looks at the tiles of
a guess adds up one number for each tile.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import MOST_TILES
from puzzlehunt.errors import TooLargeError
from puzzlehunt.kernels.packed_codes import Bits, CodeArray, Indices, PackedCodes

Counts: TypeAlias = npt.NDArray[Any]
"""Numbers of codes (int64) or weights (float64)."""
Table: TypeAlias = (
    npt.NDArray[np.uint8] | npt.NDArray[np.uint16] | npt.NDArray[np.uint32] | npt.NDArray[np.uint64]
)
"""Indices in a rule's `feedbacks` (guesses, secrets)."""

BLOCK = 1 << 16
"""Size of a block of feedbacks (cells): it and its temporaries stay in the processor's cache."""
_TILE_CELLS = 1 << 24
"""Cap on the array of what each tile adds for each secret (cells: tiles x secrets)."""
_TABLE_CELLS = 1 << 24
"""Cap on a block of a table that is made block by block (cells)."""
_GUESSES_AT_ONCE = 256
"""Number of guesses whose tiles are added up together."""


def popcount_table(guesses: PackedCodes, secrets: PackedCodes, offsets: Table) -> Table:
    """Return the feedback of each guess and secret (guesses, secrets), from two popcounts.

    With m of their `position_bits` and n of their `count_bits` in common it is offsets[n] + m.
    """
    rows, columns = len(guesses.codes), len(secrets.codes)
    table: Table = np.empty((rows, columns), dtype=offsets.dtype)
    step = max(1, BLOCK // max(1, columns))
    for start in range(0, rows, step):
        block = slice(start, start + step)
        totals: list[CodeArray] = []
        for left, right in (
            (guesses.position_bits[block], secrets.position_bits),
            (guesses.count_bits[block], secrets.count_bits),
        ):
            total: CodeArray = np.bitwise_count(left[:, None, 0] & right[None, :, 0])
            for word in range(1, left.shape[1]):
                total += np.bitwise_count(left[:, None, word] & right[None, :, word])
            totals.append(total)
        places, repeats = totals
        np.add(offsets[repeats], places, out=table[block])
    return table


def unsigned_type(values: int) -> Any:
    """Return the smallest unsigned type for the numbers 0 to `values` - 1.

    Raises TooLargeError if they need more than 64 bits.
    """
    if values > 1 << 64:
        raise TooLargeError("guesses are too long: their answers are too many to number")
    if values <= 1 << 8:
        return np.uint8
    if values <= 1 << 16:
        return np.uint16
    return np.uint32 if values <= 1 << 32 else np.uint64


def table_blocks(guesses: int, secrets: int, cells: int = _TABLE_CELLS) -> Iterator[slice]:
    """Yield slices of guesses whose tables have at most `cells` cells (at least one guess each)."""
    step = max(1, cells // max(1, secrets))
    yield from (slice(start, start + step) for start in range(0, guesses, step))


@dataclass(frozen=True, slots=True)
class Tile:
    """The symbol of a guess at a place, its position (0-based).

    `earlier` is how often the guess has the symbol before this place, `later` are the places after
    it at which the guess has the symbol again.
    """

    place: int
    symbol: int
    earlier: int
    later: tuple[int, ...]


def tiles_of(codes: CodeArray, symbols: int, repeats: bool = True) -> Bits:
    """Return each tile of some guesses (N, length) as one number; `tile_of` reads it back.

    Foreign symbols and the end of a short guess are the number 0. Without `repeats` the tiles have
    `earlier` 0 and no `later`. Raises TooLargeError for guesses of more than MOST_TILES symbols.
    """
    # Bits 0 to 7 hold the place, 8 to 15 the symbol, 16 to 21 `earlier`, bit 22 + p is set for each
    # later place p, and bit 63 is always set, so that no tile is the number 0.
    count, length = codes.shape
    if repeats and length > MOST_TILES:
        raise TooLargeError(f"guesses of {length} symbols are too long; at most {MOST_TILES}")
    tiles = np.zeros((count, length), dtype=np.uint64)
    for place in range(length):
        column = codes[:, place]
        number = np.full(count, place, dtype=np.uint64) | column.astype(np.uint64) << 8
        for other in range(length if repeats else 0):
            same = (codes[:, other] == column).astype(np.uint64)
            if other < place:
                number += same << np.uint64(16)
            elif other > place:
                number |= same << np.uint64(22 + other)
        tiles[:, place] = np.where(column < symbols, number + np.uint64(1 << 63), 0)
    return tiles


def tile_of(number: int) -> Tile:
    """Return the tile that a number of `tiles_of` stands for."""
    later = tuple(place for place in range(MOST_TILES) if number >> (22 + place) & 1)
    return Tile(number & 0xFF, number >> 8 & 0xFF, number >> 16 & 0x3F, later)


def sum_table(
    guesses: CodeArray,
    symbols: int,
    secrets: CodeArray,
    summands_of: Callable[[Tile, CodeArray], CodeArray | Table],
    dtype: Any,
    repeats: bool = True,
) -> Table:
    """Return for each guess and secret the sum of what the guess's tiles add (guesses, secrets).

    `summands_of` returns what one tile adds for each secret (secrets,); it is called once for equal
    tiles of all guesses. `symbols` and `repeats` are as in `tiles_of`.
    """
    guess_tiles = tiles_of(guesses, symbols, repeats)
    numbers, tile_indices = np.unique(guess_tiles, return_inverse=True)
    tile_indices = tile_indices.reshape(guess_tiles.shape)
    table: Table = np.empty((len(guess_tiles), len(secrets)), dtype=dtype)
    step = max(1, _TILE_CELLS // max(1, len(numbers)))
    for start in range(0, len(secrets), step):
        block = np.ascontiguousarray(secrets[start : start + step].T).T
        summands = np.zeros((len(numbers), len(block)), dtype=dtype)
        for row, number in zip(summands, numbers.tolist(), strict=True):
            if number:
                row[:] = summands_of(tile_of(number), block)
        for first in range(0, len(guess_tiles), _GUESSES_AT_ONCE):
            out = table[first : first + _GUESSES_AT_ONCE, start : start + step]
            indices = tile_indices[first : first + _GUESSES_AT_ONCE]
            out[:] = summands[indices[:, 0]]
            for place in range(1, indices.shape[1]):
                out += summands[indices[:, place]]
    return table


def relabel_dense(
    table: Table, members: npt.NDArray[np.int32], order: Indices, winning: int, feedbacks: int
) -> Table:
    """Return a table (secrets, guesses) with the guesses in an order, and the answers from 1 up.

    Each guess has its own numbers, only for answers that its members give; the winning answer is 0.
    """
    guesses = np.arange(len(order))
    occurs = np.zeros((feedbacks, len(order)), dtype=np.bool_)
    for member in members:
        occurs[table[member, order], guesses] = True
    occurs[winning] = False
    numbers = np.cumsum(occurs, axis=0, dtype=table.dtype)
    numbers[winning] = 0
    numbered = np.zeros_like(table)
    for member in members:
        numbered[member] = numbers[table[member, order], guesses]
    return numbered
