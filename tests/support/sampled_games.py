"""Games small enough to count, whose samples are held against all their candidates."""

import math
import random
from collections import Counter

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.sampling.sampler import Sampler
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.session.codemaker import open_codemaker, play_against
from puzzlehunt.strategies.adviser import Adviser


def played(size: str, seed: int, turns: int, *settings: str) -> tuple[Game, list[Turn], Code]:
    """A game of a size with so many random rows of a seeded secret, some of them half read."""
    game, rng = gamefile.load(size, list(settings)), random.Random(seed)
    secret = game.secrets.random(rng)
    said = []
    for _ in range(turns):
        guess = game.guesses.random(rng)
        shown = game.score(guess, secret)
        clue = game.rule.notation.full_clue(shown, guess)
        if rng.random() < 0.3 and shown != game.rule.winning:
            clue = game.likelihood.partly_read(shown, guess, [0.7] * 9, lambda *_: rng.random())
        said.append(Turn(guess, clue, rng.choice([0, 0, 0, 0.5])))
    return game, said, secret


def fitting(game: Game, items) -> list[Code]:
    history = History(tuple(items))
    return [code for code in game.secrets if game.fits(history, code)]


def excess(found: Counter[Code], among: list[Code]) -> float:
    """By how many standard deviations a chi-square statistic is above its mean."""
    expected = found.total() / len(among)
    statistic = sum((found[code] - expected) ** 2 / expected for code in among)
    return (statistic - (len(among) - 1)) / math.sqrt(2 * (len(among) - 1))


def played_out(size: str, seed: int, *settings: str) -> tuple[int, list[str]]:
    """How many guesses a seeded secret takes, and what each was based on."""
    game, rng = gamefile.load(size, ["play.attempts=999", *settings]), random.Random(seed)
    codemaker = open_codemaker(game, game.secrets.random(rng), rng=rng)
    advices = [
        advice for _, advice in play_against(codemaker, Adviser(game), open_engine(game), rng)
    ]
    return len(advices), [advice.basis for advice in advices]


def check_chains(game: Game, items: list[Turn], runs: int = 60) -> None:
    """Assert that chains come to every candidate, and to each about as often, in so many runs."""
    expected = fitting(game, items)
    sampler, chance = Sampler(game), np.random.default_rng(1)
    found: Counter[Code] = Counter()
    for _ in range(runs):
        # Between two looks a chain makes 200 steps; of those that fit a few are kept by chance.
        met = sampler.run_chains(items, chance, 300)[0][::10]
        found.update(tuple(row) for row in sampler.fitting(items, met).tolist())
    assert set(found) == set(expected)
    assert found.total() > 50 * runs
    assert excess(found, expected) < 5
