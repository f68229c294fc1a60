"""Turns as arrays, what they imply about a code's symbols, and all candidates once they are few.

For rules whose feedback is two counts: how many symbols of a guess are in place, and how many it
has in common with the secret, those in place included (`Rule.pair_offsets`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import factorial

import numpy as np
import numpy.typing as npt

from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels.packed_codes import CodeArray, Mask, array_of

IMPOSSIBLE = 1 << 13
"""Both bounds of a turn that no code fits; it is greater than any count of symbols."""

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
_Keys = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class TurnArrays:
    """Turns of one game: `guesses` (turns, length) and `times` (turns, symbols).

    `times` says how often each symbol occurs in a guess. `allowed` (turns, length + 1, length + 1)
    is true where a turn admits a pair of counts: symbols in place, symbols in common.
    """

    guesses: CodeArray
    times: CodeArray
    allowed: Flags

    @classmethod
    def of(cls, game: Game, items: Sequence[Item]) -> "TurnArrays":
        """Return the arrays of the turns among `items`, whose feedback is such a pair."""
        turns = [item for item in items if isinstance(item, Turn)]
        size, symbols = game.length + 1, len(game.secrets.alphabet)
        guesses = array_of([turn.code for turn in turns], game.length)
        times = (guesses[:, :, None] == np.arange(symbols)).sum(axis=1, dtype=np.uint8)
        allowed = np.array([_allowed_pairs(game, turn) for turn in turns], dtype=np.bool_)
        return cls(guesses, times, allowed.reshape(-1, size, size))

    def fit(self, codes: CodeArray) -> Mask:
        """Return (N,): whether each code of `codes` (N, length) fits all turns."""
        fitting = np.zeros(len(codes), dtype=np.bool_)
        rows, columns = np.arange(len(codes)), np.ascontiguousarray(codes.T)
        guesses, times = self.guesses, self.times
        # Counts in place are found sooner than those in common, and exclude most codes.
        in_place_allowed: Flags = np.asarray(self.allowed.any(axis=2))
        for guess, allowed in zip(guesses, in_place_allowed, strict=True):
            fits = np.flatnonzero(allowed.take(_how_many(columns == guess[:, None])))
            rows, columns = rows.take(fits), columns.take(fits, axis=1)
        if not len(rows):
            return fitting
        counts = np.array([_how_many(columns == symbol) for symbol in range(times.shape[1])])
        in_place = (columns == guesses[:, :, None]).sum(axis=1)
        common = np.minimum(counts, times[:, :, None]).sum(axis=1)
        turns = np.arange(len(guesses))[:, None]
        fitting[rows] = self.allowed[turns, in_place, common].all(axis=0)
        return fitting

    @cached_property
    def bounds(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
        """The least and the greatest counts that each turn admits, an array (3, turns) each.

        The three counts are: symbols in place, symbols in common, and the second minus the first.
        """
        low = np.full((3, len(self.guesses)), IMPOSSIBLE, dtype=np.int16)
        high = low.copy()
        for turn, allowed in enumerate(self.allowed):
            in_place, common = np.nonzero(allowed)
            if len(in_place):
                for kind, counts in enumerate((in_place, common, common - in_place)):
                    low[kind, turn], high[kind, turn] = counts.min(), counts.max()
        return low, high

    def occurrence_bounds(self) -> tuple[list[int], list[int]] | None:
        """Return the least and the greatest count of each symbol, or None.

        Turns narrow the bounds as long as they can (bounds propagation). None if no code fits them.
        """
        length, symbols = self.guesses.shape[1], self.times.shape[1]
        least, most = np.zeros(symbols, dtype=np.int64), np.full(symbols, length)
        low, high = (bound[1].astype(np.int64) for bound in self.bounds)
        # The length of a code is like one more turn: with a guess that holds every symbol `length`
        # times, a code has `length` symbols in common.
        whole = np.full(symbols, length)
        clues = [(whole, length, length), *zip(self.times.astype(np.int64), low, high, strict=True)]
        changed = True
        while changed:
            changed = False
            for times, fewest, greatest in clues:
                at_least, at_most = np.minimum(least, times), np.minimum(most, times)
                needed = fewest - (at_most.sum() - at_most)
                room = greatest - (at_least.sum() - at_least)
                if (needed > times).any() or (room < 0).any():
                    return None
                less = np.maximum(least, needed)
                more = np.where(room < times, np.minimum(most, room), most)
                changed = changed or bool((less > least).any() or (more < most).any())
                least, most = less, more
        return None if (least > most).any() else (least.tolist(), most.tolist())


def _how_many(true: Flags) -> CodeArray:
    return np.asarray(true.view(np.uint8).sum(axis=0, dtype=np.uint8))


@lru_cache(maxsize=1024)
def _allowed_pairs(game: Game, turn: Turn) -> Flags:
    """Return (length + 1, length + 1): the pairs (in place, in common) that a turn admits."""
    feedbacks = game.rule.feedback_array(np.arange(len(game.rule.feedbacks)))
    black, white = feedbacks[meaning.admitted(game, turn, feedbacks)].T
    allowed = np.zeros((game.length + 1, game.length + 1), dtype=np.bool_)
    allowed[black, black + white] = True
    return allowed


def meet_in_the_middle(
    turns: TurnArrays, table: CodeArray, most: int, fits: Callable[[CodeArray], Mask]
) -> CodeArray | None:
    """Return all candidates, (N, length), in code order; None if there are more than `most`.

    `table` (N, symbols) holds the possible symbol counts; `fits` tells which of some codes fit all
    items. For each row of the table, all first and all second halves of codes are listed. Two are
    joined if their symbol counts add up to the row, and their symbols in place to the number of
    each turn (Horowitz and Sahni, 1974). None, too, if listing the halves would take long.
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
    # Sorted keys are found sooner: one after the other in memory.
    first, second = first[np.argsort(keys[first])], second[np.argsort(needed[second])]
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
