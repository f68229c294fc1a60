"""Rejection sampling: random codes, kept if they fit; uniform.

Only codes with symbol counts that are still possible are drawn. The number of draws for one
candidate is the number of such codes divided by the number of candidates, so drawing works while
candidates are many. The share of kept codes gives an estimate of the number of candidates.
"""

from collections.abc import Callable

import numpy as np

from puzzlehunt.engines.sampling.symbol_counts import arrangements
from puzzlehunt.kernels.packed_codes import CodeArray, Indices, Mask

_AT_FIRST, _AT_ONCE = 256, 4_096
"""Draws that are made together: few are often enough, and more would not stay in a cache."""


def draw(
    random_codes: Callable[[int], CodeArray],
    fits: Callable[[CodeArray], Mask],
    most: int,
    draws: int,
) -> tuple[CodeArray, int]:
    """Return up to `most` fitting codes, (N, length), in the order drawn, and the number of draws.

    `random_codes` draws a number of codes; `fits` tells which of some codes fit.
    """
    found, number, drawn = list[CodeArray](), 0, 0
    while number < most and drawn < draws:
        size = min(max(_AT_FIRST, drawn), _AT_ONCE, draws - drawn)
        codes = random_codes(size)
        fitting = np.flatnonzero(fits(codes))[: most - number]
        found.append(codes[fitting])
        number += len(fitting)
        drawn += int(fitting[-1]) + 1 if number == most else size
    return np.concatenate(found), drawn


def codes_of_counts(table: CodeArray, generator: np.random.Generator) -> Callable[[int], CodeArray]:
    """Return a function that draws codes whose symbol counts are rows of a table (N, symbols).

    All such codes are equally likely.
    """
    cumulated = np.cumsum(arrangements(table))

    def random_codes(size: int) -> CodeArray:
        some = generator.random(size) * cumulated[-1]
        picked = np.minimum(np.searchsorted(cumulated, some, side="right"), len(table) - 1)
        return _shuffled(_sorted_codes(table, picked), generator)

    return random_codes


def _sorted_codes(table: CodeArray, picked: Indices) -> CodeArray:
    """Return (N, length): the first code, in code order, of each row of symbol counts picked."""
    if len(table) > len(picked):
        table, picked = table.take(picked, axis=0), np.arange(len(picked))
    symbols = np.arange(table.shape[1], dtype=np.uint8)
    codes = np.repeat(np.tile(symbols, len(table)), table.ravel()).reshape(len(table), -1)
    return codes.take(picked, axis=0)


def _shuffled(codes: CodeArray, generator: np.random.Generator) -> CodeArray:
    """Return codes (N, length), each in a random order: that of random numbers before symbols.

    Two of the 24-bit numbers are equal in about one of 10^5 codes, too few to be seen in a sample.
    """
    pairs = generator.integers(0, 2**64, -(-codes.size // 2), dtype=np.uint64)
    numbers = pairs.view(np.uint32)[: codes.size].reshape(codes.shape)
    keys = numbers & ~np.uint32(255) | codes
    keys.sort(axis=1)
    return keys.astype(np.uint8)
