"""Tables of feedbacks: what every secret answers to every guess, as places in a rule's feedbacks.

A rule that counts literals writes each code as two bit-rows, so that the score of a guess against
a secret is two ANDs and two popcounts. A rule of tiles adds up what each tile of a guess gives.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import MOST_TILES
from puzzlehunt.errors import TooLargeError
from puzzlehunt.kernels.codes import Bits, Bytes, Rows

Table: TypeAlias = (
    npt.NDArray[np.uint8] | npt.NDArray[np.uint16] | npt.NDArray[np.uint32] | npt.NDArray[np.uint64]
)
"""Places in a rule's feedbacks (guesses, secrets)."""

BLOCK = 1 << 16
"""Size of a block of feedbacks (cells): it and its temporaries stay in the processor's cache."""
_TILE_CELLS = 1 << 24
"""Cap on what tiles add to secrets, held in memory at once (cells: tiles x secrets)."""
_TABLE_CELLS = 1 << 24
"""Cap on a block of a table that is made block by block (cells)."""
_GUESSES_AT_ONCE = 256
"""Guesses whose tiles are added up together."""


def pair_table(guesses: Rows, secrets: Rows, offsets: Table) -> Table:
    """Return (G, S) feedback indices: offsets[second popcount] + first popcount."""
    table: Table = np.empty((len(guesses), len(secrets)), dtype=offsets.dtype)
    step = max(1, BLOCK // max(1, len(secrets)))
    for start in range(0, len(guesses), step):
        block = slice(start, start + step)
        first = _common(guesses.first[block], secrets.first)
        second = _common(guesses.second[block], secrets.second)
        np.add(offsets[second], first, out=table[block])
    return table


def _common(left: Bits, right: Bits) -> Bytes:
    total: Bytes = np.bitwise_count(left[:, None, 0] & right[None, :, 0])
    for word in range(1, left.shape[1]):
        total += np.bitwise_count(left[:, None, word] & right[None, :, word])
    return total


def unsigned(values: int) -> Any:
    """Return the smallest unsigned type for numbers below `values`. Raises TooLargeError."""
    if values > 1 << 64:
        raise TooLargeError("guesses are too long: their answers are too many to number")
    if values <= 1 << 8:
        return np.uint8
    if values <= 1 << 16:
        return np.uint16
    return np.uint32 if values <= 1 << 32 else np.uint64


def table_blocks(guesses: int, secrets: int) -> Iterator[slice]:
    """Yield slices of the guesses whose tables have at most _TABLE_CELLS cells (or one guess)."""
    step = max(1, _TABLE_CELLS // max(1, secrets))
    yield from (slice(start, start + step) for start in range(0, guesses, step))


@dataclass(frozen=True, slots=True)
class Tile:
    """A symbol of a guess in its place (0-based).

    `earlier` is how often the guess has the symbol before this place, `later` where it has it
    behind.
    """

    place: int
    symbol: int
    earlier: int
    later: tuple[int, ...]


def tiles_of(codes: Bytes, symbols: int, repeats: bool = True) -> Bits:
    """Return each tile of some guesses (N, length) as one number; `tile_of` reads it back.

    Foreign symbols and the end of a short guess are the number 0. Without `repeats` a tile does
    not know where else its symbol stands. Raises TooLargeError.
    """
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
    guesses: Bits, secrets: Bytes, adds: Callable[[Tile, Bytes], Bytes | Table], kind: Any
) -> Table:
    """Return (G, S): the sums of what each tile of a guess adds for each secret.

    `adds` gives what one tile adds, as an array (S,); it is asked once for equal tiles of all
    guesses.
    """
    numbers, where = np.unique(guesses, return_inverse=True)
    where = where.reshape(guesses.shape)
    table: Table = np.empty((len(guesses), len(secrets)), dtype=kind)
    step = max(1, _TILE_CELLS // max(1, len(numbers)))
    for start in range(0, len(secrets), step):
        block = np.ascontiguousarray(secrets[start : start + step].T).T
        rows = np.zeros((len(numbers), len(block)), dtype=kind)
        for row, number in zip(rows, numbers.tolist(), strict=True):
            if number:
                row[:] = adds(tile_of(number), block)
        for first in range(0, len(guesses), _GUESSES_AT_ONCE):
            out = table[first : first + _GUESSES_AT_ONCE, start : start + step]
            places = where[first : first + _GUESSES_AT_ONCE]
            out[:] = rows[places[:, 0]]
            for place in range(1, places.shape[1]):
                out += rows[places[:, place]]
    return table
