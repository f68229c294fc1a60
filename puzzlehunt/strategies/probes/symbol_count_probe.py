"""Probes for codes too large to sample: guesses made from the turns alone (Lindström, 1964).

Each of the first guesses holds two symbols, one in each half of the guess. The sum of black and
white then shows how often the newer symbol occurs, and black shows how it is spread over the
halves.

Then candidates are guessed, as long as the sampler finds any. If it
finds none, a guess fills some positions according to the turns, and all others with one symbol. Its
answer is then about the filled positions. Once these are settled, every turn implies more about the
others.
"""

import random
import time
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.sampling.sampler import LONG_ROUNDS, LONG_RUNS, Sampler
from puzzlehunt.engines.sampling.turn_arrays import Numbers
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.kernels.packed_codes import Indices

_PART = 25
"""At most this many positions are settled together: for more, the sampler rarely finds codes."""
_LARGEST_BLOCK, _FEWEST_BLOCKS = 5, 8
"""Positions of a block, at most, and the least number of blocks into which halves are cut."""


class SymbolCountProbe:
    """Makes guesses from the turns alone, for games in which no candidate is known."""

    def __init__(self, game: Game, sampler: Sampler | None = None) -> None:
        self.game = game
        self.sampler = sampler or Sampler(game)

    def guess_for_symbols(self, items: Sequence[Item]) -> Code | None:
        """Return a guess that asks how often symbols occur; None if no such guess helps."""
        occurs = self.sampler.occurrence_bounds(items) if self.sampler.serves_pairs else None
        if occurs is None:
            return None
        tried = {item.guess for item in items if isinstance(item, Turn)}
        unknown = (s for s, (low, high) in enumerate(zip(*occurs, strict=True)) if low < high)
        guesses = chain.from_iterable(map(self._guesses_about, unknown))
        return next((g for g in guesses if g not in tried and g in self.game.guesses), None)

    def _guesses_about(self, symbol: int) -> Iterator[Code]:
        """Yield guesses of a symbol and the one before, half of each; then of the symbol alone."""
        # Halves that differ from guess to guess tell more: a symbol is asked about twice.
        length = self.game.length
        blocks = np.arange(length) // max(1, min(_LARGEST_BLOCK, length // _FEWEST_BLOCKS))
        apart = blocks % 2 == 0 if symbol % 2 else blocks < (blocks[-1] + 1) // 2
        if symbol:
            yield tuple(np.where(apart, symbol - 1, symbol).tolist())
            yield tuple(np.where(apart, symbol, symbol - 1).tolist())
        yield (symbol,) * length

    def guess_for_positions(
        self, items: Sequence[Item], rng: random.Random, end: float | None = None
    ) -> Code | None:
        """Return a guess that asks which symbols are in some positions.

        One symbol fills the other positions whose symbols are unknown. The result is None if the
        turns contradict each other, or if the sampler does not support the game's rule. The search
        for a code ends soon after the moment `end` (seconds of `time.monotonic`).
        """
        occurs = self.sampler.occurrence_bounds(items) if self.sampler.serves_pairs else None
        if occurs is None:
            return None
        generator = np.random.default_rng(rng.randrange(2**32))
        settled = self.sampler.backbone(items)
        unknown = np.flatnonzero(settled < 0)
        size = min(_PART, -(-self.game.length // 2))
        part, rest = unknown[:size], unknown[size:]
        filled = np.array(self._nearest(items, settled, rest, generator, end))
        if len(rest):
            inside = np.bincount(filled[part], minlength=len(occurs[0]))
            filled[rest] = np.lexsort((np.array(occurs[1]), inside))[0]
        guess = tuple(filled.tolist())
        tried = {item.guess for item in items if isinstance(item, Turn)}
        while guess in tried or guess not in self.game.guesses:
            guess = self.game.guesses.random(rng)
        return guess

    def _nearest(
        self, items: Sequence[Item], settled: Numbers, rest: Indices,
        generator: np.random.Generator, end: float | None,
    ) -> Code:  # fmt: skip
        """Return the code found that least breaks turns with at most two symbols in `rest`."""
        turns = [item for item in items if isinstance(item, Turn)]
        about = [turn for turn in turns if len({turn.guess[p] for p in rest}) <= 2]
        best, least = None, None
        for _ in range(LONG_RUNS // 2):
            chains = self.sampler.chains(items, generator, settled, about)
            assert chains is not None, "how often symbols occur has been found out before"
            run = chains.run(1, LONG_ROUNDS, 0, generator)
            if least is None or run.cost < least:
                best, least = run.nearest, run.cost
            if least == 0 or (end is not None and time.monotonic() > end):
                break
        assert best is not None
        return best
