"""Suspects where secrets are not listed."""

import random
from dataclasses import replace

import pytest

from positions import followed
from puzzlehunt.channel.model import Rate
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.explanation.repair import near_misses, suspects
from puzzlehunt.game.files import gamefile
from puzzlehunt.session.codemaker import open_codemaker, play_against
from puzzlehunt.strategies.adviser import Adviser


def cryptic(*rows, **more):
    game = gamefile.load("cryptic")
    history = game.history.add(*map(game.parse_turn, rows))
    return replace(game, history=history, **more)


def _names_a_row(rates, seed):
    """Return whether a row is named in a truthful game, of whose marks so many are read."""
    game = gamefile.load("cryptic", ["play.strategy=consistent"])
    rng = random.Random(seed)
    read = replace(game, channel=replace(game.channel, reads=tuple(map(Rate, rates))))
    codemaker = open_codemaker(read, None, rng=rng)
    engine = open_engine(game)
    for turn, _ in play_against(codemaker, Adviser(game), open_engine(game), rng):
        engine.push(turn)
        if not game.is_won(codemaker.history) and any(one.named for one in suspects(engine)[:1]):
            return True
    return False


@pytest.mark.parametrize("rates", [(0.10, 0.13, 0.51), (0.6, 0.6, 0.6), (1, 1, 0), (1, 1, 1)])
def test_at_most_one_truthful_game_in_twenty_names_a_row_as_misread(rates):
    assert sum(_names_a_row(rates, seed) for seed in range(40)) <= 2


def test_where_secrets_are_not_listed_there_are_no_suspects():
    game = cryptic("HORSE B_WR_")
    assert suspects(followed(game, name="symbolic")) == []
    assert near_misses(followed(game, name="symbolic"), 5) == []
