"""All candidates of a huge space, once few are left: halves that add up (meet in the middle).

For each possible row of symbol counts, all first and all second halves of codes are listed. Two
halves are joined if their symbol counts add up to that row, and their symbols in place to the
number that each turn demands (Horowitz and Sahni, 1974). Joined codes are checked against the
turns.
"""

from collections.abc import Callable
from math import factorial
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.spaces import SymbolSpace
from puzzlehunt.engines.sampling.turn_arrays import Numbers, TurnArrays
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.codes import Bytes
from puzzlehunt.kernels.compiled.decorators import makes_no_array

_MOST_COUNTS = 500
"""Most rows of symbol counts for which codes are listed, since each row is joined by itself."""
_MOST_HALVES = 4_000_000
"""Most halves that are listed, over all rows of symbol counts: some seconds and 64 MB."""
_FIRST_ROOM = 1_000
"""Halves for which the arrays have room at first; the room doubles as often as it is full."""


def enumerable(game: Game) -> bool:
    """Return whether halves serve a game.

    Its feedback must be two counts, its secrets all codes of some symbols, and the symbols of a
    half must fit into a number of 62 bits.
    """
    return (
        game.rule.pair_offsets is not None
        and isinstance(game.secrets, SymbolSpace)
        and game.length > 1
        and len(game.secrets.alphabet) ** (game.length - game.length // 2) < 2**62
    )


def meet_in_the_middle(
    game: Game, turns: TurnArrays, table: Bytes, most: int, fitting: Callable[[Bytes], Bytes]
) -> Bytes | None:
    """Return all candidates, (N, length), in code order; None where they are more than `most`.

    `table` (N, symbols) holds the symbol counts that are possible; `fitting` returns the codes,
    among some, that fit all items. None too where listing that many halves would take long.
    """
    if game.channel.lies.at_most or not enumerable(game):
        return None
    if len(table) > _MOST_COUNTS:
        return None
    if sum(_half_count(game, counts) for counts in table) > _MOST_HALVES:
        return None
    low, high = (bound[0] for bound in turns.bounds)
    # Where marks go unread by chance, turns admit too many counts for joining by them to help.
    exact = np.zeros(len(low), dtype=bool) if game.channel.weighs else low == high
    joinable = turns[exact]
    in_place = joinable.bounds[0][0].astype(np.int64)
    blocks: list[Bytes] = []
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


def _half_count(game: Game, counts: Bytes) -> int:
    """Return how many first and second halves the codes with some symbol counts have."""
    middle = game.length // 2
    sums = np.ones(1)
    for times in counts.tolist():
        sums = np.convolve(sums, [1 / factorial(n) for n in range(times + 1)])
    return sum(round(sums[size] * factorial(size)) for size in (middle, game.length - middle))


def _join(
    game: Game, counts: Bytes, guesses: Numbers, in_place: Numbers, most: int
) -> Bytes | None:
    """Return the codes with some symbol counts, and with that many symbols of each guess in place.

    None where there are more than `most`. Halves are joined by sums of random numbers, so that,
    very rarely, a wrong code is among them.
    """
    length, middle = game.length, game.length // 2
    times = counts.astype(np.int64)
    generator = np.random.default_rng(0)
    by_turn = generator.integers(0, 2**63, len(guesses), dtype=np.uint64)
    by_symbol = generator.integers(0, 2**63, len(times), dtype=np.uint64)
    parts = (by_turn * in_place.astype(np.uint64), by_symbol * times.astype(np.uint64))
    target_key = np.concatenate(parts).sum()  # modulo 2**64, as in the kernel
    (left, first), (right, second) = (
        _half(start, end, guesses, in_place, times, by_turn, by_symbol)
        for start, end in ((0, middle), (middle, length))
    )
    pairs = np.empty((2, most), dtype=np.int64)
    bits = max(1, (len(left) - 1).bit_length())
    heads = np.full(1 << bits, -1, dtype=np.int32)
    following = np.empty(len(left), dtype=np.int32)
    total = _matching_pairs(left, right, target_key, bits, heads, following, pairs)
    if total > most:
        return None
    symbols = len(times)
    return np.concatenate(
        (
            _digits_of(first[pairs[0, :total]], middle, symbols),
            _digits_of(second[pairs[1, :total]], length - middle, symbols),
        ),
        axis=1,
    )


@makes_no_array
def _matching_pairs(
    left: Any, right: Any, target_key: Any, bits: Any, heads: Any, following: Any, pairs: Any
) -> Any:
    """Write the places of pairs of keys that add up to `target_key`; return how many there are.

    If there are more than `pairs` (2, most) has room for, most + 1 is returned. The left keys are
    hashed by their first `bits`; keys that share these are chained. `heads` (2**bits,) is -1
    everywhere, for none, and `following` (left keys,) is filled in.
    """
    shift = np.uint64(64 - bits)
    for n in range(len(left)):
        slot = np.int64(left[n] >> shift)
        following[n] = heads[slot]
        heads[slot] = n
    written = 0
    for n in range(len(right)):
        needed = target_key - right[n]
        other = heads[np.int64(needed >> shift)]
        while other >= 0:
            if left[other] == needed:
                if written == pairs.shape[1]:
                    return written + 1
                pairs[0, written] = other
                pairs[1, written] = n
                written += 1
            other = following[other]
    return written


def _digits_of(numbers: npt.NDArray[np.int64], length: int, symbols: int) -> Bytes:
    """Return (N, length): the digits of numbers in base `symbols`, the most significant first."""
    powers = np.array([symbols**place for place in range(length - 1, -1, -1)], dtype=np.int64)
    return (numbers[:, None] // powers % symbols).astype(np.uint8)


def _half(
    start: int, end: int, guesses: Numbers, in_place: Numbers, counts: Numbers,
    by_turn: npt.NDArray[np.uint64], by_symbol: npt.NDArray[np.uint64],
) -> tuple[npt.NDArray[np.uint64], Numbers]:  # fmt: skip
    """Return keys (N,) and numbers (N,) of the halves, from `start` to `end`, of fitting codes.

    No symbol occurs more often than `counts` says, and no guess has more in place than `in_place`.
    A key is the sum of random numbers: `by_turn` for each symbol in place of that turn's guess, and
    `by_symbol` for each symbol held. A number has the half's symbols as its digits.
    """
    symbols, size = len(counts), end - start
    # The turns whose guess has a symbol in a place, and how many they are.
    holding = np.zeros((size, symbols, len(guesses)), dtype=np.int64)
    holders = np.zeros((size, symbols), dtype=np.int64)
    for turn, guess in enumerate(guesses[:, start:end].tolist()):
        for place, symbol in enumerate(guess):
            if 0 <= symbol < symbols:
                holding[place, symbol, holders[place, symbol]] = turn
                holders[place, symbol] += 1
    keys, numbers = np.empty(_FIRST_ROOM, dtype=np.uint64), np.empty(_FIRST_ROOM, dtype=np.int64)
    chosen = np.full(size, -1)
    unused, room = counts.copy(), in_place.copy()
    key, number = np.zeros(size + 1, dtype=np.uint64), np.zeros(size + 1, dtype=np.int64)
    depth = written = 0
    while depth >= 0:
        depth, written = _list_half(
            holding, holders, by_turn, by_symbol, chosen, unused, room, key, number, depth, written,
            keys, numbers,
        )  # fmt: skip
        if depth >= 0:
            keys = np.concatenate((keys, np.empty_like(keys)))
            numbers = np.concatenate((numbers, np.empty_like(numbers)))
    return keys[:written], numbers[:written]


@makes_no_array
def _list_half(
    holding: Any, holders: Any, by_turn: Any, by_symbol: Any, chosen: Any, unused: Any, room: Any,
    key: Any, number: Any, depth: Any, written: Any, keys: Any, numbers: Any,
) -> Any:  # fmt: skip
    """Go on to list halves until all are listed, or `keys` is full; see `_half`.

    Returns depth, -1 if all are listed, and how many are. Up to `depth` symbols are `chosen`, with
    their `key` and `number`; `unused` and `room` are how often each symbol may still be chosen, and
    be in place in each turn's guess.
    """
    size, symbols = holders.shape
    while depth >= 0:
        if depth == size:
            if written == len(keys):
                break
            keys[written] = key[depth]
            numbers[written] = number[depth]
            written += 1
            depth -= 1
            continue
        old = chosen[depth]
        if old >= 0:
            unused[old] += 1
            for n in range(holders[depth, old]):
                room[holding[depth, old, n]] += 1
        symbol = old + 1
        while symbol < symbols:
            if unused[symbol] > 0:
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
        unused[symbol] -= 1
        sum_ = key[depth] + by_symbol[symbol]
        for n in range(holders[depth, symbol]):
            turn = holding[depth, symbol, n]
            room[turn] -= 1
            sum_ += by_turn[turn]
        key[depth + 1] = sum_
        number[depth + 1] = number[depth] * symbols + symbol
        depth += 1
    return depth, written
