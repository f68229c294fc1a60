"""Turns as arrays, and what they imply about a code's symbols without a search.

For rules whose feedback is two counts: how many symbols of a guess are in place, and how many it
has in common with the secret, those in place included (`Rule.pair_offsets`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.kernels.packed_codes import CodeArray, Mask, array_of

IMPOSSIBLE = 1 << 13
"""Both bounds of a turn that no code fits; it is greater than any count of symbols."""

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


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
    def of(cls, game: Game, turns: Sequence[Turn]) -> "TurnArrays":
        """Return the arrays of some turns of a game whose feedback is such a pair."""
        size, symbols = game.length + 1, len(game.secrets.alphabet)
        guesses = array_of([turn.guess for turn in turns], game.length)
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


def _how_many(true: Flags) -> CodeArray:
    """Return how many values in each column are true."""
    return np.asarray(true.view(np.uint8).sum(axis=0, dtype=np.uint8))


@lru_cache(maxsize=256)
def _allowed_pairs(game: Game, turn: Turn) -> Flags:
    """Return (length + 1, length + 1): the pairs (in place, in common) that a turn admits."""
    feedbacks = game.rule.feedback_array(np.arange(len(game.rule.feedbacks)))
    admitted = game.admitted(turn, feedbacks) & ~game.win_conflicts(turn, feedbacks)
    black, white = feedbacks[admitted].T
    allowed = np.zeros((game.length + 1, game.length + 1), dtype=np.bool_)
    allowed[black, black + white] = True
    return allowed


def occurrence_bounds(turns: TurnArrays) -> tuple[list[int], list[int]] | None:
    """Return the least and the greatest count of each symbol, or None.

    Each turn narrows the bounds, until no turn narrows them further (bounds propagation). None if
    the bounds show that no code fits.
    """
    length, symbols = turns.guesses.shape[1], turns.times.shape[1]
    least, most = np.zeros(symbols, dtype=np.int64), np.full(symbols, length)
    low, high = (bound[1].astype(np.int64) for bound in turns.bounds)
    # The length of a code is like one more turn: with a guess that holds every symbol `length`
    # times, a code has `length` symbols in common.
    whole = np.full(symbols, length)
    clues = [(whole, length, length), *zip(turns.times.astype(np.int64), low, high, strict=True)]
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
