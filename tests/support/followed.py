"""Engines brought to a history."""

from typing import Any

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item


def followed(
    game: Game | str, *items: Item | str, name: str | None = None, settings: tuple[str, ...] = ()
) -> Any:
    """Return an engine of a game at some items, or else at the history of the game."""
    engine = open_engine(gamefile.load(game, settings) if isinstance(game, str) else game, name)
    if items:
        engine.follow(items)
    return engine
