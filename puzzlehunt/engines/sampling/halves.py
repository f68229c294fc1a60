"""All candidates of a huge space, once few are left: halves that add up (meet in the middle).

For each way in which symbols may occur so often, all first and all second halves are listed. Two
halves are joined where their symbols add up to those counts, and their symbols in place to what
each turn says (Horowitz and Sahni, 1974). What is joined is checked against the turns themselves.
"""

from collections.abc import Callable
from math import factorial
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.spaces import SymbolSpace
from puzzlehunt.engines.sampling.answers import Answers, Numbers
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.codes import Bytes

MOST_COUNTS = 500
"""Listing is given up above: ways in which symbols may occur, since each is joined by itself."""
MOST_HALVES = 4_000_000
"""Listing is given up above: halves in all, some seconds and 64 MB."""
_HALVES = 1_000
"""Room for halves at first; it doubles as they are listed."""


def enumerable(game: Game) -> bool:
    """Return whether a game is of the kind that can be listed by halves."""
    return (
        game.rule.pair_offsets is not None
        and isinstance(game.secrets, SymbolSpace)
        and game.length > 1
        and len(game.secrets.alphabet) ** (game.length - game.length // 2) < 2**62
    )


def candidates_of(
    game: Game, said: Answers, left: Bytes, most: int, fitting: Callable[[Bytes], Bytes]
) -> Bytes | None:
    """Return all candidates, (N, length), in code order; None where they are more than `most`.

    `said` is what the turns say, `left` (N, symbols) how often symbols may occur, and `fitting`
    returns those of some codes that agree with all items. None too where little is known yet, so
    that it would take long.
    """
    if game.channel.lies.at_most or not enumerable(game):
        return None
    if len(left) > MOST_COUNTS or sum(_halves(game, counts) for counts in left) > MOST_HALVES:
        return None
    low, high = (bound[0] for bound in said.bounds)
    # Where marks go unread by chance, what a turn admits is too wide to be worth joining by.
    turns = said[low == high] if not game.channel.weighs else said[np.zeros(len(low), dtype=bool)]
    hits = turns.bounds[0][0].astype(np.int64)
    found: list[Bytes] = []
    total = 0
    for counts in left:
        joined = _joined(game, counts, turns.guesses, hits, 4 * most + 1000)
        if joined is None:
            return None
        kept = fitting(joined)
        total += len(kept)
        if total > most:
            return None
        found.append(kept)
    codes = np.concatenate(found) if found else np.empty((0, game.length), dtype=np.uint8)
    return codes[np.lexsort(codes.T[::-1])]


def _halves(game: Game, counts: Bytes) -> int:
    """Return how many first and second halves there are with symbols that occur so often."""
    middle = game.length // 2
    sums = np.ones(1)
    for times in counts.tolist():
        sums = np.convolve(sums, [1 / factorial(n) for n in range(times + 1)])
    return sum(round(sums[size] * factorial(size)) for size in (middle, game.length - middle))


def _joined(game: Game, counts: Bytes, guesses: Numbers, hits: Numbers, most: int) -> Bytes | None:
    """Return the codes whose symbols occur so often, with so many hits of each guess.

    None where there are more than `most`.
    """
    length, middle = game.length, game.length // 2
    often = counts.astype(np.int64)
    chance = np.random.default_rng(0)
    by_turn = chance.integers(0, 2**63, len(guesses), dtype=np.uint64)
    by_symbol = chance.integers(0, 2**63, len(often), dtype=np.uint64)
    parts = (by_turn * hits.astype(np.uint64), by_symbol * often.astype(np.uint64))
    whole = np.concatenate(parts).sum()  # modulo 2**64, as in the kernel
    (left, first), (right, second) = (
        _list_half(start, end, guesses, hits, often, by_turn, by_symbol)
        for start, end in ((0, middle), (middle, length))
    )
    pairs = np.empty((2, most), dtype=np.int64)
    total = _pairs(left, right, whole, pairs)
    if total > most:
        return None
    symbols = len(often)
    return np.concatenate(
        (
            _unpacked(first[pairs[0, :total]], middle, symbols),
            _unpacked(second[pairs[1, :total]], length - middle, symbols),
        ),
        axis=1,
    )


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def _pairs(left: Any, right: Any, whole: Any, pairs: Any) -> Any:
    """Write the places of keys that add up to the whole; return how many, or one too many."""
    bits = 1
    while 1 << bits < len(left):
        bits += 1
    shift = np.uint64(64 - bits)
    heads = np.full(1 << bits, -1, dtype=np.int32)
    onward = np.empty(len(left), dtype=np.int32)
    for n in range(len(left)):
        slot = np.int64(left[n] >> shift)
        onward[n] = heads[slot]
        heads[slot] = n
    found = 0
    for n in range(len(right)):
        needed = whole - right[n]
        other = heads[np.int64(needed >> shift)]
        while other >= 0:
            if left[other] == needed:
                if found == pairs.shape[1]:
                    return found + 1
                pairs[0, found] = other
                pairs[1, found] = n
                found += 1
            other = onward[other]
    return found


def _unpacked(numbers: npt.NDArray[np.int64], length: int, symbols: int) -> Bytes:
    """Return the codes of numbers in base `symbols`, their first digit the most significant."""
    powers = np.array([symbols**place for place in range(length - 1, -1, -1)], dtype=np.int64)
    return (numbers[:, None] // powers % symbols).astype(np.uint8)


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def _list_half(
    start: int, end: int, guesses: Any, hits: Any, counts: Any, by_turn: Any, by_symbol: Any
) -> Any:
    """Return the keys and numbers of all halves of codes whose symbols occur so often.

    A key is the sum of random numbers, one for each hit of each turn and one for each symbol.
    """
    turns, symbols, size = len(guesses), len(counts), end - start
    # Which turns have a symbol in a place, and how many they are.
    holding = np.empty((size, symbols, turns), dtype=np.int64)
    holders = np.zeros((size, symbols), dtype=np.int64)
    for t in range(turns):
        for place in range(size):
            symbol = guesses[t, start + place]
            if 0 <= symbol < symbols:
                holding[place, symbol, holders[place, symbol]] = t
                holders[place, symbol] += 1
    keys, codes = np.empty(_HALVES, dtype=np.uint64), np.empty(_HALVES, dtype=np.int64)
    chosen = np.full(size, -1, dtype=np.int64)
    left = counts.copy()
    room = hits.copy()
    key = np.zeros(size + 1, dtype=np.uint64)
    number = np.zeros(size + 1, dtype=np.int64)
    found = 0
    depth = 0
    while depth >= 0:
        if depth == size:
            if found == len(keys):
                keys = np.concatenate((keys, np.empty_like(keys)))
                codes = np.concatenate((codes, np.empty_like(codes)))
            keys[found] = key[depth]
            codes[found] = number[depth]
            found += 1
            depth -= 1
            continue
        old = chosen[depth]
        if old >= 0:
            left[old] += 1
            for n in range(holders[depth, old]):
                room[holding[depth, old, n]] += 1
        symbol = old + 1
        while symbol < symbols:
            if left[symbol] > 0:
                fits = True
                for n in range(holders[depth, symbol]):
                    if room[holding[depth, symbol, n]] <= 0:
                        fits = False
                        break
                if fits:
                    break
            symbol += 1
        if symbol == symbols:
            chosen[depth] = -1
            depth -= 1
            continue
        chosen[depth] = symbol
        left[symbol] -= 1
        made = key[depth] + by_symbol[symbol]
        for n in range(holders[depth, symbol]):
            turn = holding[depth, symbol, n]
            room[turn] -= 1
            made += by_turn[turn]
        key[depth + 1] = made
        number[depth + 1] = number[depth] * symbols + symbol
        depth += 1
    return keys[:found], codes[:found]
