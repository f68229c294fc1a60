"""Enumerate all candidates of a huge space, once few are left, by meeting in the middle.

For each possible row of symbol counts, all first and all second halves of codes are listed. Two
halves are joined if their symbol counts add up to that row, and their symbols in place to the
number of each turn (Horowitz and Sahni, 1974). Joined codes are checked against the turns.
"""

from collections.abc import Callable
from math import factorial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.engines.sampling.turn_arrays import Numbers, TurnArrays
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import CodeArray

_MOST_COUNTS = 500
"""Codes are listed for at most this many rows of symbol counts: each row is joined by itself."""
_MOST_HALVES = 4_000_000
"""At most this many halves are listed, over all rows of symbol counts: some seconds and 64 MB."""

Keys: TypeAlias = npt.NDArray[np.uint64]
"""Keys of halves of codes: sums of counts times random 64-bit numbers, modulo 2**64."""


def meet_in_the_middle(
    game: Game,
    turns: TurnArrays,
    table: CodeArray,
    most: int,
    fitting: Callable[[CodeArray], CodeArray],
) -> CodeArray | None:
    """Return all candidates, (N, length), in code order; None if there are more than `most`.

    `table` (N, symbols) holds the possible symbol counts; `fitting(codes)` returns those of the
    codes that fit all items. The result is also None if listing the halves would take long, or if
    the symbols of a half do not fit into 62 bits.
    """
    if game.length < 2 or len(game.secrets.alphabet) ** (-(-game.length // 2)) >= 2**62:
        return None
    halves = (_half_count(game, counts) for counts in table)
    if len(table) > _MOST_COUNTS or sum(halves) > _MOST_HALVES:
        return None
    low, high = (bound[0] for bound in turns.bounds)
    # Where marks go unread by chance, turns admit too many counts for joining by them to help.
    exact = np.zeros(len(low), dtype=bool) if game.channel.weighs else low == high
    joinable = turns[exact]
    in_place = joinable.bounds[0][0].astype(np.int64)
    blocks: list[CodeArray] = []
    total = 0
    for counts in table:
        # Joined codes have the right counts in place; not all of them fit all turns and facts.
        joined = _join(game, counts, joinable.guesses, in_place, 4 * most + 1000)
        if joined is None:
            return None
        candidates = fitting(joined)
        total += len(candidates)
        if total > most:
            return None
        blocks.append(candidates)
    codes = np.concatenate(blocks) if blocks else np.empty((0, game.length), dtype=np.uint8)
    return codes[np.lexsort(codes.T[::-1])]


def _half_count(game: Game, counts: CodeArray) -> int:
    middle = game.length // 2
    sums = np.ones(1)
    for times in counts.tolist():
        sums = np.convolve(sums, [1 / factorial(n) for n in range(times + 1)])
    return sum(round(sums[size] * factorial(size)) for size in (middle, game.length - middle))


def _join(
    game: Game, counts: CodeArray, guesses: Numbers, in_place: Numbers, most: int
) -> CodeArray | None:
    """Return the codes with given symbol counts and a given number of hits for each guess."""
    length, middle = game.length, game.length // 2
    bits = (length - middle).bit_length() + 1
    limits = np.concatenate((counts.astype(np.int64), in_place))
    words = _packed(limits, bits)
    weights = np.random.default_rng(0).integers(0, 2**64, len(words), dtype=np.uint64) | np.uint64(
        1
    )
    (left, first), (right, second) = (
        _half(guesses[:, start:end], limits, len(counts), bits, weights)
        for start, end in ((0, middle), (middle, length))
    )
    # Most halves have no partner: these are left out first, since sorting takes far longer.
    wanted = (words * weights).sum() - right
    kept = _common(wanted, left)
    wanted, second = wanted[kept], second[kept]
    kept = _common(left, wanted)
    left, first = left[kept], first[kept]
    order = np.argsort(left)
    matches = JoinedHalves(left[order], wanted)
    if matches.total > most:
        return None
    lefts, rights = matches.pairs(np.arange(matches.total))
    halves = (first[order[lefts]], middle), (second[rights], length - middle)
    return np.concatenate([_digits_of(*half, len(counts)) for half in halves], axis=1)


def _common(keys: Keys, others: Keys) -> Numbers:
    """Return the places of keys that may be among others: some of these have as high bits."""
    bits = len(others).bit_length() + 2
    shift = np.uint64(64 - bits)
    present = np.zeros(1 << bits, dtype=np.bool_)
    present[others >> shift] = True
    return np.flatnonzero(present[keys >> shift])


class JoinedHalves:
    """Pairs of equal keys, one in `left` and one in `wanted`, and thus of joined halves.

    `left` has the keys of left halves, sorted; `wanted` has the keys that right halves need.
    """

    def __init__(self, left: Keys, wanted: Keys) -> None:
        first = np.searchsorted(left, wanted)
        in_range = np.minimum(first, len(left) - 1)
        self._right = np.flatnonzero(left[in_range] == wanted) if len(left) else first[:0]
        self._first = first[self._right]
        partners = np.searchsorted(left, wanted[self._right], side="right") - self._first
        self._ends = partners.cumsum()
        self._begins = self._ends - partners
        self.total = int(partners.sum())

    def pairs(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """Return the places of the left and of the right keys of pairs, by number below `total`."""
        which = np.searchsorted(self._ends, numbers, side="right")
        return self._first[which] + numbers - self._begins[which], self._right[which]


def _half(
    guesses: Numbers, limits: Numbers, symbols: int, bits: int, weights: Keys
) -> tuple[Keys, Numbers]:
    """Return keys (N,) and numbers (N,) of the halves of fitting codes, at the guesses' places.

    `limits` says how often each symbol may occur, and then how often each guess may have a symbol
    in place. A key is the sum of how often they do, as words of fields of `bits`, each word times
    its weight. A number has the half's symbols as its digits.
    """
    size = guesses.shape[1]
    numbers, keys = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.uint64)
    # How often they still may: the first bit of each field is cleared if less than nothing is left.
    borrowed = _packed(np.full(len(limits), 1 << (bits - 1)), bits)
    left = [word[None] for word in _packed(np.minimum(limits, size), bits) | borrowed]
    for place in range(size):
        last = place == size - 1
        blocks = []
        for symbol in range(symbols):
            held = guesses[:, place] == symbol
            used = _packed(np.concatenate((np.arange(symbols) == symbol, held)), bits)
            after = [word - each for word, each in zip(left, used, strict=True)]
            fits = np.ones(len(numbers), dtype=np.bool_)
            for word, flags, each in zip(after, borrowed, used, strict=True):
                if each:
                    fits &= word & flags == flags
            which = np.flatnonzero(fits)
            more = [] if last else [word[which] for word in after]
            key = keys[which] + (used * weights).sum()
            blocks.append((key, numbers[which] * symbols + symbol, *more))
        keys, numbers, *left = (np.concatenate(arrays) for arrays in zip(*blocks, strict=True))
    return keys, numbers


def _packed(fields: npt.NDArray[Any], bits: int) -> npt.NDArray[np.uint64]:
    """Return numbers of a given number of bits packed into words, as many as fit each word."""
    each = 64 // bits
    padded = np.zeros(-(-len(fields) // each) * each, dtype=np.uint64)
    padded[: len(fields)] = fields
    shifts = np.arange(each, dtype=np.uint64) * np.uint64(bits)
    return np.asarray((padded.reshape(-1, each) << shifts).sum(axis=1, dtype=np.uint64))


def _digits_of(numbers: Numbers, length: int, symbols: int) -> CodeArray:
    """Return (N, length): the digits of numbers in base `symbols`, the most significant first."""
    powers = np.array([symbols**place for place in range(length - 1, -1, -1)], dtype=np.int64)
    return (numbers[:, None] // powers % symbols).astype(np.uint8)
