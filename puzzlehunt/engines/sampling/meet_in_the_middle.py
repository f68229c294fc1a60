"""Enumerate all candidates of a huge space, once few are left, by meeting in the middle.

For each possible row of symbol counts, all first and all second halves of codes are listed. Two
halves are joined if their symbol counts add up to that row, and their symbols in place to the
number of each turn (Horowitz and Sahni, 1974). Joined codes are checked against the turns.
"""

from collections.abc import Callable
from functools import partial
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

_EVERY = np.full(1, ~np.uint64(0))
"""Marks of all keys."""
_MINUS_ONE = ~np.uint64(0)

Parts: TypeAlias = npt.NDArray[np.uint64]
Extend: TypeAlias = Callable[[Parts, Parts, Parts], tuple[Parts, Parts]]
Keys: TypeAlias = npt.NDArray[np.uint64]
"""Keys of halves of codes: sums of counts times random 64-bit numbers, modulo 2**64."""


def meet_in_the_middle(
    game: Game,
    turns: TurnArrays,
    table: CodeArray,
    most: int,
    fitting: Callable[[CodeArray], CodeArray],
    compiled: bool = False,
) -> CodeArray | None:
    """Return all candidates, (N, length), in code order; None if there are more than `most`.

    `table` (N, symbols) holds the possible symbol counts; `fitting(codes)` returns those of the
    codes that fit all items. The result is also None if listing the halves would take long, or if
    the symbols of a half do not fit into 62 bits. With `compiled`, a kernel lists the halves.
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
        joined = _join(game, counts, joinable.guesses, in_place, 4 * most + 1000, compiled)
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
    game: Game, counts: CodeArray, guesses: Numbers, in_place: Numbers, most: int, compiled: bool
) -> CodeArray | None:
    """Return the codes with given symbol counts and a given number of hits for each guess."""
    length, middle, symbols = game.length, game.length // 2, len(counts)
    bits = (length - middle).bit_length() + 1
    limits = np.concatenate((counts.astype(np.int64), in_place))
    weights = np.random.default_rng(0).integers(0, 2**64, len(limits), dtype=np.uint64)
    # For each symbol at a place: which symbol occurs, and which guesses have it in place.
    occurs = np.broadcast_to(np.eye(symbols, dtype=np.bool_), (length, symbols, symbols))
    hits = guesses.T[:, None] == np.arange(symbols)[:, None]
    fields = np.concatenate((occurs, hits), axis=2)
    keys, total = fields @ weights, int((limits.astype(np.uint64) * weights).sum())
    keys[middle:] *= _MINUS_ONE  # so that the key of a second half is the one that it needs
    ends = [middle] * middle + [length] * (length - middle)
    powers = [symbols ** (end - 1 - place) for place, end in enumerate(ends)]
    numbers = np.array(powers, dtype=np.uint64)[:, None] * np.arange(symbols, dtype=np.uint64)
    moves = np.concatenate(
        (np.stack((keys, numbers), axis=2), _packed(fields, bits) * _MINUS_ONE), axis=2
    )
    # How often they still may: the first bit of each field is cleared if less than nothing is left.
    borrowed = _packed(np.full(len(limits), 1 << (bits - 1)), bits)
    left = _packed(np.minimum(limits, length - middle), bits) | borrowed
    extend = partial(_extended, _after_key(0, borrowed), compiled)
    every = np.full(1 << max(0, _half_count(game, counts).bit_length() - 5), ~np.uint64(0))
    first, marked = _half(extend, _after_key(0, left), moves[:middle], every)
    # Most halves have no partner: these are left out first, since sorting takes far longer.
    second, marked = _half(extend, _after_key(total, left), moves[middle:], marked)
    first, _ = extend(first, np.zeros_like(moves[0, :1]), marked)
    first, second = (half[np.argsort(half[:, 0]), :2] for half in (first, second))
    matches = JoinedHalves(first[:, 0], second[:, 0])
    if matches.total > most:
        return None
    lefts, rights = matches.pairs(np.arange(matches.total))
    halves = (first[lefts, 1], middle), (second[rights, 1], length - middle)
    return np.concatenate([_digits_of(*half, symbols) for half in halves], axis=1)


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


def _after_key(key: int, words: Parts) -> Parts:
    """Return (words + 2,): a key, the number 0, and words."""
    return np.concatenate((np.array([key, 0], dtype=np.uint64), words))


def _half(extend: Extend, start: Parts, moves: Parts, among: Parts) -> tuple[Parts, Parts]:
    """Return the halves of codes (N, columns) that begin with `start`, and their marks.

    Their columns are a key, a number with the symbols as its digits, and fields: how often each
    symbol may still occur, and each guess may have a symbol in place. Each place adds one of its
    `moves` (places, symbols, columns). Only halves whose keys are marked in `among` are returned.
    """
    parts = start[None]
    for at_place in moves[:-1]:
        parts, _ = extend(parts, at_place, _EVERY)
    return extend(parts, moves[-1], among)


def _extended(
    borrowed: Parts, compiled: bool, parts: Parts, moves: Parts, among: Parts
) -> tuple[Parts, Parts]:
    """Return all sums of a part and a move that have the bits `borrowed`, and the marks of keys.

    Marks are words with a bit for each number that the first bits of a key can be; only the bits of
    keys that are marked in `among` are set, and only these sums are returned.
    """
    shift = 65 - (64 * len(among)).bit_length()
    if compiled:
        from puzzlehunt.engines.sampling.compiled_halves import extend

        longer = np.empty((len(parts) * len(moves) + 1, parts.shape[1]), dtype=np.uint64)
        marked = np.zeros_like(among)
        return longer[: extend(parts, moves, borrowed, shift, among, marked, longer)], marked
    columns, blocks = parts.T, []
    for move in moves:
        after = columns + move[:, None]
        fits = np.ones(after.shape[1], dtype=np.bool_)
        for words, flags in zip(after[2:], borrowed[2:], strict=True):
            fits &= words & flags == flags
        blocks.append(after.take(np.flatnonzero(fits), axis=1))
    longer = np.concatenate(blocks, axis=1).T
    numbers = longer[:, 0] >> np.uint64(shift)
    flags = np.unpackbits(among.view(np.uint8), bitorder="little").view(np.bool_)
    kept = flags[numbers]
    flags[:] = False
    flags[numbers[kept]] = True
    return longer.T[:, kept].T, np.packbits(flags, bitorder="little").view(np.uint64)


def _packed(fields: npt.NDArray[Any], bits: int) -> Keys:
    """Return numbers of a given number of bits packed into words, as many as fit each word.

    The numbers are in the last axis, and so are the words.
    """
    each, size = 64 // bits, fields.shape[-1]
    padded = np.zeros((*fields.shape[:-1], max(2, -(-size // each)), each), dtype=np.uint64)
    padded.reshape(*fields.shape[:-1], -1)[..., :size] = fields
    shifts = np.arange(each, dtype=np.uint64) * np.uint64(bits)
    return np.asarray((padded << shifts).sum(axis=-1, dtype=np.uint64))


def _digits_of(numbers: Keys, length: int, symbols: int) -> CodeArray:
    """Return (N, length): the digits of numbers in base `symbols`, the most significant first."""
    digits = np.empty((len(numbers), length), dtype=np.uint8)
    for place in reversed(range(length)):
        rest = numbers // np.uint64(symbols)  # by one number, numpy divides much faster
        digits[:, place] = numbers - rest * np.uint64(symbols)
        numbers = rest
    return digits
