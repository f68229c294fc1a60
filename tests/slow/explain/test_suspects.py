"""Suspects where secrets are not listed."""

from dataclasses import replace

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.explain.suspicion import nearly, suspects
from puzzlehunt.game.files import gamefile


def followed(game, name="explicit"):
    engine = open_engine(game, name)
    engine.follow(game.history)
    return engine


def cryptic(*rows, **more):
    game = gamefile.load("cryptic")
    history = game.history.add(*map(game.parse_turn, rows))
    return replace(game, history=history, **more)


def test_where_secrets_are_not_listed_there_are_no_suspects():
    game = cryptic("HORSE B_WR_")
    assert suspects(followed(game, "symbolic")) == []
    assert nearly(followed(game, "symbolic"), 5) == []
