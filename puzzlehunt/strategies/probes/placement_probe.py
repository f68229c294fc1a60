"""Placement probes: guesses about the positions of a few symbols at a time, in the longest codes.

The code is divided into blocks of up to five positions. Once it is known how often each symbol
occurs, guesses find out which blocks hold which symbols, a few symbols at a time. A search finds
placements of these few symbols that fit all turns; a search for whole codes of 100 positions would
find none. When few placements are left, the next symbols are included. Once the symbols of all
blocks are known, guesses find their order inside the blocks, a few blocks at a time. Each guess
asks about a whole group of symbols or blocks at once, as in designs for weighing coins (Lindström,
1964; Cantor and Mills, 1966). Here the guesses are chosen adaptively, by their expected bits.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.sampling.block_orders import Orders
from puzzlehunt.engines.sampling.placements import (
    MOST_SETTLED,
    PlacementQuery,
    Placements,
    PlacementSearch,
    blocks_of,
    rows_left_out,
    with_others,
)
from puzzlehunt.engines.sampling.sampler import Sampler
from puzzlehunt.engines.sampling.turn_arrays import FREE, Numbers, TurnArrays
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels.feedback_matrix import Counts
from puzzlehunt.strategies.pool import random_neighbour

_BITS, _FEWEST = 52.0, 2
"""Symbols are asked about together while their blocks have at most the first number of bits of
information: with more, they are found too rarely. The second is the least number of symbols."""
_BITS_IN_ORDER = 42.0
"""The orders of blocks are asked about together while they have at most this many bits."""
_EFFORTS = (1, 2, 8)
"""Efforts to find placements. If nothing fits, something settled before may be wrong: then all
searches continue with the second effort, or with the last if the nearest placements cost `_FAR`."""
_FAR = 5
"""If the nearest placements cost this much or more, something settled is probably wrong."""
_MOST_LEFT_OUT = 5
"""If more turns than this are of no use for what is asked, whole codes are looked for instead."""
_STARTS, _ROUNDS, _BEST, _STEPS = 40, 4, 5, 40
"""Guesses made from placements, rounds of steps, best guesses of a round, and steps from each."""
_REMEMBERED = 40
"""Number of searches that are remembered: those used last."""


class ProbeScope(NamedTuple):
    """What a guess asks about: which blocks hold some symbols, or the order inside some blocks.

    While `end_block` is 0, the question is in which blocks the first `shown` symbols of the
    alphabet are. After that, it is the order of the symbols in each block from `first_block` up
    to, but not including, `end_block`.
    """

    shown: int
    first_block: int = 0
    end_block: int = 0


class PlacementProbe:
    """Makes guesses that ask for the positions of symbols, without a list of candidates."""

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler
        self._seed = sampler.game.play.seed
        self._blocks = blocks_of(sampler.game.length)
        self._searches: dict[tuple[object, ...], PlacementSearch | Orders] = {}
        self._effort = 0
        """Which of the efforts comes first: the one before, if nothing was found that fits."""

    def guess(self, items: Sequence[Item], end: float | None = None) -> Code | None:
        """Return a guess about the positions of some symbols, or the code itself once it is found.

        No search continues after the moment `end` (seconds of `time.monotonic`): the guess is then
        made from the placements found so far. Searches are stored and continue with the next call.
        The result is None in each of these cases:

        - The turns do not settle how often each symbol occurs.
        - There are facts, which the search for placements cannot use.
        - Too many turns say nothing about the symbols asked about.
        - No placement comes near to what the turns say, although the search had time to end.
        - Every guess that was found has been made before, or is not allowed.
        """
        bounds = self._sampler.occurrence_bounds(items)
        facts = not all(isinstance(item, Turn) for item in items)
        if facts or bounds is None or bounds[0] != bounds[1]:
            return None
        turns, counts = self._sampler.turn_arrays(items), np.array(bounds[0])
        found, scope = self._placements(turns, counts, _EFFORTS[self._effort], end)
        timely = found.timely
        while timely and self._effort + 1 < len(_EFFORTS):
            effort = _EFFORTS[self._effort + 1]
            enough = _FAR if effort == _EFFORTS[-1] else 1
            if found.cost < enough and not self._leaves_out(turns, counts, scope):
                break
            self._effort += 1
            again, reached = self._placements(turns, counts, effort, end)
            timely = again.timely
            if timely or (reached >= scope and again.cost < found.cost):
                found, scope = again, reached
        if not found.cost:
            self._effort = 0
        if timely and (found.cost >= _FAR or self._leaves_out(turns, counts, scope)):
            return None
        generator = np.random.default_rng((self._seed, len(items)))
        tried = {item.guess for item in items if isinstance(item, Turn)}
        if self._is_last(scope) and len(found.ends) == 1:
            code = tuple(found.ends[0].tolist())
            return None if code in tried else code
        # Symbols of a block are set together where its order is not asked about.
        apart = self._blocks < scope.end_block
        units = np.where(apart, np.arange(len(apart)), self._blocks + len(apart))
        units = np.unique(units, return_inverse=True)[1]
        guesses = _in_order(found.codes, units, scope.shown, self._is_last(scope), generator)
        allowed = self._sampler.game.guesses
        codes = (tuple(guess.tolist()) for guess in guesses)
        return next((code for code in codes if code not in tried and code in allowed), None)

    def _leaves_out(self, turns: TurnArrays, counts: Numbers, scope: ProbeScope) -> bool:
        """Whether too many turns are of no use: about a later scope, or somebody else's."""
        if scope.end_block:
            return False
        return rows_left_out(turns, counts, scope.shown, self._blocks) > _MOST_LEFT_OUT

    def _is_last(self, scope: ProbeScope) -> bool:
        return scope.end_block > int(self._blocks[-1])

    def _placements(
        self, turns: TurnArrays, counts: Numbers, effort: int, end: float | None
    ) -> tuple[Placements, ProbeScope]:
        """Return placements of what is to be asked about, and the scope of the game.

        Symbols are taken in the order of the alphabet until there are too many placements of them;
        then blocks are.
        """
        starts, scope = np.full((1, turns.guesses.shape[1]), FREE), ProbeScope(0)
        while True:
            if scope.shown < len(counts):
                scope = ProbeScope(_next_shown(counts, scope.shown, int(self._blocks[-1]) + 1))
            else:
                after = _next_end_block(starts[0], scope.end_block, self._blocks)
                scope = ProbeScope(scope.shown, scope.end_block, after)
            search = self._search(turns, counts, starts, scope)
            found = search.placements(effort, end)
            settled = found.complete and len(found.ends) <= MOST_SETTLED
            starts = found.ends
            if len(found.ends) > MOST_SETTLED and not scope.end_block:
                # What no guess tells apart is settled with the next symbols.
                settled = _alike(_times(found.codes, self._blocks, scope.shown))
                starts = _in_common(found.codes, self._blocks, scope.shown)
            if self._is_last(scope) or not settled:
                return found, scope

    def _search(
        self, turns: TurnArrays, counts: Numbers, starts: Numbers, scope: ProbeScope
    ) -> PlacementSearch | Orders:
        if scope.end_block:
            question = PlacementQuery.of_blocks(turns, scope.shown, self._blocks, scope.end_block)
            asked = (self._blocks >= scope.first_block) & (self._blocks < scope.end_block)
            cells = np.where(asked, self._blocks, -1)[None].repeat(len(starts), axis=0)
        else:
            question = PlacementQuery.of_symbols(turns, counts, scope.shown, self._blocks)
            cells = np.where(starts == FREE, 0, -1)
            starts = with_others(starts, counts, scope.shown)
        key = (question.key, starts.tobytes(), scope)
        search: PlacementSearch | Orders | None = self._searches.pop(key, None)
        if search is None:
            generator = np.random.default_rng((self._seed, *scope, len(question.low)))
            search = PlacementSearch(question, starts, cells, generator)
            if scope.end_block:
                orders = Orders(question, starts, cells, generator)
                search = orders if orders.can_be_listed else search
            if len(self._searches) == _REMEMBERED:
                del self._searches[next(iter(self._searches))]
        self._searches[key] = search
        return search


def _times(placements: Numbers, units: Numbers, shown: int) -> npt.NDArray[np.int16]:
    """Return (N, units, shown): how often each symbol occurs in each unit."""
    firsts = np.flatnonzero(np.diff(units, prepend=-1))
    times = (placements[:, :, None] == np.arange(shown)).astype(np.int16)
    return np.asarray(np.add.reduceat(times, firsts, axis=1))


def _alike(times: npt.NDArray[np.int16]) -> bool:
    """Return whether guesses of the symbols shown, one in each unit, tell no placements apart."""
    more = times - times[:, :, :1]
    return bool((more == more[0]).all())


def _in_common(placements: Numbers, blocks: Numbers, shown: int) -> Numbers:
    """Return (1, length): the symbols that a block has in all placements, `FREE` for others."""
    code = np.full((1, placements.shape[1]), FREE)
    for block, least in enumerate(_times(placements, blocks, shown).min(axis=0)):
        symbols = np.repeat(np.arange(shown), least)
        code[0, np.flatnonzero(blocks == block)[: len(symbols)]] = symbols
    return code


def _next_shown(counts: Numbers, shown: int, block_count: int) -> int:
    free, bits, more = int(counts[shown:].sum()), 0.0, 0
    while shown < len(counts):
        times = int(counts[shown])
        bits += math.log2(min(math.comb(free, times), math.comb(block_count - 1 + times, times)))
        if more >= _FEWEST and bits > _BITS and shown < len(counts) - 1:
            break
        shown, more, free = shown + 1, more + 1, free - times
    return shown


def _next_end_block(code: Numbers, end_block: int, blocks: Numbers) -> int:
    """Return before which block order is asked about next; `code` has the symbols of blocks."""
    bits = 0.0
    while end_block <= blocks[-1]:
        times = np.bincount(code[blocks == end_block]).tolist()
        bits += math.log2(math.factorial(sum(times)) // math.prod(map(math.factorial, times)))
        if bits > _BITS_IN_ORDER:
            break
        end_block += 1
    return end_block


def _in_order(
    placements: Numbers, units: Numbers, shown: int, last: bool, generator: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Return guesses, best first, by the bits that the symbols in place tell about placements.

    They are made from placements, with other units filled by possible symbols; then random steps
    are made from the best.
    """
    times = _times(placements, units, shown)
    firsts = np.flatnonzero(np.diff(units, prepend=-1))
    varies = times.min(axis=0) < times.max(axis=0)
    open_units, asked = np.flatnonzero(varies.any(axis=1)), np.flatnonzero(varies.any(axis=0))
    if not len(open_units):
        open_units, asked = np.arange(len(firsts)), np.arange(shown)
    chances = times.mean(axis=0)
    made = [np.where(varies.any(axis=1), abs(chances - 0.5).argmin(axis=1), chances.argmax(axis=1))]
    for place in generator.permutation(len(placements))[:_STARTS]:
        sums = (times[place] + 0.001 * chances).cumsum(axis=1)
        drawn = (sums < generator.random((len(firsts), 1)) * sums[:, -1:]).sum(axis=1)
        made.append(np.minimum(drawn, shown - 1))
    # A guess that may be the code is worth its chance to be it, as bits.
    share = 1 / len(np.unique(placements, axis=0)) if last else 0.0
    guesses = np.unique(np.array(made), axis=0)
    bits = _bits(times, guesses) + share * _holds(placements, guesses[:, units])
    for _ in range(_ROUNDS):
        best = np.argsort(-bits, kind="stable")[:_BEST]
        near = guesses[best].repeat(_STEPS, axis=0)
        for _ in range(3):
            near = random_neighbour(near, asked, open_units, generator)
        near = np.unique(near, axis=0)
        more = _bits(times, near) + share * _holds(placements, near[:, units])
        guesses = np.concatenate((guesses[best], near))
        bits = np.concatenate((bits[best], more))
    order = np.argsort(-bits, kind="stable")
    return np.asarray(guesses[order][:, units])


def _bits(times: npt.NDArray[np.int16], guesses: Numbers) -> npt.NDArray[np.float64]:
    """Return (G,): the bits that the number of symbols in place tells about placements."""
    bits, units = np.empty(len(guesses)), np.arange(guesses.shape[1])
    for number, guess in enumerate(guesses):
        counts: Counts = np.bincount(times[:, units, guess].sum(axis=1))
        shares = counts[counts > 0] / len(times)
        bits[number] = -(shares * np.log2(shares)).sum()
    return bits


def _holds(placements: Numbers, guesses: Numbers) -> npt.NDArray[np.bool_]:
    known = {row.tobytes() for row in placements}
    return np.array([guess.tobytes() in known for guess in guesses])
