"""Enumerate all candidates of a huge space, once few are left, by meeting in the middle.

For each possible row of symbol counts, all first and all second halves of codes are listed. Two
halves are joined if their symbol counts add up to that row, and their symbols in place to the
number of each turn (Horowitz and Sahni, 1974). Joined codes are checked against the turns.
"""

from collections.abc import Callable
from math import factorial

import numpy as np
import numpy.typing as npt

from puzzlehunt.engines.sampling.turn_arrays import Flags, TurnArrays
from puzzlehunt.kernels.packed_codes import CodeArray, Mask

_Keys = npt.NDArray[np.uint64]


def meet_in_the_middle(
    turns: TurnArrays, table: CodeArray, most: int, fits: Callable[[CodeArray], Mask]
) -> CodeArray | None:
    """Return all candidates, (N, length), in code order; None if there are more than `most`.

    `table` (N, symbols) holds the possible symbol counts; `fits` tells which of some codes fit all
    items. The result is also None if listing the halves would take long.
    """
    length = turns.guesses.shape[1]
    if len(table) > 500 or sum(_half_count(length, counts) for counts in table) > 4_000_000:
        return None
    low, high = (bound[0] for bound in turns.bounds)
    guesses, in_place = turns.guesses[low == high], low[low == high]
    codes = np.empty((0, length), dtype=np.uint8)
    for counts in table:
        # Joined codes have the right counts in place; not all of them fit all turns and facts.
        joined = _join(counts, guesses, in_place, 4 * most)
        if joined is None:
            return None
        codes = np.concatenate((codes, joined[fits(joined)]))
        if len(codes) > most:
            return None
    return codes[np.argsort(codes.view(f"S{length}").ravel())]


def _half_count(length: int, counts: CodeArray) -> int:
    """Return how many halves there are of codes with given symbol counts, whatever the turns."""
    # n! times a coefficient of exponential generating functions, one for each symbol.
    middle = length // 2
    sums = np.ones(1)
    for times in counts.tolist():
        sums = np.convolve(sums, [1 / factorial(n) for n in range(times + 1)])
    return sum(round(sums[size] * factorial(size)) for size in (middle, length - middle))


def _join(
    counts: CodeArray, guesses: CodeArray, in_place: npt.NDArray[np.int16], most: int
) -> CodeArray | None:
    """Return the codes with given symbol counts and a given number of hits for each guess.

    None if they are more than `most`.
    """
    length, symbols = guesses.shape[1], len(counts)
    # How often a symbol may occur, and how many hits a guess may have.
    limits = np.minimum(np.concatenate((counts, in_place)), 255).astype(np.uint8)
    # For each symbol at a place: which symbol occurs, and which guesses have it in place.
    occurs = np.broadcast_to(np.eye(symbols, dtype=np.bool_), (length, symbols, symbols))
    hits = guesses.T[:, None] == np.arange(symbols)[:, None]
    moves = np.concatenate((occurs, hits), axis=2)
    # Equal sums of random numbers stand for equal amounts.
    weights = np.random.default_rng(0).integers(0, 2**64, len(limits), dtype=np.uint64)
    first_halves, keys = _halves(moves[: length // 2], limits, weights)
    second_halves, used = _halves(moves[length // 2 :], limits, weights)
    # Two halves are joined if the key of the first is the one that the second needs.
    needed = (limits * weights).sum() - used
    # Most halves have no partner: these are left out first, since sorting takes far longer.
    second = np.flatnonzero(_may_be_among(needed, keys))
    first = np.flatnonzero(_may_be_among(keys, needed[second]))
    first = first[np.argsort(keys[first])]
    keys, needed = keys[first], needed[second]
    begin, end = (np.searchsorted(keys, needed, side) for side in ("left", "right"))
    partners = end - begin
    pairs = int(partners.sum())
    if pairs > most:
        return None
    # A second half is repeated for each partner: the places in `first` from `begin` to `end`.
    nth_partner = np.arange(pairs) - np.repeat(partners.cumsum() - partners, partners)
    first, second = first[np.repeat(begin, partners) + nth_partner], np.repeat(second, partners)
    return np.concatenate((first_halves[first], second_halves[second]), axis=1)


def _halves(moves: Flags, limits: CodeArray, weights: _Keys) -> tuple[CodeArray, _Keys]:
    """Return all halves of codes within some limits, (N, places), and the key of each.

    `moves` (places, symbols, limits) says whether a symbol at a place uses up one of a limit. A key
    is the sum of the weights of all that is used up.
    """
    places, symbols, _ = moves.shape
    codes, keys = np.zeros((1, places), np.uint8), np.zeros(1, np.uint64)
    left, occurring = limits[:, None], np.flatnonzero(limits[:symbols]).astype(np.uint8)
    for place, uses in enumerate(moves.astype(np.uint8)):
        has_left = left > 0
        # For each symbol, the codes that it may follow.
        rows = [np.flatnonzero(has_left[uses[symbol] > 0].all(axis=0)) for symbol in occurring]
        before, numbers = np.concatenate(rows), list(map(len, rows))
        keys = keys.take(before) + np.repeat((uses @ weights)[occurring], numbers)
        codes = codes.take(before, axis=0)
        codes[:, place] = np.repeat(occurring, numbers)
        if place + 1 < places:
            left = left.take(before, axis=1) - np.repeat(uses[occurring].T, numbers, axis=1)
    return codes, keys


def _may_be_among(keys: _Keys, others: _Keys) -> Mask:
    """Return a mask of the keys that begin like one of some others: few but those among them."""
    bits = len(others).bit_length() + 3
    shift = np.uint64(64 - bits)
    begins = np.zeros(1 << bits, dtype=np.bool_)
    begins[(others >> shift).view(np.intp)] = True  # numpy would copy indices of another type
    return np.asarray(begins[(keys >> shift).view(np.intp)])
