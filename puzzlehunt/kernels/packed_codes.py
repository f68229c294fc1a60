"""Arrays of codes, their bit-rows, and masks of the codes that satisfy a constraint.

A bit-row has one bit for each literal, in words of 64 bits; the bit is 1 if the literal is true of
the code.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import chain
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import FOREIGN, MOST_SYMBOLS, PAD, Code
from puzzlehunt.codes.constraints import AllOf, AnyOf, At, Bound, Constraint, Literal
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.errors import TooLargeError

CodeArray: TypeAlias = npt.NDArray[np.uint8]
Bits: TypeAlias = npt.NDArray[np.uint64]
Mask: TypeAlias = npt.NDArray[np.bool_]
Indices: TypeAlias = npt.NDArray[np.intp]
"""Indices (0-based) of codes in an array of codes."""

_FOREIGN_BYTE = PAD - 1
"""The symbol number of `FOREIGN` in arrays, which hold no negative numbers."""
LARGEST_SPACE = 4_000_000
"""Cap on the size of a space that is held in one array (codes)."""


@dataclass(eq=False)
class PackedCodes:
    """N codes as arrays: `codes` (N, length) are symbol numbers, short codes padded.

    `pack` returns the `position_bits` and `count_bits` (N, words) of such codes: one bit-row of
    each for the symbol at each position, one for the number of times that each symbol occurs.
    Rules that count marks use them to score; for other rules they have no words.
    """

    codes: CodeArray
    pack: Callable[[CodeArray], tuple[Bits, Bits]]

    @cached_property
    def bits(self) -> tuple[Bits, Bits]:
        """The `position_bits` and the `count_bits`, computed when they are first needed."""
        return self.pack(self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, chosen: Indices | Mask | slice) -> "PackedCodes":
        """Return the chosen codes; all of them in order are these, not a copy."""
        take: Callable[[npt.NDArray[Any]], npt.NDArray[Any]] = itemgetter(chosen)
        if not isinstance(chosen, slice):
            places = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
            if len(places) == len(self) and np.array_equal(places, np.arange(len(self))):
                return self
            take = partial(np.take, indices=places, axis=0)
        part = PackedCodes(take(self.codes), self.pack)
        if "bits" in vars(self):
            part.bits = take(self.bits[0]), take(self.bits[1])
        return part


def array_of(codes: Iterable[Code], length: int) -> CodeArray:
    """Return N codes as an array (N, length) of symbol numbers, short codes padded."""
    listed = list(codes)
    array = np.full((len(listed), length), PAD, dtype=np.uint8)
    lengths = np.fromiter(map(len, listed), dtype=np.intp, count=len(listed))
    for n in sorted({*map(len, listed)}):  # np.unique would import numpy.ma
        places = np.flatnonzero(lengths == n)
        of_length = listed if len(places) == len(listed) else [listed[place] for place in places]
        symbols = np.fromiter(chain.from_iterable(of_length), np.int16, count=len(places) * n)
        symbols[symbols == FOREIGN] = _FOREIGN_BYTE
        array[places, :n] = symbols.reshape(len(places), n)
    return array


def code_of(row: CodeArray) -> Code:
    """Return one row of an array of codes as a code."""
    return tuple(FOREIGN if s == _FOREIGN_BYTE else int(s) for s in row if s != PAD)


def space_array(space: CodeSpace, length: int) -> CodeArray:
    """Return all N codes of a space in code order, as an array (N, length), short codes padded.

    Raises TooLargeError for more than LARGEST_SPACE codes or MOST_SYMBOLS symbols.
    """
    if space.size > LARGEST_SPACE:
        raise TooLargeError(
            f"{space.size:,} codes are too many to list (the limit is {LARGEST_SPACE:,}); "
            "use the symbolic engine"
        )
    if len(space.alphabet) > MOST_SYMBOLS:
        raise TooLargeError(f"the explicit engine takes at most {MOST_SYMBOLS} symbols")
    if not space.free:
        return array_of(space, length)
    blocks = [_all_codes(len(space.alphabet), n, space.distinct) for n in space.lengths]
    padded = [np.pad(b, ((0, 0), (0, length - b.shape[1])), constant_values=PAD) for b in blocks]
    return np.concatenate(padded)


def _all_codes(symbols: int, length: int, distinct: bool) -> CodeArray:
    codes = np.zeros((1, 0), dtype=np.uint8)
    all_symbols = np.arange(symbols, dtype=np.uint8)
    for _ in range(length):
        longer = np.column_stack(
            (np.repeat(codes, symbols, axis=0), np.tile(all_symbols, len(codes)))
        )
        if distinct:
            longer = longer[(longer[:, :-1] != longer[:, -1:]).all(axis=1)]
        codes = longer
    return codes


def position_bits(codes: CodeArray, symbols: int) -> Bits:
    """Return bit-rows (N, words): bit s * length + p is 1 if position p holds the symbol s.

    `codes` are (N, length); `symbols` is the size of the alphabet.
    """
    return _bit_rows(_words(codes.shape[1], symbols, False), np.minimum(codes, symbols))


def count_bits(codes: CodeArray, symbols: int, repeats: int) -> Bits:
    """Return bit-rows (N, words): bit j * symbols + s is 1 if s occurs more than j times.

    `codes` are (N, length); `symbols` is the size of the alphabet, `repeats` the most times that a
    symbol can occur in a code.
    """
    columns = np.ascontiguousarray(codes.T)
    times = [np.add.reduce(columns == one, dtype=np.uint16) for one in range(symbols)]
    return _bit_rows(_words(symbols, repeats, True), np.minimum(times, repeats).T)


def _bit_rows(words: Bits, values: npt.NDArray[Any]) -> Bits:
    """Return (N, words): for each of N rows, the bits of its values in all columns, joined by OR.

    `values` (N, columns) are whole numbers; `words` comes from `_words`.
    """
    rows = np.zeros((len(values), words.shape[2]), dtype=np.uint64)
    for of_column, column in zip(words, values.T, strict=True):
        rows |= of_column.take(column, axis=0)
    return rows


@lru_cache(maxsize=16)
def _words(columns: int, width: int, below: bool) -> Bits:
    """Return (columns, width + 1, words): the bits of each value of each column.

    A column has `width` bits. A value v has the bit v of these, or, with `below`, all bits below v.
    """
    bits, values = np.arange(width), np.arange(width + 1)[:, None]
    row = max(1, -(-columns * width // 64)) * 64
    is_set = np.zeros((columns, width + 1, row), dtype=np.bool_)
    for column in range(columns):
        own = is_set[column, :, column : columns * width : columns]
        own[:] = bits < values if below else bits == values
    return np.packbits(is_set, axis=2, bitorder="little").view(np.uint64)


def where_holds(constraint: Constraint, codes: CodeArray) -> Mask:
    """Return a mask (N,) of the codes (N, length) that satisfy a constraint: `holds` for arrays."""
    mask = np.full(len(codes), not isinstance(constraint, AnyOf))
    match constraint:
        case AllOf(parts):
            for part in parts:
                mask[mask] = where_holds(part, codes[mask])
        case AnyOf(parts):
            for part in parts:
                mask[~mask] = where_holds(part, codes[~mask])
        case Bound(low, terms, high):
            total = np.zeros(len(codes), dtype=np.int64)
            for weight, literal in terms:
                total += weight * where_true(literal, codes)
            if low is not None:
                mask &= total >= low
            if high is not None:
                mask &= total <= high
    return mask


def where_true(literal: Literal, codes: CodeArray) -> Mask:
    """Return a mask of the codes for which a literal is true: `is_true` for arrays."""
    times, symbols = np.zeros(len(codes), dtype=np.uint8), {*literal.symbols}
    is_named = np.zeros(PAD + 2, dtype=np.bool_)  # the last is for FOREIGN, which no secret has
    is_named[[*symbols]] = True
    for column in codes.T[literal.position, None] if isinstance(literal, At) else codes.T:
        if len(symbols) > 16:
            times += is_named[column]
        else:  # compared sooner than looked up
            for symbol in symbols:
                times += column == symbol
    return np.asarray(times >= (1 if isinstance(literal, At) else literal.times))


def indices_in(known: CodeArray, wanted: CodeArray) -> Indices:
    """Return (N,): the index of each of N wanted codes among the known codes, -1 if not there."""
    known_keys, wanted_keys = _keys(known), _keys(wanted)
    order = np.argsort(known_keys, kind="stable")
    found = np.minimum(np.searchsorted(known_keys[order], wanted_keys), len(known_keys) - 1)
    return np.where(known_keys[order[found]] == wanted_keys, order[found], -1)


def _keys(codes: CodeArray) -> npt.NDArray[np.bytes_]:
    """Return a sortable key for each code: its symbol numbers, each increased by 1, as bytes.

    `PAD` becomes 0 in this way, the byte at which numpy ends a key.
    """
    shifted = np.ascontiguousarray(codes + np.uint8(1))
    return shifted.view(f"S{codes.shape[1]}").ravel()
