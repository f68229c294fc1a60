"""Pooled tests: find the one positive sample of several, with a test that is sometimes wrong."""

import math
from itertools import combinations

from puzzlehunt import Channel, Game, Lies, run

WRONG = 0.1
"""The probability that the test of a pool is wrong."""
SURE = 0.95
"""The probability of a sample at which a game of questions ends."""


def answer(pool: tuple[int, ...], positive: int) -> str:
    """Return the true result of the test of a pool."""
    return "positive" if positive in pool else "negative"


def pool_game(samples: int, most: int) -> Game:
    """Return the game of some samples, in pools of up to `most`."""
    every = range(1, samples + 1)
    pools = [pool for size in range(1, most + 1) for pool in combinations(every, size)]
    channel = Channel(lies=Lies(chance=WRONG))
    return Game.from_function(every, pools, answer, title=f"{samples} samples", channel=channel)


def simulated(game: Game, seeds: int) -> list[int]:
    """Return the tests of games with every positive sample, once with each seed."""
    results = [run(game.with_play({"seed": seed})) for seed in range(seeds)]
    return [tests for result in results for tests in result.guesses["played"].tolist()]


def capacity() -> float:
    """Return how many bits a test tells at most: the capacity of the binary symmetric channel."""
    return 1 + WRONG * math.log2(WRONG) + (1 - WRONG) * math.log2(1 - WRONG)


def fewest(samples: int) -> float:
    """Return a lower bound of the expected tests, whatever the pools.

    It is the information that must be gained, divided by the capacity of a test. When one sample
    has the probability SURE, what is still unknown is at most the entropy of Fano's inequality.
    """
    others = 1 - SURE
    unknown = -SURE * math.log2(SURE) - others * math.log2(others / (samples - 1))
    return (math.log2(samples) - unknown) / capacity()
