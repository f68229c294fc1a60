"""Structured play: settles how often symbols occur, then where they stand, part by part.

For codes that are too many for anything else. First two symbols are asked about at a time, each in
its half of the code: what is in common tells how often the newer one occurs, and what is in place
how they are spread. Then candidates are guessed as long as any are found. After that some positions
are filled with what the rows about them leave, and all others with one symbol, so that the answer
is about those positions alone; once they are settled, all rows say more about the others.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.sampling.sampler import LONG_ROUNDS, Sampler, long_runs
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels.codes import Rows
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.position import Position

_PART = 25
"""So many positions are settled together: the most for which chains find codes up to the end."""


class Structured(Strategy):
    """Asks for symbols first and for candidates then, of which another strategy picks one."""

    name: ClassVar[str] = "structured"
    asks_for_symbols = True

    def __init__(self, inner: Callable[[], Strategy]) -> None:
        self._inner = inner()
        self.measure = self._inner.measure
        self.through_channel = self._inner.through_channel

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        return self._inner.rank(position, top)

    def bits(self, position: Position, guesses: Rows) -> npt.NDArray[np.float64] | None:
        return self._inner.bits(position, guesses)

    def rate(self, position: Position, guess: Code) -> Suggestion:
        return self._inner.rate(position, guess)


class Settling:
    """Makes guesses for one game from its rows alone; a sampler that knows them saves work."""

    def __init__(self, game: Game, sampler: Sampler | None = None) -> None:
        self.game = game
        self.sampler = sampler or Sampler(game)

    def symbols(self, items: Sequence[Item]) -> Code | None:
        """Return a guess that asks how often symbols occur; None where none would tell more."""
        if not self.sampler.compiled:
            return None
        occurs = self.sampler.occurrence_bounds(items)
        if occurs is None:
            return None
        tried = {item.guess for item in items if isinstance(item, Turn)}
        unknown = [s for s, (low, high) in enumerate(zip(*occurs, strict=True)) if low < high]
        for symbol in unknown:
            for guess in self._about(symbol):
                if guess not in tried and guess in self.game.guesses:
                    return guess
        return None

    def _about(self, symbol: int) -> Iterator[Code]:
        """Yield guesses about a symbol: with the one before it, each in a half, or alone."""
        half, whole = self.game.length // 2, self.game.length
        if symbol:
            yield (symbol - 1,) * half + (symbol,) * (whole - half)
            yield (symbol,) * half + (symbol - 1,) * (whole - half)
        yield (symbol,) * whole

    def part(
        self, items: Sequence[Item], rng: random.Random, end: float | None = None
    ) -> Code | None:
        """Return a guess about some positions, filled with what the rows about them leave.

        None where rows contradict each other, or their rule cannot be served so. At the moment
        `end`, by the monotonic clock, it makes do with what it has.
        """
        if not self.sampler.compiled:
            return None
        occurs = self.sampler.occurrence_bounds(items)
        if occurs is None:
            return None
        chance = np.random.default_rng(rng.randrange(2**32))
        known = self.sampler.settled(items)
        unknown = np.flatnonzero(known < 0)
        size = min(_PART, -(-self.game.length // 2))
        part, rest = unknown[:size], unknown[size:]
        filled = np.array(self._nearest(items, known, rest, chance, end))
        if len(rest):
            inside = np.bincount(filled[part], minlength=len(occurs[0]))
            order = np.lexsort((np.array(occurs[1]), inside))
            filled[rest] = order[0]
        guess = tuple(int(symbol) for symbol in filled)
        tried = {item.guess for item in items if isinstance(item, Turn)}
        while guess in tried or guess not in self.game.guesses:
            guess = self.game.guesses.random(rng)
        return guess

    def _nearest(
        self,
        items: Sequence[Item],
        known: npt.NDArray[np.int64],
        rest: npt.NDArray[np.intp],
        chance: np.random.Generator,
        end: float | None,
    ) -> Code:
        """Return the code nearest to what those turns say which hardly differ in the rest."""
        turns = [item for item in items if isinstance(item, Turn)]
        about = [turn for turn in turns if len({turn.guess[p] for p in rest}) <= 2]
        best, least = None, None
        for _ in range(long_runs(about) // 2):
            chains = self.sampler.chains(items, chance, known, about)
            assert chains is not None, "how often symbols occur has been found out before"
            met = chains.run(1, LONG_ROUNDS, 0, chance)
            if least is None or met.cost < least:
                best, least = met.nearest, met.cost
            if least == 0 or (end is not None and time.monotonic() > end):
                break
        assert best is not None
        return best
