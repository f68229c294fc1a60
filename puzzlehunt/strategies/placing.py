"""Placing: settles where symbols stand, two or three symbols at a time, for the longest codes.

Once it is known how often each symbol occurs, a guess tells most where it may be right at every
position. A guess of two or three symbols alone does so, and what such guesses have told about
these symbols can be found by a search, while a code of 100 positions cannot. Where few places are
left for them, the next symbols are asked about too. That settles one group of unknowns after the
other, each by questions about all of the group at once, as designs for weighing coins do
(Lindström, 1964; Cantor and Mills, 1966); here they are chosen as the game goes on, by the bits
that they tell.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.sampling.placements import (
    Placements,
    Question,
    find_placements,
    rows_left_out,
)
from puzzlehunt.engines.sampling.sampler import Sampler
from puzzlehunt.engines.sampling.turn_arrays import FREE, Numbers, TurnArrays
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels.partitions import Counts
from puzzlehunt.strategies.pool import one_random_step

_BITS, _FEWEST = 56.0, 2
"""Symbols are asked about together while their places are this many bits, and two in any case: with
more bits, where they stand is found too rarely."""
_MOST_SETTLED = 5
"""Most placements with which the next symbols are asked about."""
_EFFORTS = (1, 2, 8)
"""Efforts to find placements: where nothing fits behind what was settled, that may have been wrong,
and all is looked for again with the next effort; with the last where the nearest are `_FAR` off."""
_FAR = 5
"""Cost of the nearest placements from which something settled is more likely wrong than not."""
_MOST_LEFT_OUT = 5
"""Most turns that may be of no use for what is asked: with more, whole codes are looked for."""
_STARTS, _ROUNDS, _BEST, _STEPS = 40, 4, 5, 40
"""Guesses made from placements, rounds of steps, best guesses of a round, and steps from each."""
_REMEMBERED = 40
"""Questions whose placements are remembered."""


class Placer:
    """Makes guesses about where symbols stand, from the turns of a game alone."""

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler
        self._seed = sampler.game.play.seed
        self._known: dict[tuple[object, ...], Placements] = {}

    def guess(self, items: Sequence[Item], end: float | None = None) -> Code | None:
        """Return a guess that asks where some symbols stand, or the code itself once it is found.

        None where it is not known how often each symbol occurs, where there are facts, which
        placements do not look at, where turns are about too many symbols, where nothing fits
        them, or where the searches are not done by the moment `end`. What they found is
        remembered.
        """
        bounds = self._sampler.occurrence_bounds(items)
        facts = not all(isinstance(item, Turn) for item in items)
        if facts or bounds is None or bounds[0] != bounds[1]:
            return None
        turns, counts = self._sampler.turn_arrays(items), np.array(bounds[0])
        found, shown = self._placements(turns, counts, _EFFORTS[0], end)
        for effort in _EFFORTS[1:]:
            enough = _FAR if effort == _EFFORTS[-1] else 1
            if found.cost >= enough and found.timely:
                found, shown = self._placements(turns, counts, effort, end)
        if not found.timely or found.cost >= _FAR:
            return None
        if rows_left_out(turns, counts, shown) > _MOST_LEFT_OUT:
            return None
        generator = np.random.default_rng((self._seed, len(items)))
        tried = {item.guess for item in items if isinstance(item, Turn)}
        if shown == len(counts) and len(found.ends) == 1:
            code = tuple(found.ends[0].tolist())
            return None if code in tried else code
        guesses = _in_order(found.codes, shown, counts, generator)
        allowed = self._sampler.game.guesses
        codes = (tuple(guess.tolist()) for guess in guesses)
        return next((code for code in codes if code not in tried and code in allowed), None)

    def _placements(
        self, turns: TurnArrays, counts: Numbers, effort: int, end: float | None
    ) -> tuple[Placements, int]:
        """Return placements of the symbols to ask about, and how many symbols these are.

        Symbols are taken in the order of the alphabet, as many at a time as `_next_shown` says,
        until there are too many placements of them.
        """
        starts, shown = np.full((1, turns.guesses.shape[1]), FREE), 0
        while True:
            shown = _next_shown(counts, shown)
            found = self._found(turns, counts, starts, shown, effort, end)
            settled = found.complete and len(found.ends) <= _MOST_SETTLED
            if shown == len(counts) or not settled:
                return found, shown
            starts = found.ends

    def _found(
        self,
        turns: TurnArrays,
        counts: Numbers,
        starts: Numbers,
        shown: int,
        effort: int,
        end: float | None,
    ) -> Placements:
        """Return placements of the first `shown` symbols, remembered if they were asked before."""
        question = Question.of(turns, counts, shown)
        key = (question.key, starts.tobytes(), shown, effort)
        if key not in self._known:
            generator = np.random.default_rng((self._seed, shown, len(question.low)))
            found = find_placements(question, counts, starts, effort, generator, end)
            if not found.timely:
                return found
            if len(self._known) == _REMEMBERED:
                self._known.clear()
            self._known[key] = found
        return self._known[key]


def _next_shown(counts: Numbers, shown: int) -> int:
    """Return how many symbols are asked about next, if the first `shown` are settled."""
    free, bits, more = int(counts[shown:].sum()), 0.0, 0
    while shown < len(counts):
        times = int(counts[shown])
        bits += math.log2(math.comb(free, times))
        if more >= _FEWEST and bits > _BITS and shown < len(counts) - 1:
            break
        shown, more, free = shown + 1, more + 1, free - times
    return shown


def _in_order(
    placements: Numbers, shown: int, counts: Numbers, generator: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Return guesses, best first, by the bits that the symbols in place tell about placements.

    They are made from placements, other positions filled by what may stand there; then steps go on
    from the best.
    """
    length = placements.shape[1]
    chances = np.stack([(placements == s).mean(axis=0) for s in range(shown)], axis=1)
    open_positions = np.flatnonzero(chances.max(axis=1) < 1)
    asked = np.flatnonzero(((chances > 0) & (chances < 1)).any(axis=0))
    if not len(open_positions) or not len(asked):
        open_positions, asked = np.arange(length), np.arange(shown)
    sums = chances.cumsum(axis=1)
    settled = chances.max(axis=1) == 1
    made = [np.where(settled, chances.argmax(axis=1), abs(chances - 0.5).argmin(axis=1))]
    for place in generator.permutation(len(placements))[:_STARTS]:
        drawn = (sums < generator.random((length, 1)) * sums[:, -1:]).sum(axis=1)
        code = placements[place]
        made.append(np.where(code == FREE, np.minimum(drawn, shown - 1), code))
    # A guess that may be the code is worth its chance to be it, as bits.
    whole = shown == len(counts)
    share = 1 / len(np.unique(placements, axis=0)) if whole else 0.0
    guesses = np.unique(np.array(made), axis=0)
    bits = _bits(placements, guesses) + share * _holds(placements, guesses)
    for _ in range(_ROUNDS):
        best = np.argsort(-bits, kind="stable")[:_BEST]
        near = guesses[best].repeat(_STEPS, axis=0)
        for _ in range(3):
            near = one_random_step(near, asked, open_positions, generator)
        near = np.unique(near, axis=0)
        more = _bits(placements, near) + share * _holds(placements, near)
        guesses = np.concatenate((guesses[best], near))
        bits = np.concatenate((bits[best], more))
    order = np.argsort(-bits, kind="stable")
    return np.asarray(guesses[order])


def _bits(placements: Numbers, guesses: Numbers) -> npt.NDArray[np.float64]:
    """Return (G,): the bits that the number of symbols in place tells about placements."""
    bits = np.empty(len(guesses))
    for number, guess in enumerate(guesses):
        counts: Counts = np.bincount((placements == guess).sum(axis=1))
        shares = counts[counts > 0] / len(placements)
        bits[number] = -(shares * np.log2(shares)).sum()
    return bits


def _holds(placements: Numbers, guesses: Numbers) -> npt.NDArray[np.bool_]:
    """Return (G,): which guesses are among the placements."""
    known = {row.tobytes() for row in placements}
    return np.array([guess.tobytes() in known for guess in guesses])
