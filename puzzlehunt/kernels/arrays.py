"""Arrays of codes, their bit-rows, and the two-popcount kernels that score them by the block.

A rule that counts literals writes each code as two bit-rows, so that the score of a guess against
a secret is two ANDs and two popcounts. Each kernel exists twice: vectorised (numpy), and compiled
(numba), which takes over where the work is worth loading the compiler. They agree exactly.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import FOREIGN, MOST, MOST_TILES, Code
from puzzlehunt.codes.boards import PairSpace
from puzzlehunt.codes.constraints import AllOf, At, Bound, Constraint, Literal
from puzzlehunt.codes.spaces import CodeSpace, SymbolSpace
from puzzlehunt.errors import TooLargeError

Bytes: TypeAlias = npt.NDArray[np.uint8]
Bits: TypeAlias = npt.NDArray[np.uint64]
Mask: TypeAlias = npt.NDArray[np.bool_]
Table: TypeAlias = (
    npt.NDArray[np.uint8] | npt.NDArray[np.uint16] | npt.NDArray[np.uint32] | npt.NDArray[np.uint64]
)
"""Places in a rule's feedbacks."""
Counts: TypeAlias = npt.NDArray[Any]
"""Numbers of codes (int64) or weights (float64)."""

PAD = 255
"""Fills the positions behind the end of a short code."""
LARGEST_SPACE = 4_000_000
"""No array of codes is made longer than this."""

_LOAD_COMPILED = 50_000_000
_USE_COMPILED = 10_000
"""Scores from which loading the compiled kernel pays, and from which using it does once loaded."""
_SHARE_AMONG_CORES = 1_000_000
_BLOCK = 1 << 16
_TILE_CELLS = 1 << 24
_TABLE_CELLS = 1 << 24
_GUESSES_AT_ONCE = 256


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """N codes as arrays: symbol numbers (N, length), and two arrays (N, words) of the rule's own.

    Rules of two popcounts keep bit-rows in them, rules of tiles keep the guesses' tiles in the
    first.
    """

    codes: Bytes
    first: Bits
    second: Bits

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, chosen: npt.NDArray[Any] | slice) -> "Rows":
        return Rows(self.codes[chosen], self.first[chosen], self.second[chosen])


def joined(rows: Rows, more: Rows) -> Rows:
    """Return the codes of both, in their order."""
    return Rows(
        np.concatenate((rows.codes, more.codes)),
        np.concatenate((rows.first, more.first)),
        np.concatenate((rows.second, more.second)),
    )


def array_of(codes: Iterable[Code], length: int) -> Bytes:
    """Return codes as an array (N, length) of symbol numbers, short ones padded."""
    listed = list(codes)
    array = np.full((len(listed), length), PAD, dtype=np.uint8)
    lengths = np.fromiter(map(len, listed), dtype=np.intp, count=len(listed))
    for n in np.unique(lengths):
        places = np.flatnonzero(lengths == n)
        alike = listed if len(places) == len(listed) else [listed[place] for place in places]
        symbols = np.fromiter(chain.from_iterable(alike), np.int16, count=len(places) * int(n))
        symbols[symbols == FOREIGN] = PAD - 1
        array[places, :n] = symbols.reshape(len(places), n)
    return array


def code_of(row: Bytes) -> Code:
    """Return one row of an array of codes as a code."""
    return tuple(FOREIGN if s == PAD - 1 else int(s) for s in row if s != PAD)


def space_array(space: CodeSpace, length: int) -> Bytes:
    """Return all codes of a space in code order. Raises TooLargeError above LARGEST_SPACE."""
    if space.size > LARGEST_SPACE:
        raise TooLargeError(
            f"{space.size:,} codes are too many to list (the limit is {LARGEST_SPACE:,}); "
            "use the symbolic engine"
        )
    if len(space.alphabet) > MOST:
        raise TooLargeError(f"the explicit engine takes at most {MOST} symbols")
    if isinstance(space, PairSpace):
        return space.array()
    if not isinstance(space, SymbolSpace):
        return array_of(space, length)
    blocks = [_all_codes(len(space.alphabet), n, space.distinct) for n in space.lengths]
    padded = [np.pad(b, ((0, 0), (0, length - b.shape[1])), constant_values=PAD) for b in blocks]
    return np.concatenate(padded)


def _all_codes(symbols: int, length: int, distinct: bool) -> Bytes:
    codes = np.zeros((1, 0), dtype=np.uint8)
    every = np.arange(symbols, dtype=np.uint8)
    for _ in range(length):
        longer = np.column_stack((np.repeat(codes, symbols, axis=0), np.tile(every, len(codes))))
        if distinct:
            longer = longer[(longer[:, :-1] != longer[:, -1:]).all(axis=1)]
        codes = longer
    return codes


def place_bits(codes: Bytes, symbols: int) -> Bits:
    """Return bit-rows with bit p * symbols + s set where position p holds the symbol s."""
    count, length = codes.shape
    bits = np.zeros((count, max(1, -(-length * symbols // 64))), dtype=np.uint64)
    for position in range(length):
        column = codes[:, position]
        rows = np.flatnonzero(column < symbols)
        _set_bits(bits, rows, position * symbols + column[rows].astype(np.int64))
    return bits


def repeat_bits(codes: Bytes, symbols: int, repeats: int) -> Bits:
    """Return bit-rows with bit s * repeats + j set where s occurs more than j times."""
    bits = np.zeros((len(codes), max(1, -(-repeats * symbols // 64))), dtype=np.uint64)
    for symbol in range(symbols):
        times = (codes == symbol).sum(axis=1)
        for j in range(repeats):
            rows = np.flatnonzero(times > j)
            if not len(rows):
                break
            _set_bits(bits, rows, np.int64(symbol * repeats + j))
    return bits


def _set_bits(bits: Bits, rows: npt.NDArray[np.intp], places: Any) -> None:
    bits[rows, places >> 6] |= np.uint64(1) << np.asarray(places & 63, dtype=np.uint64)


def satisfied(constraint: Constraint, codes: Bytes) -> Mask:
    """Return which codes of an array (N, length) satisfy a constraint: `holds` for arrays."""
    match constraint:
        case AllOf(parts):
            mask = np.ones(len(codes), dtype=np.bool_)
            for part in parts:
                mask &= satisfied(part, codes)
            return mask
        case Bound(low, terms, high):
            total = np.zeros(len(codes), dtype=np.int64)
            for weight, literal in terms:
                total += weight * _true_of(literal, codes)
            bounds = (low is None or total >= low) & np.asarray(high is None or total <= high)
            return np.broadcast_to(bounds, len(codes))
    mask = np.zeros(len(codes), dtype=np.bool_)
    for part in constraint.parts:
        mask |= satisfied(part, codes)
    return mask


def _true_of(literal: Literal, codes: Bytes) -> Mask:
    if isinstance(literal, At):
        return np.isin(codes[:, literal.position], literal.symbols)
    if literal.places is not None:
        codes = codes[:, literal.places.start : literal.places.stop]
    return np.asarray(np.isin(codes, literal.symbols).sum(axis=1) >= literal.times)


def pair_table(guesses: Rows, secrets: Rows, offsets: Table) -> Table:
    """Return (G, S) feedback indices: offsets[second popcount] + first popcount."""
    table: Table = np.empty((len(guesses), len(secrets)), dtype=offsets.dtype)
    step = max(1, _BLOCK // max(1, len(secrets)))
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


def pair_partitions(
    guesses: Rows,
    secrets: Rows,
    offsets: Table,
    feedbacks: int,
    weights: npt.NDArray[np.float64] | None = None,
) -> Counts:
    """Return (G, feedbacks): how many secrets, or how much weight, give each feedback."""
    work = len(guesses) * len(secrets)
    loaded = _compiled.cache_info().currsize > 0
    if work >= (_USE_COMPILED if loaded else _LOAD_COMPILED) and (compiled := _compiled()):
        counts = np.zeros((len(guesses), feedbacks), np.int64 if weights is None else np.float64)
        each = np.ones(1, np.int64) if weights is None else weights
        shared = work >= _SHARE_AMONG_CORES
        kernel = compiled.pair_partitions_in_parallel if shared else compiled.pair_partitions
        rows = guesses.first, guesses.second, secrets.first, secrets.second
        kernel(*rows, offsets, each, counts)
        return counts
    step = max(1, _BLOCK // max(1, len(secrets)))
    blocks = [
        count_rows(pair_table(guesses[start : start + step], secrets, offsets), feedbacks, weights)
        for start in range(0, len(guesses), step)
    ]
    return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)


def unsigned(values: int) -> Any:
    """Return the smallest type of numbers from 0 for so many values. Raises TooLargeError."""
    if values > 1 << 64:
        raise TooLargeError("guesses are too long: their answers are too many to number")
    if values <= 1 << 8:
        return np.uint8
    if values <= 1 << 16:
        return np.uint16
    return np.uint32 if values <= 1 << 32 else np.uint64


def table_blocks(guesses: int, secrets: int) -> Iterator[slice]:
    """Yield slices of guesses whose tables are not too large."""
    step = max(1, _TABLE_CELLS // max(1, secrets))
    yield from (slice(start, start + step) for start in range(0, guesses, step))


@dataclass(frozen=True, slots=True)
class Tile:
    """A symbol of a guess in its place (0-based).

    `earlier` is how often the guess has it before this place, `later` are its places behind.
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


def count_rows(
    table: Table, feedbacks: int, weights: npt.NDArray[np.float64] | None = None
) -> Counts:
    """Return (G, feedbacks): how often, or with how much weight, each index stands in a row."""
    if weights is None and table.size < _BLOCK:
        shifted = table + np.arange(len(table))[:, None] * feedbacks
        flat = np.bincount(shifted.ravel(), minlength=len(table) * feedbacks)
        return flat.reshape(len(table), feedbacks)
    kind = np.int64 if weights is None else np.float64
    counts = np.empty((len(table), feedbacks), dtype=kind)
    for row, indices in enumerate(table):
        counts[row] = np.bincount(indices, weights, minlength=feedbacks)
    return counts


def count_equal(table: Table, weights: npt.NDArray[np.float64] | None = None) -> Counts:
    """Return (G, S): in each row, how often or with how much weight each index occurs, then 0."""
    guesses, secrets = table.shape
    each = None
    if weights is None:
        ranked = np.sort(table, axis=1)
    else:
        order = np.argsort(table, axis=1, kind="stable")
        ranked, each = np.take_along_axis(table, order, axis=1), weights[order].ravel()
    which = np.zeros((guesses, secrets), dtype=np.int64)
    np.cumsum(ranked[:, 1:] != ranked[:, :-1], axis=1, out=which[:, 1:])
    which += np.arange(guesses)[:, None] * secrets
    counts = np.bincount(which.ravel(), each, minlength=guesses * secrets)
    return counts.reshape(guesses, secrets)


def compiled(load: bool) -> Any:
    """Return the compiled kernels if they are loaded, or are to be; else None."""
    return _compiled() if load or _compiled.cache_info().currsize else None


def load_compiled() -> None:
    """Load the compiled kernel now, for many partitions that are large only together."""
    _compiled()


@cache
def _compiled() -> Any:
    """Return the compiled kernels, None where numba cannot be loaded."""
    try:
        from puzzlehunt.kernels import compiled
    except ImportError:
        return None
    return compiled
