"""Arrays of codes, their bit-rows, and which of them satisfy a constraint."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import FOREIGN, MOST_SYMBOLS, Code
from puzzlehunt.codes.boards import PairSpace
from puzzlehunt.codes.constraints import AllOf, At, Bound, Constraint, Literal
from puzzlehunt.codes.spaces import CodeSpace, SymbolSpace
from puzzlehunt.errors import TooLargeError

Bytes: TypeAlias = npt.NDArray[np.uint8]
Bits: TypeAlias = npt.NDArray[np.uint64]
Mask: TypeAlias = npt.NDArray[np.bool_]
Places: TypeAlias = npt.NDArray[np.intp]
"""Where codes stand in an array of codes (0-based)."""

PAD = 255
"""Symbol number that fills the positions behind the end of a short code."""
LARGEST_SPACE = 4_000_000
"""Most codes in one array."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """N codes as arrays: symbol numbers (N, length), and two arrays (N, words) as the rule needs.

    A rule that is two popcounts keeps bit-rows in them; a rule of tiles keeps the tiles of guesses
    in `first`.
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
    if len(space.alphabet) > MOST_SYMBOLS:
        raise TooLargeError(f"the explicit engine takes at most {MOST_SYMBOLS} symbols")
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


def places_in(known: Bytes, wanted: Bytes) -> Places:
    """Return the place of each wanted code among known ones, -1 where it is not there."""
    ours, asked = _keys(known), _keys(wanted)
    order = np.argsort(ours, kind="stable")
    found = np.minimum(np.searchsorted(ours[order], asked), len(ours) - 1)
    return np.where(ours[order[found]] == asked, order[found], -1)


def _keys(codes: Bytes) -> npt.NDArray[np.bytes_]:
    """Return one sortable key a code; the end of a short code becomes the end of its key."""
    shifted = np.ascontiguousarray(codes + np.uint8(1))
    return shifted.view(f"S{codes.shape[1]}").ravel()
