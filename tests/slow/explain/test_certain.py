"""What is certain in every built-in game."""

import random
import time
from dataclasses import replace

import pytest

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.explain.certainty import certain
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History, Turn


@pytest.mark.parametrize("name", sorted({*gamefile.built_in_games()} - {"xordle"}))
def test_built_in_games_are_answered_at_once(name: str) -> None:
    game = replace(gamefile.load(name), history=History())
    rng = random.Random(name)
    engine = open_engine(game)
    secret = game.secrets.random(rng)
    for _ in range(4):
        guess = game.guesses.random(rng)
        if game.score(guess, secret) != tuple(game.rule.winning):
            engine.push(Turn(guess, game.rule.exactly(game.score(guess, secret), guess)))
    start = time.perf_counter()
    certain(engine)
    assert time.perf_counter() - start < 0.5
