"""Engines at some rows of a game, and what a strategy gets there."""

import random
from typing import Any

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AllOf
from puzzlehunt.engines.base import open_engine
from puzzlehunt.explanation.repair import Repair
from puzzlehunt.game import meaning
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.gamefile import history_keys
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Turn
from puzzlehunt.strategies.position import Pool, Position


def followed(
    game: Game | str, *items: Item | str, name: str | None = None, settings: tuple[str, ...] = ()
) -> Any:
    """Return an engine of a game at some items, or else at the history of the game."""
    engine = open_engine(gamefile.load(game, settings) if isinstance(game, str) else game, name)
    if items:
        engine.follow(items)
    return engine


def read_back(game: Game, history: History) -> History:
    """Write a history as in a file, and return the history read back from it."""
    keys = history_keys(game, history)
    return game.as_history([*(f"/fact {text}" for text in keys["facts"]), *keys["turns"]])


def mended_by(repair: Repair, history: History) -> History:
    """Return a history with the turns of a repair in place of its own."""
    for number, turn in repair.turns:
        history = history.replace(number, turn)
    return history


def position_of(game: Game, seed: int = 0) -> Position:
    engine: Any = open_engine(game, "explicit")
    pool = Pool.of(game, engine.secrets())
    return Position.of(game, engine, pool=pool, rng=random.Random(seed))


def told(game: Game, guess: Code, secret: Code) -> Turn:
    """Return the row of a guess whose answer was read in full."""
    return Turn(guess, game.rule.notation.full_clue(game.score(guess, secret), guess))


def constraint_of(game: Game, item: Item) -> AllOf:
    """What an item says of the secret: what its clue says, and that the game went on."""
    return AllOf((meaning.clue_constraint(game, item), meaning.losing_guess_constraint(game, item)))
