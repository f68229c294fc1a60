"""What a strategy is given of a game."""

import random

from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.game.game import Game
from puzzlehunt.strategies.pool import Pool
from puzzlehunt.strategies.position import Position


def position_of(game: Game, seed: int = 0) -> Position:
    engine = open_known(game)
    pool = Pool.of(game, engine.secrets())
    return Position.of(game, engine, pool, random.Random(seed))


def open_known(game: Game) -> ExplicitEngine:
    engine = ExplicitEngine(game)
    engine.follow(game.history)
    return engine
