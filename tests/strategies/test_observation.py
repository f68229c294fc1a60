import random
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from bayes import Seen
from positions import followed
from puzzlehunt.channel.model import Channel, Rate
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.rules.families import TileRule
from puzzlehunt.strategies.measures import MEASURES
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.registry import find_strategy
from random_games import noisy_game

seeds = st.integers(0, 100_000)
games = st.from_type(Game).filter(lambda game: game.boards == 1)
few = settings(max_examples=5)
measures = pytest.mark.parametrize("measure", MEASURES)

CHANNELS = [["reads"], ["learn"], ["exactly"], ["chance"], ["at_most"], ["reads", "misread"]]
through = pytest.mark.parametrize("parts", CHANNELS, ids="+".join)


def several_left(game):
    """The engine of a game's own history, where there is something left to be told."""
    engine = followed(game, name="explicit")
    assume(game.channel.weighs and engine.count().exact > 1)
    assume(engine.posterior.probabilities[engine.candidate_places()].sum() > 0)
    return engine


# What a guess is worth: what its note, not its answer, tells of the secret.


@through
@given(seeds)
@few
def test_a_guess_is_worth_what_its_note_tells(parts, seed):
    game = noisy_game(seed, *parts, rows=3)
    engine = several_left(game)
    guess = game.guesses.random(random.Random(seed))
    position = Position.of(game, engine)
    rated = find_strategy("entropy").rate(position, guess)
    assert rated.value == pytest.approx(Seen(engine, guess).information(), abs=2e-8)


def worth(game, measure, codes):
    """The position after a game's own history, and what some guesses are worth there."""
    engine = followed(game, name="explicit")
    if engine.count().exact < 2:
        reject()
    position = Position.of(game, engine)
    assert not position.ties.any()  # nobody waits
    strategy = find_strategy(measure)
    return position, [strategy.rate(position, code).value for code in codes]


@measures
@given(games)
@few
def test_marks_that_are_always_read_tell_what_answers_do(measure, game):
    game = replace(game, history=History())
    kinds = 3 if isinstance(game.rule, TileRule) else len(game.rule.notation.kinds)
    read = replace(game, channel=Channel((Rate(1.0),) * kinds))
    codes = [code for code in islice(game.guesses, 20) if len(code) == game.length]
    _, expected = worth(game, measure, codes)
    position, values = worth(read, measure, codes)
    assert position.observation is not None
    assert values == pytest.approx(expected, abs=2e-9)
