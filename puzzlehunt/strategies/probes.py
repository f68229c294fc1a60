"""Guesses made from the turns alone, for codes too large to sample (Lindström, 1964).

Each of the first guesses holds two symbols, one in each half of the guess. The sum of black and
white then shows how often the newer symbol occurs, and black how it is spread over the halves.

Then candidates are guessed, or, if the sampler finds none, the code that is nearest to one.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.strategies.position import array_rng

if TYPE_CHECKING:
    from puzzlehunt.engines.sampling.sampler import Sampler


def sampler_of(engine: Engine) -> "Sampler":
    """Return an engine's sampler, or a new one for its game."""
    from puzzlehunt.engines.sampling.sampler import Sampler

    return engine.sampler or Sampler(engine.game)


def guess_for_symbols(sampler: "Sampler", items: Sequence[Item]) -> Code | None:
    """Return an untried guess about a symbol whose count is not known; None if there is none."""
    if (bounds := sampler.occurrence_bounds(items)) is None:
        return None
    tried = {item.code for item in items if isinstance(item, Turn)}
    least, most = bounds
    undecided = [symbol for symbol in range(len(least)) if least[symbol] < most[symbol]]
    guesses = chain.from_iterable(_guesses_about(s, sampler.game.length) for s in undecided)
    return next((g for g in guesses if g not in tried and g in sampler.game.guesses), None)


def _guesses_about(symbol: int, length: int) -> Iterator[Code]:
    """Yield guesses of a symbol and the one before, half of each; then of the symbol alone."""
    # Halves that differ from guess to guess tell more: a symbol is asked about twice.
    places = np.arange(length)
    apart = places % 2 == 0 if symbol % 2 else places < length // 2
    if symbol:
        yield tuple(np.where(apart, symbol - 1, symbol).tolist())
        yield tuple(np.where(apart, symbol, symbol - 1).tolist())
    yield (symbol,) * length


def nearest_guess(sampler: "Sampler", items: Sequence[Item], rng: random.Random) -> Code | None:
    """Return the guess found that is nearest to fitting all turns.

    None if the turns contradict each other, or if the sampler does not support the rule.
    """
    if not sampler.draws_by_counts:
        return None
    if (found := sampler.run_chains(items, array_rng(rng))) is None:
        return None
    guess, tried = found[1], {item.code for item in items if isinstance(item, Turn)}
    while guess in tried or guess not in sampler.game.guesses:
        guess = sampler.game.guesses.random(rng)
    return guess
