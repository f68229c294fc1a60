"""What is certain in every built-in game."""

import random
from dataclasses import replace

import pytest

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.explanation.certainty import certain
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History, Turn


@pytest.mark.parametrize("name", sorted(gamefile.built_in_games()))
def test_what_is_certain_of_a_built_in_game_is_true_of_a_candidate(name: str) -> None:
    game = replace(gamefile.load(name), history=History())
    rng = random.Random(name)
    engine = open_engine(game)
    secret = game.secrets.random(rng)
    for _ in range(4):
        guess = game.guesses.random(rng)
        if game.score(guess, secret) != tuple(game.rule.winning):
            engine.push(Turn(guess, game.rule.notation.full_clue(game.score(guess, secret), guess)))
    found = certain(engine)
    if engine.satisfiable() and not game.boards > 1:
        candidate = next(engine.in_code_order())
        assert all(
            candidate[one.position] == one.symbol for one in found if one.position is not None
        )
